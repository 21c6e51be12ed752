import type { PaperKind, PhotoSide, WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely'
import type { AccountTable, RegainTable } from '../identity/tables.ts'
import type { Store } from '../store/open.ts'

/** Migrations 091, 094, 108 and 161, and what else this room reads, as Kysely sees it. */
export type PapersTables = {
  papers: PapersTable
  paper_photos: PhotoTable
  paper_objects_gone: { object: string; since: number }
  paper_tag_keys: { name: string; key: Buffer }
  paper_revocations: RevocationTable
  regains: RegainTable
  regain_photos: RegainPhotoTable
  /** Their files lie in the same place. */
  support_images: { id: string; object: string }
  accounts: AccountTable
  core_users: { user_id: number; is_certified: boolean }
}

export type PapersState = 'draft' | 'waiting' | 'rejected' | 'certified' | 'revoked'

export type PapersTable = {
  id: string
  account: string
  state: PapersState
  fields: Buffer | null
  tag: Buffer | null
  created_at: number
  sent_at: number | null
  decided_at: number | null
  decided_by: string | null
  /** Written as JSON text: the driver would take an array for one of PostgreSQL's. */
  faults: ColumnType<readonly WirePaperFault[], string | undefined, string>
  claimed_by: string | null
  claimed_at: number | null
}

export type RevocationTable = {
  id: GeneratedAlways<number>
  papers: string
  reason: string
  /** A member of the staff, and the address at that time. */
  proposed_by: string
  proposer: string
  proposed_at: number
  expires_at: number
  state: Generated<'open' | 'approved' | 'declined' | 'expired'>
  decided_by: Generated<string | null>
  decided_at: Generated<number | null>
}

export type PhotoTable = {
  id: string
  papers: string
  side: PhotoSide
  object: string
  key: Buffer
  bytes: number
  width: number
  height: number
  created_at: number
}

/** Of a document that was shown again. */
export type RegainPhotoTable = Omit<PhotoTable, 'papers'> & { regain: string }

/** What a document says, as the customer typed it. */
export type PaperFields = {
  readonly kind?: PaperKind
  readonly country?: string
  readonly name?: string
  readonly born?: string
  readonly number?: string
}

export type PapersDb = Kysely<PapersTables>

export function papersDb(store: Store): PapersDb {
  return store.db.withTables<PapersTables>() as unknown as PapersDb
}
