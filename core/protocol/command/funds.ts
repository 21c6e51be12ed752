import type { Units } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'
import type { AssetId, ClientId, UserId } from '../ids.ts'

/** Sandbox only: credits the user's spot account from `outside:sandbox`. */
export type Faucet = {
  readonly type: 'funds.faucet'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
}

export type Transfer = {
  readonly type: 'funds.transfer'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly from: AccountKind
  readonly to: AccountKind
  readonly amount: Units
}
