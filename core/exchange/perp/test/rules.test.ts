/** The rules of Futures orders, each alone: shapes, caps, and the room that an order leaves its account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SideNumber } from '../../../book/codes.ts'
import type { IndexPrice, Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { checkLeverage, checkOpening, checkShape, isInBand } from '../rules/checks.ts'
import { checkInterest, viewInterest } from '../rules/interest.ts'
import { closable, countedProfit, crossProfit, cushionOf, freeOf, transferableOf, usableBy } from '../rules/money.ts'
import { isSound, protectionPrice, roomOf, soundLimit } from '../rules/sound.ts'
import type { Contract, Holding } from '../records/state.ts'
import { LONG, SHORT } from '../records/state.ts'
import { Alone } from './alone.ts'
import { perpTerms } from './world.ts'

const { CLOSING, FOK, HAS_EXITS, HAS_LOTS, HAS_PRICE, IOC, MARKET_ORDER, POST_ONLY, REDUCE_ONLY, STOP, TRAILING } = layout
const buy = 0 as SideNumber
const sell = 1 as SideNumber

test('PERP-ORDER-001: an order has exactly the fields of its type, and none that exclude each other', () => {
  const limit = HAS_PRICE | HAS_LOTS
  const market = MARKET_ORDER | HAS_LOTS
  const closing = MARKET_ORDER | CLOSING
  const good = [
    ...[limit, limit | IOC, limit | FOK, limit | POST_ONLY, limit | REDUCE_ONLY, limit | HAS_EXITS, limit | STOP],
    ...[market, market | IOC, market | HAS_EXITS, market | REDUCE_ONLY, closing | STOP, closing | TRAILING, closing | STOP | IOC],
  ]
  const wrong = [
    ...[HAS_LOTS, HAS_PRICE, 0, market | HAS_PRICE, MARKET_ORDER, closing, closing | STOP | HAS_LOTS, HAS_PRICE | CLOSING],
    ...[closing | STOP | HAS_EXITS, limit | REDUCE_ONLY | HAS_EXITS, market | POST_ONLY, market | FOK],
    ...[limit | IOC | POST_ONLY, limit | FOK | POST_ONLY],
  ]
  assert.deepEqual(
    good.map((flags) => checkShape(flags as OrderFlags)),
    good.map(() => undefined),
  )
  assert.deepEqual(
    wrong.map((flags) => checkShape(flags as OrderFlags)),
    wrong.map(() => 'ORDER_TYPE_INVALID'),
  )
})

/** Sets terms of a contract; those of the market are changed by `market`. */
function sets(contract: Contract, perp: object, market: object = {}): void {
  const { venue } = contract
  venue.market = { ...venue.market, terms: { ...venue.market.terms, ...market }, perp: { ...venue.market.perp!, ...perp } }
}

test('PERP-ORDER-003: the band around the mark includes both of its ends', () => {
  const { contract } = new Alone()
  const inBand = (price: number, from?: number): boolean => isInBand(contract, price as Ticks, from as Ticks | undefined)
  assert.deepEqual(
    [79, 80, 120, 121].map((price) => inBand(price)),
    [false, true, true, false],
  )
  assert.deepEqual(
    [159, 160, 240, 241].map((price) => inBand(price, 200)),
    [false, true, true, false],
  )
})

test('PERP-LEVERAGE-001: a value has the leverage of its tier, and none above the last tier', () => {
  const { contract } = new Alone()
  sets(contract, {
    tiers: [
      { valueMax: 1000, initialPpm: 100_000, maintenancePpm: 25_000 },
      { valueMax: 5000, initialPpm: 200_000, maintenancePpm: 75_000 },
    ],
  })
  const check = (value: number, leverage: number): string | undefined => checkLeverage(contract, value as Units, leverage)
  assert.deepEqual(
    [check(1000, 10), check(1000, 11), check(1001, 5), check(1001, 6)],
    [undefined, 'LEVERAGE_TOO_HIGH', undefined, 'LEVERAGE_TOO_HIGH'],
  )
  assert.deepEqual([check(5000, 1), check(5001, 1)], [undefined, 'NOTIONAL_TOO_LARGE'])
  sets(contract, { tiers: [{ valueMax: 2 ** 50, initialPpm: 100_000, maintenancePpm: 25_000 }] })
  assert.deepEqual([check(2 ** 46, 1), check(2 ** 46 + 1, 1)], [undefined, 'NOTIONAL_TOO_LARGE'])
})

