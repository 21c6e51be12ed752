import type { SideNumber } from '../../../book/codes.ts'
import type { IndexPrice, Lots, Millis, Ticks } from '../../../money/brand.ts'
import { BUY, SELL_SIDE } from '../../../book/codes.ts'
import type { Book } from '../../../book/book.ts'
import { layoutOf, putRecord } from '../../../protocol/codec/records.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { basisSample, distanceOf, impactPrice, premium, sampleHoldMs, thinHoldMs } from '../../../risk/perp-mark.ts'
import type { Contract } from './state.ts'

/** Largest number of levels that an impact price uses. A side that needs more counts as a side without depth. */
const levelsMax = 200

const PREMIUM = layoutOf('sum', 'ms', 'now', 'atMs', 'bidDistance', 'bidSeenAtMs', 'askDistance', 'askSeenAtMs')

/** Measurements of a contract's book against the index: the premium of the running period, and each side's last depth. */
export class Premium {
  /** Sum of premium × milliseconds of the running period, and those milliseconds. */
  sum = 0
  ms = 0
  /** The premium since the last sample, and its time. */
  now = 0
  atMs = 0 as Millis
  /** Each side's distance from the index when it last had depth (0 bids, 1 asks), and that time. */
  readonly distance: [number, number] = [0, 0]
  readonly seenAtMs: [number, number] = [0, 0]

  /** Starts the next period without premium. */
  clear(): void {
    this.sum = 0
    this.ms = 0
  }

  dump(into: Records): void {
    const { sum, ms, now, atMs } = this
    const [bidDistance, askDistance] = this.distance
    const [bidSeenAtMs, askSeenAtMs] = this.seenAtMs
    putRecord(into, PREMIUM, { sum, ms, now, atMs, bidDistance, bidSeenAtMs, askDistance, askSeenAtMs })
  }

  restore(data: Float64Array, at: number): number {
    this.sum = data[at + PREMIUM.sum]!
    this.ms = data[at + PREMIUM.ms]!
    this.now = data[at + PREMIUM.now]!
    this.atMs = data[at + PREMIUM.atMs] as Millis
    this.distance[0] = data[at + PREMIUM.bidDistance]!
    this.seenAtMs[0] = data[at + PREMIUM.bidSeenAtMs]!
    this.distance[1] = data[at + PREMIUM.askDistance]!
    this.seenAtMs[1] = data[at + PREMIUM.askSeenAtMs]!
    return at + PREMIUM.length
  }

  /** Version 12 stored the sum and count of five-second samples; the mean of the running period is kept. */
  restore12(sum: number, count: number): void {
    const most = 100_000_000
    const mean = count === 0 ? 0 : Math.max(-most, Math.min(most, Math.floor(sum / count)))
    this.ms = count * sampleHoldMs
    this.sum = mean * this.ms
  }
}

/** Samples the book at an index tick: the previous sample counts for the time that it was valid. */
export function sampleBook(contract: Contract, index: IndexPrice, atMs: Millis): void {
  const { basis, premium: kept, terms, venue } = contract
  const held = kept.atMs === 0 ? 0 : Math.min(sampleHoldMs, atMs - kept.atMs)
  kept.sum += kept.now * held
  kept.ms += held
  const most = terms.impactValue / contract.q
  const [bid, ask] = [impact(venue.book, BUY, most, venue.indexPerTick), impact(venue.book, SELL_SIDE, most, venue.indexPerTick)]
  const [bidDistance, askDistance] = [see(kept, 0, bid, index, atMs), see(kept, 1, ask, index, atMs)]
  kept.now = premium(bidDistance, askDistance)
  kept.atMs = atMs
  // The mark follows only a book with depth on both sides; without it the basis fades as its window passes.
  basis.add(atMs, bid === 0 || ask === 0 ? 0 : basisSample(bidDistance, askDistance, terms.markClampPpm))
}

/** Distance of a side. A side without depth keeps its last distance for five minutes; then it is zero. */
function see(kept: Premium, side: 0 | 1, price: IndexPrice, index: IndexPrice, atMs: Millis): number {
  if (price === 0) return atMs - kept.seenAtMs[side] <= thinHoldMs ? kept.distance[side] : 0
  kept.distance[side] = distanceOf(price, index)
  kept.seenAtMs[side] = atMs
  return kept.distance[side]
}

/** Average price of this value (tick × lot) on one side, in index units; 0 if the side has less. */
function impact(book: Book, side: SideNumber, most: number, indexPerTick: number): IndexPrice {
  let value = 0
  let lots = 0
  let price = book.best(side)
  for (let n = 0; price !== 0 && value < most && n < levelsMax; n++) {
    const shown = book.ladder.lotsAt(price as Ticks)
    const taken = Math.min(shown, Math.max(1, Math.ceil((most - value) / price)))
    value += taken * price
    lots += taken
    price = side === BUY ? book.ladder.nextBid(price as Ticks) : book.ladder.nextAsk(price as Ticks)
  }
  return value < most ? (0 as IndexPrice) : impactPrice(value, lots as Lots, indexPerTick, side === BUY)
}
