import { plain } from '../../../money/test/plain.ts'
import { closeReasons, type Event } from '../../event/index.ts'
import * as events from '../event.ts'
import * as writeWriters from '../event-write.ts'
import * as flags from '../layout.ts'
import { packText } from '../text.ts'
import { algoEvents } from './algo-cases.ts'
import type { Cases } from './cases.ts'
import { chainEvents } from './chain-events.ts'
import { convertEvents } from './convert-cases.ts'
import { firmEvents } from './firm-cases.ts'
import { marginEvents } from './margin-events.ts'
import { optionEvents } from './option-events.ts'
import { perpEvents } from './perp-events.ts'
import { presaleEvents } from './presale-cases.ts'
import { referralEvents } from './referral-cases.ts'

const { accountSlot } = plain(events)
const write = plain(writeWriters)
const terms = {
  makerFeePpm: 1000,
  takerFeePpm: 1000,
  notionalMin: 5_000_000,
  lotsMin: 1,
  lotsMax: 1e9,
  bandPpm: 200_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  isTrading: true,
}
const market = {
  id: 1,
  symbol: 'BTCUSDT',
  base: 2,
  quote: 1,
  tick: '0.1',
  lot: '0.00001',
  basePerLot: 1000,
  quotePerTickLot: 1,
  terms,
}

const contract = {
  ...market,
  perp: {
    index: 1,
    leverageMax: 10,
    fundingHours: 8,
    fundingInterest: 100_000,
    fundingStretch: 500_000,
    fundingCap: 7_500_000,
    impactValue: 10_000_000_000,
    markClampPpm: 10_000,
    basisWindowMs: 30_000,
    liquidationFeePpm: 5000,
    liquidationStepPpm: 250_000,
    openInterestMax: 20_000_000_000_000,
    userInterestPpm: 100_000,
    carryPpm: 200_000,
    tiers: [
      { valueMax: 50_000_000_000, initialPpm: 100_000, maintenancePpm: 25_000 },
      { valueMax: 250_000_000_000, initialPpm: 125_000, maintenancePpm: 40_000 },
    ],
  },
}

