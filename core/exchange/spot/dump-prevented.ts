import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt, type Read } from '../../protocol/codec/slots.ts'
import type { MarketId } from '../../protocol/ids.ts'
import type { State } from '../state/state.ts'

const COUNT = layoutOf('market', 'lastPrevented')

/** How many prevented matches each spot market has had. */
export function dumpPrevented({ spotVenues }: State, into: Records): void {
  const venues = spotVenues.filter((venue) => venue !== undefined)
  put(into, venues.length)
  for (const { id, lastPrevented } of venues) putRecord(into, COUNT, { market: id, lastPrevented })
}

/** Reads what `dumpPrevented` wrote, after the markets. Returns the index just after it. */
export const restorePrevented =
  ({ spotVenues }: State): Read<number> =>
  (data, start) => {
    let at = start
    for (let left = countAt(data, at++, COUNT.length); left > 0; left--, at += COUNT.length) {
      spotVenues[data[at + COUNT.market] as MarketId]!.lastPrevented = data[at + COUNT.lastPrevented]!
    }
    return at
  }
