import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderId, TradeId, UserId } from '../../../protocol/ids.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import * as codes from '../../../book/codes.ts'
import * as fields from '../../../book/order-fields.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { HAS_EXITS as exitsBit, HAS_TERMS as termsBit, HOUSE_TRADE } from '../../../protocol/codec/layout.ts'
import { fee } from '../../../risk/orders.ts'
import { reach } from '../../state/reach.ts'
import type { State } from '../../state/state.ts'
import { count, discard, holdingOf, reasonNumber } from './close.ts'
import { noteFill } from './exits.ts'
import { BY_LIQUIDATION, BY_ORDER, end, fill, fitOrders, payLiquidationFee, reduce } from './fill.ts'
import { tradeInventory } from './carry.ts'
import { countTrade, makerRate, takerRate } from './rates.ts'
import { removeSlot } from '../records/held-orders.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeClosed, writeLevel, writeTraded } = writers
const { FILLED_ALL, LEVEL_CHANGED, SELF_EXPIRED, STEP, STEP_KIND, STEP_LOTS, STEP_PRICE } = codes
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, UPDATED_AT } = fields

const HAS_EXITS = exitsBit
const HAS_OWN = exitsBit | termsBit

const FILLED = reasonNumber('filled')
const SELF_TRADE = reasonNumber('self-trade')

/** Matches an order of a position against the other side up to its limit and settles all parties. Returns the lots left. */
export function take(x: State, holding: Holding, side: SideNumber, order: OrderId, limit: Ticks, lots: Lots, selfTrade: number): Lots {
  return run(x, holding, side, order, limit, lots, selfTrade, takerRate(x, holding.contract.venue, holding.user), BY_ORDER)
}

/** Matches a step of a liquidation: it pays no trading fee, and an isolated position keeps its margin. */
export function takeToLiquidate(x: State, holding: Holding, side: SideNumber, order: OrderId, limit: Ticks, lots: Lots): number {
  return run(x, holding, side, order, limit, lots, codes.EXPIRE_MAKER, 0 as Ppm, BY_LIQUIDATION)
}

function run(
  x: State,
  holding: Holding,
  side: SideNumber,
  order: OrderId,
  limit: Ticks,
  lots: Lots,
  selfTrade: number,
  takerPpm: Ppm,
  cause: number,
): Lots {
  const { contract } = holding
  const { book } = contract.venue
  const left = book.match(side, limit, lots, Infinity, holding.user, selfTrade)
  if (book.stepsEnd > 0) settle(x, contract, holding, side, order, takerPpm, cause)
  return left
}

/** Matches an order of the insurance fund, which sells off its inventory without fees. */
export function takeForFund(x: State, contract: Contract, side: SideNumber, order: OrderId, limit: Ticks, lots: Lots): number {
  const { book } = contract.venue
  const left = book.match(side, limit, lots, Infinity, 0 as UserId, codes.EXPIRE_MAKER)
  if (book.stepsEnd > 0) settle(x, contract, undefined, side, order, 0 as Ppm, BY_ORDER)
  return left
}

/**
 * Each trade moves two positions, the maker's first. The consequences for orders beside them wait for `flush`, because the book
 * is in use.
 */
