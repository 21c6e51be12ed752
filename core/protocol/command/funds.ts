import type { Units } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'
import type { AssetId, ClientId, MarketId, UserId } from '../ids.ts'

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
  /** Spot market of the isolated margin account, if one side is isolated. */
  readonly market?: MarketId
  readonly amount: Units
}

/** Gives a fund of the exchange its initial money from `outside:sandbox`. Sandbox only. */
export type FundSystem = {
  readonly type: 'funds.system'
  readonly account: 'insurance' | 'insurance-margin' | 'option-house' | 'convert-inventory'
  readonly asset: AssetId
  readonly amount: Units
}
