/**
 * A list that stays sorted. The first member by `order` is at the end of the array, where removing it moves nothing. `order`
 * must be total: it gives 0 only for one and the same member.
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

  /** The first member, undefined when the list is empty. */
  get first(): T | undefined {
    return this.items[this.items.length - 1]
  }

  add(item: T): void {
    this.items.splice(this.#position(item), 0, item)
  }

  /** Throws if the item is not in the list. */
  remove(item: T): void {
    const at = this.#position(item)
    if (this.items[at] !== item) throw new Error('what is to be removed is not in the sorted list')
    this.items.splice(at, 1)
  }

  /** The member for which `order` gives 0 against `item`. */
  find(item: T): T | undefined {
    const found = this.items[this.#position(item)]
    return found !== undefined && this.#order(found, item) === 0 ? found : undefined
  }

  takeFirst(): T | undefined {
    return this.items.pop()
  }

  /** Adds many at once. If that is less work, sorts the whole list anew. */
  addAll(more: readonly T[]): void {
    if (more.length * 8 < this.items.length || more.length < 8) {
      for (const item of more) this.add(item)
      return
    }
    for (const item of more) this.items.push(item)
    this.items.sort((a, b) => this.#order(b, a))
  }

  /** Keeps only the members for which `passes` is true. */
  keep(passes: (item: T) => boolean): void {
    let kept = 0
    for (const item of this.items) if (passes(item)) this.items[kept++] = item
    this.items.length = kept
  }

  /** Index of `item`, or where it would be inserted. */
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
