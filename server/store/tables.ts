import type { Generated } from 'kysely'

/** Kysely's types of the tables here. Rooms above add their own with `store.db.withTables<…>()`. */
export type Tables = {
  journal: JournalTable
  leader: LeaderTable
  snapshots: SnapshotTable
  snapshot_chunks: SnapshotChunkTable
  migrations: MigrationTable
}

export type JournalTable = {
  seq: number
  epoch: number
  n: number
  first_at: number
  core_version: number
  prev_hash: Buffer
  hash: Buffer
  events_digest: Buffer
  payload: Buffer
}

export type LeaderTable = { epoch: number; since: Generated<Date> }

export type SnapshotTable = {
  seq: number
  core_version: number
  state_hash: Buffer
  journal_hash: Buffer
  bytes: number
  made_at: Generated<Date>
}

export type SnapshotChunkTable = { seq: number; chunk: number; bytes: Buffer }
export type MigrationTable = { name: string; applied_at: Generated<Date> }
