/**
 * a × b ÷ c, rounded down to −∞: for money that the exchange pays. Exact, however large the product.
 * Throws when an argument or the result is not a safe integer, or c is 0.
 */
export function mulDivFloor(a: number, b: number, c: number): number {
  const product = a * b
  if (!isPlain(product, a, b, c)) return wideFloor(a, b, c)
  const rest = product % c
  const quotient = (product - rest) / c + 0
  return rest !== 0 && rest < 0 !== c < 0 ? quotient - 1 : quotient
}

/**
 * a × b ÷ c, rounded up to +∞: for money that the exchange takes. Exact, however large the product.
 * Throws when an argument or the result is not a safe integer, or c is 0.
 */
export function mulDivCeil(a: number, b: number, c: number): number {
  const product = a * b
  if (!isPlain(product, a, b, c)) return -wideFloor(-a, b, c) + 0
  const rest = product % c
  const quotient = (product - rest) / c + 0
  return rest !== 0 && rest < 0 === c < 0 ? quotient + 1 : quotient
}

/** A safe product of safe integers is exact, and so are its remainder and the quotient without it. */
function isPlain(product: number, a: number, b: number, c: number): boolean {
  return Number.isSafeInteger(product) && Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(c) && c !== 0
}

function wideFloor(a: number, b: number, c: number): number {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || !Number.isSafeInteger(c)) {
    throw new Error(`not safe integers: ${a} × ${b} ÷ ${c}`)
  }
  if (c === 0) throw new Error(`division by zero: ${a} × ${b} ÷ 0`)
  const near = nearFloor((a * b) / c)
  if (near !== undefined) return near
  const product = BigInt(a) * BigInt(b)
  const divisor = BigInt(c)
  let quotient = product / divisor
  if (product % divisor !== 0n && product < 0n !== divisor < 0n) quotient -= 1n
  const result = Number(quotient)
  if (!Number.isSafeInteger(result)) throw new Error(`result is beyond 2^53: ${a} × ${b} ÷ ${c}`)
  return result
}

/** Below this, the slack of `nearFloor` is less than 1. */
const nearMax = 2 ** 50

/**
 * The floor of an exact quotient, given the floating-point one, which is off by less than its 2^50th part: the product, the division
 * and the sum with the slack round by at most a 2^53th each. Undefined if a whole number lies within that distance. Nearly all wide
 * products end here, many times faster than with big integers.
 */
function nearFloor(quotient: number): number | undefined {
  const size = Math.abs(quotient)
  if (size >= nearMax) return undefined
  const slack = size * 2 ** -50
  const low = Math.floor(quotient - slack)
  return low === Math.floor(quotient + slack) ? low : undefined
}
