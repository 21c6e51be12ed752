import type { AddressOwner, WireWithdrawalAddress } from '@candor/core/protocol/wire/addresses.ts'
import type { Generated, GeneratedAlways, Kysely, Selectable } from 'kysely'
import type { Store } from '../../store/open.ts'

/** Migration 136, as Kysely sees it. */
export type BookTables = { withdrawal_addresses: WithdrawalAddressTable }

export type WithdrawalAddressTable = {
  number: GeneratedAlways<number>
  id: string
  account: string
  network: string
  address: string
  label: string
  owner: AddressOwner
  exchange: string | null
  beneficiary: Buffer | null
  added_at: number
  usable_at: number
  removed_at: number | null
  uses: Generated<number>
  last_used_at: number | null
}

export type WithdrawalAddressRow = Selectable<WithdrawalAddressTable>
export type BookDb = Kysely<BookTables>

export function bookDb(store: Store): BookDb {
  return store.db.withTables<BookTables>() as unknown as BookDb
}

/** `beneficiary`: opened; undefined if there is none. */
export function wireAddress(row: WithdrawalAddressRow, beneficiary: string | undefined): WireWithdrawalAddress {
  return {
    id: row.id,
    network: row.network,
    address: row.address,
    label: row.label,
    owner: row.owner,
    ...(row.exchange === null ? {} : { exchange: row.exchange }),
    ...(beneficiary === undefined ? {} : { beneficiary }),
    addedAt: row.added_at,
    usableAt: row.usable_at,
    uses: row.uses,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  }
}
