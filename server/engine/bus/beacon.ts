import type { Head } from '../../journal/row.ts'
import { factIn } from './subjects.ts'

/** Which engine leads, under which epoch, and how far the journal is acknowledged. */
export type Beacon = { readonly engine: string; readonly epoch: number } & Head

export function beaconBytes({ engine, epoch, seq, hash }: Beacon): Buffer {
  return Buffer.from(JSON.stringify({ engine, epoch, seq, hash: Buffer.from(hash).toString('hex') }))
}

/** Reads a beacon; undefined when it is none. */
export function beaconIn(bytes: Buffer): Beacon | undefined {
  const { engine, epoch, seq, hash } = (factIn(bytes) ?? {}) as Record<string, unknown>
  if (typeof engine !== 'string' || !Number.isSafeInteger(epoch) || !Number.isSafeInteger(seq)) return undefined
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  return { engine, epoch: epoch as number, seq: seq as number, hash: Buffer.from(hash, 'hex') }
}
