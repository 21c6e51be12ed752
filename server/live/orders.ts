import type { Lots, Millis, Units } from '@candor/core/money/brand.ts'
import type { CloseReason, Event, MatchPrevented, OrderAccepted, OrderPrevented, Traded } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { startsWaiting } from '@candor/core/protocol/command/order-list.ts'
import type { Ask, OpenOrder } from '@candor/core/protocol/port.ts'
import { type Logged, OrderLog } from './order-log.ts'

/** The state of an order after the events so far. */
export type OrderState = Omit<OpenOrder, 'status'> & {
  readonly isPending: boolean
  readonly closeReason?: CloseReason
  /** Time of its trigger; absent if that was before the order was in memory. */
  readonly triggeredAt?: Millis
  /** When it entered, for an order that waited for the working order of its list; absent if that was before it was in memory. */
  readonly enteredAt?: Millis
}

/** Orders in memory are changed in place: copying them at every event would cost more than all other work. */
type Held = { -readonly [Name in keyof OrderState]: OrderState[Name] }

/** A user's open orders, as a circular linked list. A set would hash each of them. */
type Own = { first: Link | undefined }

class Link {
  readonly state: Held
  readonly own: Own
  /** Journal position up to which the engine's answer covers the order's history; 0 when all of it came as events. */
  readonly asOf: number
  after: Link
  before: Link

  constructor(state: Held, own: Own, asOf: number) {
    this.state = state
    this.own = own
    this.asOf = asOf
    this.after = own.first ?? this
    this.before = this.after.before ?? this
    this.after.before = this
    this.before.after = this
    own.first ??= this
  }

  /** Removes the link. Returns true when it was the user's last. */
  leave(): boolean {
    const { own, after, before } = this
    before.after = after
    after.before = before
    if (own.first === this) own.first = after === this ? undefined : after
    // A removed link that pointed to its neighbours would keep them in memory, and they theirs, until the next full garbage
    // collection.
    this.after = this
    this.before = this
    return own.first === undefined
  }
}

const closedKept = 50_000

/**
 * Orders in memory of users who are followed, updated by the released events, for answers and users' streams. Complete for every user
 * loaded once by `know`; the last closed orders are kept as well.
 */
export class Orders {
  readonly #open = new Map<OrderId, Link>()
  readonly #byUser = new Map<UserId, Own>()
  readonly #log = new OrderLog()
  /** Kept in two halves; the older half is dropped as a whole. */
  #closed = new Map<OrderId, Held>()
  #closedBefore = new Map<OrderId, Held>()
  /** Users whose open orders were asked for; true once they are in memory. */
  readonly #known = new Map<UserId, Promise<void> | true>()
  readonly #followed = new Set<UserId>()
  /** The orders that the last event changed. */
  readonly #changed: Held[] = []
  /** Open orders of margin accounts, by user. */
  readonly #margin = new Map<UserId, Set<Held>>()
  /** Open orders of lists in spot markets, by user. */
  readonly #legs = new Map<UserId, Set<Held>>()

  /** Forgets everything, because events were missed. */
  clear(): void {
    this.#open.clear()
    this.#byUser.clear()
    this.#log.clear()
    this.#margin.clear()
    this.#legs.clear()
    this.#closed.clear()
    this.#closedBefore.clear()
    this.#known.clear()
  }

  /** From now on `apply` must get all events about the user's orders. Other users' may be left out: most send by another gateway. */
  follow(user: UserId): void {
    this.#followed.add(user)
  }

  isFollowed(user: UserId): boolean {
    return this.#followed.has(user)
  }

