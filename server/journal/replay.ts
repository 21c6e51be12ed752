import { createHash } from 'node:crypto'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { SEQ } from '@candor/core/protocol/codec/layout.ts'
import { lengthOf, type Records } from '@candor/core/protocol/codec/records.ts'
import { Damaged } from './fault.ts'
import { decodePayload } from './payload.ts'
import { coreVersion, type Row } from './row.ts'

/** Sees each command of a row: the core is as it was before it, and then as it is after it. It must change nothing. */
export type RowWatch = {
  /** `offset`: slot of the command in `commands`. */
  readonly before: (seq: number, commands: Float64Array, offset: number) => void
  /** The command's events are in the slots of `events` from `from` on. */
  readonly after: (seq: number, events: Records, from: number) => void
}

/**
 * Lets the core execute a row again. `events` is cleared and receives the row's events, in order. Throws Damaged when they differ
 * from those that the leader released: then this state, or the leader's, must not be used. Returns the row's commands.
 */
export function replayRow(exchange: Exchange, row: Row, events: Records, watch?: RowWatch): Records {
  events.clear()
  if (row.coreVersion !== coreVersion)
    throw new Damaged(row.seq, `it was decided by version ${row.coreVersion} of the core, this is ${coreVersion}`)
  const { commands } = decodePayload(row.payload)
  if (watch === undefined) exchange.executeAll(commands.data, 0, commands.length, events)
  else executeWatched(exchange, commands, events, watch)
  if (exchange.seq !== row.seq) throw new Damaged(row.seq, `replay stands at ${exchange.seq}`)
  if (Buffer.compare(digestOf(events), row.eventsDigest) !== 0)
    throw new Damaged(row.seq, 'replay gives different events than were released')
  return commands
}

function executeWatched(exchange: Exchange, { data, length }: Records, events: Records, watch: RowWatch): void {
  for (let at = 0; at < length; ) {
    const end = at + lengthOf(data[at]!)
    const seq = data[at + SEQ]!
    const from = events.length
    watch.before(seq, data, at)
    exchange.executeAll(data, at, end, events)
    watch.after(seq, events, from)
    at = end
  }
}

/** `Exchange.hash()` computed by the platform, many times faster. */
export function stateHash(exchange: Exchange): string {
  return createHash('sha256').update(exchange.dump()).digest('hex')
}

/** SHA-256 over the event records as they are in memory and on the wire. */
export function digestOf(events: Records): Buffer {
  return createHash('sha256').update(events.bytes()).digest()
}
