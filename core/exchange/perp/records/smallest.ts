import type { Holding } from './state.ts'

/** Keeps the positions with the smallest numbers, up to a limit: a heap with the largest of them on top. */
export class Smallest {
  readonly #most: number
  readonly #heap: Holding[] = []
  /** Whether any was left out. */
  isCut = false

  constructor(most: number) {
    this.#most = most
  }

  add(holding: Holding): void {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push(holding)
      for (let at = heap.length - 1; at > 0 && heap[at]!.id > heap[(at - 1) >>> 1]!.id; at = (at - 1) >>> 1) swap(heap, at, (at - 1) >>> 1)
      return
    }
    this.isCut = true
    if (holding.id >= heap[0]!.id) return
    heap[0] = holding
    for (let at = 0; ; ) {
      let largest = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && heap[child]!.id > heap[largest]!.id) largest = child
      if (largest === at) return
      swap(heap, at, largest)
      at = largest
    }
  }

  /** Smallest first. */
  sorted(): Holding[] {
    return [...this.#heap].sort((a, b) => a.id - b.id)
  }
}

function swap(heap: Holding[], a: number, b: number): void {
  const one = heap[a]!
  heap[a] = heap[b]!
  heap[b] = one
}