test('PERP-INTEREST-001: the caps of the market and of one user count positions at the mark, and the order’s own value', () => {
  const alone = new Alone()
  const { contract, x } = alone
  sets(contract, { openInterestMax: 10_000, userInterestPpm: 300_000 })
  const long = alone.opens(1, 20, 50, 1000)
  alone.opens(2, -20, 50, 1000)
  const check = (holding: Holding, side: SideNumber, opening: number, own: number): string | undefined =>
    checkInterest(x, holding, side, opening as Units, own as Units)
  // 20 lots are worth 2,000 at the mark: 8,000 are left in the market, and 1,000 of 3,000 for the user who is long.
  assert.deepEqual(
    [check(long, buy, 1000, 1000), check(long, buy, 1001, 1000), check(long, buy, 9000, 0)],
    [undefined, 'POSITION_TOO_LARGE', undefined],
  )
  // A sell closes the long position first, which then doesn't count.
  assert.deepEqual([check(long, sell, 3000, 3000), check(long, sell, 3001, 3000)], [undefined, 'POSITION_TOO_LARGE'])
  sets(contract, { userInterestPpm: 1_000_000 })
  assert.deepEqual([check(long, buy, 8000, 8000), check(long, buy, 8001, 8001)], [undefined, 'OPEN_INTEREST_FULL'])
  sets(contract, { userInterestPpm: 300_000 })
  alone.lists(5)
  const view = (user: number): readonly (readonly number[])[] =>
    viewInterest(x, user as UserId).map(({ market, left, buy, sell }) => [market, left, buy, sell])
  const whole = perpTerms.openInterestMax
  assert.deepEqual(view(1), [
    [3, 8000, 1000, 3000],
    [5, whole, whole, whole],
  ])
  assert.deepEqual(view(2)[0], [3, 8000, 3000, 1000])
  assert.deepEqual(view(9)[0], [3, 8000, 3000, 3000])
  contract.mark = 1000 as Ticks
  assert.deepEqual(view(1)[0], [3, 0, 0, 3000])
})

test('PERP-INTEREST-002: in hedge mode both positions of a user count for both sides', () => {
  const alone = new Alone()
  const { contract, x } = alone
  sets(contract, { openInterestMax: 10_000 })
  alone.opens(1, 20, 100, 1000, { side: LONG })
  alone.opens(1, -10, 100, 1000, { side: SHORT })
  x.perp.account(1 as UserId).isHedge = true
  const [shown] = viewInterest(x, 1 as UserId)
  assert.deepEqual([shown!.left, shown!.buy, shown!.sell], [8000, 7000, 7000])
})

test('PERP-ORDER-008: lots that open are accepted up to the opening limit of their leverage, and lots that close anywhere', () => {
  const alone = new Alone()
  const holding = alone.opens(1, 10, 100, 100)
  holding.setting.leverage = 10
  const check = (side: SideNumber, price: number, lots: number): string | undefined =>
    checkOpening(holding, side, price as Ticks, lots as Lots)
  // 100 × 10 × 0.955 ÷ 9 = 106.1, and 100 × 10 × 1.045 ÷ 11 = 95.
  assert.deepEqual([check(buy, 106, 1), check(buy, 107, 1)], [undefined, 'MARGIN_INSUFFICIENT'])
  assert.deepEqual(
    [check(sell, 96, 11), check(sell, 95, 11), check(sell, 95, 10), check(sell, 1, 10)],
    [undefined, 'MARGIN_INSUFFICIENT', undefined, undefined],
  )
  assert.deepEqual([closable(holding, sell), closable(holding, buy)], [10, 0])
})

/** Room of an order that opens `opening` of its lots. */
const room = ({ x }: Alone, holding: Holding, side: SideNumber, lots: number, opening: number, price: number): number =>
  roomOf(x, holding, side, lots as Lots, opening as Lots, price as Ticks)

test('PERP-ORDER-012: the room of a cross order is the equity of the account less maintenance, cushion and fee', () => {
  const alone = new Alone()
  const other = alone.lists(5)
  const holding = alone.opens(1, 10, 100, 100, { isCross: true })
  holding.setting.leverage = 10
  alone.pays(1, 299)
  // 300 are available and 100 are margin. 15 lots need ⌈1,500 × 4.5 %⌉ = 68, and the fee of 520 is 1.
  assert.equal(room(alone, holding, buy, 5, 5, 104), 300 - 68 - 1 + 100)
  // Turning: 5 lots need ⌈500 × 4.5 %⌉ = 23, and the fee of 15 × 96 is 1.
  assert.equal(room(alone, holding, sell, 15, 5, 96), 300 - 23 - 1 + 100)
  assert.equal(room(alone, holding, sell, 10, 0, 96), Infinity)
  // Another position loses 100 and needs 4.5 % of 1,000; it brings 50 of margin and 1 of balance.
  const second = alone.opens(1, 10, 110, 50, { contract: other, isCross: true })
  second.setting.leverage = 1
  assert.equal(room(alone, holding, buy, 5, 5, 104), 331 + 1 + 50 - 100 - 45)
  // Its profit counts only while the index is good.
  Object.assign(second, { cost: 900 })
  assert.equal(room(alone, holding, buy, 5, 5, 104), 331 + 1 + 50 + 100 - 45)
  assert.deepEqual([countedProfit(second), crossProfit(second.account)], [100, 100])
  other.source.isIndexGood = false
  assert.equal(room(alone, holding, buy, 5, 5, 104), 331 + 1 + 50 - 45)
  assert.deepEqual([countedProfit(second), crossProfit(second.account), cushionOf(alone.x, holding)], [0, 0, 301 + 150 + 100])
  // A larger value has the rates of a higher tier: at 5 % of 15 lots and half of the room to leverage 10.
  sets(alone.contract, {
    tiers: [
      { valueMax: 1519, initialPpm: 100_000, maintenancePpm: 25_000 },
      { valueMax: 5000, initialPpm: 100_000, maintenancePpm: 80_000 },
    ],
  })
  assert.equal(room(alone, holding, buy, 5, 5, 104), 331 + 1 + 50 - 45 + 68 - 135)
  assert.equal(room(alone, holding, sell, 15, 5, 96), 300 - 23 - 1 + 100 + 1 + 50 - 45)
})

