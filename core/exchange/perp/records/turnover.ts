import type { Lots, Units } from '../../../money/brand.ts'

const part = 2 ** 50

/**
 * An exact sum of amounts below 2^50 that may exceed 2^53, stored as a number of whole 2^50 and a rest. A position traded for
 * years without being closed exceeds what one number holds.
 */
export class Turnover {
  whole = 0
  rest = 0

  add(amount: Lots | Units): void {
    this.rest += amount
    if (this.rest < part) return
    this.rest -= part
    this.whole++
  }

  clear(): void {
    this.whole = 0
    this.rest = 0
  }

  get total(): bigint {
    return BigInt(this.whole) * BigInt(part) + BigInt(this.rest)
  }
}
