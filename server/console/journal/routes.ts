import type { Staff } from '../../staff/staff.ts'
import { tablesAt } from '../../store/query/console/funds.ts'
import { batches, checkChain, snapshots } from '../../store/query/console/journal.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileRoutes } from '../watch/files.ts'
import type { Watched } from '../watch/watched.ts'
import * as schema from './schema.ts'

const action = 'journal.read'
const checkCost = 40
/** Batches that one request checks. */
const checkedMax = 2_000

/** The journal's batches and snapshots. Commands are not shown: only the engine and the follower may read them. */
export function journalRoutes(scope: ConsoleScope, { pool, state }: Watched, staff: Staff): void {
  scope.read(
    '/journal',
    { action, summary: 'Batches, newest first, and snapshots', cost: 2, query: schema.page, answer: schema.journal },
    async ({ query: { before = Number.MAX_SAFE_INTEGER } }) => {
      const [rows, kept, tables, { follower }] = await Promise.all([batches(pool, before), snapshots(pool), tablesAt(pool), state()])
      return { batches: rows, snapshots: kept, follower: { ...tables, problem: follower.problem } }
    },
  )

  scope.read(
    '/journal/check',
    { action, summary: 'Computes the hash chain of a range again', cost: checkCost, query: schema.range, answer: schema.check },
    async ({ query: { from, to } }) => {
      const begun = performance.now()
      const found = await checkChain(pool, { from, to, max: checkedMax })
      return { ...found, ms: Math.round(performance.now() - begun) }
    },
  )

  fileRoutes(scope, staff, {
    ...{ area: 'journal', action, filter: schema.page },
    tables: {
      batches: { row: schema.batch, read: ({ before = Number.MAX_SAFE_INTEGER }) => batches(pool, before) },
      snapshots: { row: schema.snapshot, read: () => snapshots(pool) },
    },
  })
}
