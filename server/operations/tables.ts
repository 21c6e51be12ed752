import type { TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { StaffTables } from '../staff/tables.ts'
import type { Store } from '../store/open.ts'

/** Roles decide by area: `compliance` about countries and firms, `treasury` about postings, `risk` about all others, administrators about each. */
export const areas = ['markets', 'fees', 'countries', 'house', 'postings', 'networks', 'presales', 'firms'] as const
export type Area = (typeof areas)[number]

export const areaOf: Readonly<Record<TermKind, Area>> = {
  spot: 'markets',
  futures: 'markets',
  margin: 'markets',
  conversion: 'markets',
  referral: 'fees',
  listing: 'markets',
  'futures-listing': 'markets',
  fees: 'fees',
  country: 'countries',
  second: 'house',
  posting: 'postings',
  withdrawal: 'networks',
  presale: 'presales',
  'presale-cancel': 'presales',
  firm: 'firms',
}

/** Money of the firm for the house fund of Second. `uid`: the firm's own account, which pays from its spot balance. */
export type Payment = { readonly uid: string; readonly amount: string }

export type OperationState = 'open' | 'approved' | 'declined' | 'expired' | 'failed'

/** Migrations 105, 139, 167, 169 and 183, as Kysely sees it. */
export type OperationTable = {
  id: GeneratedAlways<number>
  area: Area
  kind: TermKind
  subject: string
  terms: Terms
  /** Null for a new market. */
  base: Terms | null
  payment: Payment | null
  reason: string
  /** One member alone decides what only closes. */
  is_closing: boolean
  proposed_by: string
  /** The members' numbers in the journal. */
  proposer: number
  proposed_at: number
  expires_at: number
  state: Generated<OperationState>
  decided_by: Generated<string | null>
  approver: Generated<number | null>
  decided_at: Generated<number | null>
  /** Why it was declined. */
  why: Generated<string | null>
  /** When the core had decided. Null while an approved decision is on its way. */
  done_at: Generated<number | null>
  seq: Generated<number | null>
  refusal: Generated<string | null>
}

export type OperationsTables = Omit<StaffTables, 'staff'> & {
  staff: StaffTables['staff'] & { number: GeneratedAlways<number> }
  operations: OperationTable
  accounts: { uid: string; core_user: number | null }
}
export type OperationsDb = Kysely<OperationsTables>

export function operationsDb(store: Pick<Store, 'db'>): OperationsDb {
  return store.db.withTables<OperationsTables>() as unknown as OperationsDb
}

/** The core's user of a UID, or undefined. */
export async function userOf(db: OperationsDb, uid: string): Promise<UserId | undefined> {
  const row = await db.selectFrom('accounts').select('core_user').where('uid', '=', uid).executeTakeFirst()
  return row?.core_user == null ? undefined : (row.core_user as UserId)
}

/** A customer's UID. throws  if the core's user has no account */
export async function uidOf(db: OperationsDb, user: UserId): Promise<string> {
  return (await db.selectFrom('accounts').select('uid').where('core_user', '=', user).executeTakeFirstOrThrow()).uid
}
