/** A transfer is two entries of one journal position: what left one account, and what came into the other. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'

export type Transfer = {
  readonly id: string
  readonly from: AccountKind
  readonly to: AccountKind
  readonly asset: string
  readonly amount: Decimal
  readonly time: number
}

/** Newest first as the records are; one whose other half is on another page is left out. */
export function transfersIn(records: readonly WireRecord[]): readonly Transfer[] {
  const leaving = new Map(records.filter(({ amount }) => amount.startsWith('-')).map((record) => [positionOf(record), record]))
  return records.flatMap((record) => {
    const other = leaving.get(positionOf(record))
    if (other === undefined || record.amount.startsWith('-')) return []
    const { id, account: to, asset, amount, time } = record
    return [{ id, from: other.account, to, asset, amount, time }]
  })
}

function positionOf({ id }: WireRecord): string {
  return id.slice(0, id.indexOf('-'))
}
