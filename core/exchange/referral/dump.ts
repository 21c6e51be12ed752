import type { UserId } from '../../protocol/ids.ts'
import { layoutOf, put, putRecord, type Records } from '../../protocol/codec/records.ts'
import { readReferralTerms, referralTermsSlots, writeReferralTerms } from '../../protocol/codec/referral/slots.ts'
import { countAt, type Read, readMillis, readUserId } from '../../protocol/codec/slots.ts'
import type { State } from '../state/state.ts'

// A list, preceded by its length.
const BOND = layoutOf('user', 'openedAt')

/** The terms if there are any; bonds by user; volumes; sums of the day. */
export function* dumpReferral({ referral }: State, into: Records): Generator<void> {
  const { terms } = referral
  put(into, terms === undefined ? 0 : 1)
  if (terms !== undefined) {
    const at = into.reserve(referralTermsSlots(terms))
    writeReferralTerms(terms, into.data, at)
  }
  put(into, referral.openedAt.size)
  let count = 0
  for (const [user, openedAt] of [...referral.openedAt].sort((a, b) => a[0] - b[0])) {
    putRecord(into, BOND, { user, openedAt })
    if ((++count & 1023) === 0) yield
  }
  yield* referral.volumes.dump(into)
  referral.byInvitee.dump(into)
  referral.byInviter.dump(into)
}

/** Reads what `dumpReferral` wrote at `start` into an empty state. Returns the index just after it. */
export const restoreReferral =
  ({ referral }: State): Read<number> =>
  (data, start) => {
    let at = start + 1
    if (data[start] === 1) {
      const terms = readReferralTerms(data, at)
      referral.setTerms(terms)
      at += referralTermsSlots(terms)
    }
    for (let left = countAt(data, at++, BOND.length); left > 0; left--, at += BOND.length)
      referral.openedAt.set(readUserId(data, at + BOND.user), readMillis(data, at + BOND.openedAt))
    at = referral.volumes.restore(data, at, 18)
    return referral.byInviter.restore(data, referral.byInvitee.restore(data, at))
  }

/** Users of earlier dumps keep their inviters. Nobody was paid then: their bonds begin with the takeover. */
export function bindInvited(x: State): void {
  for (let user = 1 as UserId; user <= x.userCount; user++) {
    const isInvited = x.referrers[user]! !== 0
    x.setInvited(user, isInvited)
    if (isInvited) x.referral.openedAt.set(user, x.atMs)
  }
}
