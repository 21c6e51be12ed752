import type { MarketId, OrderId } from '../../protocol/ids.ts'
import { layoutOf, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt } from '../../protocol/codec/slots.ts'

/** Orders of one market that wait for their turn, from index `head` on. */
type Queue = { readonly market: MarketId; numbers: number[]; head: number }

// In the dump: the turn, the number of queues, then each queue followed by its orders.
const WAKES = layoutOf('turn', 'queueCount')
const QUEUE = layoutOf('market', 'orderCount')

/** Entries before `head` after which the rest is copied. */
const passedMax = 1024

/** Triggered orders, in one queue per market. Markets take turns, one order each, so that a market with many delays no other. */
export class Wakes {
  /** Sorted by market number; no queue is empty. */
  readonly #queues: Queue[] = []
  #count = 0
  /** The market that had the last turn. */
  #turn = 0

  get count(): number {
    return this.#count
  }

  /** Markets with waiting orders. */
  markets(): readonly number[] {
    return this.#queues.map(({ market }) => market)
  }

  /** Adds the order to the end of its market's queue. */
  add(market: MarketId, order: OrderId): void {
    const at = this.#placeOf(market)
    if (this.#queues[at]?.market !== market) this.#queues.splice(at, 0, { market, numbers: [], head: 0 })
    this.#queues[at]!.numbers.push(order)
    this.#count++
  }

  /** Throws if the order does not wait there. */
  remove(market: MarketId, order: OrderId): void {
    const at = this.#placeOf(market)
    const queue = this.#queues[at]
    const place = queue?.market === market ? queue.numbers.indexOf(order, queue.head) : -1
    if (queue === undefined || place < 0) throw new Error(`order ${order} does not wait to wake`)
    queue.numbers.splice(place, 1)
    this.#taken(queue, at)
  }

  /** Removes and returns the first order of the next open market; 0 when there is none. */
  next(isOpen: (market: MarketId) => boolean): number {
    const { length } = this.#queues
    const from = this.#placeOf((this.#turn + 1) as MarketId)
    for (let n = 0; n < length; n++) {
      const at = (from + n) % length
      const queue = this.#queues[at]!
      if (!isOpen(queue.market)) continue
      this.#turn = queue.market
      const order = queue.numbers[queue.head++]!
      this.#taken(queue, at)
      return order
    }
    return 0
  }

  dump(into: Records): void {
    putRecord(into, WAKES, { turn: this.#turn, queueCount: this.#queues.length })
    for (const { market, numbers, head } of this.#queues) {
      putRecord(into, QUEUE, { market, orderCount: numbers.length - head })
      into.all(numbers, head)
    }
  }

  restore(data: Float64Array, start: number): number {
    this.#turn = data[start + WAKES.turn]!
    let at = start + WAKES.length
    for (let queues = countAt(data, start + WAKES.queueCount, QUEUE.length); queues > 0; queues--) {
      const [market, orders] = [data[at + QUEUE.market] as MarketId, countAt(data, at + QUEUE.orderCount)]
      at += QUEUE.length
      for (let left = orders; left > 0; left--) this.add(market, data[at++] as OrderId)
    }
    return at
  }

  #taken(queue: Queue, at: number): void {
    this.#count--
    if (queue.head === queue.numbers.length) this.#queues.splice(at, 1)
    else if (queue.head > passedMax && queue.head * 2 > queue.numbers.length) {
      queue.numbers = queue.numbers.slice(queue.head)
      queue.head = 0
    }
  }

  /** Index of a market's queue, or where it would be inserted. Few markets have waiting orders at a time. */
  #placeOf(market: MarketId): number {
    let at = 0
    while (at < this.#queues.length && this.#queues[at]!.market < market) at++
    return at
  }
}
