import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import { bandHigh, bandLow, checkLots, checkSpend } from '@candor/core/risk/spot.ts'
import { hasTooManyParts } from '@candor/core/exchange/spot/checks.ts'
import { trailMaxPpm, trailMinPpm } from '@candor/core/risk/trigger.ts'
import type { PlaceOrder } from '@candor/core/protocol/command/spot.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { fillsIn } from '../../store/query/programs/fills.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { orderOfEvents, type OrderState } from '../../live/orders.ts'
import type { ApiUser } from '../key-ring.ts'
import type { Call } from '../route.ts'
import { orderCommand } from './command.ts'
import { accountOf, type Desk, send } from './desk.ts'
import { findOrder, withSibling } from './find.ts'
import { doneOrder, type Fill, fillsOf, noList } from './order-view.ts'
import type { OrderValues, StrategyValues } from './params.ts'
import { preventedAtOnce, preventedIn, type PreventedPart } from './prevented.ts'
import { placeError } from './refusals.ts'

type Sent = Pick<Call, 'at' | 'answerHeaders'>

/**
 * Places an order of the spot account, or of the margin account that `margin` names, and answers as `newOrderRespType` says.
 *
 * throws  ApiError or Refused, or rejects with it
 */
export function placeSpotOrder(
  desk: Desk,
  owner: ApiUser,
  values: OrderValues & StrategyValues,
  call: Sent,
  margin?: MarginOrder,
): Promise<object> {
  const market = desk.names.market(values.symbol)
  const command = orderCommand(market, owner.user, values, margin)
  desk.counts.take(owner.user, owner.class, 1, call.at, call.answerHeaders)
  return placed(desk.context, owner, market, values, command)
}

/** Sends the order and answers. throws, or rejects with  ApiError or Refused */
export function placed(
  context: Context,
  owner: ApiUser,
  market: ListedMarket,
  { type, newOrderRespType }: Pick<OrderValues, 'type' | 'newOrderRespType'>,
  command: PlaceOrder,
): Promise<object> {
  const answer = newOrderRespType ?? (type === 'LIMIT' || type === 'MARKET' ? 'FULL' : 'ACK')
  return send(context, owner, command, (outcome) => reported(context, owner, market, command, outcome, answer))
}

type Answer = 'ACK' | 'RESULT' | 'FULL'

function reported(
  context: Context,
  owner: ApiUser,
  market: ListedMarket,
  command: PlaceOrder,
  outcome: Outcome,
  answer: Answer,
): object | Promise<object> {
  if (outcome.refusal) throw placeError(outcome.refusal)
  if (outcome.isRepeat) return repeated(context, owner.user, market, command, outcome, answer)
  if (answer === 'ACK') return acknowledged(market, command, outcome.order, outcome.at)
  const state = orderOfEvents(outcome.events, outcome.order, outcome.at)
  if (!state) throw new Error(`command ${outcome.seq} placed order ${outcome.order} without accepting it`)
  const report = doneOrder(context.listing, state, outcome.at)
  if (answer !== 'FULL') return report
  report['fills'] = fillsOf(context.listing, outcome.events, outcome.order)
  return withPrevented(report, preventedIn(market, outcome.events, outcome.order))
}

function acknowledged({ market }: ListedMarket, { clientId, margin }: PlaceOrder, orderId: number, transactTime: number): object {
  const report = { symbol: market.symbol, orderId, orderListId: noList, clientOrderId: clientId, transactTime }
  return margin === undefined ? report : { ...report, isIsolated: margin.account === 'margin-isolated' }
}

/** The answer to a repeat: the order in its current state, with the fills that it made when it was placed. */
async function repeated(
  context: Context,
  user: UserId,
  market: ListedMarket,
  command: PlaceOrder,
  { order, seq, at }: Outcome,
  answer: Answer,
): Promise<object> {
  const account = accountOf(command)
  await context.followed.reached(seq)
  const found = await findOrder(context, user, market, account, { orderId: order, origClientOrderId: undefined })
  // Makers' orders that never traded are not kept for long: only their number is left.
  if (!found) return acknowledged(market, command, order, at)
  const told = await withSibling(context, found)
  if (answer === 'ACK') return acknowledged(market, command, order, found.placedAt)
  const report = doneOrder(context.listing, told.order, found.placedAt, told.sibling)
  if (answer !== 'FULL') return report
  report['fills'] = found.executedLots === 0 ? [] : await takenBy(context, user, market, found)
  return withPrevented(report, await preventedAtOnce(context, user, market, account, found))
}

/** Adds the matches that did not happen, if there are any. */
function withPrevented(report: Record<string, unknown>, prevented: readonly PreventedPart[]): object {
  if (prevented.length > 0) report['preventedMatches'] = prevented
  return report
}

async function takenBy(context: Context, user: UserId, market: ListedMarket, order: OrderState): Promise<readonly Fill[]> {
  await context.freshness.settled(user)
  const rows = await fillsIn(context.pool, user, market.market.symbol, accountOf(order), { order: order.order, limit: 1_000 })
  const received = order.side === 'buy' ? market.base : market.quote
  return rows
    .filter((row) => !row.is_maker && row.at_ms === order.placedAt)
    .map(({ id, price, quantity, fee }) => ({ price, qty: quantity, commission: fee, commissionAsset: received.symbol, tradeId: id }))
}

/**
 * Checks an order against the market's filters without sending it, as the core would check it.
 *
 * reference  price of the market, in ticks, from which bands are measured; 0 when there is none
 *
 * throws     ApiError -1013, -2010
 */
export function checkFilters({ market }: ListedMarket, command: PlaceOrder, reference: number): void {
  const { terms, quotePerTickLot } = market
  if (!terms.isTrading) throw placeError('MARKET_HALTED')
  const { trigger, lots, spend, display, price } = command
  const expected = price ?? (trigger?.kind === 'stop' ? trigger.price : Math.max(1, reference))
  const refusal =
    (spend === undefined ? checkLots(terms, quotePerTickLot, expected as Ticks, lots as number as Lots) : checkSpend(terms, spend)) ??
    (display !== undefined && (display >= (lots as number) || hasTooManyParts(lots as number as Lots, display))
      ? 'DISPLAY_INVALID'
      : undefined)
  if (refusal) throw placeError(refusal)
  if (trigger?.kind === 'trailing' && (trigger.trailPpm < trailMinPpm || trigger.trailPpm > trailMaxPpm)) throw placeError('TRAIL_INVALID')
  const middle = trigger?.kind === 'stop' ? trigger.price : reference
  if (
    price !== undefined &&
    middle > 0 &&
    (price < bandLow(middle as Ticks, terms.bandPpm) || price > bandHigh(middle as Ticks, terms.bandPpm))
  ) {
    throw placeError('PRICE_OUTSIDE_BAND')
  }
}
