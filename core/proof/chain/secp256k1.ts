/**
 * Which public key made a signature of secp256k1. Only for checking: nothing here touches a secret, so nothing takes constant time.
 */
const p = 2n ** 256n - 2n ** 32n - 977n
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const generator: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  z: 1n,
}

/** Jacobian: x / z², y / z³. `z` = 0 is the point at infinity. */
type Point = { readonly x: bigint; readonly y: bigint; readonly z: bigint }
const infinity: Point = { x: 1n, y: 1n, z: 0n }

const mod = (value: bigint, by = p): bigint => {
  const rest = value % by
  return rest >= 0n ? rest : rest + by
}

function inverse(value: bigint, by: bigint): bigint {
  let [a, b, x, y] = [mod(value, by), by, 1n, 0n]
  while (a > 1n) {
    const times = a / b
    ;[a, b] = [b, a % b]
    ;[x, y] = [y, x - times * y]
    if (b === 0n && a !== 1n) break
  }
  return mod(x, by)
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let [square, left] = [mod(base), exponent]; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % p
    square = (square * square) % p
  }
  return result
}

function twice({ x, y, z }: Point): Point {
  if (z === 0n || y === 0n) return infinity
  const yy = (y * y) % p
  const s = (4n * x * yy) % p
  const m = (3n * x * x) % p
  const x2 = mod(m * m - 2n * s)
  return { x: x2, y: mod(m * (s - x2) - 8n * yy * yy), z: (2n * y * z) % p }
}

function sum(a: Point, b: Point): Point {
  if (a.z === 0n) return b
  if (b.z === 0n) return a
  const [za, zb] = [(a.z * a.z) % p, (b.z * b.z) % p]
  const [ua, ub] = [(a.x * zb) % p, (b.x * za) % p]
  const [sa, sb] = [(a.y * zb * b.z) % p, (b.y * za * a.z) % p]
  if (ua === ub) return sa === sb ? twice(a) : infinity
  const h = mod(ub - ua)
  const hh = (h * h) % p
  const hhh = (h * hh) % p
  const r = mod(sb - sa)
  const v = (ua * hh) % p
  const x = mod(r * r - hhh - 2n * v)
  return { x, y: mod(r * (v - x) - sa * hhh), z: (((a.z * b.z) % p) * h) % p }
}

function times(point: Point, factor: bigint): Point {
  let result = infinity
  for (let [double, left] = [point, factor]; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = sum(result, double)
    double = twice(double)
  }
  return result
}

/**
 * The public key that made a signature: 64 bytes, x and y. Undefined when none did, and for the other form of each signature, with the
 * high `s`, so that one signature is written in one way.
 *
 * digest     32 bytes
 * recovery   0 or 1: whether the nonce's point has an odd y
 */
export function recoveredKey(
  digest: Uint8Array,
  { r, s, recovery }: { readonly r: bigint; readonly s: bigint; readonly recovery: number },
): Uint8Array<ArrayBuffer> | undefined {
  if (r <= 0n || r >= order || s <= 0n || s > order / 2n || (recovery !== 0 && recovery !== 1)) return undefined
  const square = mod(r * r * r + 7n)
  const root = power(square, (p + 1n) / 4n)
  if ((root * root) % p !== square) return undefined
  const y = Number(root & 1n) === recovery ? root : p - root
  const inverted = inverse(r, order)
  const [ofPoint, ofGenerator] = [mod(s * inverted, order), mod(-numberOf(digest) * inverted, order)]
  const key = sum(times({ x: r, y, z: 1n }, ofPoint), times(generator, ofGenerator))
  if (key.z === 0n) return undefined
  const z = inverse(key.z, p)
  const zz = (z * z) % p
  const bytes = new Uint8Array(64)
  for (let [at, left] = [31, (key.x * zz) % p]; at >= 0; at--, left >>= 8n) bytes[at] = Number(left & 255n)
  for (let [at, left] = [63, (((key.y * zz) % p) * z) % p]; at >= 32; at--, left >>= 8n) bytes[at] = Number(left & 255n)
  return bytes
}

/** Big-endian. */
export function numberOf(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}
