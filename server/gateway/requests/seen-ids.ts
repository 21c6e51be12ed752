const bitsPerId = 16
const probes = 4

/**
 * Which client ids of one user stand in the tables, as hashes: says "no" for certain, and "yes" wrongly for one in 400 at most.
 * Two bytes an id.
 */
export class SeenIds {
  readonly #bits: Uint32Array
  readonly #mask: number
  readonly #max: number
  #count = 0

  /** max  ids that it holds before it says "yes" too often */
  constructor(max: number) {
    const bits = 2 ** Math.ceil(Math.log2(max * bitsPerId))
    this.#bits = new Uint32Array(bits / 32)
    this.#mask = bits - 1
    this.#max = bits / bitsPerId
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  get isFull(): boolean {
    return this.#count >= this.#max
  }

  add(low: number, high: number): void {
    let isNew = false
    for (let n = 0; n < probes; n++) {
      const bit = this.#bit(low, high, n)
      const word = this.#bits[bit >>> 5]!
      if (((word >>> (bit & 31)) & 1) === 1) continue
      this.#bits[bit >>> 5] = word | (1 << (bit & 31))
      isNew = true
    }
    if (isNew) this.#count++
  }

  has(low: number, high: number): boolean {
    for (let n = 0; n < probes; n++) {
      const bit = this.#bit(low, high, n)
      if (((this.#bits[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return false
    }
    return true
  }

  #bit(low: number, high: number, n: number): number {
    return (low + Math.imul(n, high | 1)) & this.#mask
  }
}
