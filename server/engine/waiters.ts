/** Bits of a waiter's place: limits how many may wait at once. A finished waiter's number is reused only after this many others. */
const placeBits = 20
const places = 2 ** placeBits
const turns = 2 ** (32 - placeBits)

/**
 * Callers that wait for an answer, by a 32-bit number made of a place in a list and a generation, so that a late answer never
 * reaches another caller. Much cheaper than a Map, which every command would fill and empty.
 */
export class Waiters<T> {
  readonly #waiting: (T | undefined)[] = []
  readonly #turns: number[] = []
  readonly #free: number[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number to answer under. Throws when too many wait. */
  add(waiter: T): number {
    const place = this.#free.pop() ?? this.#waiting.length
    if (place >= places) throw new Error(`${places} requests already wait for answers`)
    this.#waiting[place] = waiter
    this.#turns[place] ??= 0
    this.#size++
    return (this.#turns[place] as number) * places + place
  }

  /** Removes and returns the waiter of this number; undefined when there is none. */
  take(number: number): T | undefined {
    const waiter = this.at(number)
    if (waiter === undefined) return undefined
    const place = number % places
    this.#waiting[place] = undefined
    this.#turns[place] = ((this.#turns[place] as number) + 1) % turns
    this.#free.push(place)
    this.#size--
    return waiter
  }

  /** The waiter of this number, which stays; undefined when there is none. */
  at(number: number): T | undefined {
    const place = number % places
    return this.#turns[place] === Math.floor(number / places) ? this.#waiting[place] : undefined
  }

  /** All waiters, in no particular order. */
  numbers(): readonly number[] {
    return this.#waiting.flatMap((waiter, place) => (waiter === undefined ? [] : [(this.#turns[place] as number) * places + place]))
  }
}
