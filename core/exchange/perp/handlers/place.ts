import type { SideNumber } from '../../../book/codes.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { checkLots, isPrice } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { checkBankruptcy, checkImmediate, checkPosition, checkResting, checkShape, hasTooMany, isInBand } from '../rules/checks.ts'
import { reasonNumber } from '../positions/close.ts'
import { carry, checkExits, exitsOf, hasExits } from '../positions/exits.ts'
import { flush } from '../positions/flush.ts'
import { checkPhase, isHalted } from '../market/gate.ts'
import { closable, sideOfFlags } from '../rules/money.ts'
import { checkGoodTill, checkTerms, keepTerms, matchedPrice, termsAt } from '../positions/terms.ts'
import { copyClientId, immediateReason, marketLimit, rest, selfTradeOf, store } from '../positions/orders.ts'
import { placeSleeping } from './place-sleeping.ts'
import { take } from '../positions/settle.ts'
import type { OrderTerms } from '../records/deadlines.ts'
import { BOTH, LONG } from '../records/state.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAccepted, writeClosed } = writers
const { EXECUTED, EXECUTED_LOTS, F } = fields
const {
  CLIENT_ID,
  CLOSING,
  FOK,
  HAS_EXITS,
  HAS_PRICE,
  HAS_TERMS,
  IOC,
  MARKET_ORDER,
  PLACE_FLAGS_AT,
  PLACE_LOTS,
  PLACE_MARKET,
  PLACE_PRICE,
  POST_ONLY,
  REDUCE_ONLY,
  SELL,
  STOP,
  TIF_MASK,
  TRAILING,
  USER,
} = layout

const EXPIRED = reasonNumber('ioc')

