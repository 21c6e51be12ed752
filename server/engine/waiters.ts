/** As many may wait at once, and the number of one that is taken comes again after so many others. */
const placeBits = 20
const places = 2 ** placeBits
const turns = 2 ** (32 - placeBits)

/**
 * Who waits for an answer, by a number of 32 bits: a place in a list, and whose turn it is there, so that a late answer meets nobody
 * else. Many times cheaper than a Map, which every command would fill and empty.
 */
export class Waiters<T> {
  readonly #waiting: (T | undefined)[] = []
  readonly #turns: number[] = []
  readonly #free: number[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number to answer under. Throws when far more wait than can. */
  add(waiter: T): number {
    const place = this.#free.pop() ?? this.#waiting.length
    if (place >= places) throw new Error(`${places} requests wait for their answers`)
    this.#waiting[place] = waiter
    this.#turns[place] ??= 0
    this.#size++
    return (this.#turns[place] as number) * places + place
  }

  /** Nobody waits under this number afterwards. Undefined when nobody did. */
  take(number: number): T | undefined {
    const place = number % places
    const waiter = this.#waiting[place]
    if (waiter === undefined || this.#turns[place] !== Math.floor(number / places)) return undefined
    this.#waiting[place] = undefined
    this.#turns[place] = ((this.#turns[place] as number) + 1) % turns
    this.#free.push(place)
    this.#size--
    return waiter
  }

  /** Of all who wait, the longest waiting not necessarily first. */
  numbers(): readonly number[] {
    return this.#waiting.flatMap((waiter, place) => (waiter === undefined ? [] : [(this.#turns[place] as number) * places + place]))
  }
}
