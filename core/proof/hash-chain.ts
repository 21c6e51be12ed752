import { Sha256 } from './sha256.ts'

/** The fields of a journal row that its hash covers, besides the hash of the row before. Numbers are non-negative safe integers. */
export type ChainedRow = {
  /** Of the last command in the row. */
  readonly seq: number
  readonly epoch: number
  /** Commands in the row. */
  readonly n: number
  /** Time of the first command, in milliseconds. */
  readonly firstAt: number
  readonly coreVersion: number
  /** SHA-256 over all events that the row's commands produced. 32 bytes. */
  readonly eventsDigest: Uint8Array
  readonly payload: Uint8Array
}

/** The hash before the first row. */
export const genesisHash: Uint8Array = new Uint8Array(32)

/**
 * Hash of a journal row: SHA-256 over
 *
 *   bytes   0– 31  hash of the row before
 *   bytes  32– 71  seq, epoch, n, firstAt, coreVersion: 8 bytes each, little-endian
 *   bytes  72–103  digest of the events
 *   bytes 104–     payload
 *
 * A change to any row changes the hashes of all later ones. Throws when a number is not a safe integer or a hash not
 * 32 bytes long.
 */
export function rowHash(prevHash: Uint8Array, row: ChainedRow): Uint8Array<ArrayBuffer> {
  if (prevHash.length !== 32 || row.eventsDigest.length !== 32) throw new Error('a hash is 32 bytes long')
  const numbers = new DataView(new ArrayBuffer(40))
  const fields = [row.seq, row.epoch, row.n, row.firstAt, row.coreVersion]
  fields.forEach((value, i) => {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`field ${i} of a journal row is not a safe integer: ${value}`)
    numbers.setUint32(i * 8, value % 2 ** 32, true)
    numbers.setUint32(i * 8 + 4, Math.floor(value / 2 ** 32), true)
  })
  return new Sha256().update(prevHash).update(new Uint8Array(numbers.buffer)).update(row.eventsDigest).update(row.payload).digest()
}
