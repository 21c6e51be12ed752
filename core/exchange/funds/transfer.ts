import { TRANSFER } from '../../ledger/reasons.ts'
import { accountKinds } from '../../protocol/account.ts'
import type { AccountKind } from '../../protocol/account.ts'
import { TRANSFER_AMOUNT, TRANSFER_ASSET, TRANSFER_FROM, TRANSFER_TO, USER } from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state.ts'

/** Between these a customer moves money freely; the others open and close with their product. */
const open: readonly AccountKind[] = ['spot', 'perp', 'margin-cross', 'option']

/** `funds.transfer`: between a user's own accounts, at once and free of charge; what is held stays. */
export function transfer(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { ledger } = x
  const user = data[start + USER]!
  const asset = data[start + TRANSFER_ASSET]!
  const amount = data[start + TRANSFER_AMOUNT]!
  const from = data[start + TRANSFER_FROM]!
  const to = data[start + TRANSFER_TO]!
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (from === to) return 'ACCOUNT_SAME'
  if (!open.includes(accountKinds[from]!) || !open.includes(accountKinds[to]!)) return 'ACCOUNT_CLOSED'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const source = ledger.row(user, from, asset)
  const target = ledger.row(user, to, asset)
  if (ledger.available(source) < amount) return 'INSUFFICIENT_BALANCE'

  ledger.debit(source, amount, TRANSFER)
  ledger.credit(target, amount, TRANSFER)
  return undefined
}
