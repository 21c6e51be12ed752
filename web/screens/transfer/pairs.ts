/** A transfer consists of two entries with one journal position: one leaves an account, the other enters an account. */
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

/** The transfers, newest first like the records. One whose other entry is on another page is left out. */
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
