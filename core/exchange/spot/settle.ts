import type { OrderSlot } from '../../book/order-fields.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { AssetId, CloseNumber, OrderId, TradeId, UserId } from '../../protocol/ids.ts'
import type { SideNumber } from '../../book/codes.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import { closeReasons } from '../../protocol/event/index.ts'
import * as desks from '../state/desks.ts'
import { reach } from '../state/reach.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as reasons from '../../ledger/reasons.ts'
import * as rules from '../../risk/spot.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import * as close from './close.ts'
import * as funds from './funds.ts'
import type { OwnMaker } from './prevented.ts'
import { tellPrevented, tellStopped } from './prevented.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeClosed, writeLevel, writePrevented, writeTierChanged, writeTraded } = writers
const { BUY, CUT_ALL, EXPIRE_TAKER, FILLED_ALL, LEVEL_CHANGED, SELF_EXPIRED, STEP, STEP_KIND, STEP_LOTS, STEP_PRICE } = codes
const { C, CHAINED, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, LISTED, OWNER, PREVENTED, SLOT, UPDATED_AT } = fields
const { FEE, TRADE } = reasons
const { HOUSE_TRADE } = layout
const { ANY_MARGIN } = desks
const { bookHold, discard, endWorking, leaveList, markPrevented } = close
const { orderRow } = funds
const { fee, feePpm } = rules

const FILLED = closeReasons.indexOf('filled') as CloseNumber
const SELF_TRADE = closeReasons.indexOf('self-trade') as CloseNumber

/**
 * Matches an order against the other side up to its limit and budget (tick × lot), and settles all payments. The order's own
 * money must be available, not held. Returns the lots left.
 */
export function take(
  x: State,
  venue: Venue,
  side: SideNumber,
  user: UserId,
  order: OrderId,
  limit: Ticks,
  lots: Lots,
  budget: number,
  selfTrade: number,
  flags: OrderFlags,
): Lots {
  const left = venue.book.match(side, limit, lots, budget, user, selfTrade)
  if (venue.book.stepsEnd > 0) settle(x, venue, side, user, order, flags)
  if (selfTrade === EXPIRE_TAKER && venue.book.isSelfStopped) tellStopped(x, venue, order, flags)
  return left
}

/**
 * Settles all payments of a match. Makers pay from their holds, the taker from the available balance. Both receive their amount
 * less their fee, which goes to the exchange. The taker's sums are posted once.
 */
function settle(x: State, venue: Venue, side: SideNumber, user: UserId, order: OrderId, flags: OrderFlags): void {
  const { ledger, orders, events, volumes } = x
  const { book, quotePerTickLot, basePerLot } = venue
  const { f, i } = orders
  const { steps, stepsEnd } = book
  const { terms } = venue.market
  const tiers = volumes.tiers
  const takerAt = volumes.find(user, x.atMs)
  const takerTier = volumes.tierAt(takerAt)
  const takerPpm = takerTier === 0 ? terms.takerFeePpm : feePpm(terms.takerFeePpm, takerTier, tiers[takerTier]!.takerPpm)
  // The maker pays in one asset and receives the other.
  const paid = side === BUY ? venue.base : venue.quote
  const received = side === BUY ? venue.quote : venue.base
  // Trades of a user with themselves count for nothing; trades within the house set prices but add no volume.
  const isHouse = x.isHouse(user)
  let uncounted = 0
  let selfLots = 0
  let selfValue = 0
  let firstPrice = 0
  let lastPrice = 0
  let takerFees = 0
  let makerFees = 0
  for (let at = 0; at < stepsEnd; at += STEP) {
    const slot = (steps[at]! | 0) as OrderSlot
    const price = steps[at + STEP_PRICE] as Ticks
    const lots = steps[at + STEP_LOTS] as Lots
    const kind = steps[at + STEP_KIND]! | 0
    if (kind >= SELF_EXPIRED) {
      if (kind === LEVEL_CHANGED) writeLevel(events, venue.id, ++venue.lastUpdate, 1 - side, price, lots)
      else leave(x, venue, (1 - side) as SideNumber, { slot, price, lots, kind }, order, flags)
      continue
    }
    const quote = (price * lots * quotePerTickLot) as Units
    const base = (lots * basePerLot) as Units
    const pays = side === BUY ? base : quote
    const gets = side === BUY ? quote : base
    const maker = i[(slot & SLOT) * I + OWNER] as UserId
    const makerAt = volumes.find(maker, x.atMs)
    const makerTier = volumes.tierAt(makerAt)
    const makerPpm = makerTier === 0 ? terms.makerFeePpm : feePpm(terms.makerFeePpm, makerTier, tiers[makerTier]!.makerPpm)
    const makerFee = fee(gets, makerPpm)
    const takerFee = fee(pays, takerPpm)
    const makerFlags = i[(slot & SLOT) * I + FLAGS] as OrderFlags
    if ((makerFlags & ANY_MARGIN) === 0) {
      ledger.spendHeld(ledger.spotRow(maker, paid), pays)
      ledger.creditLess(ledger.spotRow(maker, received), gets, makerFee)
    } else payMargin(x, venue, maker, makerFlags, paid, pays, received, gets, makerFee)
    takerFees += takerFee
    makerFees += makerFee
    const id = f[(slot & SLOT) * F + ID] as OrderId
    const isWithin = isHouse && x.isHouse(maker)
    const told = isWithin ? side | HOUSE_TRADE : side
    writeTraded(events, venue.id, ++venue.lastTrade as TradeId, price, lots, quote, told, id, order, maker, user, makerFee, takerFee)
    if ((makerFlags & LISTED) !== 0) leaveList(x, venue, slot)
    if (maker === user) {
      selfLots += lots
      selfValue += price * lots
    } else {
      if (firstPrice === 0) firstPrice = price
      lastPrice = price
    }
    if (isWithin || maker === user) uncounted += quote
    else count(x, makerAt, maker, venue.quote, quote)
    if (kind === FILLED_ALL) finish(x, venue, slot, maker, makerFlags)
    else orders.c[(slot & SLOT) * C + UPDATED_AT] = x.atMs
  }
  if (book.takenLots === 0) return
  const quote = (book.taken * quotePerTickLot) as Units
  const base = (book.takenLots * basePerLot) as Units
  const gained = side === BUY ? base : quote
  ledger.debit(orderRow(x, venue, user, flags, received), side === BUY ? quote : base, TRADE)
  ledger.creditLess(orderRow(x, venue, user, flags, paid), gained, takerFees as Units)
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.received(x, venue, user, flags, paid, (gained - takerFees) as Units)
  if (takerFees > 0) ledger.credit(ledger.feeRow(paid), takerFees as Units, FEE)
  if (makerFees > 0) ledger.credit(ledger.feeRow(received), makerFees as Units, FEE)
  if (quote > uncounted) count(x, takerAt, user, venue.quote, (quote - uncounted) as Units)
  if (lastPrice === 0) return
  venue.traded(x.atMs, lastPrice as Ticks, book.taken - selfValue, (book.takenLots - selfLots) as Lots)
  if (venue.triggers.count > 0) reach(x, venue.id, venue.triggers, firstPrice as Ticks, lastPrice as Ticks)
}

