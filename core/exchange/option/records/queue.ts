import type { OrderId } from '../../../protocol/ids.ts'

/**
 * Items that wait for a time: the earliest first; for equal times, the lower number first. A binary heap. An item may wait in
 * several queues for different times; when it is done in one queue, the others skip it.
 */
export class DueQueue<T extends { readonly order: OrderId }> {
  readonly #dueAt: (item: T) => number
  readonly #isWaiting: (item: T) => boolean
  readonly #heap: T[] = []

  constructor(dueAt: (item: T) => number, isWaiting: (item: T) => boolean) {
    this.#dueAt = dueAt
    this.#isWaiting = isWaiting
  }

  /** The first item that still waits. */
  get first(): T | undefined {
    while (this.#heap.length > 0 && !this.#isWaiting(this.#heap[0]!)) this.#removeFirst()
    return this.#heap[0]
  }

  add(item: T): void {
    const heap = this.#heap
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (!this.#isBefore(item, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = item
  }

  #removeFirst(): void {
    const heap = this.#heap
    const item = heap.pop()!
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!this.#isBefore(heap[child]!, item)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = item
  }

  #isBefore(a: T, b: T): boolean {
    const [first, second] = [this.#dueAt(a), this.#dueAt(b)]
    return first < second || (first === second && a.order < b.order)
  }
}
