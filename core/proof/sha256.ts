/** Fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])

const blockBytes = 64
/** Message schedule; only filled inside one call of `compress`. */
const W = new Int32Array(64)

/** SHA-256 in pieces, synchronous, the same in engine and browser. After `digest` it can't be used again. */
export class Sha256 {
  readonly #state = new Int32Array([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19])
  readonly #block = new Uint8Array(blockBytes)
  /** Bytes so far; below 2^53. */
  #length = 0
  #isDone = false

  update(bytes: Uint8Array): this {
    if (this.#isDone) throw new Error('digest was taken')
    const filled = this.#length % blockBytes
    this.#length += bytes.length
    let at = 0
    if (filled > 0) {
      at = Math.min(blockBytes - filled, bytes.length)
      this.#block.set(bytes.subarray(0, at), filled)
      if (filled + at < blockBytes) return this
      compress(this.#state, this.#block, 0)
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) compress(this.#state, bytes, at)
    if (at < bytes.length) this.#block.set(bytes.subarray(at), 0)
    return this
  }

  /** 32 bytes. */
  digest(): Uint8Array<ArrayBuffer> {
    if (this.#isDone) throw new Error('digest was taken')
    this.#isDone = true
    this.#pad()
    const digest = new Uint8Array(32)
    const view = new DataView(digest.buffer)
    for (let i = 0; i < 8; i++) view.setInt32(i * 4, this.#state[i]!)
    return digest
  }

  /** A one bit, zeros, and the length in bits in the last 8 bytes, big-endian. */
  #pad(): void {
    const filled = this.#length % blockBytes
    this.#block.fill(0, filled)
    this.#block[filled] = 0x80
    if (filled + 9 > blockBytes) {
      compress(this.#state, this.#block, 0)
      this.#block.fill(0)
    }
    const view = new DataView(this.#block.buffer)
    view.setUint32(56, Math.floor(this.#length / 2 ** 29))
    view.setUint32(60, (this.#length % 2 ** 29) * 8)
    compress(this.#state, this.#block, 0)
  }
}

/** SHA-256 of a complete message. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Sha256().update(bytes).digest()
}

/** Lower case. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte < 16 ? `0${byte.toString(16)}` : byte.toString(16)
  return text
}

/** Accepts both cases. Returns undefined for text that is not whole bytes in hexadecimal. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16)
  return bytes
}

/** One block of 64 bytes from `at` into the state (FIPS 180-4, 6.2.2). All additions are modulo 2^32. */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0, from = at; i < 16; i++, from += 4) {
    W[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
  }
  for (let i = 16; i < 64; i++) {
    const w15 = W[i - 15]!
    const w2 = W[i - 2]!
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3)
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10)
    W[i] = (W[i - 16]! + s0 + W[i - 7]! + s1) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + W[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = (state[0]! + a) | 0
  state[1] = (state[1]! + b) | 0
  state[2] = (state[2]! + c) | 0
  state[3] = (state[3]! + d) | 0
  state[4] = (state[4]! + e) | 0
  state[5] = (state[5]! + f) | 0
  state[6] = (state[6]! + g) | 0
  state[7] = (state[7]! + h) | 0
}
