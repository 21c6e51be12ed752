import type { Units } from '../../money/brand.ts'
import type { TierNumber, UserId } from '../ids.ts'

/** An account joined a firm. `main`: its main account, which may be the account itself. */
export type FirmJoined = { readonly type: 'firm.joined'; readonly user: UserId; readonly main: UserId }
/** What a firm has by its own terms from now on. */
export type FirmTermsChanged = {
  readonly type: 'firm.terms'
  readonly main: UserId
  readonly tier: TierNumber
  readonly withdrawMax: Units
}
export type FirmEvent = FirmJoined | FirmTermsChanged
