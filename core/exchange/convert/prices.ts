/** Prices of conversions: the index or the own book, whichever is worse for the user. */
import type { SideNumber } from '../../book/codes.ts'
import { BUY, SELL_SIDE } from '../../book/codes.ts'
import type { IndexPrice, Lots, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { AssetId } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { type PricePair, usdtPrice } from '../../risk/convert.ts'
import type { Venue } from '../records/venue.ts'
import type { State } from '../state/state.ts'

/** Levels of a book that a quote looks at. */
const levelsMax = 200

/** Good index price of an asset in USDT; undefined while it has none. */
export function indexOf(x: State, asset: AssetId): IndexPrice | undefined {
  if (asset === x.usdt) return usdtPrice
  const venue = x.usdtVenues[asset]
  return venue?.isIndexGood === true && venue.indexPrice > 0 ? venue.indexPrice : undefined
}

/** Good index prices of both assets. */
export function pairOf(x: State, from: AssetId, to: AssetId): PricePair | undefined {
  const [one, other] = [indexOf(x, from), indexOf(x, to)]
  return one === undefined || other === undefined ? undefined : { from: one, to: other }
}

/**
 * Price at which the inventory takes (`isBuying` false) or gives an asset: the average of the own book over `units` of it, but never
 * better for the user than the index.
 *
 * returns    the price, or a refusal: NO_INDEX_PRICE, MARKET_HALTED, NO_LIQUIDITY when the book has not as much near the index
 */
export function executable(x: State, asset: AssetId, units: Units, isBuying: boolean): IndexPrice | Refusal {
  if (asset === x.usdt) return usdtPrice
  const index = indexOf(x, asset)
  if (index === undefined) return 'NO_INDEX_PRICE'
  const venue = x.usdtVenues[asset]!
  if (x.atMs < venue.opensAtMs) return 'MARKET_HALTED'
  const book = averageOf(venue, Math.ceil(units / venue.basePerLot) as Lots, (isBuying ? SELL_SIDE : BUY) as SideNumber)
  if (book === undefined || isFar(book, index, x.convert.terms!.bookPpm)) return 'NO_LIQUIDITY'
  return (isBuying ? Math.max(index, book) : Math.min(index, book)) as IndexPrice
}

/**
 * Average price of the first `lots` of a side, in index units: rounded up for asks, down for bids. Undefined when the book has less.
 */
function averageOf(venue: Venue, lots: Lots, side: SideNumber): IndexPrice | undefined {
  let left: number = lots
  let sum = 0n
  for (const level of venue.book.levels(side, levelsMax) as readonly { readonly price: Ticks; readonly lots: Lots }[]) {
    const taken = Math.min(left, level.lots)
    sum += BigInt(level.price) * BigInt(taken)
    left -= taken
    if (left === 0) break
  }
  if (left > 0) return undefined
  const [dividend, divisor] = [sum * BigInt(venue.indexPerTick), BigInt(lots)]
  return Number(side === BUY ? dividend / divisor : (dividend + divisor - 1n) / divisor) as IndexPrice
}

function isFar(price: IndexPrice, index: IndexPrice, bookPpm: Ppm): boolean {
  return BigInt(Math.abs(price - index)) * 1_000_000n > BigInt(index) * BigInt(bookPpm)
}
