import type { Exit } from '@candor/core/protocol/command/perp.ts'
import type { Event, OrderAccepted, Traded } from '@candor/core/protocol/event/index.ts'
import type { OrdersAudit } from './orders.ts'
import { fail } from '../failure.ts'

/** Signed lots of a user in a market, for one side of a hedged account. */
type LotsOf = (user: number, market: number, position: string) => number
type Kind = 'takeProfit' | 'stopLoss'
const kinds = ['takeProfit', 'stopLoss'] as const

/** An exit. `origin` says how new it is: the number of the order that it was placed for, else its own. */
type Asleep = { readonly accepted: OrderAccepted; readonly origin: number }

/** Checks orders that carry a take profit or stop loss: positions that their fills open get these exits, and no others do. */
export class ExitsAudit {
  readonly #orders: OrdersAudit
  readonly #lotsOf: LotsOf
  readonly #carried = new Map<number, OrderAccepted>()
  /** Exits not triggered yet, by user, market, position and kind. */
  readonly #asleep = new Map<string, Map<number, Asleep>>()
  // State of the current command:
  #filled: OrderAccepted[] = []
  #left: Asleep[] = []
  readonly #replaced: OrderAccepted[] = []
  readonly #placed: Asleep[] = []

  constructor(orders: OrdersAudit, lotsOf: LotsOf) {
    this.#orders = orders
    this.#lotsOf = lotsOf
  }

  /** Must be called before the order's own audit sees the event. */
  see(event: Event): void {
    if (event.type === 'order.accepted') {
      if (event.perp?.exits !== undefined) this.#carried.set(event.order, event)
      if (event.perp?.isClosing === true && event.trigger?.kind === 'stop') this.#sleep(event)
    } else if (event.type === 'traded') {
      this.#fill(event)
    } else if (event.type === 'order.triggered' || event.type === 'order.closed') {
      const { accepted } = this.#orders.order(event.order)
      if (accepted.perp?.isClosing === true && accepted.trigger?.kind === 'stop') this.#wake(accepted)
      if (event.type === 'order.triggered') return
      if (event.reason === 'replaced') this.#replaced.push(accepted)
      this.#carried.delete(event.order)
    }
  }

  /** Called at the end of a command. */
  check(): void {
    for (const carrying of this.#filled) {
      const { user, market, perp, side, order } = carrying
      if (this.#lotsOf(user, market, perp!.position) * (side === 'buy' ? 1 : -1) <= 0) continue
      for (const kind of kinds) {
        const exit = perp!.exits![kind]
        if (exit !== undefined) this.#checkThere(carrying, kind, exit, order)
      }
    }
    for (const placed of this.#placed) this.#checkMeant(placed)
    for (const accepted of this.#replaced) {
      const isNewer = this.#placed.some((one) => keyOf(one.accepted) === keyOf(accepted) && one.origin > originOf(accepted))
      if (!isNewer) fail(`order ${accepted.order} was replaced without a newer exit`)
    }
    this.#filled = []
    this.#left = []
    this.#placed.length = 0
    this.#replaced.length = 0
  }

  /** Counts fills that leave a position on the order's side; the others only reduce one. In a self-trade the maker is filled first. */
  #fill({ makerOrder, takerOrder, lots }: Traded): void {
    const [maker, taker] = [this.#orders.order(makerOrder).accepted, this.#orders.order(takerOrder).accepted]
    for (const accepted of [maker, taker]) {
      if (!this.#carried.has(accepted.order)) continue
      const isBehindOwn = accepted === taker && maker.user === taker.user && maker.perp?.position === taker.perp?.position
      const before =
        this.#lotsOf(accepted.user, accepted.market, accepted.perp!.position) * (accepted.side === 'buy' ? 1 : -1) -
        (isBehindOwn ? lots : 0)
      if (before + lots > 0) this.#filled.push(accepted)
    }
  }

  #sleep(accepted: OrderAccepted): void {
    const asleep: Asleep = { accepted, origin: originOf(accepted) }
    const key = keyOf(accepted)
    this.#asleep.set(key, (this.#asleep.get(key) ?? new Map<number, Asleep>()).set(accepted.order, asleep))
    if (accepted.list !== 0) this.#placed.push(asleep)
  }

  #wake(accepted: OrderAccepted): void {
    const asleep = this.#asleep.get(keyOf(accepted))?.get(accepted.order)
    if (asleep === undefined) return
    this.#asleep.get(keyOf(accepted))!.delete(accepted.order)
    this.#left.push(asleep)
  }

  /** A position that was opened or enlarged must have the order's exit or a newer one, unless it was triggered in this command. */
  #checkThere(carrying: OrderAccepted, kind: Kind, exit: Exit, order: number): void {
    const key = keyFor(carrying, kind)
    const there = [...(this.#asleep.get(key)?.values() ?? []), ...this.#left.filter(({ accepted }) => keyOf(accepted) === key)]
    const newest = there.reduce((most, { origin }) => Math.max(most, origin), 0)
    if (newest < order) fail(`order ${order} filled, and its position has no ${kind} of this order or a newer one`)
    const own = there.find(({ origin, accepted }) => origin === order && accepted.list !== 0)
    if (own !== undefined && !isAs(own.accepted, exit))
      fail(`order ${order} has a ${kind} at ${exit.price}, but order ${own.accepted.order} differs`)
    // A triggered exit replaces no other.
    const asleep = [...(this.#asleep.get(key)?.values() ?? [])]
    const older = asleep.filter(({ origin }) => origin < order)
    if (asleep.some(({ origin }) => origin === order) && older.length > 0)
      fail(`order ${older[0]!.accepted.order} remains besides the newer exit of order ${order}`)
  }

  /** An exit placed for an order must match a fill of that order in the same command, and have the exit's price. */
  #checkMeant({ accepted, origin }: Asleep): void {
    const carrying = this.#filled.find(({ order }) => order === origin)
    if (carrying === undefined) return fail(`order ${accepted.order} was placed for order ${origin}, which was not filled`)
    const exit = kinds
      .map((kind) => [kind, carrying.perp!.exits![kind]] as const)
      .find(([kind]) => keyFor(carrying, kind) === keyOf(accepted))?.[1]
    if (exit === undefined || !isAs(accepted, exit)) fail(`order ${accepted.order} is not an exit of order ${origin}`)
  }
}

function originOf({ order, list }: OrderAccepted): number {
  return list === 0 ? order : list
}

function isAs({ trigger, perp }: OrderAccepted, exit: Exit): boolean {
  return trigger?.kind === 'stop' && trigger.price === exit.price && perp?.triggerBy === exit.by
}

function keyOf({ user, market, perp, side, trigger }: OrderAccepted): string {
  return `${user} ${market} ${perp?.position} ${side} ${trigger?.direction}`
}

/** Key of one kind of exit for the position that an order opens. */
function keyFor({ user, market, perp, side }: OrderAccepted, kind: Kind): string {
  const isRising = (side === 'buy') === (kind === 'takeProfit')
  return `${user} ${market} ${perp?.position} ${side === 'buy' ? 'sell' : 'buy'} ${isRising ? 'rises-to' : 'falls-to'}`
}
