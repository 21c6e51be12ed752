import { type Generated, type GeneratedAlways, type Kysely, OperationNodeTransformer, type KyselyPlugin, type TableNode } from 'kysely'
import type { IdentityDb } from '../identity/tables.ts'
import type { Store } from '../store/open.ts'
import type { Role } from './permissions.ts'

/** Migrations 092 and 093, as Kysely sees it. */
export type StaffTables = {
  staff: StaffTable
  staff_enrolments: { staff: string; token: Buffer; expires_at: number }
  staff_sessions: StaffSessionTable
  staff_authenticators: { account: string; confirmed_at: number | null }
  staff_passkeys: { id: string; account: string; label: string; created_at: number; last_used_at: number | null }
  staff_passkey_challenges: { challenge: Buffer; account: string | null; expires_at: number }
  staff_proposals: ProposalTable
  staff_log: StaffLogTable
}

export type StaffTable = {
  id: string
  email: string
  name: string
  role: Role
  state: 'invited' | 'active' | 'deactivated'
  password: Generated<string | null>
  created_at: number
  /** The proposal by which the row came to be as it is; null for people whom the machine's owner invited. */
  proposal: Generated<number | null>
}

export type StaffSessionTable = {
  id: string
  staff: string
  token: Buffer
  device: string
  ip: string
  created_at: number
  last_seen_at: number
  revoked_at: Generated<number | null>
}

export type ProposalKind = 'invitation' | 'enrolment' | 'role' | 'address' | 'deactivation'

export type ProposalTable = {
  id: GeneratedAlways<number>
  kind: ProposalKind
  subject: string
  /** The subject's address after the approval. */
  email: string
  name: string
  /** The subject's role after the approval. */
  role: Role
  reason: string
  /** Null: by the machine's owner on the command line, which knows nobody's name. */
  proposed_by: string | null
  proposed_at: number
  expires_at: number
  state: Generated<'open' | 'approved' | 'declined' | 'expired'>
  decided_by: Generated<string | null>
  decided_at: Generated<number | null>
}

export type StaffLogTable = {
  id: GeneratedAlways<number>
  at: number
  staff: string | null
  session: string | null
  ip: string
  device: string
  action: string
  subject: string | null
  why: string | null
  before: string | null
  after: string | null
}

export type StaffDb = Kysely<StaffTables>

export function staffDb(store: Store): StaffDb {
  return store.db.withTables<StaffTables>() as unknown as StaffDb
}

const renamed: Readonly<Record<string, string>> = {
  authenticators: 'staff_authenticators',
  passkeys: 'staff_passkeys',
  passkey_challenges: 'staff_passkey_challenges',
}

class Renaming extends OperationNodeTransformer {
  protected override transformTable(node: TableNode): TableNode {
    const { name } = node.table.identifier
    const own = renamed[name]
    // A table that has no counterpart here would be a customer's.
    if (own === undefined) throw new Error(`the staff have no table ${name}`)
    return { ...node, table: { ...node.table, identifier: { ...node.table.identifier, name: own } } }
  }
}

const renaming = new Renaming()
const renamingPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => renaming.transformNode(node),
  transformResult: async ({ result }) => result,
}

/** The staff's tables under the names of the customers', for the classes that look after passkeys and authenticator apps. */
export function factorDb(db: StaffDb): IdentityDb {
  return db.withPlugin(renamingPlugin) as unknown as IdentityDb
}
