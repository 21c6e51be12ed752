/** Slots of the commands and events of Second and of the tape. */
import type { Ppm } from '../../money/brand.ts'
import type { OptionCommand, OptionTerms } from '../command/option.ts'
import { directions } from '../command/option.ts'
import { optionResults, voidReasons } from '../event/option.ts'
import type { OptionEvent, TapeExtended } from '../event/option.ts'
import type { Codec } from './command.ts'
import { flag, numberOf, wordOf } from './fields.ts'
import { readTapePrices } from './index-prices.ts'
import * as at from './layout.ts'
import { integer } from './records.ts'
import { countAt, readClientId, readIndexPrice, readMarketId, readMillis, readOrderId, readPpm, readUnits, readUserId } from './slots.ts'
import { clientIdSlots, packText, reasonSlots, unpackText } from './text.ts'

type CommandOf<T extends OptionCommand['type']> = Extract<OptionCommand, { readonly type: T }>
type EventOf<T extends OptionEvent['type']> = Extract<OptionEvent, { readonly type: T }>

export const optionCodecs: { readonly [T in OptionCommand['type']]: Codec<CommandOf<T>> } = {
  'option.setTerms': {
    length: (command) => at.OPTION_TERMS + optionTermsSlots(command.terms),
    write: (command, data, start) => writeOptionTerms(command.terms, data, start + at.OPTION_TERMS),
    read: (data, start) => ({ type: 'option.setTerms', terms: readOptionTerms(data, start + at.OPTION_TERMS) }),
  },
  'option.open': {
    length: () => at.OPTION_LENGTH,
    write(command, data, start) {
      data[start + at.OPTION_MARKET] = integer(command.market, 'market')
      data[start + at.OPTION_DIRECTION] = numberOf(directions, command.direction)
      data[start + at.OPTION_STAKE] = integer(command.stake, 'stake')
      data[start + at.OPTION_SECONDS] = integer(command.seconds, 'seconds')
      data[start + at.OPTION_GUARD] = integer(command.guardPpm, 'guardPpm')
    },
    read: (data, start) => ({
      type: 'option.open',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      market: readMarketId(data, start + at.OPTION_MARKET),
      direction: wordOf(directions, data[start + at.OPTION_DIRECTION]!),
      stake: readUnits(data, start + at.OPTION_STAKE),
      seconds: data[start + at.OPTION_SECONDS]!,
      guardPpm: readPpm(data, start + at.OPTION_GUARD),
    }),
  },
  'option.admit': {
    length: () => at.BODY,
    write: () => undefined,
    read: (data, start) => ({ type: 'option.admit', user: readUserId(data, start + at.USER) }),
  },
  'option.setLimits': {
    length: () => at.OPTION_LIMITS_LENGTH,
    write(command, data, start) {
      data[start + at.OPTION_LOSS_MAX] = integer(command.lossMax, 'lossMax')
      data[start + at.OPTION_COOL_OFF] = integer(command.coolOffUntil, 'coolOffUntil')
    },
    read: (data, start) => ({
      type: 'option.setLimits',
      user: readUserId(data, start + at.USER),
      lossMax: readUnits(data, start + at.OPTION_LOSS_MAX),
      coolOffUntil: readMillis(data, start + at.OPTION_COOL_OFF),
    }),
  },
  'option.operate': {
    length: (command) => at.OPERATE_TERMS + optionTermsSlots(command.terms),
    write(command, data, start) {
      data[start + at.OPERATE_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.OPERATE_PROPOSER] = integer(command.proposer, 'proposer')
      data[start + at.OPERATE_APPROVER] = integer(command.approver, 'approver')
      packText(command.reason, data, start + at.OPERATE_REASON, reasonSlots)
      writeOptionTerms(command.terms, data, start + at.OPERATE_TERMS)
    },
    read: (data, start) => ({
      type: 'option.operate',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      amount: readUnits(data, start + at.OPERATE_AMOUNT),
      proposer: data[start + at.OPERATE_PROPOSER]!,
      approver: data[start + at.OPERATE_APPROVER]!,
      reason: unpackText(data, start + at.OPERATE_REASON, reasonSlots),
      terms: readOptionTerms(data, start + at.OPERATE_TERMS),
    }),
  },
}

