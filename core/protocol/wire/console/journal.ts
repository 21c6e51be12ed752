/** Answers of the routes below `/journal`, as `server/console/journal/schema.ts` describes them. */
export type BatchRow = {
  readonly seq: number
  readonly first: number
  readonly n: number
  readonly at: number
  readonly epoch: number
  readonly version: number
  readonly hash: string
  readonly previous: string
  readonly digest: string
}
export type SnapshotRow = {
  readonly seq: number
  readonly version: number
  readonly state: string
  readonly journal: string
  readonly bytes: number
  readonly at: number
}
export type Journal = {
  readonly batches: readonly BatchRow[]
  readonly snapshots: readonly SnapshotRow[]
  readonly follower: { readonly seq: number; readonly at: number; readonly problem: string | null }
}
export type Check = { readonly checked: number; readonly last: number | null; readonly broken: readonly number[]; readonly ms: number }
