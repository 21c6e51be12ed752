import type { UserId } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import { flush } from '../positions/flush.ts'

/** Money left a contract account: orders that would now lose more than there is behind a cross position go. */
export function afterPerpTransfer(x: State, user: UserId): void {
  const account = x.perp.knownAccount(user)
  if (account === undefined) return
  x.perp.touchAccount(account)
  flush(x)
}
