import { createHash } from 'node:crypto'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Records } from '@candor/core/protocol/codec/records.ts'
import { Damaged } from './fault.ts'
import { decodePayload } from './payload.ts'
import { coreVersion, type Row } from './row.ts'

/**
 * Lets the core execute a row again. `events` is cleared and receives the row's events, in order. Throws Damaged when they differ
 * from those that the leader released: then this state, or the leader's, must not be used. Returns the row's commands.
 */
export function replayRow(exchange: Exchange, row: Row, events: Records): Records {
  events.clear()
  if (row.coreVersion !== coreVersion)
    throw new Damaged(row.seq, `it was decided by version ${row.coreVersion} of the core, this is ${coreVersion}`)
  const { commands } = decodePayload(row.payload)
  exchange.executeAll(commands.data, 0, commands.length, events)
  if (exchange.seq !== row.seq) throw new Damaged(row.seq, `replay stands at ${exchange.seq}`)
  if (Buffer.compare(digestOf(events), row.eventsDigest) !== 0)
    throw new Damaged(row.seq, 'replay gives different events than were released')
  return commands
}

/** `Exchange.hash()` computed by the platform, many times faster. */
export function stateHash(exchange: Exchange): string {
  return createHash('sha256').update(exchange.dump()).digest('hex')
}

/** SHA-256 over the event records as they are in memory and on the wire. */
export function digestOf(events: Records): Buffer {
  return createHash('sha256').update(events.bytes()).digest()
}
