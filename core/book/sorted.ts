/**
 * A list that stays sorted; what comes first by `order` stands at the end, where taking it out moves nothing. `order` is total: it gives 0
 * only for one and the same member.
 */
export class Sorted<T> {
  readonly items: T[] = []
  readonly #order: (a: T, b: T) => number

  constructor(order: (a: T, b: T) => number) {
    this.#order = order
  }

  get length(): number {
    return this.items.length
  }

  /** What comes first, undefined when there is nothing. */
  get first(): T | undefined {
    return this.items[this.items.length - 1]
  }

  add(item: T): void {
    this.items.splice(this.#position(item), 0, item)
  }

  /** Throws when it is not there. */
  remove(item: T): void {
    const at = this.#position(item)
    if (this.items[at] !== item) throw new Error('what is to be removed is not in the sorted list')
    this.items.splice(at, 1)
  }

  /** The member that `order` does not tell from `item`. */
  find(item: T): T | undefined {
    const found = this.items[this.#position(item)]
    return found !== undefined && this.#order(found, item) === 0 ? found : undefined
  }

  takeFirst(): T | undefined {
    return this.items.pop()
  }

  /** Adds many at once: they are sorted together with what is there when that is less work. */
  addAll(more: readonly T[]): void {
    if (more.length * 8 < this.items.length || more.length < 8) {
      for (const item of more) this.add(item)
      return
    }
    for (const item of more) this.items.push(item)
    this.items.sort((a, b) => this.#order(b, a))
  }

  /** Leaves only what passes. */
  keep(passes: (item: T) => boolean): void {
    let kept = 0
    for (const item of this.items) if (passes(item)) this.items[kept++] = item
    this.items.length = kept
  }

  /** Where `item` stands, or would. */
  #position(item: T): number {
    let low = 0
    let high = this.items.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#order(this.items[middle]!, item) > 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
