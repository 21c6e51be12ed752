import type { FirmAccountKind, FirmMemberState, FirmRole, FirmState } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Generated, GeneratedAlways, Kysely, Selectable } from 'kysely'
import type { IdentityTables } from '../identity/tables.ts'
import type { Store } from '../store/open.ts'

/** Migrations 180 and 182, and what else this room reads, as Kysely sees it. */
export type FirmTables = Pick<IdentityTables, 'accounts' | 'sessions' | 'api_keys' | 'passkeys' | 'authenticators'> & {
  firms: FirmTable
  firm_accounts: FirmAccountTable
  firm_members: FirmMemberTable
  firm_log: FirmLogTable
  staff_marks: { account: string; staff: string }
}

export type FirmTable = {
  id: string
  number: GeneratedAlways<number>
  name: string
  registration: string
  country: string
  applied_by: string
  applied_at: number
  state: Generated<FirmState>
  decided_by: Generated<string | null>
  decided_at: Generated<number | null>
  why: Generated<string | null>
}

export type FirmAccountTable = {
  account: string
  firm: string
  kind: FirmAccountKind
  label: string
  made_by: string
  made_at: number
  is_open: Generated<boolean>
  archived_at: Generated<number | null>
}

/** `accounts`: null for all accounts of the firm. */
export type FirmMemberTable = {
  id: string
  firm: string
  account: string
  label: string
  role: FirmRole
  accounts: readonly string[] | null
  state: FirmMemberState
  invited_by: string | null
  invited_at: number
  joined_at: Generated<number | null>
  ended_at: Generated<number | null>
}

export type FirmLogTable = {
  id: GeneratedAlways<number>
  firm: string
  member: string | null
  account: string | null
  action: string
  detail: string
  ip: string | null
  device: string | null
  at: number
}

export type FirmRow = Selectable<FirmTable>
export type FirmAccountRow = Selectable<FirmAccountTable>
export type FirmMemberRow = Selectable<FirmMemberTable>
export type FirmDb = Kysely<FirmTables>

export function firmDb(store: Pick<Store, 'db'>): FirmDb {
  return store.db.withTables<FirmTables>() as unknown as FirmDb
}
