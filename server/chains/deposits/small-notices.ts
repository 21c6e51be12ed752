import { formatUnits } from '@candor/core/money/units.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type pg from 'pg'
import { addNotices } from '../../store/notices.ts'
import type { DepositRow } from './tables.ts'
import type { DepositToken } from './terms.ts'

/** The newest small deposit of a customer. `sum`: of all that wait, in the token's smallest unit. */
export type Waiting = { readonly deposit: DepositRow; readonly token: DepositToken; readonly sum: bigint }

const dayMs = 86_400_000
const kind: NoticeKind = 'deposit-small'
const add = addNotices('id')

/**
 * Tells customers how much is missing until their small deposits are credited: once a day for each network and asset, because anybody can
 * send next to nothing to an address.
 */
export async function tellOfSmall(
  client: Pick<pg.ClientBase, 'query'>,
  waiting: readonly Waiting[],
  { label, at }: { readonly label: string; readonly at: number },
): Promise<void> {
  if (waiting.length === 0) return
  const rows = waiting.map(({ deposit, token, sum }) => {
    const digits = digitsOf(token)
    const min = BigInt(token.min) * token.unit
    const text = (raw: bigint): string => formatUnits(raw, digits)
    const values = { asset: token.symbol, network: label, quantity: text(BigInt(deposit.raw)), min: text(min), missing: text(min - sum) }
    return [deposit.account, JSON.stringify(values), `${kind}-${deposit.network}-${token.symbol}-${Math.floor(at / dayMs)}`] as const
  })
  await client.query(add, [
    ...[rows.map(([account]) => account), rows.map(() => kind), rows.map(([, values]) => values)],
    ...[rows.map(([, , event]) => event), rows.map(() => at), rows.map(() => 0)],
  ])
}

/** Digits of the token on its network. */
function digitsOf({ scale, unit }: DepositToken): number {
  return scale + String(unit).length - 1
}
