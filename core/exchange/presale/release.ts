import { PRESALE_RELEASE } from '../../ledger/reasons.ts'
import type { Days, Millis, Units } from '../../money/brand.ts'
import { writePresaleReleased } from '../../protocol/codec/presale/write.ts'
import { dayMs, releaseDayAfter, releasedBy } from '../../risk/presale.ts'
import type { State } from '../state/state.ts'
import { endNext, finishPresale } from './end.ts'
import type { Presale } from './records/state.ts'

/** Holders that one command releases tokens of. The rest waits for the next tick. */
const releasedMax = 256

/** The clock's work: one end, or the releases of one day of one presale, as far as one command takes them. */
export function tickPresales(x: State): void {
  if (endNext(x)) return
  for (const presale of x.presale.presales.values()) {
    if (dueAtMs(x, presale) > x.atMs) continue
    releaseSome(x, presale)
    return
  }
}

/** Time from which `tickPresales` has something to do; Infinity for never. */
export function presaleDueAtMs(x: State): number {
  let due = Infinity
  for (const presale of x.presale.presales.values()) due = Math.min(due, dueAtMs(x, presale))
  return due
}

function dueAtMs(x: State, { holders, next, day, terms }: Presale): number {
  if (holders === undefined) return terms.endsAt
  if (next < holders.length) return x.atMs
  return terms.endsAt + (releaseDayAfter(terms.release, day) ?? Infinity) * dayMs
}

/** Goes on with the releases of the day that has begun, or begins with the last day of the schedule that is reached. */
function releaseSome(x: State, presale: Presale): void {
  const { ledger, events } = x
  const { number, terms } = presale
  const holders = presale.holders!
  if (presale.next === holders.length) {
    presale.day = lastDay(presale, x.atMs)
    presale.next = 0
  }
  const { day } = presale
  const end = Math.min(presale.next + releasedMax, holders.length)
  for (; presale.next < end; presale.next++) {
    const { user, allocated, released: before } = holders[presale.next]!
    const released = releasedBy(allocated, terms.release, day)
    const amount = (released - before) as Units
    // Of a few units, some days bring none.
    if (amount === 0) continue
    ledger.change(ledger.findSpot(user, terms.token), amount, -amount as Units, PRESALE_RELEASE)
    holders[presale.next] = { user, allocated, released }
    writePresaleReleased(events, { presale: number, user, amount, released, day })
  }
  if (presale.next === holders.length && day >= terms.release.lockDays) finishPresale(x, presale, true)
}

/** The last day of the schedule up to now, however long the clock stood still. */
function lastDay({ day, terms: { endsAt, release } }: Presale, atMs: Millis): Days {
  const reached = Math.floor((atMs - endsAt) / dayMs)
  let last = day
  for (let next = releaseDayAfter(release, last); next !== undefined && next <= reached; next = releaseDayAfter(release, last)) last = next
  return last
}
