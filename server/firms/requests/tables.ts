import type { FirmRequestKind, FirmRequestState } from '@candor/core/protocol/wire/firm/requests.ts'
import type { WireFirmBand } from '@candor/core/protocol/wire/firm/firm.ts'
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely'
import type { FirmDb, FirmTables } from '../tables.ts'

/** Migration 181, and what else this room reads, as Kysely sees it. */
export type RequestTables = FirmTables & {
  firm_rules: RuleTable
  firm_requests: RequestTable
  firm_verdicts: { request: string; member: string; account: string; is_approved: boolean; session: string; at: Generated<number> }
  withdrawal_addresses: { id: string; account: string; address: string; label: string; removed_at: number | null }
  withdrawal_wishes: { account: string; client_id: string; withdrawal: number | null }
}

/** `bands`: as JSON text when it is written. The table's trigger sets what is generated here. */
type RuleTable = {
  firm: string
  version: number
  bands: ColumnType<readonly WireFirmBand[], string, never>
  address_people: number
  most: Generated<number>
  request: string | null
  made_at: Generated<number>
}

/** What the triggers set is generated here. `payload`: the wish without its kind. `payment`: what the wish of a withdrawal has to be. */
export type RequestTable = {
  id: string
  firm: string
  number: Generated<number>
  kind: FirmRequestKind
  payload: ColumnType<Payload, string, never>
  sealed: Buffer | null
  payment: ColumnType<unknown, string | null, never>
  shown: ColumnType<Readonly<Record<string, string>>, string, never>
  client_id: string
  asked: string
  account: Generated<string | null>
  rule: Generated<number>
  people: Generated<number>
  asked_by: string
  asked_at: Generated<number>
  expires_at: Generated<number>
  state: Generated<FirmRequestState>
  decided_at: Generated<number | null>
  done_at: Generated<number | null>
  reason: Generated<string | null>
  withdrawal: Generated<number | null>
}

export type Payload = Readonly<Record<string, unknown>>
export type RequestRow = Selectable<RequestTable>
export type RequestDb = Kysely<RequestTables>

/** The database, or a transaction, of the room of firms as this room sees it. */
export function requestDb(db: FirmDb): RequestDb {
  return db as unknown as RequestDb
}

/** The other way round. */
export function asFirmDb(db: RequestDb): FirmDb {
  return db as unknown as FirmDb
}
