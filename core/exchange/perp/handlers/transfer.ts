import type { UserId } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import { flush } from '../positions/flush.ts'

/** Drops orders that would lose more than a cross position has behind it, after money left the Futures account. */
export function afterPerpTransfer(x: State, user: UserId): void {
  const account = x.perp.knownAccount(user)
  if (account === undefined) return
  x.perp.touchAccount(account)
  flush(x)
}
