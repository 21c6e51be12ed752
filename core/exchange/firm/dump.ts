import type { TierNumber } from '../../protocol/ids.ts'
import { layoutOf, put, putRecord, type Records } from '../../protocol/codec/records.ts'
import { countAt, type Read, readUnits, readUserId } from '../../protocol/codec/slots.ts'
import type { State } from '../state/state.ts'
import { setFloors } from './terms.ts'

// Two lists, each preceded by its length and sorted by number.
const MEMBER = layoutOf('user', 'main')
const TERMS = layoutOf('main', 'tier', 'withdrawMax')

export function dumpFirms({ firm: { mains, terms } }: State, into: Records): void {
  put(into, mains.size)
  for (const [user, main] of [...mains].sort((a, b) => a[0] - b[0])) putRecord(into, MEMBER, { user, main })
  put(into, terms.size)
  for (const [main, { tier, withdrawMax }] of [...terms].sort((a, b) => a[0] - b[0])) putRecord(into, TERMS, { main, tier, withdrawMax })
}

/** Reads what `dumpFirms` wrote at `start` into an empty state, after the volumes. Returns the index just after it. */
export const restoreFirms =
  (x: State): Read<number> =>
  (data, start) => {
    const { firm } = x
    let at = start
    for (let left = countAt(data, at++, MEMBER.length); left > 0; left--, at += MEMBER.length)
      firm.join(readUserId(data, at + MEMBER.user), readUserId(data, at + MEMBER.main))
    for (let left = countAt(data, at++, TERMS.length); left > 0; left--, at += TERMS.length)
      firm.terms.set(readUserId(data, at + TERMS.main), {
        tier: data[at + TERMS.tier] as TierNumber,
        withdrawMax: readUnits(data, at + TERMS.withdrawMax),
      })
    for (const user of firm.mains.keys()) {
      const terms = firm.termsOf(user)
      if (terms !== undefined) setFloors(x, user, terms.tier)
    }
    return at
  }