/** Finishes a maker's order that is filled and out of the book. */
function finish(x: State, venue: Venue, slot: OrderSlot, maker: UserId, flags: OrderFlags): void {
  const { f } = x.orders
  const at = (slot & SLOT) * F
  const reason = (flags & PREVENTED) === 0 ? FILLED : SELF_TRADE
  writeClosed(
    x.events,
    f[at + ID] as OrderId,
    maker,
    venue.id,
    reason,
    f[at + EXECUTED_LOTS] as Lots,
    (f[at + EXECUTED]! * venue.quotePerTickLot) as Units,
  )
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.ended(x, venue, slot)
  if ((flags & CHAINED) !== 0) endWorking(x, venue, slot, reason)
  x.orders.remove(slot)
}

/** Pays from and into the margin account of a maker. */
function payMargin(
  x: State,
  venue: Venue,
  maker: UserId,
  flags: OrderFlags,
  paid: AssetId,
  pays: Units,
  received: AssetId,
  gets: Units,
  fees: Units,
): void {
  x.ledger.spendHeld(orderRow(x, venue, maker, flags, paid), pays)
  x.ledger.creditLess(orderRow(x, venue, maker, flags, received), gets, fees)
  x.desks.margin.received(x, venue, maker, flags, received, (gets - fees) as Units)
}

/** Counts a value in USDT units as the user's volume of today. */
export function countVolume(x: State, user: UserId, value: Units): void {
  count(x, x.volumes.find(user, x.atMs), user, x.usdt, value)
}

function count(x: State, at: number, user: UserId, asset: AssetId, quote: Units): void {
  if (x.isInvited(user)) x.referral.isDue = true
  if (x.volumes.addAt(at, user, x.atMs, asset === x.usdt ? quote : x.usdtValue(asset, quote))) {
    writeTierChanged(x.events, user, x.volumes.tier(user, x.atMs))
  }
}

/** Handles self-trade prevention of a maker: all of it left the book (`kind` SELF_EXPIRED), or a part of it. `flags`: the taker's. */
function leave(x: State, venue: Venue, side: SideNumber, own: OwnMaker, taker: OrderId, flags: OrderFlags): void {
  const { slot, price, lots, kind } = own
  tellPrevented(x, venue, own, taker, flags)
  if (kind === SELF_EXPIRED) expire(x, venue, slot, side, price, lots)
  else cut(x, venue, slot, side, price, lots, taker, kind === CUT_ALL)
}

/** Self-trade prevention removed this maker from the book: releases its money. */
function expire(x: State, venue: Venue, slot: OrderSlot, side: SideNumber, price: Ticks, left: Lots): void {
  const { orders, ledger } = x
  const { i } = orders
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  if ((i[(slot & SLOT) * I + FLAGS]! & LISTED) !== 0) leaveList(x, venue, slot)
  const row = orderRow(x, venue, user, i[(slot & SLOT) * I + FLAGS] as OrderFlags, side === BUY ? venue.quote : venue.base)
  ledger.release(row, (side === BUY ? price * left * venue.quotePerTickLot : left * venue.basePerLot) as Units)
  discard(x, venue, slot, SELF_TRADE)
}

/** Self-trade prevention removed lots from this maker: releases their hold. */
function cut(x: State, venue: Venue, slot: OrderSlot, side: SideNumber, price: Ticks, lots: Lots, taker: OrderId, isAll: boolean): void {
  const { orders, ledger } = x
  const { f, i } = orders
  const flags = i[(slot & SLOT) * I + FLAGS] as OrderFlags
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  const order = f[(slot & SLOT) * F + ID] as OrderId
  writePrevented(x.events, venue.id, user, price, lots, order, taker)
  if ((flags & LISTED) !== 0) leaveList(x, venue, slot)
  ledger.release(orderRow(x, venue, user, flags, side === BUY ? venue.quote : venue.base), bookHold(venue, side, price, lots))
  if (!isAll) {
    markPrevented(x, venue, slot, lots)
    orders.c[(slot & SLOT) * C + UPDATED_AT] = x.atMs
    return
  }
  discard(x, venue, slot, SELF_TRADE)
}
