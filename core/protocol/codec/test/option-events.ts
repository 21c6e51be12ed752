import { plain } from '../../../money/test/plain.ts'
import { tapeSlots } from '../../../proof/tape.ts'
import type { OptionEvent } from '../../event/option.ts'
import * as optionWriters from '../option-write.ts'
import type { Cases } from './cases.ts'

const option = plain(optionWriters)

const optionTerms = {
  isOpen: true,
  rates: [
    { seconds: 30, profitPpm: 800_000 },
    { seconds: 60, profitPpm: 820_000 },
  ],
  stakeMin: 5_000_000,
  stakeMax: 1_000_000_000,
  openMax: 5_000_000_000,
  sideMax: 3_000_000_000,
  groupExposurePpm: 50_000,
  groupPpm: 700_000,
  guardVoidsFree: 3,
  guardVoidsPpm: 200_000,
  strikeDelayMs: 1500,
  windowPpm: 100_000,
  windowMaxMs: 5000,
  gapMaxMs: 3000,
  marketExposurePpm: 30_000,
  totalExposurePpm: 100_000,
  houseFloor: 100_000_000_000,
  limitWaitMs: 86_400_000,
}
const optionOpened = {
  order: 8,
  user: 3,
  clientId: 'my-option-1',
  market: 1,
  direction: 'down' as const,
  stake: 10_000_000,
  profitPpm: 840_000,
  profit: 8_400_000,
  acceptedAt: 1_700_000_000_000,
  strikeFrom: 1_700_000_001_500,
  expiresAt: 1_700_000_121_500,
  windowMs: 5000,
  gapMaxMs: 3000,
  guardPpm: 200,
  reference: 6_741_250_000_000,
}
const optionStruck = { order: 8, user: 3, strike: 6_741_260_000_000, tick: 77, at: 1_700_000_001_600 }
const optionSettled = {
  ...({ order: 8, user: 3, market: 1, result: 'void', reason: 'sources' } as const),
  ...{ price: 0, payout: 10_000_000, at: 1_700_000_121_600 },
}
const optionLimits = { user: 3, lossMax: 50_000_000, nextLossMax: 0, nextAt: 1_700_000_000_000, coolOffUntil: 1_700_000_500_000 }
const tapePrices = [
  {
    market: 1,
    price: 6_741_250_000_000,
    sources: 2,
    isGood: false,
    quotes: [
      { venue: 0, price: 6_741_240_000_000, correction: -12_345 },
      { venue: 31, price: 6_741_260_000_000, correction: 2 ** 40 },
    ],
    shift: -77,
  },
  { market: 2, price: 250_000_000_000, sources: 4, isGood: true, quotes: [] },
]

export const optionEvents: Cases<OptionEvent['type']> = {
  'option.terms': { put: (into) => option.writeOptionTermsChanged(into, optionTerms), event: { terms: optionTerms } },
  'option.opened': { put: (into) => option.writeOptionOpened(into, optionOpened), event: optionOpened },
  'option.struck': { put: (into) => option.writeOptionStruck(into, optionStruck), event: optionStruck },
  'option.settled': { put: (into) => option.writeOptionSettled(into, optionSettled), event: optionSettled },
  'option.admitted': { put: (into) => option.writeOptionAdmitted(into, 3), event: { user: 3 } },
  'option.limits': { put: (into) => option.writeOptionLimits(into, optionLimits), event: optionLimits },
  'option.house': { put: (into) => option.writeOptionHouse(into, false, 99), event: { isOpen: false, fund: 99 } },
  'tape.extended': {
    put(into) {
      const hash = Uint8Array.from({ length: 32 }, (_, i) => i)
      option.writeTapeExtended(
        into,
        77,
        1_700_000_000_250,
        hash,
        tapeSlots({ tick: 77, at: 1_700_000_000_250, format: 2, prices: tapePrices }),
      )
    },
    event: {
      tick: 77,
      at: 1_700_000_000_250,
      hash: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
      format: 2,
      prices: tapePrices,
    },
  },
}
