import { startsWaiting } from '@candor/core/protocol/command/order-list.ts'
import type { OrderId, PreventedMatchId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from '@candor/core/protocol/command/spot.ts'
import type {
  CloseReason,
  Event,
  MarginOrder,
  MatchPrevented,
  OrderAccepted,
  PerpOrder,
  Traded,
} from '@candor/core/protocol/event/index.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import type { WirePerpOrder } from '@candor/core/protocol/wire/perp.ts'
import type { OrderStatus, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known, MarketView } from './known.ts'
import { PreventedRows } from './matches/prevented.ts'
import { TradeRows } from './matches/trades.ts'

export type LiveOrder = {
  readonly order: OrderId
  readonly list: OrderId
  readonly user: UserId
  readonly clientId: string
  readonly market: MarketView
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly spend: Units
  readonly isPostOnly: boolean
  readonly display: Lots
  readonly selfTrade: SelfTradeMode | undefined
  readonly margin: MarginOrder | undefined
  readonly perp: PerpOrder | undefined
  readonly strategy: OrderStrategy | undefined
  /** The TWAP or scaled order that it is a part of. */
  readonly algo: OrderId | undefined
  readonly placedAt: Millis
  isPending: boolean
  trigger: Trigger | undefined
  price: Ticks | 0
  lots: Lots
  executedLots: Lots
  executedQuote: Units
  preventedLots: Lots
  preventedMatch: PreventedMatchId | undefined
  closeReason: CloseReason | undefined
  updatedAt: Millis
  triggeredAt: Millis | undefined
  enteredAt: Millis | undefined
}

/**
 * Orders are kept in memory while the core keeps them, and written whole whenever they change: a row never depends on an earlier
 * write. So an order of a quiet user first appears at its first fill, however long ago it was placed.
 */
export class OrderProjection {
  readonly #known: Known
  readonly #live = new Map<OrderId, LiveOrder>()
  readonly #changed = new Set<LiveOrder>()
  /** TWAP or scaled order by part, of the command that is being applied. */
  readonly #parts = new Map<OrderId, OrderId>()
  readonly #orders = new Columns(
    'orders',
    {
      id: 'bigint',
      list_id: 'bigint',
      user_id: 'bigint',
      client_id: 'text',
      market: 'text',
      side: 'text',
      type: 'text',
      time_in_force: 'text',
      status: 'text',
      price: 'numeric',
      quantity: 'numeric',
      spend: 'numeric',
      executed: 'numeric',
      executed_quote: 'numeric',
      average: 'numeric',
      post_only: 'boolean',
      display: 'numeric',
      trigger: 'jsonb',
      close_reason: 'text',
      placed_at_ms: 'bigint',
      updated_at_ms: 'bigint',
      perp: 'jsonb',
      margin: 'jsonb',
      triggered_at_ms: 'bigint',
      self_trade: 'text',
      prevented: 'numeric',
      strategy_id: 'bigint',
      strategy_type: 'bigint',
      entered_at_ms: 'bigint',
      prevented_match: 'bigint',
      algo_id: 'bigint',
    },
    // Only events have the times of the trigger and of the entry: a projector that starts later must not overwrite them with null.
    `(id) do update set triggered_at_ms = coalesce(excluded.triggered_at_ms, orders.triggered_at_ms),
      entered_at_ms = coalesce(excluded.entered_at_ms, orders.entered_at_ms), ${overwrite('status', 'price', 'quantity', 'executed', 'executed_quote', 'average', 'trigger', 'close_reason', 'updated_at_ms', 'prevented', 'prevented_match')}`,
  )
  readonly #trades: TradeRows
  readonly #prevented = new PreventedRows()

  constructor(known: Known, open: Iterable<OpenOrder>) {
    this.#known = known
    this.#trades = new TradeRows(known)
    for (const order of open) this.#live.set(order.order, fromOpen(known, order))
  }

  get size(): number {
    return this.#changed.size + this.#trades.length + this.#prevented.length
  }

  /** Count of the orders in memory: those that the core keeps. */
  get liveOrders(): number {
    return this.#live.size
  }

  /** throws  when the core does not hold this order */
  live(id: OrderId): LiveOrder {
    const order = this.#live.get(id)
    if (order === undefined) throw new Error(`Order ${id} is in an event but neither open nor just placed`)
    return order
  }

  /** Called with the events of a command before any of them is applied: which orders are parts is told after the orders' own events. */
  begin(events: readonly Event[]): void {
    this.#parts.clear()
    for (const event of events) if (event.type === 'algo.part') this.#parts.set(event.order, event.algo)
  }

  apply(event: Event, seq: Seq, at: Millis): void {
    this.#trades.apply(event, seq, at)
    switch (event.type) {
      case 'order.accepted': {
        const order = fresh(
          this.#known,
          { ...event, algo: this.#parts.get(event.order) },
          event.trigger !== undefined || startsWaiting(event),
          at,
        )
        this.#live.set(event.order, order)
        this.#changed.add(order)
        break
      }
      case 'order.triggered': {
        const order = this.#touch(event.order, at)
        order.isPending = false
        // The time of the trigger is lost at a restart unless a row keeps it, and a quiet user's order has none yet.
        if (!this.#known.isQuiet(order.user)) order.triggeredAt = at
        break
      }
      case 'order.entered': {
        const order = this.#touch(event.order, at)
        order.isPending = order.trigger !== undefined
        if (!this.#known.isQuiet(order.user)) order.enteredAt = at
        break
      }
      case 'order.amended': {
        const order = this.#touch(event.order, at)
        order.price = event.price
        order.lots = event.lots
        if (event.triggerPrice !== undefined && order.trigger?.kind === 'stop')
          order.trigger = { ...order.trigger, price: event.triggerPrice }
        break
      }
      case 'match.prevented':
        this.#preventMatch(event, at)
        break
      case 'order.prevented':
        for (const id of [event.makerOrder, event.takerOrder]) {
          const order = this.#touch(id, at)
          order.preventedLots = (order.preventedLots + event.lots) as Lots
        }
        break
      case 'traded':
        this.#trade(event, at)
        break
      case 'order.closed': {
        const order = this.#touch(event.order, at)
        order.closeReason = event.reason
        order.executedLots = event.executedLots
        order.executedQuote = event.executedQuote
        this.#live.delete(event.order)
        break
      }
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const order of this.#changed) {
      if (order.executedLots > 0 || !this.#known.isQuiet(order.user)) this.#pushOrder(order)
    }
    this.#changed.clear()
    return [this.#orders.take(), this.#trades.take(), this.#prevented.take()]
  }

  #touch(id: OrderId, at: Millis): LiveOrder {
    const order = this.live(id)
    order.updatedAt = at
    this.#changed.add(order)
    return order
  }

  /** Comes before the orders change. An order by amount that ends has no quantity from which its loss could be told later. */
  #preventMatch(event: MatchPrevented, at: Millis): void {
    const { match, mode, makerLots, takerLots } = event
    const [maker, taker] = [this.live(event.makerOrder), this.live(event.takerOrder)]
    this.#prevented.add(event, at, maker.market, maker, taker)
    if (makerLots > 0) maker.preventedMatch = match
    if (takerLots > 0) taker.preventedMatch = match
    if (taker.spend > 0 && mode !== 'decrement') taker.preventedLots = (taker.preventedLots + takerLots) as Lots
  }

  #trade(event: Traded, at: Millis): void {
    for (const id of [event.makerOrder, event.takerOrder]) {
      const order = this.#touch(id, at)
      order.executedLots = (order.executedLots + event.lots) as Lots
      order.executedQuote = (order.executedQuote + event.quote) as Units
    }
  }

  #pushOrder(order: LiveOrder): void {
    const { market } = order
    const rows = this.#orders
    rows
      .add(order.order)
      .add(order.list || null)
      .add(order.user)
      .add(order.clientId)
      .add(market.market.symbol)
    rows.add(order.side).add(order.orderType).add(order.timeInForce).add(statusOf(order))
    if (order.price === 0) rows.add(null)
    else market.addPrice(rows, order.price)
    addUnlessNone(rows, market, order.lots)
    if (order.spend === 0) rows.add(null)
    else market.addQuoteSum(rows, order.spend)
    market.addQuantity(rows, order.executedLots)
    market.addQuoteSum(rows, order.executedQuote)
    if (order.executedLots === 0) rows.add(null)
    else market.addPrice(rows, averagePrice(order))
    rows.add(order.isPostOnly)
    addUnlessNone(rows, market, order.display)
    rows.add(order.trigger === undefined ? null : JSON.stringify(wireTrigger(order.trigger, market)))
    rows
      .add(order.closeReason ?? null)
      .add(order.placedAt)
      .add(order.updatedAt)
    rows.add(order.perp === undefined ? null : JSON.stringify(wirePerpOrder(order.perp, market)))
    rows.add(order.margin === undefined ? null : JSON.stringify(order.margin))
    rows.add(order.triggeredAt ?? null).add(order.selfTrade ?? null)
    addUnlessNone(rows, market, order.preventedLots)
    rows
      .add(order.strategy?.id ?? null)
      .add(order.strategy?.type ?? null)
      .add(order.enteredAt ?? null)
      .add(order.preventedMatch ?? null)
      .add(order.algo ?? null)
  }
}

function addUnlessNone(rows: Columns, market: MarketView, lots: Lots): void {
  if (lots === 0) rows.add(null)
  else market.addQuantity(rows, lots)
}

/** The average price in ticks, rounded down; `executedQuote` is the exact amount. */
function averagePrice({ market, executedLots, executedQuote }: LiveOrder): Ticks {
  return mulDivFloor(executedQuote, 1, executedLots * market.market.quotePerTickLot) as Ticks
}

function statusOf(order: LiveOrder): OrderStatus {
  if (order.closeReason === 'filled') return 'filled'
  if (order.closeReason === 'cancelled' || order.closeReason === 'oco' || order.closeReason === 'countdown') return 'cancelled'
  if (order.closeReason !== undefined) return 'expired'
  if (order.isPending) return 'pending'
  return order.executedLots > 0 ? 'partially-filled' : 'open'
}

function wireTrigger(trigger: Trigger, market: MarketView): WireTrigger {
  if (trigger.kind === 'stop') return { kind: 'stop', price: market.price(trigger.price), direction: trigger.direction }
  return {
    kind: 'trailing',
    trailPercent: formatUnits(trigger.trailPpm, 4),
    ...(trigger.activation === undefined ? {} : { activation: market.price(trigger.activation) }),
    direction: trigger.direction,
  }
}

function wirePerpOrder(order: PerpOrder, market: MarketView): WirePerpOrder {
  const { position, isReduceOnly, isClosing, triggerBy, isLiquidation, exits, goodTill, priceMatch } = order
  const wire = {
    ...{ position, reduceOnly: isReduceOnly, closing: isClosing, triggerBy, liquidation: isLiquidation },
    ...(goodTill === undefined ? {} : { goodTill }),
    ...(priceMatch === undefined ? {} : { priceMatch }),
  }
  if (exits === undefined) return wire
  const { takeProfit, stopLoss } = exits
  return {
    ...wire,
    exits: {
      ...(takeProfit === undefined ? {} : { takeProfit: { price: market.price(takeProfit.price), by: takeProfit.by } }),
      ...(stopLoss === undefined ? {} : { stopLoss: { price: market.price(stopLoss.price), by: stopLoss.by } }),
    },
  }
}

function fromOpen(known: Known, open: OpenOrder): LiveOrder {
  const { placedAt, updatedAt, executedLots, executedQuote, preventedLots = 0 as Lots, preventedMatch } = open
  const live = fresh(known, open, open.status === 'pending', placedAt)
  live.executedLots = executedLots
  live.executedQuote = executedQuote
  live.preventedLots = preventedLots
  live.preventedMatch = preventedMatch
  live.updatedAt = updatedAt
  return live
}

/** The terms with which an order was placed, from the event of its placing or from the core's list of open orders. */
function fresh(
  known: Known,
  from: (OpenOrder | OrderAccepted) & { readonly algo?: OrderId | undefined },
  isPending: boolean,
  placedAt: Millis,
): LiveOrder {
  return {
    order: from.order,
    list: from.list,
    user: from.user,
    clientId: from.clientId,
    market: known.market(from.market),
    side: from.side,
    orderType: from.orderType,
    timeInForce: from.timeInForce,
    spend: from.spend,
    isPostOnly: from.isPostOnly,
    display: from.display,
    trigger: from.trigger,
    selfTrade: from.selfTrade,
    margin: from.margin,
    perp: from.perp,
    strategy: from.strategy,
    algo: from.algo,
    placedAt,
    isPending,
    price: from.price,
    lots: from.lots,
    executedLots: 0 as Lots,
    executedQuote: 0 as Units,
    preventedLots: 0 as Lots,
    preventedMatch: undefined,
    closeReason: undefined,
    updatedAt: placedAt,
    triggeredAt: undefined,
    enteredAt: undefined,
  }
}
