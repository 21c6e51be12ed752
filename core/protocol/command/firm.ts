import type { Units } from '../../money/brand.ts'
import type { AssetId, ClientId, TierNumber, UserId } from '../ids.ts'

/**
 * Makes a user an account of the firm whose main account is `main`: of a new firm, when both are the same. An account joins once, before
 * it has any money, and never leaves. A repeat has no effect.
 */
export type JoinFirm = { readonly type: 'firm.join'; readonly user: UserId; readonly main: UserId }

/** Moves coins between the spot accounts of two accounts of one firm, at once and without a fee. A repeat under its client id moves nothing. */
export type MoveInFirm = {
  readonly type: 'firm.move'
  readonly user: UserId
  readonly clientId: ClientId
  readonly to: UserId
  readonly asset: AssetId
  readonly amount: Units
}

/**
 * What a firm has by its own terms. `tier`: its accounts pay at most the fees of this tier. `withdrawMax`: value of withdrawals on one UTC day,
 * in USDT units. `main`: user number of the firm's main account.
 */
export type SetFirmTerms = { readonly type: 'firm.setTerms'; readonly main: UserId; readonly tier: TierNumber; readonly withdrawMax: Units }

export type FirmCommand = JoinFirm | MoveInFirm | SetFirmTerms
