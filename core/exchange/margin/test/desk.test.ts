/** How the spot desk asks for orders of margin accounts: what is refused, and the worst price of a market order, to the tick. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SideNumber } from '../../../book/codes.ts'
import { FLAGS, I } from '../../../book/order-fields.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import { BORROW_SHIFT, CROSS_MARGIN, ISOLATED_MARGIN, SELL } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import { borrowModes } from '../../../protocol/command/margin.ts'
import type { BorrowMode } from '../../../protocol/command/margin.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { marginDesk } from '../desk.ts'
import { Debt, LIQUIDATING } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { SUPPLY, openMarginRow } from '../rules/postings.ts'
import { btcusdt, ethbtc, open, units } from './world.ts'

const [usdt, btc, eth] = [1 as AssetId, 2 as AssetId, 3 as AssetId]
const cross = 0 as MarketId
const [buy, sell] = [0 as SideNumber, 1 as SideNumber]
const lots = (count: number): Lots => count as Lots
const ticks = (price: number): Ticks => price as Ticks
const flagsOf = (account: number, mode: BorrowMode, side = buy): OrderFlags =>
  (account | (borrowModes.indexOf(mode) << BORROW_SHIFT) | (side === sell ? SELL : 0)) as OrderFlags

/** BTC is worth 50,000 USDT; a lot is 0.001 BTC. Alice’s accounts are empty. */
function given() {
  const desk = open({}).user('alice')
  const x = restoreState(desk.world.exchange.dump())
  x.write(new Records())
  return { x, alice: desk.world.user('alice') as UserId }
}

function has(x: State, user: UserId, market: MarketId, asset: AssetId, amount: string): Account {
  const name = asset === usdt ? 'USDT' : asset === btc ? 'BTC' : 'ETH'
  x.ledger.credit(openMarginRow(x, user, market, asset), units(name, amount) as Units, SUPPLY)
  const account = x.margin.account(user, market)
  if (market === 0 && !account.assets.includes(asset)) account.assets.push(asset)
  return account
}

function owes(x: State, account: Account, asset: AssetId, principal: number): void {
  const debt = new Debt(asset, x.margin.hour)
  debt.principal = principal as Units
  account.debts.push(debt)
}

const lose = (x: State, asset: AssetId): void => x.margin.prices[asset]!.outage.begin(x.atMs)

test('MARGIN-ORDER-001: an order belongs to one margin account, not to two', () => {
  const { x, alice } = given()
  has(x, alice, btcusdt, usdt, '1000')
  const check = (flags: number) => marginDesk.check(x, x.venue(btcusdt)!, alice, flags as OrderFlags, 1 as Units, ticks(50_000), lots(1))
  assert.equal(check(ISOLATED_MARGIN), undefined)
  assert.equal(check(ISOLATED_MARGIN | CROSS_MARGIN), 'ORDER_TYPE_INVALID')
})

test('MARGIN-TRANSFER-001: in a market without margin trading only its isolated account with debts goes on trading', () => {
  const { x, alice } = given()
  const venue = x.venue(ethbtc)!
  const check = (account: number) =>
    marginDesk.check(x, venue, alice, flagsOf(account, 'none', sell), units('ETH', '0.1') as Units, ticks(5_000), lots(100))
  for (const market of [cross, ethbtc]) has(x, alice, market, eth, '1')
  assert.deepEqual([check(CROSS_MARGIN), check(ISOLATED_MARGIN)], ['MARKET_WITHOUT_MARGIN', 'MARKET_WITHOUT_MARGIN'])
  for (const market of [cross, ethbtc]) owes(x, x.margin.account(alice, market), btc, units('BTC', '0.01'))
  assert.deepEqual([check(CROSS_MARGIN), check(ISOLATED_MARGIN)], ['MARKET_WITHOUT_MARGIN', undefined])
})

test('MARGIN-ORDER-004: while margin trading is closed, only an account with debts trades, and borrows nothing', () => {
  const { x, alice } = given()
  const venue = x.venue(btcusdt)!
  const check = (need: string) =>
    marginDesk.check(x, venue, alice, flagsOf(CROSS_MARGIN, 'borrow'), units('USDT', need) as Units, ticks(50_000), lots(20))
  const account = has(x, alice, cross, usdt, '1000')
  assert.equal(check('1000'), undefined)
  x.margin.terms = { ...x.margin.terms!, isOpen: false }
  assert.equal(check('1000'), 'PRODUCT_CLOSED')
  owes(x, account, usdt, 1_000_000)
  // An order that may borrow, but lacks nothing, takes no new loan.
  assert.deepEqual([check('1000'), check('1000.000001')], [undefined, 'PRODUCT_CLOSED'])
})

test('MARGIN-BORROW-004: an order that lacks a coin without any price is refused, whatever the smallest loan', () => {
  for (const loanMin of [0, 10_000_000]) {
    const { x, alice } = given()
    x.margin.terms = { ...x.margin.terms!, loanMin: loanMin as Units }
    x.margin.prices[btc] = undefined
    const flags = flagsOf(CROSS_MARGIN, 'borrow', sell)
    const refusal = marginDesk.check(x, x.venue(btcusdt)!, alice, flags, units('BTC', '1') as Units, ticks(50_000), lots(1_000))
    assert.equal(refusal, 'NO_INDEX_PRICE')
  }
})

