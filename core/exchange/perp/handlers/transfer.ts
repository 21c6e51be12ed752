import type { UserId } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import { flush } from '../positions/flush.ts'

/** Call after money left a contract account: drops orders that would now lose more than what stands behind a cross position. */
export function afterPerpTransfer(x: State, user: UserId): void {
  const account = x.perp.knownAccount(user)
  if (account === undefined) return
  x.perp.touchAccount(account)
  flush(x)
}
