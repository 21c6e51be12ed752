import type { LoggedEntry } from '../staff/log.ts'
import type { Staff } from '../staff/staff.ts'
import { fileMax, fileOf } from './files.ts'
import * as schema from './schema.ts'
import type { ConsoleScope } from './scope.ts'

/** A hundred pages for one request, which is one entry of its own: five files at once, then one in two seconds. */
const fileCost = 40
const columns = ['id', 'at', 'email', 'staff', 'session', 'ip', 'device', 'action', 'subject', 'why', 'before', 'after'] as const

/** Routes of the staff's log. */
export function logRoutes(scope: ConsoleScope, staff: Staff): void {
  scope.read(
    '/log',
    { action: 'log.read', summary: 'The log of the staff’s actions, newest first', query: schema.logPage, answer: schema.log },
    async ({ query }) => {
      const entries = await staff.log.page(query)
      const last = entries.at(-1)
      return { entries, ...(last === undefined ? {} : { next: last.id }) }
    },
  )

  scope.read(
    '/log.csv',
    {
      ...{ action: 'log.read', summary: `The newest ${fileMax} of these entries as a file`, cost: fileCost },
      ...{ query: schema.logFile, answer: schema.csv },
    },
    async ({ query, session, visitor, reply }) => {
      await staff.exported({ ...query }, { session, visitor })
      const entries = await staff.log.page(query, fileMax + 1)
      return fileOf(reply, 'staff-log', { columns, rows: entries.map(shown) })
    },
  )
}

function shown(entry: LoggedEntry): Readonly<Record<(typeof columns)[number], unknown>> {
  return { ...entry, at: new Date(entry.at).toISOString() }
}
