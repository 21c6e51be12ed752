import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AlgoMissed, AlgoPart, AlgoPlaced } from '@candor/core/protocol/event/algo.ts'
import type { Event, OrderAccepted, OrderClosed, Traded } from '@candor/core/protocol/event/index.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'

/** `nextAtMs`: when the next part is due by what was told last; 0 before the first. */
type Followed = { readonly placed: AlgoPlaced; executed: number; quote: number; partsLeft: number; nextAtMs: number }

/**
 * Checks orders in parts by events alone: each part is an order of the same user, market and side; parts of TWAP orders are closed at once,
 * come no earlier than was told, are at most three even shares and trade at no worse price than their user's; orders of scaled ones add up
 * exactly; what is told at the end is the sum of the parts; and nothing comes after the end.
 */
export class AlgoAudit {
  readonly #running = new Map<OrderId, Followed>()
  parts = 0
  missed = 0
  ended = 0

  /** The orders in parts that have not ended. */
  get running(): readonly { readonly algo: OrderId; readonly user: number }[] {
    return [...this.#running.values()].map(({ placed: { algo, user } }) => ({ algo, user }))
  }

  /** Takes the events of one command. Throws when they are impossible. */
  follow(command: Command, atMs: number, events: readonly Event[]): void {
    const accepted = new Map(events.filter((event) => event.type === 'order.accepted').map((event) => [event.order, event]))
    const closed = new Map(events.filter((event) => event.type === 'order.closed').map((event) => [event.order, event]))
    let parts = 0
    for (const event of events) {
      if (event.type === 'algo.placed')
        this.#running.set(event.algo, { placed: event, executed: 0, quote: 0, partsLeft: event.parts, nextAtMs: 0 })
      if (event.type !== 'algo.part' && event.type !== 'algo.missed' && event.type !== 'algo.ended') continue
      const algo = this.#running.get(event.algo)
      if (algo === undefined) throw new Error(`${event.type} of ${event.algo} after its end`)
      if (algo.placed.user !== event.user || algo.placed.market !== event.market) throw new Error(`${event.type} of another user or market`)
      if (event.type === 'algo.part') this.#part(algo, accepted.get(event.order), closed.get(event.order), tradesOf(events, event.order))
      if (event.type === 'algo.missed') this.missed++
      if (event.type === 'algo.ended') this.#end(algo, event)
      else if (algo.placed.kind === 'twap') steps(algo, event, atMs)
      if (event.type === 'algo.part') parts++
    }
    this.#sums(events, accepted)
    if (command.type === 'clock.tick' && parts > 8) throw new Error(`one clock tick placed ${parts} parts`)
    this.parts += parts
  }

  #part(algo: Followed, accepted: OrderAccepted | undefined, closed: OrderClosed | undefined, trades: readonly Traded[]): void {
    const { placed } = algo
    if (accepted === undefined || accepted.user !== placed.user || accepted.market !== placed.market || accepted.side !== placed.side)
      throw new Error(`a part of ${placed.algo} is no order of its user`)
    if (placed.kind === 'scaled') {
      if (accepted.timeInForce !== 'GTC' || !accepted.isPostOnly) throw new Error(`an order of ${placed.algo} does not rest`)
      return
    }
    if (closed === undefined || accepted.timeInForce !== 'IOC') throw new Error(`a part of ${placed.algo} was not closed at once`)
    // Up to one smallest order may go along with a part. It is at most an even share.
    if (accepted.lots > 4 * Math.ceil(placed.lots / placed.parts)) throw new Error(`a part of ${placed.algo} has ${accepted.lots} lots`)
    const isWorse = ({ price }: Traded): boolean => (placed.side === 'buy' ? price > placed.from : price < placed.from)
    if (placed.from !== 0 && trades.some(isWorse)) throw new Error(`a part of ${placed.algo} traded at a worse price than its user's`)
    algo.executed += closed.executedLots
    algo.quote += closed.executedQuote
    if (algo.executed > placed.lots) throw new Error(`${placed.algo} executed ${algo.executed} of ${placed.lots} lots`)
  }

  #end({ placed, executed, quote }: Followed, ended: Extract<Event, { type: 'algo.ended' }>): void {
    const told = placed.kind === 'twap' ? [executed, quote] : [0, 0]
    if (ended.executedLots !== told[0] || ended.executedQuote !== told[1])
      throw new Error(`${placed.algo} told another sum than that of its parts`)
    if ((ended.reason === 'filled') !== (placed.kind === 'twap' && executed === placed.lots))
      throw new Error(`${placed.algo} ended as ${ended.reason}`)
    this.#running.delete(placed.algo)
    this.ended++
  }

  /** The orders of a scaled order are placed by its command and add up to it. */
  #sums(events: readonly Event[], accepted: ReadonlyMap<OrderId, OrderAccepted>): void {
    for (const placed of events) {
      if (placed.type !== 'algo.placed' || placed.kind !== 'scaled') continue
      const orders = events.flatMap((event) =>
        event.type === 'algo.part' && event.algo === placed.algo ? [accepted.get(event.order)] : [],
      )
      const lots = orders.reduce((sum, order) => sum + (order?.lots ?? 0), 0)
      if (orders.length !== placed.parts || lots !== placed.lots) throw new Error(`the orders of ${placed.algo} are not the whole of it`)
      if (events.some((event) => event.type === 'traded')) throw new Error(`an order of ${placed.algo} traded when it was placed`)
    }
  }
}

/** What an order traded as the taker. */
function tradesOf(events: readonly Event[], order: OrderId): readonly Traded[] {
  return events.filter((event) => event.type === 'traded' && event.takerOrder === order) as readonly Traded[]
}

/** A step uses up one part, or none while the market is halted. It is never early, and the next one comes an interval or more after its time. */
function steps(algo: Followed, { partsLeft, nextAtMs }: AlgoPart | AlgoMissed, atMs: number): void {
  const { placed } = algo
  if (partsLeft !== algo.partsLeft && partsLeft !== algo.partsLeft - 1) throw new Error(`${placed.algo} skips parts`)
  if (atMs < algo.nextAtMs) throw new Error(`a part of ${placed.algo} is early`)
  if (nextAtMs !== 0 && nextAtMs - (algo.nextAtMs || atMs) < placed.everyMs) throw new Error(`parts of ${placed.algo} are too close`)
  algo.partsLeft = partsLeft
  algo.nextAtMs = nextAtMs
}
