import type { Event, OrderAccepted, Traded } from '@candor/core/protocol/event/index.ts'
import type { AuditedOrder, OrdersAudit } from './orders.ts'
import { fail } from '../failure.ts'

/** Signed lots of a user in a market, for one side of a hedged account. */
type LotsOf = (user: number, market: number, position: string) => number

/** The most exits that a user gives one position; those that orders carried come on top. */
const exitsMax = 10

/**
 * Checks orders that only reduce: none fills more than its position has, however many sleep beside it, none sleeps without a
 * position, and a changed trigger is that of a stop that sleeps.
 */
export class PartsAudit {
  readonly #orders: OrdersAudit
  readonly #lotsOf: LotsOf
  readonly #users = new Set<number>()

  constructor(orders: OrdersAudit, lotsOf: LotsOf) {
    this.#orders = orders
    this.#lotsOf = lotsOf
  }

  /** Must be called before the audits of the order and of its position see the event. */
  see(event: Event): void {
    if (event.type === 'traded') return this.#fill(event)
    if (event.type === 'perp.position') this.#users.add(event.user)
    if (event.type === 'order.accepted' && event.perp !== undefined) this.#users.add(event.user)
    if (event.type !== 'order.amended' || event.triggerPrice === undefined) return
    const { isPending, trigger } = this.#orders.order(event.order)
    if (!isPending || trigger?.kind !== 'stop') fail(`order ${event.order} has a new trigger and does not sleep as a stop`)
  }

  /** Called at the end of a command. */
  check(): void {
    for (const user of this.#users) this.#checkAsleep(user)
    this.#users.clear()
  }

  /** In a trade with oneself the maker is filled first, and what the taker then has is not known here. */
  #fill({ makerOrder, takerOrder, lots }: Traded): void {
    const [maker, taker] = [this.#orders.order(makerOrder).accepted, this.#orders.order(takerOrder).accepted]
    const isOwn = maker.user === taker.user && maker.perp?.position === taker.perp?.position
    for (const accepted of isOwn ? [maker] : [maker, taker]) {
      if (!isReducing(accepted) || accepted.perp?.isLiquidation === true) continue
      const closable = this.#lotsOf(accepted.user, accepted.market, accepted.perp!.position) * (accepted.side === 'sell' ? 1 : -1)
      if (lots > closable) fail(`order ${accepted.order} may only reduce, and closes ${lots} of ${closable} lots`)
    }
  }

  #checkAsleep(user: number): void {
    const counts = new Map<string, number>()
    for (const { accepted, isPending } of this.#orders.ordersOf(user) as Iterable<AuditedOrder>) {
      if (!isPending || !isReducing(accepted)) continue
      const { market, list, order } = accepted
      const position = accepted.perp!.position
      if (this.#lotsOf(user, market, position) * (accepted.side === 'sell' ? 1 : -1) <= 0) fail(`order ${order} sleeps without a position`)
      const key = `${market} ${position}`
      if (list === 0) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    for (const [key, count] of counts) if (count > exitsMax) fail(`user ${user} has ${count} exits in ${key}`)
  }
}

function isReducing({ perp }: OrderAccepted): boolean {
  return perp?.isReduceOnly === true || perp?.isClosing === true
}
