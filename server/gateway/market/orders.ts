import type { Lots, Millis, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { CloseReason, Event, OrderAccepted, Traded } from '@candor/core/protocol/event/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, OpenOrder } from '@candor/core/protocol/port.ts'
import type { OrderStatus, WireFill, WireOrder, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { amountText, type ListedMarket, type Listing, priceText, quantityText } from './listing.ts'

/** An order as the events have left it. */
export type OrderState = Omit<OpenOrder, 'status'> & { readonly isPending: boolean; readonly closeReason?: CloseReason }

const closedKept = 50_000
const averageDigits = 8

/**
 * Orders in memory, kept current by the released events, for answers and for the users' own streams: complete for
 * every user who was asked about once (`know`), plus the last closed ones.
 */
export class Orders {
  readonly #open = new Map<OrderId, OrderState>()
  readonly #closed = new Map<OrderId, OrderState>()
  readonly #known = new Map<UserId, Promise<void>>()

  /** Forgets all: events were missed. */
  clear(): void {
    this.#open.clear()
    this.#closed.clear()
    this.#known.clear()
  }

  get(order: OrderId): OrderState | undefined {
    return this.#open.get(order) ?? this.#closed.get(order)
  }

  /** From here on every open order of this user is in memory. What the answer holds is what all events so far have left. */
  know(ask: Ask, user: UserId): Promise<void> {
    let known = this.#known.get(user)
    if (!known) {
      known = ask.openOrders(user).then((orders) => {
        for (const order of orders) this.#open.set(order.order, stateOf(order))
      })
      known.catch(() => this.#known.delete(user))
      this.#known.set(user, known)
    }
    return known
  }

  /** Applies one event of a command that happened `at`. Returns the orders that it changed. */
  apply(event: Event, at: Millis): readonly OrderState[] {
    switch (event.type) {
      case 'spot.accepted': {
        const state = acceptedState(event, at)
        this.#open.set(event.order, state)
        return [state]
      }
      case 'spot.traded':
        return [event.makerOrder, event.takerOrder].flatMap((order) => this.#change(order, (state) => tradedState(state, event, at)))
      case 'spot.triggered':
        return this.#change(event.order, (state) => ({ ...state, isPending: false, updatedAt: at }))
      case 'spot.amended':
        return this.#change(event.order, (state) => ({ ...state, price: event.price, lots: event.lots, updatedAt: at }))
      case 'spot.closed':
        return this.#close(event.order, (state) => closedState(state, event, at))
      default:
        return []
    }
  }

  #change(order: OrderId, change: (state: OrderState) => OrderState): readonly OrderState[] {
    const state = this.#open.get(order)
    if (!state) return []
    const next = change(state)
    this.#open.set(order, next)
    return [next]
  }

  #close(order: OrderId, change: (state: OrderState) => OrderState): readonly OrderState[] {
    const state = this.#open.get(order)
    if (!state) return []
    const next = change(state)
    this.#open.delete(order)
    this.#closed.set(order, next)
    if (this.#closed.size > closedKept) this.#closed.delete(this.#closed.keys().next().value!)
    return [next]
  }
}

/** The order that a command placed, from its own events alone; `undefined` when it placed none. */
export function orderOfEvents(events: readonly Event[], order: OrderId, at: Millis): OrderState | undefined {
  let state: OrderState | undefined
  for (const event of events) {
    if (event.type === 'spot.accepted' && event.order === order) state = acceptedState(event, at)
    else if (!state) continue
    else if (event.type === 'spot.traded' && (event.takerOrder === order || event.makerOrder === order))
      state = tradedState(state, event, at)
    else if (event.type === 'spot.triggered' && event.order === order) state = { ...state, isPending: false }
    else if (event.type === 'spot.closed' && event.order === order) state = closedState(state, event, at)
  }
  return state
}

function acceptedState(event: OrderAccepted, at: Millis): OrderState {
  return {
    order: event.order,
    list: event.list,
    user: event.user,
    clientId: event.clientId,
    market: event.market,
    side: event.side,
    orderType: event.orderType,
    timeInForce: event.timeInForce,
    isPending: event.trigger !== undefined,
    price: event.price,
    lots: event.lots,
    spend: event.spend,
    executedLots: 0 as Lots,
    executedQuote: 0 as Units,
    isPostOnly: event.isPostOnly,
    display: event.display,
    ...(event.trigger ? { trigger: event.trigger } : {}),
    placedAt: at,
    updatedAt: at,
  }
}

function tradedState(state: OrderState, event: Traded, at: Millis): OrderState {
  return {
    ...state,
    executedLots: (state.executedLots + event.lots) as Lots,
    executedQuote: (state.executedQuote + event.quote) as Units,
    updatedAt: at,
  }
}

function closedState(state: OrderState, event: Extract<Event, { type: 'spot.closed' }>, at: Millis): OrderState {
  return { ...state, executedLots: event.executedLots, executedQuote: event.executedQuote, closeReason: event.reason, updatedAt: at }
}

function stateOf({ status, ...order }: OpenOrder): OrderState {
  return { ...order, isPending: status === 'pending' }
}

export function wireOpenOrder(listing: Listing, order: OpenOrder): WireOrder {
  return wireOrder(listing, stateOf(order))
}

export function wireOrder(listing: Listing, state: OrderState): WireOrder {
  const market = listing.market(state.market)
  const average = averageText(market, state)
  return {
    id: String(state.order),
    clientId: state.clientId,
    ...(state.list ? { listId: String(state.list) } : {}),
    symbol: market.market.symbol,
    side: state.side,
    type: state.orderType,
    timeInForce: state.timeInForce,
    status: statusOf(state),
    ...(state.price ? { price: priceText(market, state.price) } : {}),
    ...(state.lots ? { quantity: quantityText(market, state.lots) } : {}),
    ...(state.spend ? { spend: amountText(market.quote, state.spend) } : {}),
    executed: quantityText(market, state.executedLots),
    executedQuote: amountText(market.quote, state.executedQuote),
    ...(average === undefined ? {} : { average }),
    postOnly: state.isPostOnly,
    ...(state.display ? { display: quantityText(market, state.display) } : {}),
    ...(state.trigger ? { trigger: wireTrigger(listing, state) } : {}),
    ...(state.closeReason ? { closeReason: state.closeReason } : {}),
    placedAt: state.placedAt,
    updatedAt: state.updatedAt,
  }
}

/** Of all fills, rounded to 8 digits, for people: what was paid is `executedQuote`. */
function averageText({ market, base, quote }: ListedMarket, state: OrderState): string | undefined {
  if (state.executedLots === 0) return undefined
  const paid = BigInt(state.executedQuote) * 10n ** BigInt(base.scale + averageDigits)
  const bought = BigInt(state.executedLots) * BigInt(market.basePerLot) * 10n ** BigInt(quote.scale)
  return formatUnits(Number((2n * paid + bought) / (2n * bought)), averageDigits)
}

function statusOf(state: OrderState): OrderStatus {
  if (state.closeReason === 'filled') return 'filled'
  if (state.closeReason === 'cancelled' || state.closeReason === 'oco') return 'cancelled'
  if (state.closeReason) return 'expired'
  if (state.isPending) return 'pending'
  return state.executedLots > 0 ? 'partially-filled' : 'open'
}

function wireTrigger(listing: Listing, state: OrderState): WireTrigger {
  const market = listing.market(state.market)
  const trigger = state.trigger!
  if (trigger.kind === 'stop') return { kind: 'stop', price: priceText(market, trigger.price), direction: trigger.direction }
  return {
    kind: 'trailing',
    trailPercent: formatUnits(trigger.trailPpm, 4),
    ...(trigger.activation ? { activation: priceText(market, trigger.activation) } : {}),
    direction: trigger.direction,
  }
}

/** One side of a trade, as its owner sees it. */
export function wireFill(listing: Listing, trade: Traded, role: 'maker' | 'taker', at: Millis): WireFill {
  const market = listing.market(trade.market)
  const side = role === 'taker' ? trade.takerSide : trade.takerSide === 'buy' ? 'sell' : 'buy'
  const received = side === 'buy' ? market.base : market.quote
  return {
    tradeId: String(trade.trade),
    orderId: String(role === 'taker' ? trade.takerOrder : trade.makerOrder),
    symbol: market.market.symbol,
    side,
    role,
    price: priceText(market, trade.price),
    quantity: quantityText(market, trade.lots),
    quote: amountText(market.quote, trade.quote),
    fee: amountText(received, role === 'taker' ? trade.takerFee : trade.makerFee),
    feeAsset: received.symbol,
    time: at,
  }
}
