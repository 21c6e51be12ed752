/** Keccak-256 with the padding of Ethereum and TRON, synchronous, the same in server and browser. Lanes are pairs of 32 bits. */

const rateBytes = 136
const rounds = 24

/** Round constants: of each lane the low and the high half. */
const constants = roundConstants()
/** Rotation of each lane, at `x + 5 y`. */
const rotations = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14]

/** 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((Math.floor(bytes.length / rateBytes) + 1) * rateBytes)
  padded.set(bytes)
  padded[bytes.length] = 0x01
  padded[padded.length - 1]! |= 0x80
  const state = new Uint32Array(50)
  const view = new DataView(padded.buffer)
  for (let at = 0; at < padded.length; at += rateBytes) {
    for (let word = 0; word < rateBytes / 4; word++) state[word]! ^= view.getUint32(at + word * 4, true)
    permute(state)
  }
  const digest = new Uint8Array(32)
  const out = new DataView(digest.buffer)
  for (let word = 0; word < 8; word++) out.setUint32(word * 4, state[word]!, true)
  return digest
}

function permute(state: Uint32Array): void {
  const column = new Uint32Array(10)
  const moved = new Uint32Array(50)
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < 10; at++) column[at] = state[at]! ^ state[at + 10]! ^ state[at + 20]! ^ state[at + 30]! ^ state[at + 40]!
    for (let x = 0; x < 5; x++) {
      const [low, high] = rotated(column[((x + 1) % 5) * 2]!, column[((x + 1) % 5) * 2 + 1]!, 1)
      const [left, right] = [column[((x + 4) % 5) * 2]! ^ low, column[((x + 4) % 5) * 2 + 1]! ^ high]
      for (let y = 0; y < 5; y++) {
        state[(x + 5 * y) * 2]! ^= left
        state[(x + 5 * y) * 2 + 1]! ^= right
      }
    }
    for (let x = 0; x < 5; x++)
      for (let y = 0; y < 5; y++) {
        const from = x + 5 * y
        const to = y + 5 * ((2 * x + 3 * y) % 5)
        const [low, high] = rotated(state[from * 2]!, state[from * 2 + 1]!, rotations[from]!)
        moved[to * 2] = low
        moved[to * 2 + 1] = high
      }
    for (let y = 0; y < 5; y++)
      for (let half = 0; half < 2; half++)
        for (let x = 0; x < 5; x++) {
          const lane = (at: number): number => moved[((at % 5) + 5 * y) * 2 + half]!
          state[(x + 5 * y) * 2 + half] = lane(x) ^ (~lane(x + 1) & lane(x + 2))
        }
    state[0]! ^= constants[round * 2]!
    state[1]! ^= constants[round * 2 + 1]!
  }
}

/** Low and high half of a lane, rotated to the left. */
function rotated(low: number, high: number, bits: number): readonly [number, number] {
  if (bits === 0) return [low, high]
  if (bits >= 32) return rotated(high, low, bits - 32)
  return [(low << bits) | (high >>> (32 - bits)), (high << bits) | (low >>> (32 - bits))]
}

/** By the shift register of the standard: x^8 + x^6 + x^5 + x^4 + 1. */
function roundConstants(): Uint32Array {
  const found = new Uint32Array(rounds * 2)
  let register = 1
  for (let round = 0; round < rounds; round++)
    for (let bit = 0; bit < 7; bit++) {
      if ((register & 1) !== 0) {
        const place = 2 ** bit - 1
        found[round * 2 + (place >= 32 ? 1 : 0)]! ^= 2 ** (place % 32)
      }
      register = (register << 1) ^ ((register & 0x80) !== 0 ? 0x171 : 0)
    }
  return found
}
