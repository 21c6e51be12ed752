const shardBits = 9
const shift = 32 - shardBits
const high = 2 ** 32
const [spreadLow, spreadHigh] = [0x9e3779b1, 0x85ebca6b]

/**
 * A map from whole numbers, in 512 parts. Growing copies only one part, so that a new entry never waits for a copy of all others.
 * Entries come in no useful order: sort them where the order matters.
 */
export class Shards<V> {
  readonly #parts: (Map<number, V> | undefined)[] = Array.from({ length: 2 ** shardBits })
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: number): V | undefined {
    return this.#parts[partOf(key)]?.get(key)
  }

  has(key: number): boolean {
    return this.#parts[partOf(key)]?.has(key) === true
  }

  set(key: number, value: V): void {
    const part = (this.#parts[partOf(key)] ??= new Map<number, V>())
    const before = part.size
    part.set(key, value)
    this.#size += part.size - before
  }

  delete(key: number): boolean {
    const isGone = this.#parts[partOf(key)]?.delete(key) === true
    if (isGone) this.#size--
    return isGone
  }

  *[Symbol.iterator](): Generator<[number, V]> {
    for (const part of this.#parts) if (part !== undefined) yield* part
  }

  *values(): Generator<V> {
    for (const part of this.#parts) if (part !== undefined) yield* part.values()
  }
}

/** Keys are not negative and below 2^53. */
function partOf(key: number): number {
  return (Math.imul(key | 0, spreadLow) ^ Math.imul((key / high) | 0, spreadHigh)) >>> shift
}