/** `perp.place`: a limit order takes and then rests, a market order takes, an order with a trigger sleeps. */
export function placePerp(x: State, data: Float64Array, start: number): Refusal | undefined {
  const contract = x.perp.contract(data[start + PLACE_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  const given = (data[start + PLACE_FLAGS_AT]! | 0) as OrderFlags
  let flags = (given | impliedFlags(given)) as OrderFlags
  const reduces = (flags & (REDUCE_ONLY | CLOSING)) !== 0
  if (x.isFrozen(user) && !reduces) return 'USER_FROZEN'
  if (!reduces && x.isResting(user)) return 'RESTING'
  if (contract === undefined) return 'MARKET_UNKNOWN'
  const sleeps = (flags & (STOP | TRAILING)) !== 0
  let price = data[start + PLACE_PRICE] as Ticks
  let wrongTerms: Refusal | undefined
  let terms: OrderTerms | undefined
  if ((flags & HAS_TERMS) !== 0) {
    terms = termsAt(data, start)
    wrongTerms = checkTerms(flags, terms)
    if (wrongTerms === undefined && terms.match !== 0) {
      flags = (flags | HAS_PRICE) as OrderFlags
      // A sleeping order takes its price when it wakes.
      price = sleeps ? (0 as Ticks) : matchedPrice(contract, (flags & SELL) as SideNumber, terms.match)
    }
  }
  const shut = checkPhase(contract, reduces, !sleeps && mayTrade(contract, flags, price))
  if ((!reduces && isHalted(contract)) || shut === 'MARKET_HALTED') return 'MARKET_HALTED'
  const wrongShape = wrongTerms ?? (hasExits(flags, data, start) ? checkShape(flags) : 'ORDER_TYPE_INVALID')
  if (wrongShape !== undefined) return wrongShape
  const side = sideOfFlags(flags)
  const isHedge = x.perp.knownAccount(user)?.isHedge === true
  const holding = x.perp.holding(user, contract, side)
  const lots = data[start + PLACE_LOTS] as Lots
  if (sleeps) return placeSleeping(x, holding, flags, price, lots, data, start)
  const isMarket = (flags & MARKET_ORDER) !== 0
  const wrong =
    (isMarket || isPrice(price) ? undefined : wrongPrice(given)) ??
    checkGoodTill(x, terms) ??
    checkSize(contract, holding, flags, isMarket ? (Math.max(1, contract.mark) as Ticks) : price, lots) ??
    checkExits(contract, flags, isMarket ? (0 as Ticks) : price, exitsOf(flags, data, start)) ??
    (isMarket || contract.mark === 0 || isInBand(contract, price) ? undefined : 'PRICE_OUTSIDE_BAND') ??
    ((flags & TIF_MASK) === 0 && !isMarket && hasTooMany(x, contract, user) ? 'TOO_MANY_OPEN_ORDERS' : undefined) ??
    checkBook(holding, flags, price, lots) ??
    (reduces ? undefined : checkCertified(x, user)) ??
    shut ??
    checkPosition(holding, isHedge)
  if (wrong !== undefined) return wrong
  return isMarket ? placeMarket(x, holding, flags, lots, data, start) : placeLimit(x, holding, flags, price, lots, data, start)
}

/** Why an order has no valid price: without one of its own, the book had no level to take it from. */
function wrongPrice(flags: OrderFlags): Refusal {
  return (flags & (HAS_TERMS | HAS_PRICE)) === HAS_TERMS ? 'PRICE_LEVEL_MISSING' : 'PRICE_INVALID'
}

/** Whether the book lets the order trade, or rest, as it asks. */
function checkBook(holding: Holding, flags: OrderFlags, price: Ticks, asked: Lots): Refusal | undefined {
  const side = (flags & SELL) as SideNumber
  const { book } = holding.contract.venue
  if ((flags & MARKET_ORDER) !== 0) return book.best((1 - side) as SideNumber) === 0 ? 'NO_LIQUIDITY' : undefined
  if ((flags & POST_ONLY) !== 0 && book.crosses(side, price)) return 'POST_ONLY_WOULD_TAKE'
  if ((flags & TIF_MASK) !== FOK) return undefined
  const lots = (flags & REDUCE_ONLY) === 0 ? asked : (Math.min(asked, closable(holding, side)) as Lots)
  return book.canFill(side, price, lots, holding.user, selfTradeOf(flags)) ? undefined : 'FOK_NOT_FILLABLE'
}

/** In hedge mode a sell of the long position, and a buy of the short one, only reduces, whether or not the flag is set. */
function impliedFlags(flags: OrderFlags): number {
  const position = sideOfFlags(flags)
  return position !== BOTH && ((flags & SELL) !== 0) === (position === LONG) ? REDUCE_ONLY : 0
}

/** Whether the user may open anything in Futures. */
export function checkCertified(x: State, user: UserId): Refusal | undefined {
  return x.isCertified(user) ? undefined : 'NOT_CERTIFIED'
}

/** Whether an order could trade immediately. */
function mayTrade({ venue }: Contract, flags: OrderFlags, price: Ticks): boolean {
  return (flags & (MARKET_ORDER | TIF_MASK)) !== 0 || venue.book.crosses((flags & SELL) as SideNumber, price)
}

/** Checks the market's size filters. An order that closes a whole position may be smaller than the minimum. */
export function checkSize(contract: Contract, holding: Holding, flags: OrderFlags, price: Ticks, lots: Lots): Refusal | undefined {
  const wrong = checkLots(contract.venue.market.terms, contract.q, price, lots)
  const isRest = (flags & REDUCE_ONLY) !== 0 && lots > 0 && lots >= closable(holding, (flags & SELL) as SideNumber)
  return isRest && (wrong === 'QUANTITY_TOO_SMALL' || wrong === 'NOTIONAL_TOO_SMALL') ? undefined : wrong
}

function placeLimit(
  x: State,
  holding: Holding,
  flags: OrderFlags,
  price: Ticks,
  asked: Lots,
  data: Float64Array,
  start: number,
): Refusal | undefined {
  const { contract, user } = holding
  const { book } = contract.venue
  const side = (flags & SELL) as 0 | 1
  const isGtc = (flags & TIF_MASK) === 0
  const reduces = (flags & REDUCE_ONLY) !== 0
  const standing = closable(holding, side)
  const lots = reduces ? (Math.min(asked, standing) as Lots) : asked
  const taken = isGtc ? holding.openLots[side] + holding.reduceLots[side] : 0
  const wrong = reduces
    ? standing - taken <= 0
      ? 'REDUCE_ONLY_REJECTED'
      : undefined
    : isGtc
      ? checkResting(x, holding, side, price, lots)
      : checkImmediate(x, holding, side, price, lots)
  const ruinous = wrong ?? checkBankruptcy(x, holding, side, price)
  if (ruinous !== undefined) return ruinous

  const order = accept(x, holding, flags, price, lots, data, start)
  const crosses = book.crosses(side, price)
  const left = crosses ? take(x, holding, side, order, price, lots, selfTradeOf(flags)) : lots
  const value = crosses ? book.taken : 0
  if (left === 0 || !isGtc || (crosses && book.isSelfStopped)) {
    const reason = crosses ? immediateReason(holding, side, left, false) : EXPIRED
    if ((flags & (HAS_EXITS | HAS_TERMS)) !== 0) x.perp.forget(order)
    writeClosed(x.events, order, user, contract.id, reason, (lots - left) as Lots, (value * contract.q) as Units)
  } else {
    const slot = store(x, holding, order, flags, price, left)
    copyClientId(x, slot, data, start + CLIENT_ID)
    x.orders.f[slot * F + EXECUTED_LOTS] = lots - left
    x.orders.f[slot * F + EXECUTED] = value
    rest(x, holding, slot)
  }
  flush(x)
  return undefined
}

function placeMarket(x: State, holding: Holding, flags: OrderFlags, asked: Lots, data: Float64Array, start: number): Refusal | undefined {
  const side = (flags & SELL) as SideNumber
  const standing = closable(holding, side)
  const lots = (flags & REDUCE_ONLY) !== 0 ? (Math.min(asked, standing) as Lots) : asked
  if (lots === 0) return 'REDUCE_ONLY_REJECTED'
  const limit = marketLimit(x, holding, side, lots)
  const wrong = checkImmediate(x, holding, side, limit, lots)
  if (wrong !== undefined) return wrong
  trade(x, holding, flags, lots, limit, data, start)
  return undefined
}

/** Accepts a market order that passed the checks, matches it and closes it. */
export function trade(x: State, holding: Holding, flags: OrderFlags, lots: Lots, limit: Ticks, data: Float64Array, start: number): void {
  const { contract, user } = holding
  const side = (flags & SELL) as SideNumber
  const order = accept(x, holding, ((flags & ~TIF_MASK) | IOC) as OrderFlags, 0 as Ticks, lots, data, start)
  const left = take(x, holding, side, order, limit, lots, selfTradeOf(flags))
  const reason = immediateReason(holding, side, left, true)
  if ((flags & HAS_EXITS) !== 0) x.perp.forget(order)
  writeClosed(x.events, order, user, contract.id, reason, (lots - left) as Lots, (contract.venue.book.taken * contract.q) as Units)
  flush(x)
}

function accept(x: State, holding: Holding, flags: OrderFlags, price: Ticks, lots: Lots, data: Float64Array, start: number): OrderId {
  const order = ++x.lastOrder as OrderId
  x.order = order
  writeAccepted(x.events, order, 0, holding.user, data, start + CLIENT_ID, holding.market, flags, price, lots, 0, 0, 0, 0)
  if ((flags & (HAS_EXITS | HAS_TERMS)) === 0) return order
  carry(x, order, exitsOf(flags, data, start))
  keepTerms(x, order, flags, holding, (flags & HAS_TERMS) === 0 ? undefined : termsAt(data, start))
  return order
}
