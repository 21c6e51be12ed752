import type { Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { OrderExits } from '@candor/core/protocol/command/perp.ts'
import type { CloseReason, Event, OrderAccepted, OrderPrevented, PerpOrder, Traded } from '@candor/core/protocol/event/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, OpenOrder } from '@candor/core/protocol/port.ts'
import type { WireExits, WirePerpOrder } from '@candor/core/protocol/wire/perp.ts'
import type { OrderStatus, WireFill, WireOrder, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import { amountText, type ListedMarket, type Listing, priceText, quantityText } from './listing.ts'

/** An order as the events have left it. */
export type OrderState = Omit<OpenOrder, 'status'> & {
  readonly isPending: boolean
  readonly closeReason?: CloseReason
  /** When its trigger was reached; absent for what happened before it was in memory. */
  readonly triggeredAt?: Millis
}

/** An order in memory is changed where it stands: a copy at every event would cost more than all else that it takes. */
type Held = { -readonly [Name in keyof OrderState]: OrderState[Name] }

const closedKept = 50_000
const averageDigits = 8

/**
 * Orders in memory, kept current by the released events, for answers and for the users' own streams: complete for
 * every user who was asked about once (`know`), plus the last closed ones.
 */
export class Orders {
  readonly #open = new Map<OrderId, Held>()
  /** In two halves, the older of which is forgotten whole. */
  #closed = new Map<OrderId, Held>()
  #closedBefore = new Map<OrderId, Held>()
  /** Whose open orders were asked for; true once they are here. */
  readonly #known = new Map<UserId, Promise<void> | true>()
  /** What changed last, where it was one. */
  readonly #changed: Held[] = []
  /** Open orders of lever accounts, by their users. */
  readonly #lever = new Map<UserId, Set<Held>>()
  /** Open orders of lists in spot markets, by their users. */
  readonly #legs = new Map<UserId, Set<Held>>()

  /** Forgets all: events were missed. */
  clear(): void {
    this.#open.clear()
    this.#lever.clear()
    this.#legs.clear()
    this.#closed.clear()
    this.#closedBefore.clear()
    this.#known.clear()
  }

  /** Whether an open order of a lever account of the user has this client id. */
  isLever(user: UserId, clientId: string): boolean {
    for (const order of this.#lever.get(user) ?? none) if (order.clientId === clientId) return true
    return false
  }

  /** Open orders of the user's lists in spot markets, whatever account they are of. */
  legsOf(user: UserId): readonly OrderState[] {
    return [...(this.#legs.get(user) ?? none)]
  }

  get(order: OrderId): OrderState | undefined {
    return this.#open.get(order) ?? this.#closed.get(order) ?? this.#closedBefore.get(order)
  }

  /** From here on every open order of this user is in memory. What the answer holds is what all events so far have left. */
  know(ask: Ask, user: UserId): Promise<void> {
    const known = this.#known.get(user)
    if (known === true) return Promise.resolve()
    if (known) return known
    const knowing: Promise<void> = ask.openOrders(user).then((orders) => {
      for (const order of orders) {
        const triggeredAt = this.#open.get(order.order)?.triggeredAt
        this.#keepOpen(triggeredAt === undefined ? stateOf(order) : { ...stateOf(order), triggeredAt })
      }
      if (this.#known.get(user) === knowing) this.#known.set(user, true)
    })
    knowing.catch(() => this.#known.delete(user))
    this.#known.set(user, knowing)
    return knowing
  }

  /** Whether every open order of this user is in memory. */
  isKnown(user: UserId): boolean {
    return this.#known.get(user) === true
  }

  /** Applies one event of a command that happened `at`. Returns the orders that it changed: good until the next call. */
  apply(event: Event, at: Millis): readonly OrderState[] {
    switch (event.type) {
      case 'order.accepted': {
        const state = acceptedState(event, at)
        this.#keepOpen(state)
        return this.#one(state)
      }
      case 'traded': {
        const maker = this.#open.get(event.makerOrder)
        const taker = this.#open.get(event.takerOrder)
        if (maker) addTrade(maker, event, at)
        if (taker) addTrade(taker, event, at)
        return maker && taker ? [maker, taker] : maker || taker ? this.#one((maker ?? taker) as Held) : none
      }
      case 'order.triggered': {
        const state = this.#open.get(event.order)
        if (!state) return none
        state.isPending = false
        state.triggeredAt = at
        state.updatedAt = at
        return this.#one(state)
      }
      case 'order.amended': {
        const state = this.#open.get(event.order)
        if (!state) return none
        amend(state, event, at)
        return this.#one(state)
      }
      case 'order.prevented': {
        const changed: Held[] = []
        for (const order of [event.makerOrder, event.takerOrder]) {
          const state = this.#open.get(order)
          if (!state) continue
          prevent(state, event, at)
          changed.push(state)
        }
        return changed
      }
      case 'order.closed': {
        const state = this.#open.get(event.order)
        if (!state) return none
        close(state, event, at)
        this.#open.delete(event.order)
        if (state.margin) drop(this.#lever, state)
        if (isLeg(state)) drop(this.#legs, state)
        this.#keepClosed(event.order, state)
        return this.#one(state)
      }
      default:
        return none
    }
  }

  #one(state: Held): readonly OrderState[] {
    this.#changed[0] = state
    return this.#changed
  }

  #keepOpen(state: Held): void {
    const before = state.margin || isLeg(state) ? this.#open.get(state.order) : undefined
    this.#open.set(state.order, state)
    if (state.margin) keep(this.#lever, state, before)
    if (isLeg(state)) keep(this.#legs, state, before)
  }

  #keepClosed(order: OrderId, state: Held): void {
    if (this.#closed.size >= closedKept / 2) {
      this.#closedBefore = this.#closed
      this.#closed = new Map()
    }
    this.#closed.set(order, state)
  }
}

const none: readonly OrderState[] = []

const isLeg = ({ list, perp }: OrderState): boolean => list > 0 && perp === undefined

function keep(byUser: Map<UserId, Set<Held>>, state: Held, before: Held | undefined): void {
  let own = byUser.get(state.user)
  if (!own) byUser.set(state.user, (own = new Set()))
  if (before) own.delete(before)
  own.add(state)
}

function drop(byUser: Map<UserId, Set<Held>>, state: Held): void {
  const own = byUser.get(state.user)
  own?.delete(state)
  if (own?.size === 0) byUser.delete(state.user)
}

/** The order that a command placed, from its own events alone; `undefined` when it placed none. */
export function orderOfEvents(events: readonly Event[], order: OrderId, at: Millis): OrderState | undefined {
  let state: Held | undefined
  for (const event of events) {
    if (event.type === 'order.accepted' && event.order === order) state = acceptedState(event, at)
    else if (!state) continue
    else if (event.type === 'traded' && (event.takerOrder === order || event.makerOrder === order)) addTrade(state, event, at)
    else if (event.type === 'order.prevented' && (event.takerOrder === order || event.makerOrder === order)) prevent(state, event, at)
    else if (event.type === 'order.triggered' && event.order === order) {
      state.isPending = false
      state.triggeredAt = at
    } else if (event.type === 'order.amended' && event.order === order) amend(state, event, at)
    else if (event.type === 'order.closed' && event.order === order) close(state, event, at)
  }
  return state
}

function acceptedState(event: OrderAccepted, at: Millis): Held {
  const state: Held = {
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
    placedAt: at,
    updatedAt: at,
  }
  if (event.trigger) state.trigger = event.trigger
  if (event.selfTrade) state.selfTrade = event.selfTrade
  if (event.margin) state.margin = event.margin
  if (event.perp) state.perp = event.perp
  if (event.strategy) state.strategy = event.strategy
  return state
}

function addTrade(state: Held, event: Traded, at: Millis): void {
  state.executedLots = (state.executedLots + event.lots) as Lots
  state.executedQuote = (state.executedQuote + event.quote) as Units
  state.updatedAt = at
}

function prevent(state: Held, event: OrderPrevented, at: Millis): void {
  state.preventedLots = ((state.preventedLots ?? 0) + event.lots) as Lots
  state.updatedAt = at
}

function amend(state: Held, event: Extract<Event, { type: 'order.amended' }>, at: Millis): void {
  state.price = event.price
  state.lots = event.lots
  state.updatedAt = at
}

function close(state: Held, event: Extract<Event, { type: 'order.closed' }>, at: Millis): void {
  state.executedLots = event.executedLots
  state.executedQuote = event.executedQuote
  state.closeReason = event.reason
  state.updatedAt = at
}

/** An order that the core was asked for. */
export function stateOf({ status, ...order }: OpenOrder): OrderState {
  return { ...order, isPending: status === 'pending' }
}

export function wireOpenOrder(listing: Listing, order: OpenOrder): WireOrder {
  return wireOrder(listing, stateOf(order))
}

export function wireOrder(listing: Listing, state: OrderState): WireOrder {
  const market = listing.market(state.market)
  const average = averageText(market, state)
  const wire: { -readonly [Name in keyof WireOrder]: WireOrder[Name] } = {
    id: String(state.order),
    clientId: state.clientId,
    symbol: market.market.symbol,
    side: state.side,
    type: state.orderType,
    timeInForce: state.timeInForce,
    status: statusOf(state),
    executed: quantityText(market, state.executedLots),
    executedQuote: amountText(market.quote, state.executedQuote),
    postOnly: state.isPostOnly,
    placedAt: state.placedAt,
    updatedAt: state.updatedAt,
  }
  if (state.list) wire.listId = String(state.list)
  if (state.price) wire.price = priceText(market, state.price)
  if (state.lots) wire.quantity = quantityText(market, state.lots)
  if (state.spend) wire.spend = amountText(market.quote, state.spend)
  if (average !== undefined) wire.average = average
  if (state.display) wire.display = quantityText(market, state.display)
  if (state.trigger) wire.trigger = wireTrigger(listing, state)
  if (state.margin) wire.margin = { account: state.margin.account, borrow: state.margin.borrow }
  if (state.perp) wire.perp = wirePerpOrder(market, state.perp)
  if (state.closeReason) wire.closeReason = state.closeReason
  return wire
}

function wirePerpOrder(market: ListedMarket, order: PerpOrder): WirePerpOrder {
  const { position, isReduceOnly, isClosing, triggerBy, isLiquidation, exits } = order
  const wire = { position, reduceOnly: isReduceOnly, closing: isClosing, triggerBy, liquidation: isLiquidation }
  return exits === undefined ? wire : { ...wire, exits: wireExits(exits, (ticks) => priceText(market, ticks)) }
}

/** `text`: a price of the market. */
function wireExits({ takeProfit, stopLoss }: OrderExits, text: (ticks: Ticks) => string): WireExits {
  return {
    ...(takeProfit === undefined ? {} : { takeProfit: { price: text(takeProfit.price), by: takeProfit.by } }),
    ...(stopLoss === undefined ? {} : { stopLoss: { price: text(stopLoss.price), by: stopLoss.by } }),
  }
}

/** Of all fills, rounded to 8 digits, for people: what was paid is `executedQuote`. */
function averageText({ market, base, quote }: ListedMarket, state: OrderState): string | undefined {
  if (state.executedLots === 0) return undefined
  const paid = BigInt(state.executedQuote) * 10n ** BigInt(base.scale + averageDigits)
  const bought = BigInt(state.executedLots) * BigInt(market.basePerLot) * 10n ** BigInt(quote.scale)
  return formatUnits((2n * paid + bought) / (2n * bought), averageDigits)
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

/** One side of a trade, as its owner sees it. Fees of contracts are in the quote asset on both sides. */
export function wireFill(listing: Listing, trade: Traded, role: 'maker' | 'taker', at: Millis): WireFill {
  const market = listing.market(trade.market)
  const side = role === 'taker' ? trade.takerSide : trade.takerSide === 'buy' ? 'sell' : 'buy'
  const received = side === 'buy' && market.market.perp === undefined ? market.base : market.quote
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