test('MARGIN-ORDER-012: an account that neither owes nor borrows trades at any price, also when it amends', () => {
  const { x, alice } = given()
  const venue = x.venue(btcusdt)!
  has(x, alice, btcusdt, usdt, '1000')
  lose(x, btc)
  const flags = flagsOf(ISOLATED_MARGIN, 'borrow')
  const need = (amount: string): Units => units('USDT', amount) as Units
  const check = (amount: string) => marginDesk.check(x, venue, alice, flags, need(amount), ticks(58_000), lots(17))
  const slot = x.orders.add(1 as OrderId, alice, venue.id)
  x.orders.i[slot * I + FLAGS] = flags
  const amended = { price: ticks(58_000), lots: lots(17), isSmaller: false }
  const amend = (amount: string) => marginDesk.checkAmend(x, venue, slot, { ...amended, more: need(amount) })
  assert.deepEqual([check('1000'), check('1001')], [undefined, 'NO_INDEX_PRICE'])
  assert.deepEqual([amend('1000'), amend('1001')], [undefined, 'NO_INDEX_PRICE'])
  const limit = (worst: number): number => marginDesk.limit(x, venue, buy, alice, flags, lots(17), 0 as Units, ticks(worst))
  assert.equal(limit(58_000), 58_000)
})

test('MARGIN-ORDER-005: a market order goes no further from a good index than the market’s slippage, on either side', () => {
  const { x, alice } = given()
  const venue = x.venue(btcusdt)!
  has(x, alice, btcusdt, usdt, '1000000')
  has(x, alice, btcusdt, btc, '10')
  const limit = (side: SideNumber, worst: number): number => {
    const flags = flagsOf(ISOLATED_MARGIN, 'none', side)
    return marginDesk.limit(x, venue, side, alice, flags, lots(10), 0 as Units, ticks(worst))
  }
  assert.deepEqual([limit(buy, 60_000), limit(buy, 51_000)], [52_500, 51_000])
  assert.deepEqual([limit(sell, 40_000), limit(sell, 49_000)], [47_500, 49_000])
  // Without a good price the market's own limit counts.
  lose(x, btc)
  assert.deepEqual([limit(buy, 60_000), limit(sell, 40_000)], [60_000, 40_000])
})

test('MARGIN-ORDER-005: a market order with a loan stops at the last tick that leaves the level at 1.07', () => {
  const { x, alice } = given()
  const venue = x.venue(btcusdt)!
  has(x, alice, btcusdt, usdt, '10000')
  const limit = (side: SideNumber, count: number, spend = '0'): number => {
    const flags = flagsOf(ISOLATED_MARGIN, 'borrow', side)
    const worst = ticks(side === buy ? 60_000 : 40_000)
    return marginDesk.limit(x, venue, side, alice, flags, lots(count), units('USDT', spend) as Units, worst)
  }
  // 1.8 BTC, worth 90,000, for a loan of 1.8 × price − 10,000: 90,000 ÷ 1.07 are 84,112.15.
  assert.equal(limit(buy, 1_800), 52_284)
  // Sold short, 1.8 BTC are a debt of 90,000: 96,300 must be there, 10,000 of them are.
  assert.equal(limit(sell, 1_800), 47_945)
  // 94,000 with a loan of 84,000 buy whole lots: 1,797 at 52,292 lose 4,118.72 of the 4,120 that may be lost.
  assert.equal(limit(buy, 1_000_000, '94000'), 52_292)
  // To bring in 86,320, 1,801 lots are sold up to 47,955. 10,000 + 1,801 × 47.948 are 1.07 × 90,050.
  assert.equal(limit(sell, 1_000_000, '86320'), 47_948)
  // Ten times as much passes at no price.
  assert.deepEqual([limit(buy, 18_000), limit(sell, 18_000)], [0, 0])
})

test('MARGIN-LIQ-009: an order of an account in liquidation trades nothing when it wakes up, although it would reduce', () => {
  const { x, alice } = given()
  const venue = x.venue(btcusdt)!
  const flags = flagsOf(ISOLATED_MARGIN, 'none', sell)
  const acts = (price: number): boolean => marginDesk.mayAct(x, venue, alice, flags, ticks(price), lots(100))
  const limit = (): number => marginDesk.limit(x, venue, sell, alice, flags, lots(100), 0 as Units, ticks(49_000))
  assert.equal(acts(10), true, 'an account that was never used owes nothing')
  const account = has(x, alice, btcusdt, btc, '1')
  owes(x, account, usdt, units('USDT', '47000'))
  // The level is 1.064, too low for any other order. The bankruptcy price is 47,000.
  assert.deepEqual([acts(47_000), acts(46_999), limit()], [true, false, 49_000])
  account.state = LIQUIDATING
  assert.deepEqual([acts(47_000), limit()], [false, 0])
})
