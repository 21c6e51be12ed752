import type { GeneratedAlways, Kysely } from 'kysely'
import type { IdentityTables } from '../identity/tables.ts'
import type { PapersTables } from '../papers/tables.ts'
import type { StaffTables } from '../staff/tables.ts'
import type { Store } from '../store/open.ts'

/** Migrations 103 and 104, and what else this room reads, as Kysely sees it. */
export type CustomersTables = Pick<
  IdentityTables,
  | ('accounts' | 'sessions' | 'api_keys' | 'authenticators' | 'passkeys' | 'recovery_codes')
  | ('own_limits' | 'own_rests' | 'own_time' | 'deposit_days')
  | ('payment_passwords' | 'freezes' | 'freeze_lifts' | 'regains' | 'audit_log')
> &
  Pick<PapersTables, 'papers' | 'paper_revocations'> &
  Pick<StaffTables, 'staff' | 'staff_log'> & {
    customer_notes: NoteTable
    staff_customers: { staff: string; account: string | null; declared_at: number }
    staff_marks: MarkTable
    core_users: { user_id: number; tier: number }
    orders: { id: number; user_id: number }
    options: { id: number; user_id: number }
  }

export type NoteTable = {
  id: GeneratedAlways<number>
  account: string
  at: number
  staff: string
  /** The member's address at that time. */
  author: string
  text: string
}

export type MarkTable = {
  account: string
  staff: string
  cause: 'address' | 'declared'
  marked_at: number
  /** When the core was told; null: not yet. */
  told_at: number | null
}

export type CustomersDb = Kysely<CustomersTables>

export function customersDb(store: Store): CustomersDb {
  return store.db.withTables<CustomersTables>() as unknown as CustomersDb
}
