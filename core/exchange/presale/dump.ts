import { presaleTermsSlots, readPresaleNumber, readPresaleTerms, writePresaleTerms } from '../../protocol/codec/presale/slots.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt, type Read, readUnits, readUserId } from '../../protocol/codec/slots.ts'
import type { Days } from '../../money/brand.ts'
import { Presale, type PresaleState } from './records/state.ts'

// Lists, each preceded by its length.
const PRESALE = layoutOf('number', 'isEnded', 'subscribed', 'day', 'next')
const SUM = layoutOf('user', 'sum')
const HOLDER = layoutOf('user', 'allocated', 'released')

/** The numbers of those that are over; then the others, each with its terms, subscriptions and holders. */
export function dumpPresale({ presales, over }: PresaleState, into: Records): void {
  put(into, over.size, ...over)
  put(into, presales.size)
  for (const { number, terms, sums, subscribed, holders, day, next } of presales.values()) {
    putRecord(into, PRESALE, { number, isEnded: holders !== undefined, subscribed, day, next })
    const at = into.reserve(presaleTermsSlots(terms))
    writePresaleTerms(terms, into.data, at)
    put(into, sums.size)
    for (const [user, sum] of sums) putRecord(into, SUM, { user, sum })
    put(into, holders?.length ?? 0)
    for (const holder of holders ?? []) putRecord(into, HOLDER, holder)
  }
}

/** Reads what `dumpPresale` wrote at `start` into an empty state. Returns the index just after it. */
export const restorePresale =
  ({ presales, over }: PresaleState): Read<number> =>
  (data, start) => {
    let at = start
    for (let left = countAt(data, at++); left > 0; left--) over.add(readPresaleNumber(data, at++))
    for (let count = countAt(data, at++, PRESALE.length); count > 0; count--) {
      const record = at
      const terms = readPresaleTerms(data, at + PRESALE.length)
      const presale = new Presale(readPresaleNumber(data, record + PRESALE.number), terms)
      at += PRESALE.length + presaleTermsSlots(terms)
      for (let left = countAt(data, at++, SUM.length); left > 0; left--, at += SUM.length)
        presale.sums.set(readUserId(data, at + SUM.user), readUnits(data, at + SUM.sum))
      const holders = Array.from({ length: countAt(data, at++, HOLDER.length) }, () => {
        const [user, allocated, released] = [
          readUserId(data, at + HOLDER.user),
          readUnits(data, at + HOLDER.allocated),
          readUnits(data, at + HOLDER.released),
        ]
        at += HOLDER.length
        return { user, allocated, released }
      })
      presale.subscribed = readUnits(data, record + PRESALE.subscribed)
      if (data[record + PRESALE.isEnded] === 1) presale.holders = holders
      presale.day = data[record + PRESALE.day] as Days
      presale.next = data[record + PRESALE.next]!
      presales.set(presale.number, presale)
    }
    return at
  }
