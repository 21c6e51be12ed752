import type { PositionNumber, UserId } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import { flush } from '../positions/flush.ts'
import type { Contract } from '../records/state.ts'

/** Largest numbers of positions that one command adapts to new terms and of users that it visits. */
export const refittedMax = 128
const lookedMax = 5000

/** Begins to adapt all positions of the contract to new terms, one page of users per command. */
export function beginRefit(x: State, contract: Contract): void {
  if (contract.positions.length > 0) contract.refitFrom = 1
  refitSome(x)
}

/** Whether positions wait to be adapted to new terms. */
export function isRefitting(x: State): boolean {
  return x.perp.list.some(({ refitFrom }) => refitFrom > 0)
}

/** Continues with the next users, by number, so that a restored exchange uses the same order. */
export function refitSome(x: State): void {
  let left = refittedMax
  let looked = lookedMax
  for (const contract of x.perp.list) {
    if (contract.refitFrom === 0) continue
    while (contract.refitFrom <= x.userCount && left > 0 && looked-- > 0) left -= touchUser(x, contract, contract.refitFrom++ as UserId)
    if (contract.refitFrom > x.userCount) contract.refitFrom = 0
  }
  flush(x)
}

/** Returns the number of the user's positions in the contract. */
function touchUser(x: State, contract: Contract, user: UserId): number {
  const account = x.perp.knownAccount(user)
  if (account === undefined) return 0
  let found = 0
  for (let side = 0; side < 3; side++) {
    const holding = account.find(contract.id, side as PositionNumber)
    if (holding === undefined || holding.lots === 0) continue
    x.perp.touch(holding, true)
    found++
  }
  return found
}
