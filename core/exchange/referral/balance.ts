import type { UserId } from '../../protocol/ids.ts'
import type { State } from '../state/state.ts'

/** Checks the invariants of referral: one sentence for each violation. */
export function referralViolations(x: State): readonly string[] {
  const violations: string[] = []
  let bonds = 0
  for (let user = 1 as UserId; user <= x.userCount; user++) {
    const inviter = x.referrers[user]!
    // An inviter is there before the invitee, so there are no cycles.
    if (inviter < 0 || inviter >= user) violations.push(`user ${user} was invited by ${inviter}`)
    if (!x.isInvited(user)) continue
    bonds++
    if (inviter === 0 || !x.referral.openedAt.has(user)) violations.push(`user ${user} has a bond without an inviter or a beginning`)
  }
  if (x.referral.openedAt.size !== bonds) violations.push(`${x.referral.openedAt.size} beginnings of ${bonds} bonds`)
  if (x.referral.isDue) violations.push('trades wait for their commission')
  return violations
}
