import type { Event, OutcomeEvent } from '../protocol/event/index.ts'

/**
 * Splits a run of events into commands: each ends with an outcome, which has the time. Throws when the run ends inside a command.
 *
 * each   gets the events before the outcome, and the outcome
 */
export function eachCommand(events: readonly Event[], each: (events: readonly Event[], outcome: OutcomeEvent) => void): void {
  let start = 0
  for (let i = 0; i < events.length; i++) {
    const event = events[i] as Event
    if (event.type !== 'outcome') continue
    each(start === i ? nothing : events.slice(start, i), event)
    start = i + 1
  }
  if (start !== events.length) throw new Error('events end inside a command')
}

const nothing: readonly Event[] = []
