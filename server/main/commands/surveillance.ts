import { Reports } from '../../surveillance/reports.ts'
import { dayIn } from '../../surveillance/days.ts'
import { type CliCommand, type Result, UsageFault, withExchange } from '../command.ts'

/** For days that the exchange was down for too long to make up by itself. Known reports stay as they are. */
export const makeReport: CliCommand = {
  name: 'surveillance report',
  about: 'Make the report of surveillance of a past UTC day that has none; those of the last week are made by themselves',
  operands: ['YYYY-MM-DD'],
  options: {},
  run: ({ settings, operands }) =>
    withExchange(settings, async (_, { store }): Promise<Result> => {
      const [text] = operands as [string]
      const day = dayIn(text)
      if (day === undefined) throw new UsageFault(`${text} is no day of the calendar, such as 2026-01-31`)
      const made = await new Reports({ store, clock: Date.now }).make(day)
      const lines = {
        made: `The report of ${day} is made`,
        known: `The report of ${day} exists, and stays as it is`,
        waits: `${day} is not over yet, or the query tables do not have all of it: try again in a few minutes`,
        busy: 'Another report is being made: try again in a few minutes',
      }
      return { json: { day, made }, lines: [lines[made]], isFailure: made === 'waits' || made === 'busy' }
    }),
}