function settle(
  x: State,
  contract: Contract,
  taker: Holding | undefined,
  side: SideNumber,
  order: OrderId,
  takerPpm: Ppm,
  cause: number,
): void {
  const { events, orders } = x
  const { venue, q } = contract
  const { book } = venue
  const { steps, stepsEnd } = book
  const { c, f, i } = orders
  // Trades of a user with themselves set no price and count for no tier; trades within the house count for no tier.
  let counted = 0
  let selfLots = 0
  let selfValue = 0
  let firstPrice = 0
  let lastPrice = 0
  for (let at = 0; at < stepsEnd; at += STEP) {
    const slot = steps[at] as OrderSlot
    const price = steps[at + STEP_PRICE] as Ticks
    const lots = steps[at + STEP_LOTS] as Lots
    const kind = steps[at + STEP_KIND]!
    if (kind === LEVEL_CHANGED) {
      writeLevel(events, venue.id, ++venue.lastUpdate, 1 - side, price, lots)
      continue
    }
    const maker = holdingOf(x, contract, slot)
    count(maker, i[slot * I + FLAGS] as OrderFlags, price, -lots as Lots)
    x.perp.touch(maker, false)
    if (kind === SELF_EXPIRED) {
      discard(x, contract, slot, SELF_TRADE)
      fitOrders(x, maker)
      continue
    }
    const id = f[slot * F + ID] as OrderId
    const value = (price * lots * q) as Units
    const makerDue = fee(value, makerRate(x, venue, maker.user))
    const makerFee = fill(x, maker, (1 - side) as SideNumber, price, lots, makerDue, id, BY_ORDER)
    const own = i[slot * I + FLAGS]! & HAS_OWN
    if ((own & HAS_EXITS) !== 0) noteFill(x, maker, id, (1 - side) as SideNumber)
    const takerFee =
      taker === undefined ? ofFund(x, contract, side, price, lots) : takerPart(x, taker, side, price, lots, takerPpm, order, cause)
    const user = (taker?.user ?? 0) as UserId
    if (maker.user === user) {
      selfLots += lots
      selfValue += price * lots
    } else {
      if (firstPrice === 0) firstPrice = price
      lastPrice = price
    }
    const isHouse = x.isHouse(maker.user) && x.isHouse(user)
    const told = isHouse ? side | HOUSE_TRADE : side
    writeTraded(events, venue.id, ++venue.lastTrade as TradeId, price, lots, value, told, id, order, maker.user, user, makerFee, takerFee)
    if (x.isInvited(maker.user) || x.isInvited(user)) x.referral.isDue = true
    // A trade counts towards a side's tier only if that side paid its whole fee.
    if (maker.user !== user && !isHouse) {
      if (makerFee === makerDue) countTrade(x, maker.user, value)
      if (takerFee === fee(value, takerPpm)) counted += value
    }
    if (kind === FILLED_ALL) {
      writeClosed(events, id, maker.user, venue.id, FILLED, f[slot * F + EXECUTED_LOTS] as Lots, (f[slot * F + EXECUTED]! * q) as Units)
      if (own !== 0) x.perp.forget(id)
      removeSlot(maker, slot)
      orders.remove(slot)
    } else c[slot * C + UPDATED_AT] = x.atMs
  }
  if (book.takenLots === 0) return
  // A liquidation pays no trading fee.
  if (counted > 0 && taker !== undefined && cause !== BY_LIQUIDATION) countTrade(x, taker.user, counted as Units)
  if (taker !== undefined && x.perp.exits.size > 0) noteFill(x, taker, order, side)
  if (lastPrice === 0) return
  if (taker !== undefined) contract.inventory.traded(x.atMs, (book.takenLots - selfLots) as Lots)
  venue.traded(x.atMs, lastPrice as Ticks, book.taken - selfValue, (book.takenLots - selfLots) as Lots)
  if (venue.triggers.count > 0 && contract.gate.matches) reach(x, venue.id, venue.triggers, firstPrice as Ticks, lastPrice as Ticks)
}

function ofFund(x: State, contract: Contract, side: SideNumber, price: Ticks, lots: Lots): Units {
  tradeInventory(x, contract, (side === codes.BUY ? lots : -lots) as Lots, price)
  return 0 as Units
}

function takerPart(
  x: State,
  taker: Holding,
  side: SideNumber,
  price: Ticks,
  lots: Lots,
  takerPpm: Ppm,
  order: OrderId,
  cause: number,
): Units {
  const value = (price * lots * taker.contract.q) as Units
  return cause === BY_LIQUIDATION
    ? (liquidate(x, taker, lots, value) as Units)
    : fill(x, taker, side, price, lots, fee(value, takerPpm), order, cause)
}

function liquidate(x: State, holding: Holding, lots: Lots, value: Units): 0 {
  reduce(x, holding, lots, value, !holding.isCross)
  payLiquidationFee(x, holding, value)
  if (holding.lots === 0) end(x, holding, BY_LIQUIDATION)
  return 0
}
