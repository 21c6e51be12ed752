import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accountKinds, systemAccounts } from '../account.ts'
import { closeReasons, entryReasons, type Event } from '../event/index.ts'
import { loanCauses } from '../event/margin.ts'
import { firstMarginTerms } from '../../risk/margin-terms.ts'
import * as events from './event.ts'
import * as writeWriters from './event-write.ts'
import * as perpWriters from './perp-write.ts'
import { tapeSlots } from '../../proof/tape.ts'
import * as flags from './layout.ts'
import * as marginWriters from './margin-write.ts'
import * as optionWriters from './option-write.ts'
import { Records } from './records.ts'
import { packText } from './text.ts'
import { plain } from '../../money/test/plain.ts'
const { decodeEvents, eventCodes } = events
const { accountSlot, systemOwner } = plain(events)
const [write, perp, margin, option] = [plain(writeWriters), plain(perpWriters), plain(marginWriters), plain(optionWriters)]
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
} as never

const contract = {
  ...(market as object),
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
} as never

const position = {
  id: 7,
  user: 3,
  market: 13,
  side: 2,
  mode: 1,
  leverage: 10,
  lots: -5,
  cost: 500,
  margin: 50,
  realised: -4,
  fees: 3,
  funding: -2,
  openedAtMs: 1_700_000_000_000,
  openedLots: 9n,
  openedValue: 2n ** 60n + 900n,
  closedLots: 4n,
  closedValue: 396n,
}

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
  direction: 'down',
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
  ...{ order: 8, user: 3, market: 1, result: 'void', reason: 'sources' },
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