/** One of every event. */
export const eventCases: Cases<Event['type']> = {
  outcome: {
    put: (into) => write.writeOutcome(into, 9, 1_700_000_000_000, 3, 4, 85, 1),
    event: { seq: 9, at: 1_700_000_000_000, user: 3, order: 4, refusal: 'INSUFFICIENT_BALANCE', isRepeat: true },
  },
  'user.opened': { put: (into) => write.writeUserOpened(into, 5, 1, 2), event: { user: 5, class: 'maker', referrer: 2 } },
  'user.changed': { put: (into) => write.writeUserChanged(into, 5, true), event: { user: 5, isFrozen: true } },
  'user.housed': { put: (into) => write.writeUserHoused(into, 5, true), event: { user: 5, isHouse: true } },
  'user.certified': { put: (into) => write.writeUserCertified(into, 5, true), event: { user: 5, isCertified: true } },
  'user.rested': { put: (into) => write.writeUserRested(into, 5, 1_700_000_000_000), event: { user: 5, until: 1_700_000_000_000 } },
  'user.staffed': { put: (into) => write.writeUserStaffed(into, 5, true), event: { user: 5, isStaff: true } },
  'user.tierChanged': { put: (into) => write.writeTierChanged(into, 5, 2), event: { user: 5, tier: 2 } },
  'asset.listed': {
    put: (into) => write.writeAssetListed(into, { id: 7, symbol: 'USDT', scale: 6 }),
    event: { asset: { id: 7, symbol: 'USDT', scale: 6 } },
  },
  'market.listed': { put: (into) => write.writeMarketListed(into, market), event: { market } },
  'market.changed': { put: (into) => write.writeMarketChanged(into, contract), event: { market: contract } },
  'fees.changed': {
    put: (into) =>
      write.writeFeesChanged(into, [{ volumeMin: 0, makerPpm: 1000, takerPpm: 1000 }], [{ volumeMin: 0, makerPpm: 200, takerPpm: 500 }]),
    event: {
      tiers: [{ volumeMin: 0, makerPpm: 1000, takerPpm: 1000 }],
      perpTiers: [{ volumeMin: 0, makerPpm: 200, takerPpm: 500 }],
    },
  },
  'index.ticked': {
    put: (into) => write.writeIndexTicked(into, 1, 6_741_250_000_000, 3, true),
    event: { market: 1, price: 6_741_250_000_000, sources: 3, isGood: true },
  },
  entry: {
    put: (into) => write.writeEntry(into, 12, accountSlot(0, 3, 0), 2, -5, 5, 95, 5),
    event: { account: { user: 12, kind: 'spot', asset: 3 }, reason: 'hold', delta: -5, heldDelta: 5, available: 95, held: 5 },
  },
  'order.accepted': {
    put(into) {
      const ids = new Float64Array(8)
      packText('my-order-0001', ids, 1, 6)
      const bits = flags.SELL | flags.TRAILING | flags.FALLS | flags.HAS_ACTIVATION | flags.IOC | flags.MARKET_ORDER
      write.writeAccepted(into, 8, 7, 3, ids, 1, 1, bits, 0, 10, 0, 0, 5000, 670_000)
    },
    event: {
      order: 8,
      list: 7,
      user: 3,
      clientId: 'my-order-0001',
      market: 1,
      side: 'sell',
      orderType: 'market',
      timeInForce: 'IOC',
      price: 0,
      lots: 10,
      spend: 0,
      isPostOnly: false,
      display: 0,
      trigger: { kind: 'trailing', trailPpm: 5000, activation: 670_000, direction: 'falls-to' },
    },
  },
  'order.triggered': { put: (into) => write.writeTriggered(into, 8, 3, 1), event: { order: 8, user: 3, market: 1 } },
  'order.entered': { put: (into) => write.writeEntered(into, 8, 3, 1), event: { order: 8, user: 3, market: 1 } },
  'order.amended': {
    put: (into) => write.writeAmended(into, 8, 3, 1, 100, 9, 1),
    event: { order: 8, user: 3, market: 1, price: 100, lots: 9, keepsPriority: true },
  },
  'order.prevented': {
    put: (into) => write.writePrevented(into, 1, 3, 100, 5, 8, 9),
    event: { market: 1, user: 3, price: 100, lots: 5, makerOrder: 8, takerOrder: 9 },
  },
  'match.prevented': {
    put: (into) => {
      const lots = { makerLots: 5, takerLots: 0 }
      write.writeMatchPrevented(into, { ...{ market: 1, match: 4, mode: 1, user: 3, price: 100, makerOrder: 8, takerOrder: 9 }, ...lots })
    },
    event: { market: 1, match: 4, mode: 'expire-maker', user: 3, price: 100, makerOrder: 8, takerOrder: 9, makerLots: 5, takerLots: 0 },
  },
  traded: {
    put: (into) => write.writeTraded(into, 1, 2, 100, 5, 500, 1, 8, 9, 3, 4, 1, 2),
    event: {
      market: 1,
      trade: 2,
      price: 100,
      lots: 5,
      quote: 500,
      takerSide: 'sell',
      makerOrder: 8,
      takerOrder: 9,
      makerUser: 3,
      takerUser: 4,
      makerFee: 1,
      takerFee: 2,
    },
  },
  'order.closed': {
    put: (into) => write.writeClosed(into, 8, 3, 1, closeReasons.indexOf('oco'), 5, 500),
    event: { order: 8, user: 3, market: 1, reason: 'oco', executedLots: 5, executedQuote: 500 },
  },
  'book.level': {
    put: (into) => write.writeLevel(into, 1, 77, 0, 100, 5),
    event: { market: 1, update: 77, side: 'buy', price: 100, lots: 5 },
  },
  ...perpEvents,
  ...chainEvents,
  ...convertEvents,
  ...referralEvents,
  ...firmEvents,
  ...algoEvents,
  ...presaleEvents,
  ...marginEvents,
  ...optionEvents,
}
