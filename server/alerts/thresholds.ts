/** Something that waits for a value to reach a level. */
type Threshold = { readonly id: string; readonly level: number; readonly stamp: number }

/** Old entries are dropped when they are more than this share of a heap, and more than so many. */
const staleShare = 2
const staleMin = 64

/**
 * Levels on one side of a value, nearest first: a heap. Reading the nearest is O(1), adding and taking O(log n). Removed entries stay
 * until they come up or are too many, so that removing is O(1) on average.
 *
 * direction  1: levels above the value, which rises to them; -1: levels below it
 */
class Side {
  #heap: Threshold[] = []
  readonly #direction: 1 | -1

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  get size(): number {
    return this.#heap.length
  }

  push(entry: Threshold): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isNearer(entry, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  /** Takes the nearest entry if the value has reached it. */
  take(value: number): Threshold | undefined {
    const top = this.#heap[0]
    if (top === undefined || (value - top.level) * this.#direction < 0) return undefined
    const last = this.#heap.pop()!
    if (this.#heap.length > 0) this.#sink(last)
    return top
  }

  /** Keeps only these entries. */
  compact(isLive: (entry: Threshold) => boolean): void {
    const live = this.#heap.filter(isLive)
    this.#heap = []
    for (const entry of live) this.push(entry)
  }

  #sink(entry: Threshold): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#isNearer(heap[child + 1]!, heap[child]!)) child += 1
      if (!this.#isNearer(heap[child]!, entry)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = entry
  }

  #isNearer(a: Threshold, b: Threshold): boolean {
    return (b.level - a.level) * this.#direction > 0
  }
}

/** What one series of values (a price of a market) is still to reach. Each id waits for one level at most. */
export class Thresholds {
  readonly #up = new Side(1)
  readonly #down = new Side(-1)
  /** Which entry of an id counts. */
  readonly #stamps = new Map<string, number>()
  #stamp = 0

  /** Waits for this level in place of any other. `direction` 1: until the value is at or above it; -1: at or below it. */
  wait(id: string, direction: 1 | -1, level: number): void {
    this.#stamp += 1
    this.#stamps.set(id, this.#stamp)
    const side = direction === 1 ? this.#up : this.#down
    side.push({ id, level, stamp: this.#stamp })
    this.#tidy()
  }

  forget(id: string): void {
    if (this.#stamps.delete(id)) this.#tidy()
  }

  get size(): number {
    return this.#stamps.size
  }

  /** Takes those that the value has reached. They no longer wait. */
  reached(value: number): readonly string[] {
    const found: string[] = []
    for (const side of [this.#up, this.#down]) {
      for (let entry = side.take(value); entry !== undefined; entry = side.take(value)) {
        if (this.#stamps.get(entry.id) !== entry.stamp) continue
        this.#stamps.delete(entry.id)
        found.push(entry.id)
      }
    }
    return found
  }

  #tidy(): void {
    const entries = this.#up.size + this.#down.size
    if (entries < staleMin || entries < staleShare * this.#stamps.size) return
    const isLive = ({ id, stamp }: Threshold): boolean => this.#stamps.get(id) === stamp
    this.#up.compact(isLive)
    this.#down.compact(isLive)
  }
}