export const optionReaders: { readonly [T in OptionEvent['type']]: (data: Float64Array, at: number) => EventOf<T> } = {
  'option.terms': (data, at) => ({ type: 'option.terms', terms: readOptionTerms(data, at + 1) }),
  'option.opened': (data, at) => ({
    type: 'option.opened',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    clientId: unpackText(data, at + 3, clientIdSlots),
    market: readMarketId(data, at + 9),
    direction: wordOf(directions, data[at + 10]!),
    stake: readUnits(data, at + 11),
    profitPpm: readPpm(data, at + 12),
    profit: readUnits(data, at + 13),
    acceptedAt: readMillis(data, at + 14),
    strikeFrom: readMillis(data, at + 15),
    expiresAt: readMillis(data, at + 16),
    windowMs: data[at + 17]!,
    gapMaxMs: data[at + 18]!,
    guardPpm: readPpm(data, at + 19),
    reference: readIndexPrice(data, at + 20),
  }),
  'option.struck': (data, at) => ({
    type: 'option.struck',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    strike: readIndexPrice(data, at + 3),
    tick: data[at + 4]!,
    at: readMillis(data, at + 5),
  }),
  'option.settled': (data, at) => ({
    type: 'option.settled',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
    result: wordOf(optionResults, data[at + 4]!),
    reason: wordOf(voidReasons, data[at + 5]!),
    price: readIndexPrice(data, at + 6),
    payout: readUnits(data, at + 7),
    at: readMillis(data, at + 8),
  }),
  'option.admitted': (data, at) => ({ type: 'option.admitted', user: readUserId(data, at + 1) }),
  'option.limits': (data, at) => ({
    type: 'option.limits',
    user: readUserId(data, at + 1),
    lossMax: readUnits(data, at + 2),
    nextLossMax: readUnits(data, at + 3),
    nextAt: readMillis(data, at + 4),
    coolOffUntil: readMillis(data, at + 5),
  }),
  'option.house': (data, at) => ({ type: 'option.house', isOpen: flag(data[at + 1]!, 'isOpen'), fund: readUnits(data, at + 2) }),
  'tape.extended': readTape,
}

/** First slot of the prices in `tape.extended`; the slot before it counts them. */
export const TAPE_PRICES = 12
/** A hash is eight slots of 32 bits each, most significant byte first. */
export const hashSlots = 8

function readTape(data: Float64Array, at: number): TapeExtended {
  const { format, prices } = readTapePrices(data, at + TAPE_PRICES - 1)
  return {
    type: 'tape.extended',
    tick: data[at + 1]!,
    at: readMillis(data, at + 2),
    hash: readHash(data, at + 3),
    format,
    prices: prices.map((price) => ({ ...price, quotes: price.quotes ?? [] })),
  }
}

/** In lower-case hex. */
export function readHash(data: Float64Array, at: number): string {
  let hex = ''
  for (let i = 0; i < hashSlots; i++) hex += data[at + i]!.toString(16).padStart(8, '0')
  return hex
}

const fixedTerms = 18
/** Fixed slots up to version 12 of the dump. */
const fixedTerms12 = 13
const million = 1_000_000

/** Slots of the terms. */
export function optionTermsSlots(terms: OptionTerms): number {
  return fixedTerms + terms.rates.length * 2
}

