import { z } from 'zod'
import type { ReadAction } from '../../staff/permissions.ts'
import type { Staff } from '../../staff/staff.ts'
import { fileOf } from '../files.ts'
import type { ConsoleScope } from '../scope.ts'
import { csv } from '../schema.ts'

/** As much as five pages for one request, which is also an entry of the staff's log. */
const fileCost = 10

/** One table of a page: the form of its rows, which names the columns of its file, and where they come from. */
export type Table<Filter> = { readonly row: z.ZodObject; readonly read: (filter: Filter) => Promise<readonly object[]> }
export type Tables<Filter> = Readonly<Record<string, Table<Filter>>>

export type FilesOf<Q extends z.ZodType> = {
  /** First part of the paths and of the files' names. */
  readonly area: string
  readonly action: ReadAction
  readonly filter?: Q
  readonly tables: Tables<z.output<Q>>
}

const none = z.strictObject({})

/** A route that gives each table of a page as a file. Each file taken is in the staff's log. */
export function fileRoutes<Q extends z.ZodType = typeof none>(scope: ConsoleScope, staff: Staff, files: FilesOf<Q>): void {
  const { area, action, tables } = files
  const params = z.strictObject({ table: z.enum(Object.keys(tables) as [string, ...string[]]) })
  const filter = (files.filter ?? none) as Q
  scope.read(
    `/${area}/files/:table`,
    { action, summary: 'A table of the page as a file', cost: fileCost, params, query: filter, answer: csv },
    async ({ params: { table }, query, session, visitor, reply }) => {
      const { row, read } = tables[table]!
      await staff.tableExported(`${area}/${table}`, { ...(query as object) }, { session, visitor })
      const rows = await read(query)
      return fileOf(reply, `${area}-${table}`, { columns: Object.keys(row.shape), rows: rows as readonly Record<string, unknown>[] })
    },
  )
}
