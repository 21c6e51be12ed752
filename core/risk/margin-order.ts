/**
 * What an order may do to a margin account. It is judged after a fill at the worst price that it may trade at:
 *
 *   an order that reduces   brings in what is owed, gives what is not, and leaves the level no lower than it was
 *   any other               leaves the liquidation border and a cushion; a cross account also keeps its border for
 *                           loans when its assets come to count for less
 *
 * The last of the first is the bankruptcy price: give × debt ÷ assets is the least that it may bring in.
 */
import type { IndexPrice, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil } from '../money/mul-div.ts'
import type { MarginTerms } from '../protocol/command/margin.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { addValues, assetValue, borders, debtValue, edge, largest, levelPpm, unitsWorth, weighted } from './margin.ts'
import type { IndexValue } from './margin.ts'

const million = 1_000_000

/**
 * An account before an order, in USDT units: what it has and owes as the liquidation test counts it, and as it counts for
 * what its owner wants. What its other orders in the book could lose is taken off the assets.
 */
export type AccountValue = { readonly assets: Units; readonly debt: Units; readonly wantedAssets: Units; readonly wantedDebt: Units }

/** One of the order's two assets: what the account has of it (held included) and owes, in units. */
export type OrderAsset = IndexValue & {
  readonly weightPpm: Ppm
  readonly isGood: boolean
  readonly isUsdt: boolean
  readonly units: Units
  readonly owed: Units
}

/** What the order gives and gets at the worst price, and what of it is borrowed, in units. */
export type OrderFill = { readonly give: Units; readonly get: Units; readonly borrowed: Units }

/** Why the order may not be placed; undefined: it may. The account owes something, or is about to borrow. */
export function checkOrder(
  terms: MarginTerms,
  isIsolated: boolean,
  account: AccountValue,
  give: OrderAsset,
  get: OrderAsset,
  fill: OrderFill,
): Refusal | undefined {
  if (isReducing(terms, account, give, get, fill)) return undefined
  if (!give.isGood || !get.isGood) return 'NO_INDEX_PRICE'
  const [given, got] = [assetValue(fill.give, give), assetValue(fill.get, get)]
  const [lent, owed] = [assetValue(fill.borrowed, give), debtValue(fill.borrowed, give)]
  const debt = addValues(account.debt, owed)
  const assets = addValues(account.assets, lent) - Math.max(0, given - got)
  const border = borders(terms, isIsolated, debt).liquidation + terms.cushionPpm
  if (levelPpm(Math.max(0, assets) as Units, debt) < border) return 'MARGIN_LEVEL_LOW'
  if (isIsolated) return undefined
  const fall = weighted(given, give.weightPpm) - weighted(got, get.weightPpm)
  if (fall <= 0 && fill.borrowed === 0) return undefined
  const wanted = addValues(account.wantedAssets, weighted(lent, give.weightPpm)) - fall
  const wantedDebt = addValues(account.wantedDebt, owed)
  return levelPpm(Math.max(0, wanted) as Units, wantedDebt) < borders(terms, false, wantedDebt).open ? 'MARGIN_LEVEL_LOW' : undefined
}

/**
 * Whether the order lowers the risk of the debt: what it brings in is owed, what it gives is not, nothing is borrowed, and
 * the fill is no worse than the bankruptcy price. It brings in no more than is owed and not yet there, but USDT, and what a
 * smallest loan is worth or a hundredth of the debt for fees and whole lots.
 */
export function isReducing(terms: MarginTerms, account: AccountValue, give: OrderAsset, get: OrderAsset, fill: OrderFill): boolean {
  if (fill.borrowed > 0 || get.owed === 0 || give.units - fill.give < give.owed) return false
  if (!get.isUsdt) {
    const more = assetValue(Math.max(0, get.units + fill.get - get.owed) as Units, get)
    if (more > terms.loanMin && more * 100 > assetValue(get.owed, get)) return false
  }
  return (
    assetValue(fill.get, get) >=
    debtValue(debtValue(fill.give, give), { price: account.debt as number as IndexPrice, divisor: Math.max(1, account.assets) })
  )
}

/**
 * What an order that gives all of `available` and a loan may borrow for that, in units, when it trades at the index:
 * `borrowable` at most.
 */
export function orderLoan(
  terms: MarginTerms,
  isIsolated: boolean,
  account: AccountValue,
  give: OrderAsset,
  get: OrderAsset,
  available: Units,
  borrowable: Units,
): Units {
  if (get.price === 0 || give.price === 0) return 0 as Units
  const isAllowed = (borrowed: Units): boolean => {
    const given = (available + borrowed) as Units
    const fill = { give: given, get: unitsWorth(assetValue(given, give), get), borrowed }
    return checkOrder(terms, isIsolated, account, { ...give, units: (give.units + borrowed) as Units }, get, fill) === undefined
  }
  const most = largest(borrowable, isAllowed)
  return most < unitsWorth(terms.loanMin, give) ? (0 as Units) : most
}

/**
 * The last price, coming from `best` (ticks, the most favourable one) and going to `worst`, for which `isAllowed` holds; 0 when
 * it does not hold for `best`. What is allowed at a price is allowed at every more favourable one.
 */
export function protection(best: Ticks, worst: Ticks, isAllowed: (price: Ticks) => boolean): Ticks {
  if (isAllowed(worst)) return worst
  return isAllowed(best) ? edge(best, worst, isAllowed) : (0 as Ticks)
}

/**
 * How far from the index a liquidation may trade, in ppm: what the account's own money covers, less its costs and a reserve
 * of 0.5 %. Below zero: the account could not pay for a trade at the index.
 *
 *   10^6 − ⌈10^12 ÷ level⌉ − costPpm − 5,000
 */
export function liquidationSlippage(level: number, costPpm: Ppm): number {
  if (level <= 0) return -million
  return million - mulDivCeil(million, million, level) - costPpm - 5_000
}
