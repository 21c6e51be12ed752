import { createHash } from 'node:crypto'

/**
 * Version of the rules that decided a row. It increases with every change after which an old journal would replay to different
 * events.
 */
export const coreVersion = 14
/** Earlier versions whose closed data this build takes over: their snapshot is restored, their rows are never replayed. */
export const coreVersionsBefore: readonly number[] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]

/** A batch of decisions to make durable as one row. `seq` is the last command's; the row has the `n` commands up to it. */
export type Batch = {
  readonly seq: number
  readonly n: number
  readonly firstAt: number
  readonly coreVersion: number
  readonly eventsDigest: Uint8Array
  readonly payload: Uint8Array
}

/** A batch in its place: the writer's epoch, and the chain that reveals a change to any earlier row. */
export type Row = Batch & { readonly epoch: number; readonly prevHash: Uint8Array; readonly hash: Uint8Array }

/** A point of the journal: everything up to `seq` is in `hash`. */
export type Head = { readonly seq: number; readonly hash: Uint8Array }

export const emptyHead: Head = { seq: 0, hash: new Uint8Array(32) }

/**
 * The hash of `core/proof/hash-chain.ts`, by the platform: SHA-256 over previous hash, then seq, epoch, n, firstAt, coreVersion as 64-bit little-endian numbers, then the digest
 * of the events, then the payload.
 */
export function rowHash(prevHash: Uint8Array, epoch: number, batch: Batch): Uint8Array {
  const numbers = new BigUint64Array([batch.seq, epoch, batch.n, batch.firstAt, batch.coreVersion].map(BigInt))
  return createHash('sha256').update(prevHash).update(numbers).update(batch.eventsDigest).update(batch.payload).digest()
}

/** Appends a batch to `head`. */
export function chain(head: Head, epoch: number, batch: Batch): Row {
  return { ...batch, epoch, prevHash: head.hash, hash: rowHash(head.hash, epoch, batch) }
}
