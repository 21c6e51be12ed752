/** Answers of the routes below `/health`, as `server/console/health/schema.ts` describes them. */
export type ProcessRow = {
  readonly name: string
  readonly pid: number
  readonly node: string
  readonly uptimeMs: number
  readonly bytes: number
  readonly lagMs: number
  readonly ageMs: number
}
export type FeedRow = { readonly name: string; readonly isUp: boolean; readonly ageMs: number }
export type QueueRow = { readonly name: string; readonly waiting: number; readonly oldestAt: number | null }
export type TableRow = { readonly name: string; readonly bytes: number; readonly rows: number }
export type Health = {
  readonly version: string
  readonly commit: string
  readonly isEngineUp: boolean
  readonly isClockSynced: boolean
  readonly follower: {
    readonly seq: number
    readonly at: number
    readonly commands: number
    readonly ms: number
    readonly problem: string | null
  }
  readonly processes: readonly ProcessRow[]
  readonly feeds: { readonly mode: string; readonly isFallback: boolean; readonly venues: readonly FeedRow[] }
  readonly queues: readonly QueueRow[]
  readonly database: { readonly bytes: number; readonly tables: readonly TableRow[] }
  readonly disk: { readonly free: number; readonly total: number; readonly isFull: boolean } | null
}
