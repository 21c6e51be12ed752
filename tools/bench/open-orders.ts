import type { Event } from '../../core/protocol/event/index.ts'

export type OpenOrder = {
  readonly order: number
  readonly market: number
  readonly user: number
  readonly side: 0 | 1
  price: number
  /** Lots not executed yet. */
  left: number
}

/** The open orders while a workload is generated. Picks one by its position and finds one by its number. */
export class OpenOrders {
  readonly #orders: OpenOrder[] = []
  readonly #positions = new Map<number, number>()

  get count(): number {
    return this.#orders.length
  }

  at(position: number): OpenOrder {
    return this.#orders[position]!
  }

  add(order: OpenOrder): void {
    this.#positions.set(order.order, this.#orders.length)
    this.#orders.push(order)
  }

  /** Removes an order; the last one in the list takes its position. */
  forget(order: number): void {
    const position = this.#positions.get(order)
    if (position === undefined) return
    const last = this.#orders.pop()!
    this.#positions.delete(order)
    if (last.order === order) return
    this.#orders[position] = last
    this.#positions.set(last.order, position)
  }

  /** Applies the events of a new order to the orders in the book, and adds the new order if part of it stays open. */
  placed(order: OpenOrder, events: readonly Event[]): void {
    let { left } = order
    let isClosed = false
    for (const event of events) {
      if (event.type === 'order.closed' && event.order === order.order) isClosed = true
      else if (event.type === 'order.closed') this.forget(event.order)
      else if (event.type === 'traded') {
        left -= event.lots
        this.#fill(event.makerOrder, event.lots)
      }
    }
    if (!isClosed) this.add({ ...order, left })
  }

  #fill(order: number, lots: number): void {
    const position = this.#positions.get(order)
    if (position !== undefined) this.#orders[position]!.left -= lots
  }
}
