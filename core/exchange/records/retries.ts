import type { SideNumber } from '../../book/codes.ts'
import type { MarketId, OrderId } from '../../protocol/ids.ts'
import { layoutOf, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt } from '../../protocol/codec/slots.ts'

/**
 * Triggered market orders of one side of a market, in the order in which they woke. `next` to `end` are still to be tried in the
 * running round.
 */
type Line = { readonly market: MarketId; readonly side: SideNumber; readonly orders: OrderId[]; next: number; end: number }

// In the dump: the turn, the number of lines, then each line followed by its orders.
const RETRIES = layoutOf('turn', 'lineCount')
const LINE = layoutOf('market', 'side', 'next', 'end', 'orderCount')

/** Triggered market orders that could not be filled. Each is tried again once per round. Sides of markets take turns, one order each. */
export class Retries {
  /** By market, then side; no line is empty. */
  readonly #lines: Line[] = []
  #count = 0
  /** Tries left in all rounds. */
  #left = 0
  /** The line that had the last turn, as a number from `keyOf`. */
  #turn = 0

  get count(): number {
    return this.#count
  }

  get left(): number {
    return this.#left
  }

  lines(): readonly { readonly market: MarketId; readonly side: SideNumber; readonly orders: readonly OrderId[] }[] {
    return this.#lines
  }

  add(market: MarketId, side: SideNumber, order: OrderId): void {
    const at = this.#placeOf(keyOf(market, side))
    const known = this.#lines[at]
    if (known === undefined || known.market !== market || known.side !== side) {
      this.#lines.splice(at, 0, { market, side, orders: [], next: 0, end: 0 })
    }
    this.#lines[at]!.orders.push(order)
    this.#count++
  }

  /** Throws if the order is not in the list. */
  remove(market: MarketId, side: number, order: OrderId): void {
    const line = this.#line(market, side)
    const place = line?.orders.indexOf(order) ?? -1
    if (line === undefined || place < 0) throw new Error(`order ${order} does not try again`)
    line.orders.splice(place, 1)
    this.#count--
    if (place < line.end) {
      line.end--
      if (place < line.next) line.next--
      else this.#left--
    }
    if (line.orders.length === 0) this.#lines.splice(this.#lines.indexOf(line), 1)
  }

  /** Begins a round: each order of the line is tried once, including those that the last round did not reach. */
  begin(market: MarketId, side: number): void {
    const line = this.#line(market, side)
    if (line === undefined) return
    this.#left += line.orders.length - (line.end - line.next)
    line.next = 0
    line.end = line.orders.length
  }

  /** Ends the round, because no order is left to trade with. */
  stop(market: MarketId, side: number): void {
    const line = this.#line(market, side)
    if (line === undefined) return
    this.#left -= line.end - line.next
    line.next = line.end
  }

  /** The order whose turn it is; it stays in its place. 0 when no round has tries left. */
  next(): OrderId {
    if (this.#left === 0) return 0 as OrderId
    const { length } = this.#lines
    const from = this.#placeOf(this.#turn + 1)
    for (let n = 0; n < length; n++) {
      const line = this.#lines[(from + n) % length]!
      if (line.next === line.end) continue
      this.#turn = keyOf(line.market, line.side)
      this.#left--
      return line.orders[line.next++] as OrderId
    }
    throw new Error('no line has the tries that are left')
  }

  dump(into: Records): void {
    putRecord(into, RETRIES, { turn: this.#turn, lineCount: this.#lines.length })
    for (const { market, side, orders, next, end } of this.#lines) {
      putRecord(into, LINE, { market, side, next, end, orderCount: orders.length })
      into.all(orders)
    }
  }

  restore(data: Float64Array, start: number): number {
    this.#turn = data[start + RETRIES.turn]!
    let at = start + RETRIES.length
    for (let lines = countAt(data, start + RETRIES.lineCount, LINE.length); lines > 0; lines--) {
      const [market, side] = [data[at + LINE.market] as MarketId, data[at + LINE.side] as SideNumber]
      const [next, end] = [data[at + LINE.next]!, data[at + LINE.end]!]
      const orders = countAt(data, at + LINE.orderCount)
      at += LINE.length
      for (let left = orders; left > 0; left--) this.add(market, side, data[at++] as OrderId)
      const line = this.#line(market, side)!
      line.next = next
      line.end = end
      this.#left += end - next
    }
    return at
  }

  #line(market: MarketId, side: number): Line | undefined {
    const line = this.#lines[this.#placeOf(keyOf(market, side))]
    return line !== undefined && line.market === market && line.side === side ? line : undefined
  }

  #placeOf(key: number): number {
    let at = 0
    while (at < this.#lines.length && keyOf(this.#lines[at]!.market, this.#lines[at]!.side) < key) at++
    return at
  }
}

function keyOf(market: MarketId, side: number): number {
  return market * 2 + side
}
