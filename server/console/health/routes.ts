import type { Staff } from '../../staff/staff.ts'
import { tablesAt } from '../../store/query/console/funds.ts'
import { databaseSize, queueSizes } from '../../store/query/console/health.ts'
import type { ConsoleScope } from '../scope.ts'
import { fileRoutes } from '../watch/files.ts'
import type { Watched } from '../watch/watched.ts'
import * as schema from './schema.ts'

const action = 'health.read'

/** Processes, feeds, queues and space. */
export function healthRoutes(scope: ConsoleScope, watched: Watched, staff: Staff): void {
  const { pool, state } = watched
  scope.read('/health', { action, summary: 'Processes, feeds, queues and space', cost: 3, answer: schema.health }, async () => {
    const [tables, queues, database] = await Promise.all([tablesAt(pool), queueSizes(pool), databaseSize(pool)])
    const { disk, follower, feeds, processes, ...rest } = await state()
    return { ...rest, follower: { ...tables, ...follower }, processes, feeds, queues, database, disk }
  })
  fileRoutes(scope, staff, {
    ...{ area: 'health', action },
    tables: {
      processes: { row: schema.process, read: async () => (await state()).processes },
      feeds: { row: schema.feed, read: async () => (await state()).feeds.venues },
      queues: { row: schema.queue, read: () => queueSizes(pool) },
      tables: { row: schema.table, read: async () => (await databaseSize(pool)).tables },
    },
  })
}
