/**
 * Arithmetic of margin accounts, shared by the core and the phone app. Assets round down and debts up, so no account looks better
 * than it is. Values are USDT units at index prices; a level is assets ÷ debt in ppm, rounded down.
 */
import type { AssetId } from '../protocol/ids.ts'
import type { IndexPrice, Ppm, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { MarginTerms, MarginTier } from '../protocol/command/margin.ts'
import { firstInterest, poolRoom, userRoom } from './margin-rate.ts'
import type { PoolSums } from './margin-rate.ts'
import { openPpm } from './margin-terms.ts'

const million = 1_000_000
/** Index price of USDT itself, at 1e-8. */
export const oneUsdt = 100_000_000

/** Upper bound of all values: an overflow in a very rich account must not stop the exchange. */
export const valueMax = (2 ** 52) as Units
/** Upper bound of all levels, and the level of an account without debt. */
export const levelMax = (2 ** 52) as Ppm

/** Index price of one whole coin, at 1e-8 of a USDT, and the divisor of `units × price`: see `divisorOf`. */
export type IndexValue = { readonly price: IndexPrice; readonly divisor: number }

/** 10^(scale + 8 − usdtScale): units of an asset × its index price ÷ this number gives USDT units. */
export function divisorOf(scale: number, usdtScale: number): number {
  return 10 ** (scale + 8 - usdtScale)
}

/** Value of an asset in an account: ⌊units × price ÷ divisor⌋, at most `valueMax`. */
export function assetValue(units: Units, { price, divisor }: IndexValue): Units {
  return floorValue(units, price, divisor) as Units
}

/** Units of an asset with a given value: ⌈value × divisor ÷ price⌉, at most `valueMax`. The price must be above zero. */
export function unitsWorth(value: Units, { price, divisor }: IndexValue): Units {
  return ceilValue(value, divisor, price)
}

/** Index price of one asset in another, at 1e-8, rounded down, at most `valueMax`; 0 when the other has none. */
export function pairPrice(base: IndexValue, quote: IndexValue): IndexPrice {
  return quote.price === 0 ? (0 as IndexPrice) : (floorValue(base.price, oneUsdt, quote.price) as IndexPrice)
}

/** The sum of two values, at most `valueMax`. */
export function addValues(a: Units, b: Units): Units {
  return Math.min(valueMax, a + b) as Units
}

/** Value of a debt: ⌈units × price ÷ divisor⌉, at most `valueMax`. */
export function debtValue(units: Units, { price, divisor }: IndexValue): Units {
  return ceilValue(units, price, divisor)
}

function ceilValue(units: number, price: number, divisor: number): Units {
  const quotient = (units * price) / divisor
  if (quotient >= valueMax) return valueMax
  const slack = quotient * 2 ** -50
  const high = Math.ceil(quotient + slack) as Units
  return high === Math.ceil(quotient - slack) ? high : (Math.min(valueMax, mulDivCeil(units, price, divisor)) as Units)
}

/**
 * The floating-point quotient is off by less than its 2^50th part. Its floor is exact if no whole number lies within that
 * distance, and is used only then.
 */
function floorValue(units: number, price: number, divisor: number): number {
  const quotient = (units * price) / divisor
  if (quotient >= valueMax) return valueMax
  const slack = quotient * 2 ** -50
  const low = Math.floor(quotient - slack)
  return low === Math.floor(quotient + slack) ? low : Math.min(valueMax, mulDivFloor(units, price, divisor))
}

/** ⌊assets × 10^6 ÷ debt⌋, at most `levelMax`; `levelMax` when nothing is owed. */
export function levelPpm(assets: Units, debt: Units): Ppm {
  return debt <= 0 ? levelMax : (floorValue(assets, million, debt) as Ppm)
}

/** The tier for a loan of this value (USDT units): the first that covers it, otherwise the last. */
export function tierOfLoan(terms: MarginTerms, debt: Units): MarginTier {
  return terms.tiers.find((tier) => debt <= tier.loanMax) ?? terms.tiers[terms.tiers.length - 1]!
}

/** Levels of an account, in ppm, at which something changes. */
export type Thresholds = {
  /** A loan may be taken if the level afterwards is at least this. */
  readonly open: number
  /** Assets may leave the account if the level afterwards is at least this. */
  readonly leave: number
  /** At or below this level the owner is warned. A liquidation stops when the level reaches it again. */
  readonly call: Ppm
  /** At or below this level the account is liquidated. */
  readonly liquidation: Ppm
}

/**
 * Thresholds of an account that owes `debt` (USDT units). Isolated: taken from the loan's tier; with leverage L, open = leave = ⌈L ×
 * 10^6 ÷ (L − 1)⌉. Cross: as the terms say, and never above the cross leverage.
 */
export function thresholds(terms: MarginTerms, isIsolated: boolean, debt: Units): Thresholds {
  if (!isIsolated) {
    const open = Math.max(terms.crossBorrowPpm, openPpm(terms.crossLeverage))
    return { open, leave: terms.crossTransferPpm, call: terms.crossCallPpm, liquidation: terms.crossLiquidationPpm }
  }
  const { leverage, liquidationPpm } = tierOfLoan(terms, debt)
  const open = openPpm(leverage)
  return { open, leave: open, call: (liquidationPpm + terms.isolatedCallPpm) as Ppm, liquidation: liquidationPpm }
}

/**
 * One asset of an account: the units that the account has, held ones included, and owes; and the rest of the account, in USDT
 * units. Everything counts as it does when the owner opens, borrows or takes out: see `weightOf` and `doubtPrice`.
 */
export type Holding = IndexValue & {
  /** Part of its value for which the asset counts: 0 while its price is not good. */
  readonly weightPpm: Ppm
  /** Index price at which a debt in the asset counts. */
  readonly debtPrice: IndexPrice
  readonly units: Units
  readonly owed: Units
  readonly otherAssets: Units
  readonly otherDebt: Units
}

/**
 * Part of its value, in ppm, for which an asset counts when its owner borrows, opens or takes out. In isolated accounts
 * everything counts in full.
 */
export function weightOf(terms: MarginTerms, isIsolated: boolean, asset: AssetId, usdt: AssetId): Ppm {
  if (isIsolated || asset === usdt) return million as Ppm
  return terms.weights.find((weight) => weight.asset === asset)?.weightPpm ?? terms.weightPpm
}

/** The part of a value (USDT units) that counts: ⌊value × weightPpm ÷ 10^6⌋. */
export function weighted(value: Units, weightPpm: Ppm): Units {
  return weightPpm === million ? value : (floorValue(value, weightPpm, million) as Units)
}

/**
 * Price at which a debt counts for the owner's own actions while the asset's price is not good: a tenth above the last good
 * price, rounded up.
 */
export function doubtPrice(lastGood: IndexPrice): IndexPrice {
  return Math.ceil((lastGood * 11) / 10) as IndexPrice
}

/**
 * Whether the account's loans are within a leverage: with own money 1, at most `leverageMax` − 1 may be borrowed. Leverage 1
 * allows no loan.
 */
export function isWithinLeverage(assets: Units, debt: Units, leverageMax: number): boolean {
  return debt === 0 || (leverageMax > 1 && levelPpm(assets, debt) >= openPpm(leverageMax))
}

/** Level of the account once `amount` more of the asset is borrowed, first interest included: assets and debt in USDT units. */
export function afterLoan(
  terms: MarginTerms,
  holding: Holding,
  pool: PoolSums,
  amount: Units,
): { readonly assets: Units; readonly debt: Units } {
  const owed = (holding.owed + amount + firstInterest(terms, pool, amount)) as Units
  return { assets: assetsWith(holding, (holding.units + amount) as Units), debt: addValues(holding.otherDebt, owedValue(owed, holding)) }
}

/** Value of the account's assets and debt, in USDT units, once `amount` has left the account. */
export function afterLeaving(holding: Holding, amount: Units): { readonly assets: Units; readonly debt: Units } {
  return {
    assets: assetsWith(holding, (holding.units - amount) as Units),
    debt: addValues(holding.otherDebt, owedValue(holding.owed, holding)),
  }
}

/**
 * Whether the account may borrow `amount` more of the asset: the level afterwards, including the first interest, must be at least
 * `open`.
 */
export function mayBorrow(terms: MarginTerms, isIsolated: boolean, holding: Holding, pool: PoolSums, amount: Units): boolean {
  const { assets, debt } = afterLoan(terms, holding, pool, amount)
  return debt < valueMax && levelPpm(assets, debt) >= thresholds(terms, isIsolated, debt).open
}

/**
 * Units of the asset that the account can still borrow, as the pool stands; 0 when that is less than the smallest loan. `userOwed`:
 * debt of all the user's accounts together in the asset. `leverageMax`: the user's own limit.
 */
export function borrowable(
  terms: MarginTerms,
  isIsolated: boolean,
  holding: Holding,
  pool: PoolSums,
  userOwed: Units,
  leverageMax: number,
): number {
  if (holding.price <= 0 || holding.weightPpm === 0) return 0
  const room = Math.min(poolRoom(terms, pool), userRoom(terms, pool, userOwed))
  const isWithin = (amount: Units): boolean => {
    const { assets, debt } = afterLoan(terms, holding, pool, amount)
    return isWithinLeverage(assets, debt, leverageMax)
  }
  const most = largest(room, (amount) => mayBorrow(terms, isIsolated, holding, pool, amount as Units) && isWithin(amount as Units))
  return most < unitsWorth(terms.loanMin, holding) ? 0 : most
}

/** Whether `amount` of the asset may leave the account: the account owes nothing, or the level afterwards is at least `leave`. */
export function mayLeave(terms: MarginTerms, isIsolated: boolean, holding: Holding, amount: Units): boolean {
  const debt = addValues(holding.otherDebt, owedValue(holding.owed, holding))
  if (debt === 0) return true
  return levelPpm(assetsWith(holding, (holding.units - amount) as Units), debt) >= thresholds(terms, isIsolated, debt).leave
}

/** Value of all assets if the account had `units` of this one. */
function assetsWith(holding: Holding, units: Units): Units {
  return addValues(holding.otherAssets, weighted(assetValue(units, holding), holding.weightPpm))
}

function owedValue(owed: Units, { debtPrice, divisor }: Holding): Units {
  return debtValue(owed, { price: debtPrice, divisor })
}

/** The part of `available` that may leave the account, in units. `leverageMax`: the user's own limit. */
export function transferable(terms: MarginTerms, isIsolated: boolean, holding: Holding, available: Units, leverageMax: number): number {
  const isWithin = (amount: Units): boolean => {
    const { assets, debt } = afterLeaving(holding, amount)
    return isWithinLeverage(assets, debt, leverageMax)
  }
  return largest(available, (amount) => mayLeave(terms, isIsolated, holding, amount) && isWithin(amount))
}

/** Assets and debts of a market's isolated account, in units. */
export type Pair = { readonly base: Units; readonly quote: Units; readonly baseOwed: Units; readonly quoteOwed: Units }

/**
 * Inputs for the value of its two assets: the divisors of `divisorOf`, and the quote's own index price (10^8 when it is USDT).
 */
export type PairValue = { readonly baseDivisor: number; readonly quoteDivisor: number; readonly quotePrice: IndexPrice }

/**
 * Index price of the pair (base in quote, at 1e-8) at which the account is liquidated, 0 when there is none. Of all prices at
 * which the level is at or below the liquidation threshold it is the highest if a falling price hurts the account, the lowest if a
 * rising price does. It is found by bisection with the level's own rounding, so the account is not liquidated one unit before it
 * and is liquidated at it.
 */
export function liquidationPrice(terms: MarginTerms, pair: Pair, value: PairValue): IndexPrice {
  if (pair.baseOwed === 0 && pair.quoteOwed === 0) return 0 as IndexPrice
  const isBelow = (price: IndexPrice): boolean => isLiquidated(terms, pair, value, price)
  const highest = (2 ** 50) as IndexPrice
  if (isBelow(1 as IndexPrice)) return isBelow(highest) ? (0 as IndexPrice) : edge(1 as IndexPrice, highest, isBelow)
  return isBelow(highest) ? edge(highest, 1 as IndexPrice, isBelow) : (0 as IndexPrice)
}

function isLiquidated(terms: MarginTerms, pair: Pair, value: PairValue, price: IndexPrice): boolean {
  const quote = { price: value.quotePrice, divisor: value.quoteDivisor }
  const base = { price: floorValue(price, value.quotePrice, oneUsdt) as IndexPrice, divisor: value.baseDivisor }
  const assets = addValues(assetValue(pair.base, base), assetValue(pair.quote, quote))
  const debt = addValues(debtValue(pair.baseOwed, base), debtValue(pair.quoteOwed, quote))
  return levelPpm(assets, debt) <= thresholds(terms, true, debt).liquidation
}

/** Given one number for which the test holds and one for which it fails: the last number, coming from `holds`, for which it holds. */
export function edge<T extends number>(holds: T, fails: T, test: (n: T) => boolean): T {
  let [yes, no] = [holds, fails]
  while (Math.abs(yes - no) > 1) {
    const middle = Math.floor((yes + no) / 2) as T
    if (test(middle)) yes = middle
    else no = middle
  }
  return yes
}

/** The largest n from 0 to `most` for which the test holds, found by bisection; 0 when it holds for no larger one. */
export function largest<T extends number>(most: T, test: (n: T) => boolean): T {
  if (most <= 0) return 0 as T
  return test(most) ? most : edge(0 as T, most, test)
}

/**
 * Value of assets, in USDT units, that must be exchanged for owed ones to bring the level back to `call`:
 *
 *   sold = (call × debt − assets) ÷ (call × (1 − cost) − 1)      cost: costs as a part of the sold amount
 *
 * Rounded up, at most `assets`: everything when the assets are worth less than the debt.
 */
export function amountToSell(assets: number, debt: Units, callPpm: Ppm, costPpm: Ppm): number {
  const gain = mulDivFloor(callPpm, million - costPpm, million) - million
  const missing = ceilValue(debt, callPpm, million) - assets
  if (missing <= 0) return 0
  if (gain <= 0 || assets <= debt) return assets
  return missing / gain >= assets / million ? assets : Math.min(assets, mulDivCeil(missing, million, gain))
}
