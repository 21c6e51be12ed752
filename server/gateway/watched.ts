import { diskSpace, isFull } from '../engine/disk.ts'
import type { Watched } from '../console/watch/watched.ts'
import type { Context } from '../live/context.ts'
import type { HealthReport } from '../live/process-health.ts'
import type { Live } from './live.ts'
import type { GatewayOptions } from './options.ts'

type Parts = { readonly options: GatewayOptions; readonly live: Live; readonly context: Context; readonly report: HealthReport }

/** Sources of the console's reading pages, in this process. */
export function watchedOf({ options, live, context, report }: Parts): Watched {
  const { version, commit, store, diskFolder } = options
  const { ask, listing } = context
  return {
    ...{ pool: store.pool, ask, listing },
    state: async () => {
      const { projection, feed, isLinkUp, isClockSynced, reports, orderTimes } = live
      const space = diskFolder === undefined ? undefined : await diskSpace(diskFolder).catch(() => undefined)
      const { commands, ms } = projection.lag
      return {
        ...{ version, commit, isEngineUp: isLinkUp, isClockSynced, feeds: feed.now(), answer: orderTimes.now() },
        follower: { commands, ms: Math.round(ms), problem: projection.problem() ?? null },
        processes: [{ ...report.last, ageMs: 0 }, ...reports.now()],
        disk: space === undefined ? null : { ...space, isFull: isFull(space) },
      }
    },
  }
}