  /** Whether an open order of a margin account of the user has this client id. */
  isMargin(user: UserId, clientId: string): boolean {
    for (const order of this.#margin.get(user) ?? none) if (order.clientId === clientId) return true
    return false
  }

  /** The user's open orders of lists in spot markets, in any account. */
  legsOf(user: UserId): readonly OrderState[] {
    return [...(this.#legs.get(user) ?? none)]
  }

  get(order: OrderId): OrderState | undefined {
    return this.#open.get(order)?.state ?? this.#closed.get(order) ?? this.#closedBefore.get(order)
  }

  /** Open orders of a known user, oldest first. */
  openOf(user: UserId, market?: MarketId): readonly OrderState[] {
    const own: Held[] = []
    const first = this.#byUser.get(user)?.first
    for (let link = first; link !== undefined; link = link.after === first ? undefined : link.after) {
      if (market === undefined || link.state.market === market) own.push(link.state)
    }
    return own.sort((a, b) => a.order - b.order)
  }

  /** Resolves when every open order of this user is in memory, up to date with all events so far. */
  know(ask: Pick<Ask, 'ordersAt'>, user: UserId): Promise<void> {
    const known = this.#known.get(user)
    if (known === true) return Promise.resolve()
    if (known) return known
    this.follow(user)
    this.#log.begin(user)
    const knowing: Promise<void> = ask.ordersAt(user).then(({ seq, orders }) => {
      // Everything was dropped meanwhile because events were missed, and the answer may be older than those.
      if (this.#known.get(user) !== knowing) return this.know(ask, user)
      this.#catchUp(orders, seq, this.#log.end(user))
      this.#known.set(user, true)
      return undefined
    })
    knowing.catch(() => {
      if (this.#known.get(user) !== knowing) return
      this.#known.delete(user)
      this.#log.end(user)
    })
    this.#known.set(user, knowing)
    return knowing
  }

  /** Combines the orders as of `seq` with later events. Orders that came as events are already up to date. */
  #catchUp(orders: readonly OpenOrder[], seq: number, since: readonly Logged[]): void {
    for (const order of orders) {
      if (this.get(order.order)) continue
      const state: Held = stateOf(order)
      const link = this.#keepOpen(state, undefined, seq)
      for (const { event, at, seq: when } of since) if (when > seq && change(state, event, at)) this.#end(link)
    }
  }

  /** Whether every open order of this user is in memory. */
  isKnown(user: UserId): boolean {
    return this.#known.get(user) === true
  }

  /**
   * Applies one event of the command at journal position `seq` and time `at`. Returns the orders that it changed, valid until the
   * next call.
   */
  apply(event: Event, at: Millis, seq: number): readonly OrderState[] {
    this.#log.note(event, at, seq)
    switch (event.type) {
      case 'order.accepted': {
        // Everybody reads orders of liquidations, but not the end of a stranger's.
        if (event.perp?.isLiquidation === true && !this.isFollowed(event.user)) return none
        // The engine was asked after this command, but its event arrives only now.
        const before = this.#open.get(event.order)
        if (before !== undefined && before.asOf >= seq) return none
        const state = acceptedState(event, at)
        this.#keepOpen(state, before)
        return this.#one(state)
      }
      case 'traded': {
        const maker = this.#at(event.makerOrder, seq)
        const taker = this.#at(event.takerOrder, seq)
        if (maker) addTrade(maker, event, at)
        if (taker) addTrade(taker, event, at)
        return maker && taker ? [maker, taker] : maker || taker ? this.#one((maker ?? taker) as Held) : none
      }
      case 'order.triggered':
      case 'order.entered':
      case 'order.amended': {
        const state = this.#at(event.order, seq)
        if (!state) return none
        change(state, event, at)
        return this.#one(state)
      }
      case 'algo.part': {
        const state = this.#linkAt(event.order, seq)?.state ?? this.#closed.get(event.order)
        if (state !== undefined) state.algo = event.algo
        return none
      }
      case 'match.prevented':
        // What follows of it in the same command reports the change.
        for (const order of [event.makerOrder, event.takerOrder]) lose(this.#at(order, seq), event)
        return none
      case 'order.prevented': {
        const changed: Held[] = []
        for (const order of [event.makerOrder, event.takerOrder]) {
          const state = this.#at(order, seq)
          if (!state) continue
          prevent(state, event, at)
          changed.push(state)
        }
        return changed
      }
      case 'order.closed': {
        const link = this.#linkAt(event.order, seq)
        if (!link) return none
        close(link.state, event, at)
        this.#end(link)
        return this.#one(link.state)
      }
      default:
        return none
    }
  }

  /** The open order, unless its state already includes the events at `seq`. */
  #at(order: OrderId, seq: number): Held | undefined {
    return this.#linkAt(order, seq)?.state
  }

  #linkAt(order: OrderId, seq: number): Link | undefined {
    const link = this.#open.get(order)
    return link !== undefined && seq <= link.asOf ? undefined : link
  }

  #end(link: Link): void {
    const { state } = link
    this.#open.delete(state.order)
    if (link.leave()) this.#byUser.delete(state.user)
    if (state.margin) drop(this.#margin, state)
    if (isLeg(state)) drop(this.#legs, state)
    this.#keepClosed(state.order, state)
  }

  #one(state: Held): readonly OrderState[] {
    this.#changed[0] = state
    return this.#changed
  }

  /** `before`: the link of the order's previous state. */
  #keepOpen(state: Held, before?: Link, asOf = 0): Link {
    before?.leave()
    let own = this.#byUser.get(state.user)
    if (!own) this.#byUser.set(state.user, (own = { first: undefined }))
    const link = new Link(state, own, asOf)
    this.#open.set(state.order, link)
    if (state.margin) keep(this.#margin, state, before?.state)
    if (isLeg(state)) keep(this.#legs, state, before?.state)
    return link
  }

  #keepClosed(order: OrderId, state: Held): void {
    if (this.#closed.size >= closedKept / 2) {
      this.#closedBefore = this.#closed
      this.#closed = new Map()
    }
    this.#closed.set(order, state)
  }
}

const none: readonly Held[] = []

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

/** The order that a command placed, built from the command's own events; undefined when it placed none. */
export function orderOfEvents(events: readonly Event[], order: OrderId, at: Millis): OrderState | undefined {
  let state: Held | undefined
  for (const event of events) {
    if (event.type === 'order.accepted' && event.order === order) state = acceptedState(event, at)
    else if (state) change(state, event, at)
  }
  return state
}

/** Applies an event to one order. Returns true when the order has ended. */
function change(state: Held, event: Event, at: Millis): boolean {
  const { order } = state
  if (event.type === 'traded' && (event.takerOrder === order || event.makerOrder === order)) addTrade(state, event, at)
  else if (event.type === 'order.prevented' && (event.takerOrder === order || event.makerOrder === order)) prevent(state, event, at)
  else if (event.type === 'match.prevented') lose(state, event)
  else if (event.type === 'order.triggered' && event.order === order) trigger(state, at)
  else if (event.type === 'order.entered' && event.order === order) enter(state, at)
  else if (event.type === 'order.amended' && event.order === order) amend(state, event, at)
  else if (event.type === 'order.closed' && event.order === order) {
    close(state, event, at)
    return true
  }
  return false
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
    isPending: event.trigger !== undefined || startsWaiting(event),
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
  if (startsWaiting(event)) state.isWaiting = true
  if (event.trigger) state.trigger = event.trigger
  if (event.selfTrade) state.selfTrade = event.selfTrade
  if (event.margin) state.margin = event.margin
  if (event.perp) state.perp = event.perp
  if (event.strategy) state.strategy = event.strategy
  return state
}

function trigger(state: Held, at: Millis): void {
  state.isPending = false
  state.triggeredAt = at
  state.updatedAt = at
}

function enter(state: Held, at: Millis): void {
  delete state.isWaiting
  state.isPending = state.trigger !== undefined
  state.enteredAt = at
  state.updatedAt = at
}

function addTrade(state: Held, event: Traded, at: Millis): void {
  state.executedLots = (state.executedLots + event.lots) as Lots
  state.executedQuote = (state.executedQuote + event.quote) as Units
  state.updatedAt = at
}

/** An order by amount that ends has no quantity from which its loss could be told later. */
function lose(state: Held | undefined, { match, mode, makerOrder, makerLots, takerOrder, takerLots }: MatchPrevented): void {
  const lots = state?.order === makerOrder ? makerLots : state?.order === takerOrder ? takerLots : 0
  if (state === undefined || lots === 0) return
  state.preventedMatch = match
  if (state.spend > 0 && mode !== 'decrement') state.preventedLots = ((state.preventedLots ?? 0) + lots) as Lots
}

function prevent(state: Held, event: OrderPrevented, at: Millis): void {
  state.preventedLots = ((state.preventedLots ?? 0) + event.lots) as Lots
  state.updatedAt = at
}

function amend(state: Held, event: Extract<Event, { type: 'order.amended' }>, at: Millis): void {
  state.price = event.price
  state.lots = event.lots
  const { triggerPrice } = event
  if (triggerPrice !== undefined && state.trigger?.kind === 'stop') state.trigger = { ...state.trigger, price: triggerPrice }
  state.updatedAt = at
}

function close(state: Held, event: Extract<Event, { type: 'order.closed' }>, at: Millis): void {
  state.executedLots = event.executedLots
  state.executedQuote = event.executedQuote
  state.closeReason = event.reason
  state.updatedAt = at
}

/** The order in the form in which the core reports it. */
export function openOrderOf({ isPending, triggeredAt: _, enteredAt: _entered, closeReason: _closed, ...order }: OrderState): OpenOrder {
  return { ...order, status: isPending ? 'pending' : 'open' }
}

/** The state of an order reported by the core. */
export function stateOf({ status, ...order }: OpenOrder): OrderState {
  return { ...order, isPending: status === 'pending' }
}
