import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accountKinds, systemAccounts } from '../account.ts'
import { closeReasons, entryReasons, type Event } from '../event/index.ts'
import * as events from './event.ts'
import * as writeWriters from './event-write.ts'
import * as flags from './layout.ts'
import { Records } from './records.ts'
import { packText } from './text.ts'
import { plain } from '../../money/test/plain.ts'
import type { Cases } from './test/cases.ts'
import { chainEvents } from './test/chain-events.ts'
import { convertEvents } from './test/convert-cases.ts'
import { algoEvents } from './test/algo-cases.ts'
import { firmEvents } from './test/firm-cases.ts'
import { referralEvents } from './test/referral-cases.ts'
import { marginEvents } from './test/margin-events.ts'
import { optionEvents } from './test/option-events.ts'
import { perpEvents } from './test/perp-events.ts'
import { presaleEvents } from './test/presale-cases.ts'
const { decodeEvents, eventCodes } = events
const { accountSlot, systemOwner } = plain(events)
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

const cases: Cases<Event['type']> = {
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

const types = Object.keys(eventCodes) as Event['type'][]

for (const type of types) {
  test(`${type} reads back as it was written`, () => {
    const records = new Records(1)
    cases[type].put(records)
    assert.deepEqual(decodeEvents(records.data, 0, records.length), [{ type, ...cases[type].event }])
  })
}

test('consecutive events are returned as a list, or passed to a callback one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...types), { maxLength: 30 }), (list) => {
      const records = new Records(1)
      for (const type of list) cases[type].put(records)
      const events = decodeEvents(records.data, 0, records.length)
      assert.deepEqual(
        events.map((event) => event.type),
        list,
      )
      const visited: Event[] = []
      assert.deepEqual(
        decodeEvents(records.data, 0, records.length, (event) => visited.push(event)),
        [],
      )
      assert.deepEqual(visited, events)
    }),
    { numRuns: 50 },
  )
})

test('the two slots of an account identify exactly one account', () => {
  const user = fc.tuple(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.nat(accountKinds.length - 1), fc.nat(2 ** 20 - 1), fc.nat(2 ** 20))
  fc.assert(
    fc.property(user, fc.nat(entryReasons.length - 1), ([owner, kind, asset, market], reason) => {
      const records = new Records()
      write.writeEntry(records, owner, accountSlot(kind, asset, market), reason, -1, 1, 0, 1)
      const account = { user: owner, kind: accountKinds[kind], asset }
      const [event] = decodeEvents(records.data, 0, records.length)
      assert.deepEqual((event as { account: object }).account, market === 0 ? account : { ...account, market })
    }),
  )
  systemAccounts.forEach((system, i) => {
    const records = new Records()
    write.writeEntry(records, systemOwner(i), accountSlot(0, 3, 0), 0, 1, 0, 1, 0)
    assert.deepEqual((decodeEvents(records.data, 0, records.length)[0] as { account: object }).account, { system, asset: 3 })
  })
})

test('decoding a cut or unknown event throws', () => {
  const records = new Records()
  cases.entry.put(records)
  assert.throws(() => decodeEvents(records.data, 0, records.length - 1))
  records.data[0] = 1000 * 2 ** 20 + 8
  assert.throws(() => decodeEvents(records.data, 0, records.length))
})
