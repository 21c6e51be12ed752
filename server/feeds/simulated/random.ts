/** Random numbers that are the same for the same seed: the small fast counter generator (sfc32) with 128 bits of state. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1
  #spare: number | undefined

  constructor(seed: string) {
    const word = (salt: number): number => {
      let hash = 0x811c9dc5 ^ salt
      for (let index = 0; index < seed.length; index += 1) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
      hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
      return (hash ^ (hash >>> 13)) | 0
    }
    this.#a = word(0x9e3779b9)
    this.#b = word(0x243f6a88)
    this.#c = word(0xb7e15162)
    // The first outputs still resemble the seed and are discarded.
    for (let round = 0; round < 16; round += 1) this.next()
  }

  /** A number from 0 inclusive to 1 exclusive, with 32 bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }

  /** A normally distributed number with mean 0 and deviation 1. */
  normal(): number {
    if (this.#spare !== undefined) {
      const spare = this.#spare
      this.#spare = undefined
      return spare
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()))
    const angle = 2 * Math.PI * this.next()
    this.#spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }

  /** Double exponential distribution around 0: a sharper peak and longer tails than the normal one. `scale` is the mean distance. */
  laplace(scale: number): number {
    const u = this.next() - 0.5
    return -scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u))
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability
  }
}