export function writeOptionTerms(terms: OptionTerms, data: Float64Array, start: number): void {
  data[start] = terms.isOpen ? 1 : 0
  data[start + 1] = integer(terms.stakeMin, 'stakeMin')
  data[start + 2] = integer(terms.stakeMax, 'stakeMax')
  data[start + 3] = integer(terms.openMax, 'openMax')
  data[start + 4] = integer(terms.strikeDelayMs, 'strikeDelayMs')
  data[start + 5] = integer(terms.windowPpm, 'windowPpm')
  data[start + 6] = integer(terms.windowMaxMs, 'windowMaxMs')
  data[start + 7] = integer(terms.gapMaxMs, 'gapMaxMs')
  data[start + 8] = integer(terms.marketExposurePpm, 'marketExposurePpm')
  data[start + 9] = integer(terms.totalExposurePpm, 'totalExposurePpm')
  data[start + 10] = integer(terms.houseFloor, 'houseFloor')
  data[start + 11] = integer(terms.limitWaitMs, 'limitWaitMs')
  data[start + 12] = terms.rates.length
  data[start + 13] = integer(terms.sideMax, 'sideMax')
  data[start + 14] = integer(terms.groupExposurePpm, 'groupExposurePpm')
  data[start + 15] = integer(terms.groupPpm, 'groupPpm')
  data[start + 16] = integer(terms.guardVoidsFree, 'guardVoidsFree')
  data[start + 17] = integer(terms.guardVoidsPpm, 'guardVoidsPpm')
  terms.rates.forEach((rate, i) => {
    data[start + fixedTerms + i * 2] = integer(rate.seconds, 'seconds')
    data[start + fixedTerms + i * 2 + 1] = integer(rate.profitPpm, 'profitPpm')
  })
}

export function readOptionTerms(data: Float64Array, start: number): OptionTerms {
  return {
    ...readOldTerms(data, start, fixedTerms),
    sideMax: readUnits(data, start + 13),
    groupExposurePpm: readPpm(data, start + 14),
    groupPpm: readPpm(data, start + 15),
    guardVoidsFree: data[start + 16]!,
    guardVoidsPpm: readPpm(data, start + 17),
  }
}

/**
 * Terms of version 12 of the dump, which had no caps per direction and group and no limit of guard voids. The cap per direction
 * becomes the one on all open stakes, the cap of the group that of all markets; guards count as at a first start.
 */
export function readOptionTerms12(data: Float64Array, start: number): { readonly terms: OptionTerms; readonly end: number } {
  const old = readOldTerms(data, start, fixedTerms12)
  const caps = { sideMax: old.openMax, groupExposurePpm: old.totalExposurePpm, groupPpm: ppm(700_000) }
  const terms = { ...old, ...caps, guardVoidsFree: 3, guardVoidsPpm: ppm(million / 5) }
  return { terms, end: start + fixedTerms12 + old.rates.length * 2 }
}

function ppm(value: number): Ppm {
  return value as Ppm
}

type NewTerms = 'sideMax' | 'groupExposurePpm' | 'groupPpm' | 'guardVoidsFree' | 'guardVoidsPpm'

function readOldTerms(data: Float64Array, start: number, fixed: number): Omit<OptionTerms, NewTerms> {
  const rates = Array.from({ length: countAt(data, start + 12, 2) }, (_, i) => {
    const at = start + fixed + i * 2
    return { seconds: data[at]!, profitPpm: readPpm(data, at + 1) }
  })
  return {
    isOpen: flag(data[start]!, 'isOpen'),
    rates,
    stakeMin: readUnits(data, start + 1),
    stakeMax: readUnits(data, start + 2),
    openMax: readUnits(data, start + 3),
    strikeDelayMs: data[start + 4]!,
    windowPpm: readPpm(data, start + 5),
    windowMaxMs: data[start + 6]!,
    gapMaxMs: data[start + 7]!,
    marketExposurePpm: readPpm(data, start + 8),
    totalExposurePpm: readPpm(data, start + 9),
    houseFloor: readUnits(data, start + 10),
    limitWaitMs: data[start + 11]!,
  }
}