/** Per event: how it is written, and what must be read. */
const cases: Record<Event['type'], { readonly put: (into: Records) => void; readonly event: object }> = {
  outcome: {
    put: (into) => write.writeOutcome(into, 9, 1_700_000_000_000, 3, 4, 85, 1),
    event: { seq: 9, at: 1_700_000_000_000, user: 3, order: 4, refusal: 'INSUFFICIENT_BALANCE', isRepeat: true },
  },
  'user.opened': { put: (into) => write.writeUserOpened(into, 5, 1, 2), event: { user: 5, class: 'maker', referrer: 2 } },
  'user.changed': { put: (into) => write.writeUserChanged(into, 5, true), event: { user: 5, isFrozen: true } },
  'user.housed': { put: (into) => write.writeUserHoused(into, 5, true), event: { user: 5, isHouse: true } },
  'user.certified': { put: (into) => write.writeUserCertified(into, 5, true), event: { user: 5, isCertified: true } },
  'user.tierChanged': { put: (into) => write.writeTierChanged(into, 5, 2), event: { user: 5, tier: 2 } },
  'asset.listed': {
    put: (into) => write.writeAssetListed(into, { id: 7, symbol: 'USDT', scale: 6 } as never),
    event: { asset: { id: 7, symbol: 'USDT', scale: 6 } },
  },
  'market.listed': { put: (into) => write.writeMarketListed(into, market), event: { market } },
  'market.changed': { put: (into) => write.writeMarketChanged(into, contract), event: { market: contract } },
  'fees.changed': {
    put: (into) => write.writeFeesChanged(into, [{ volumeMin: 0, makerPpm: 1000, takerPpm: 1000 }] as never),
    event: { tiers: [{ volumeMin: 0, makerPpm: 1000, takerPpm: 1000 }] },
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
  'perp.marked': {
    put: (into) => perp.writePerpMarked(into, 13, 674_125, 6_741_250_000_000, -1500, 1_700_006_400_000),
    event: { market: 13, mark: 674_125, index: 6_741_250_000_000, fundingRate: -1500, fundingAt: 1_700_006_400_000 },
  },
  'perp.settings': {
    put: (into) => perp.writePerpSettings(into, 3, 13, 10, 1, true),
    event: { user: 3, market: 13, leverage: 10, mode: 'isolated', isHedge: true },
  },
  'perp.position': {
    put: (into) => perp.writePosition(into, position, 130),
    event: {
      position: 7,
      user: 3,
      market: 13,
      side: 'short',
      mode: 'isolated',
      leverage: 10,
      lots: -5,
      cost: 500,
      margin: 50,
      liquidationPrice: 130,
      realised: -4,
      fees: 3,
      funding: -2,
      openedAt: 1_700_000_000_000,
    },
  },
  'perp.closed': {
    put: (into) => perp.writePositionClosed(into, position, 1, 2, 1_700_000_000_009),
    event: {
      position: 7,
      user: 3,
      market: 13,
      side: 'sell',
      mode: 'isolated',
      leverage: 10,
      openedLots: 9n,
      openedValue: 2n ** 60n + 900n,
      closedLots: 4n,
      closedValue: 396n,
      realised: -4,
      fees: 3,
      funding: -2,
      cause: 'deleverage',
      openedAt: 1_700_000_000_000,
      closedAt: 1_700_000_000_009,
    },
  },
  'perp.fundingDue': {
    put: (into) => perp.writeFundingDue(into, 13, -100_000, 674_125, 1_700_006_400_000),
    event: { market: 13, rate: -100_000, mark: 674_125, at: 1_700_006_400_000 },
  },
  'perp.funded': {
    put: (into) => perp.writeFunded(into, 13, 100_000, 674_125, 12, 10, 2, 1_700_006_400_000),
    event: { market: 13, rate: 100_000, mark: 674_125, paid: 12, received: 10, rest: 2, at: 1_700_006_400_000 },
  },
  'perp.fundingPaid': {
    put: (into) => perp.writeFundingPaid(into, 3, 13, 7, -5, 100_000, 6),
    event: { user: 3, market: 13, position: 7, lots: -5, rate: 100_000, amount: 6 },
  },
  'perp.liquidated': {
    put(into) {
      const step = { user: 3, market: 13, position: 7, order: 9, mark: 100, index: 101, equity: 4, maintenance: 5 }
      perp.writeLiquidated(into, { ...step, maintenancePpm: 6, askedLots: 7, closedLots: 8, bankruptcyPrice: 99, fee: 1, insured: 2 })
    },
    event: {
      user: 3,
      market: 13,
      position: 7,
      order: 9,
      mark: 100,
      index: 101,
      equity: 4,
      maintenance: 5,
      maintenancePpm: 6,
      askedLots: 7,
      closedLots: 8,
      bankruptcyPrice: 99,
      fee: 1,
      insured: 2,
    },
  },
  'perp.deleveraged': {
    put: (into) => perp.writeDeleveraged(into, 13, 99, 5, 3, 4, 8),
    event: { market: 13, price: 99, lots: 5, bankruptUser: 3, user: 4, position: 8 },
  },
  'perp.takenOver': {
    put: (into) => perp.writeTakenOver(into, 13, 99, 5, 3, 8),
    event: { market: 13, price: 99, lots: 5, user: 3, position: 8 },
  },
  'perp.inventory': { put: (into) => perp.writePerpInventory(into, 13, -5, 495), event: { market: 13, lots: -5, cost: 495 } },
  'perp.level': {
    put: (into) => perp.writePerpLevel(into, 3, 13, 7, 1),
    event: { user: 3, market: 13, position: 7, state: 'watch' },
  },
  'perp.phase': { put: (into) => perp.writePerpPhase(into, 13, 2), event: { market: 13, phase: 'reducing' } },
  'order.triggered': { put: (into) => write.writeTriggered(into, 8, 3, 1), event: { order: 8, user: 3, market: 1 } },
  'order.amended': {
    put: (into) => write.writeAmended(into, 8, 3, 1, 100, 9, 1),
    event: { order: 8, user: 3, market: 1, price: 100, lots: 9, keepsPriority: true },
  },
  'order.prevented': {
    put: (into) => write.writePrevented(into, 1, 3, 100, 5, 8, 9),
    event: { market: 1, user: 3, price: 100, lots: 5, makerOrder: 8, takerOrder: 9 },
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
  'margin.terms': {
    put: (into) => margin.writeMarginTermsChanged(into, firstMarginTerms(6, [])),
    event: { terms: firstMarginTerms(6, []) },
  },
  'margin.loan': {
    put: (into) => margin.writeLoan(into, 3, 1, 2, loanCauses.indexOf('auto-repay'), -50, 900, 7),
    event: { user: 3, market: 1, asset: 2, cause: 'auto-repay', delta: -50, principal: 900, interest: 7 },
  },
  'margin.level': {
    put: (into) => margin.writeMarginLevel(into, 3, 0, 1, 1_155_000),
    event: { user: 3, market: 0, state: 'watch', levelPpm: 1_155_000 },
  },
  'margin.liquidated': {
    put: (into) => margin.writeMarginLiquidated(into, 3, 1, 8, 1_049_000, 1_050_000, 104_900, 100_000, 25, 3),
    event: {
      user: 3,
      market: 1,
      order: 8,
      levelPpm: 1_049_000,
      liquidationPpm: 1_050_000,
      assets: 104_900,
      debt: 100_000,
      fee: 25,
      insured: 3,
    },
  },
  'lend.pool': {
    put: (into) => margin.writePool(into, 1, 1000, 500, 20, 14_375_000, 77),
    event: { asset: 1, supplied: 1000, borrowed: 500, queued: 20, rate: 14_375_000, index: 77 },
  },
  'lend.claim': {
    put: (into) => margin.writeClaim(into, 3, 1, 1000, 5, 20),
    event: { user: 3, asset: 1, claim: 1000, earned: 5, queued: 20 },
  },
  'option.terms': { put: (into) => option.writeOptionTermsChanged(into, optionTerms as never), event: { terms: optionTerms } },
  'option.opened': { put: (into) => option.writeOptionOpened(into, optionOpened as never), event: optionOpened },
  'option.struck': { put: (into) => option.writeOptionStruck(into, optionStruck as never), event: optionStruck },
  'option.settled': { put: (into) => option.writeOptionSettled(into, optionSettled as never), event: optionSettled },
  'option.admitted': { put: (into) => option.writeOptionAdmitted(into, 3), event: { user: 3 } },
  'option.limits': { put: (into) => option.writeOptionLimits(into, optionLimits as never), event: optionLimits },
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

const types = Object.keys(eventCodes) as Event['type'][]

for (const type of types) {
  test(`${type} is read as it was written`, () => {
    const records = new Records(1)
    cases[type].put(records)
    assert.deepEqual(decodeEvents(records.data, 0, records.length), [{ type, ...cases[type].event }])
  })
}

test('events in a row are read one after the other, or handed over one by one', () => {
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

test('an account in two slots names one account only', () => {
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

test('a cut or unknown event is not read', () => {
  const records = new Records()
  cases.entry.put(records)
  assert.throws(() => decodeEvents(records.data, 0, records.length - 1))
  records.data[0] = 1000 * 2 ** 20 + 8
  assert.throws(() => decodeEvents(records.data, 0, records.length))
})
