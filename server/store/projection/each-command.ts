import { commandLength } from '@candor/core/protocol/codec/command.ts'
import { decodeEvent, eventCodes, eventLength } from '@candor/core/protocol/codec/event.ts'
import { opcodeOf, type Records } from '@candor/core/protocol/codec/records.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'

/** Where a command stands among others: see `decodeCommand`. */
export type CommandPlace = { readonly data: Float64Array; readonly offset: number }

/** Order book levels and index prices change all the time and are in no table and no receipt. */
const skipped = new Set<number>([eventCodes['book.level'], eventCodes['index.ticked']])

/**
 * Gives the events of each command in turn, its outcome last, and the place of the command among `commands`, if there are any.
 *
 * throws  Error at an unknown event, or when the last events have no outcome
 */
export function eachCommand(
  events: Records,
  commands: Records | undefined,
  give: (events: readonly Event[], place: CommandPlace | undefined) => void,
): void {
  let start = 0
  let offset = 0
  for (let at = 0; at < events.length; ) {
    const code = opcodeOf(events.data[at] as number)
    at += eventLength(events.data, at, events.length)
    if (code !== eventCodes.outcome) continue
    give(decoded(events, start, at), commands === undefined ? undefined : { data: commands.data, offset })
    if (commands !== undefined) offset += commandLength(commands.data, offset)
    start = at
  }
  if (start !== events.length) throw new Error('Events end without an outcome')
}

function decoded(records: Records, from: number, to: number): readonly Event[] {
  const events: Event[] = []
  for (let at = from; at < to; ) {
    const length = eventLength(records.data, at, to)
    if (!skipped.has(opcodeOf(records.data[at] as number))) events.push(decodeEvent(records.data, at))
    at += length
  }
  return events
}
