import type { Beacon } from '../../journal/witness.ts'
import { factIn } from './subjects.ts'

/** What a process tells of the journal: an engine that leads, or a witness. `engine`: the id of its connection. */
export type ToldBeacon = Beacon & { readonly engine: string }

export function beaconBytes({ engine, epoch, seq, hash, acceptedEpoch }: ToldBeacon): Buffer {
  return Buffer.from(JSON.stringify({ engine, epoch, seq, hash: Buffer.from(hash).toString('hex'), acceptedEpoch }))
}

/** Reads a beacon; undefined when it is none. */
export function beaconIn(bytes: Buffer): ToldBeacon | undefined {
  const { engine, epoch, seq, hash, acceptedEpoch } = (factIn(bytes) ?? {}) as Record<string, unknown>
  if (typeof engine !== 'string' || !isCount(epoch) || !isCount(seq) || !isCount(acceptedEpoch)) return undefined
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  return { engine, epoch, seq, hash: Buffer.from(hash, 'hex'), acceptedEpoch }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