test('PERP-ORDER-012: the room of an isolated position is its margin with that of the new lots, at the lower of both prices', () => {
  const alone = new Alone()
  const long = alone.opens(1, 10, 101, 110)
  long.setting.leverage = 10
  // Profit −10; the margin of ⌈1,010 + 500⌉ ÷ 10 is 50 more than ⌈101⌉; 15 lots need 68.
  assert.deepEqual([room(alone, long, buy, 5, 5, 104), room(alone, long, buy, 5, 5, 98)], [110 - 10 + 50 - 68, 110 - 10 + 49 - 68])
  assert.deepEqual([room(alone, long, sell, 15, 5, 104), room(alone, long, sell, 5, -5, 104)], [Infinity, Infinity])
  const none = alone.opens(2, 0, 0, 0)
  assert.equal(room(alone, none, buy, 5, 5, 104), Infinity)
  const sound = (lots: number, price: number): boolean => isSound(alone.x, long, buy, lots as Lots, lots as Lots, price as Ticks)
  // 5 lots at 104 lose 20 of 82, at 116 80, at 117 85.
  assert.deepEqual([sound(5, 104), sound(5, 116), sound(5, 117), sound(5, 90)], [true, true, false, true])
  const short = alone.opens(3, -10, 99, 110)
  short.setting.leverage = 10
  // 110 − 10 + 50 − 68 = 82 for a sell at 100 and above; below, the lots bring less margin.
  assert.deepEqual([room(alone, short, sell, 5, 5, 100), room(alone, short, sell, 5, 5, 84)], [82, 74])
  const isSoundSell = (price: number): boolean => isSound(alone.x, short, sell, 5 as Lots, 5 as Lots, price as Ticks)
  // At 85 they lose 75 of 75, at 84 80 of 74.
  assert.deepEqual([isSoundSell(85), isSoundSell(84), isSoundSell(120)], [true, false, true])
  const limited = (lots: number, limit: number): number => soundLimit(alone.x, long, buy, lots as Lots, limit as Ticks)
  // The room at 120 is 82 too: 16 ticks for 5 lots.
  assert.deepEqual([limited(5, 120), limited(5, 116), limited(5, 110)], [116, 116, 110])
  assert.equal(soundLimit(alone.x, none, buy, 5 as Lots, 120 as Ticks), 120)
})

test('PERP-ORDER-013: the protection price is the slippage from a good index', () => {
  const { x, contract } = new Alone()
  contract.index = 110e8 as IndexPrice
  assert.deepEqual([protectionPrice(x, contract, buy), protectionPrice(x, contract, sell)], [115, 105])
  sets(contract, {}, { slippagePpm: 100_000 as Ppm })
  assert.deepEqual([protectionPrice(x, contract, buy), protectionPrice(x, contract, sell)], [121, 99])
})

test('PERP-TRANSFER-002: what may leave an account keeps the initial margin of every cross position and unpaid funding back', () => {
  const alone = new Alone()
  const { x, contract } = alone
  const sums = (holding: Holding): readonly number[] => [...[freeOf(x, 1 as UserId), transferableOf(x, 1 as UserId), usableBy(x, holding)]]
  alone.pays(1, 999)
  assert.equal(freeOf(x, 1 as UserId), 999)
  const holding = alone.opens(1, 10, 120, 120, { isCross: true })
  holding.setting.leverage = 5
  // A loss of 200; at the mark 200 of margin are needed, and 120 are there.
  assert.deepEqual(sums(holding), [800, 720, 800])
  const isolated = alone.opens(1, 10, 100, 100, { contract: alone.lists(5) })
  assert.equal(usableBy(x, isolated), 721)
  isolated.advance = 30
  assert.deepEqual(sums(holding), [771, 691, 771])
  holding.cost = 900 as Units
  assert.deepEqual(sums(holding), [971, 891, 971])
  isolated.advance = 5000
  assert.deepEqual(sums(holding), [0, 0, 0])
  isolated.advance = 0
  holding.margin = 900 as Units
  assert.equal(transferableOf(x, 1 as UserId), 1001)
  contract.gate.advance(x.atMs, true, false)
  assert.equal(transferableOf(x, 1 as UserId), 0)
})
