/** The accounts of presales. */
import type { SystemAccount } from '../../protocol/account.ts'
import type { Row } from '../../ledger/row.ts'
import type { AssetId } from '../../protocol/ids.ts'
import type { State } from '../state/state.ts'

/** Tokens to be sold. What presales promise is held. */
export const tokensRow = (x: State, token: AssetId): Row => systemRow(x, 'presale-tokens', token)
/** Subscribed sums until the end. */
export const escrowRow = (x: State, pay: AssetId): Row => systemRow(x, 'presale-escrow', pay)
/** The sums that sold tokens cost. */
export const proceedsRow = (x: State, pay: AssetId): Row => systemRow(x, 'presale-proceeds', pay)

function systemRow(x: State, account: SystemAccount, asset: AssetId): Row {
  return x.ledger.systemRow(account, asset)
}
