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
  const product = BigInt(a) * BigInt(b)
  const divisor = BigInt(c)
  let quotient = product / divisor
  if (product % divisor !== 0n && product < 0n !== divisor < 0n) quotient -= 1n
  const result = Number(quotient)
  if (!Number.isSafeInteger(result)) throw new Error(`result is beyond 2^53: ${a} × ${b} ÷ ${c}`)
  return result
}
