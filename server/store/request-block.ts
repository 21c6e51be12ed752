/**
 * The stored form of old client ids in `request_blocks`: many of one user in a row, because one row each would cost many times as
 * much.
 */
import type { KeptRequest } from '@candor/core/exchange/requests/kept.ts'

/** Words of an entry in `ids`: two of the hash, low before high. All words are big-endian. */
export const idBytes = 8
/** Words of an entry in `outcomes`: two of the body's hash, two of the number, high before low, and the refusal. */
const outcomeBytes = 20
/** A row has at most this many ids of one user; more go into the next row. */
export const blockMax = 2_048
const packMin = 16
const word = 2 ** 32

/** The outcome of a request. `number`: of its order, 0 for none. `refusal`: its number in the catalogue, 0 for none. */
export type BlockedOutcome = Pick<KeptRequest, 'bodyLow' | 'bodyHigh' | 'number' | 'refusal'>

export type Block = { readonly ids: Buffer; readonly outcomes: Buffer }

/** A growing block. */
export class BlockPack implements Block {
  #ids = Buffer.allocUnsafeSlow(idBytes * packMin)
  #outcomes = Buffer.allocUnsafeSlow(outcomeBytes * packMin)
  #count = 0

  get isFull(): boolean {
    return this.#count === blockMax
  }

  /** The bytes, valid until the next request. */
  get ids(): Buffer {
    return this.#ids.subarray(0, this.#count * idBytes)
  }

  get outcomes(): Buffer {
    return this.#outcomes.subarray(0, this.#count * outcomeBytes)
  }

  add({ idLow, idHigh, bodyLow, bodyHigh, number, refusal }: KeptRequest): void {
    const n = this.#count++
    if (n * idBytes === this.#ids.length) {
      this.#ids = Buffer.concat([this.#ids, this.#ids])
      this.#outcomes = Buffer.concat([this.#outcomes, this.#outcomes])
    }
    this.#ids.writeInt32BE(idLow, n * idBytes)
    this.#ids.writeInt32BE(idHigh, n * idBytes + 4)
    const outcomes = this.#outcomes
    const at = n * outcomeBytes
    outcomes.writeInt32BE(bodyLow, at)
    outcomes.writeInt32BE(bodyHigh, at + 4)
    outcomes.writeUInt32BE(Math.floor(number / word), at + 8)
    outcomes.writeUInt32BE(number % word, at + 12)
    outcomes.writeInt32BE(refusal, at + 16)
  }

  clear(): void {
    this.#count = 0
  }
}

export function packId(low: number, high: number): Buffer {
  const id = Buffer.allocUnsafe(idBytes)
  id.writeInt32BE(low, 0)
  id.writeInt32BE(high, 4)
  return id
}

/** The outcome of this id, undefined when it is not in the block. */
export function inBlock({ ids, outcomes }: Block, id: Buffer): BlockedOutcome | undefined {
  // The same bytes may also occur across two ids.
  let at = ids.indexOf(id)
  while (at >= 0 && at % idBytes !== 0) at = ids.indexOf(id, at + 1)
  if (at < 0) return undefined
  const from = (at / idBytes) * outcomeBytes
  return {
    bodyLow: outcomes.readInt32BE(from),
    bodyHigh: outcomes.readInt32BE(from + 4),
    number: outcomes.readUInt32BE(from + 8) * word + outcomes.readUInt32BE(from + 12),
    refusal: outcomes.readInt32BE(from + 16),
  }
}
