/**
 * Checks whether an order may be placed in a margin account. The account is judged as it would be after a fill at the worst price
 * at which the order may trade:
 *
 *   a reducing order   brings in an asset that is owed, gives one that is not, and does not lower the level
 *   any other order    must leave the liquidation threshold plus a cushion; in a cross account, an order that lowers
 *                      the value that counts must also keep the threshold for loans
 *
 * "Does not lower the level" is the bankruptcy price: a reducing order must bring in at least give × debt ÷ assets.
 */
import type { IndexPrice, Ppm, Ticks, Units } from '../money/brand.ts'
import { mulDivCeil } from '../money/mul-div.ts'
import type { MarginTerms } from '../protocol/command/margin.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { addValues, assetValue, thresholds, debtValue, edge, largest, levelPpm, unitsWorth, weighted } from './margin.ts'
import type { IndexValue } from './margin.ts'

const million = 1_000_000

/**
 * An account before an order, in USDT units: assets and debt as the liquidation test counts them, and as they count when the
 * owner opens, borrows or takes out. Assets are reduced by the possible losses of the account's other open orders.
 */
export type AccountValue = { readonly assets: Units; readonly debt: Units; readonly wantedAssets: Units; readonly wantedDebt: Units }

/** One of the order's two assets: the units that the account has of it, held ones included, and owes. */
export type OrderAsset = IndexValue & {
  readonly weightPpm: Ppm
  readonly isGood: boolean
  readonly isUsdt: boolean
  readonly units: Units
  readonly owed: Units
}

/** Units that the order gives and gets at the worst price, and the borrowed part of the given amount. */
export type OrderFill = { readonly give: Units; readonly get: Units; readonly borrowed: Units }

/** Reason why the order may not be placed; undefined if it may. For accounts that owe something or are about to borrow. */
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
  const threshold = thresholds(terms, isIsolated, debt).liquidation + terms.cushionPpm
  if (levelPpm(Math.max(0, assets) as Units, debt) < threshold) return 'MARGIN_LEVEL_LOW'
  if (isIsolated) return undefined
  const fall = weighted(given, give.weightPpm) - weighted(got, get.weightPpm)
  if (fall <= 0 && fill.borrowed === 0) return undefined
  const wanted = addValues(account.wantedAssets, weighted(lent, give.weightPpm)) - fall
  const wantedDebt = addValues(account.wantedDebt, owed)
  return levelPpm(Math.max(0, wanted) as Units, wantedDebt) < thresholds(terms, false, wantedDebt).open ? 'MARGIN_LEVEL_LOW' : undefined
}

/**
 * Whether the order lowers the risk of the debt: the asset it brings in is owed, the one it gives is not, nothing is borrowed,
 * and the fill is no worse than the bankruptcy price. Unless it brings in USDT, it may exceed the missing part of the debt only by
 * the value of a smallest loan or a hundredth of the debt, which allows for fees and whole lots.
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

/** Largest loan, in units, of an order that gives all of `available` plus the loan and trades at the index: at most `borrowable`. */
export function orderLoan(
  terms: MarginTerms,
  isIsolated: boolean,
  account: AccountValue,
  order: { readonly give: OrderAsset; readonly get: OrderAsset; readonly available: Units; readonly borrowable: Units },
): Units {
  const { give, get, available, borrowable } = order
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
 * The worst price for which `isAllowed` holds, searched from `best` (ticks, the most favourable price) to `worst`; 0 when it does
 * not hold for `best`. Whatever is allowed at a price must be allowed at every more favourable one.
 */
export function protection(best: Ticks, worst: Ticks, isAllowed: (price: Ticks) => boolean): Ticks {
  if (isAllowed(worst)) return worst
  return isAllowed(best) ? edge(best, worst, isAllowed) : (0 as Ticks)
}

/**
 * Largest distance from the index at which a liquidation may trade, in ppm: as far as the account's own money covers, less costs
 * and a reserve of 0.5 %. Below zero, the account could not even pay for a trade at the index.
 *
 *   10^6 − ⌈10^12 ÷ level⌉ − costPpm − 5,000
 */
export function liquidationSlippage(level: number, costPpm: Ppm): number {
  if (level <= 0) return -million
  return million - mulDivCeil(million, million, level) - costPpm - 5_000
}
