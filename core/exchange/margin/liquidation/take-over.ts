/**
 * Take-overs by the insurance fund: accounts whose own money no longer covers a trade at the index. The fund then owns their
 * assets and owes their debts, so their owners have no further gain or loss. The fund sells the assets close to the index, in
 * portions as long as its caps allow. The cap of an asset:
 *
 *   existing loss + a part of the carried value ≤ fundAssetPpm of the fund's value
 *
 * Likewise for all assets together (fundAllPpm), and for accounts taken over within ten minutes (fundFastPpm).
 */
import type { Lots, Millis, Ppm, Units } from '../../../money/brand.ts'
import type { AssetId, OrderId } from '../../../protocol/ids.ts'
import { writeMarginLiquidated } from '../../../protocol/codec/margin-write.ts'
import { addValues, assetValue, debtValue } from '../../../risk/margin.ts'
import { mulDivCeil, mulDivFloor } from '../../../money/mul-div.ts'
import type { State } from '../../state/state.ts'
import { accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import type { Route } from './convert.ts'
import { insuranceRow } from '../rules/postings.ts'
import { assetsIn, thresholdsOf, indexValue, owedOf, unitsOf, valueIn } from '../rules/value.ts'
import type { Worth } from '../rules/value.ts'

const million = 1_000_000
/** Take-overs within this time count together. */
const fastMs = 600_000
const minuteMs = 60_000
/** Largest number of accounts that the fund carries at a time. */
const takenMax = 64
/** Time for which the fund trades in portions; after it, everything at once. */
const patienceMs = 1_800_000
/**
 * Largest distance from the index at which the fund trades, and its growth with each further day. A trader who keeps all others
 * out of a book and waits must not be able to buy from the fund for less than it costs to make the fund sell.
 */
export const indexDistancePpm = 10_000
const dayMs = 86_400_000
/** Part of the last minute's volume that the fund trades at a time. */
const volumePpm = 100_000
/** Part of the carried value that counts as a loss: for coins to which the terms give almost full weight, and for others. */
const firmPpm = 200_000
const otherPpm = 400_000
const firmWeightPpm = 950_000

/**
 * Takes an account over when the book has no buyer at prices that its own money covers: with patience if the caps allow it,
 * otherwise as if the patience were over.
 */
export function takeOver(x: State, account: Account, now: Worth): void {
  const { margin } = x
  const { user, market } = account
  const mayWait = mayTakeOver(x, account, now)
  const { level: levelPpm, assets, debt } = now
  const { liquidation: liquidationPpm } = thresholdsOf(x, account, debt)
  const nothing = { order: 0 as OrderId, fee: 0 as Units, insured: 0 as Units }
  writeMarginLiquidated(x.events, { user, market, levelPpm, liquidationPpm, assets, debt, ...nothing })
  account.takenMs = mayWait ? x.atMs : Math.max(1, x.atMs - patienceMs)
  margin.taken.add(accountKey(user, market))
  if (!mayWait) return
  const [asset, risk] = riskOf(x, account, now)
  const atMs = (x.atMs - (x.atMs % minuteMs)) as Millis
  const known = margin.takings.find((one) => one.atMs === atMs && one.asset === asset)
  if (known === undefined) margin.takings.push({ atMs, asset: asset as AssetId, risk: risk as Units })
  else known.risk = addValues(known.risk, risk as Units)
}

/** Returns the account to its owner: it owes nothing any more, and its remaining assets belong to the fund. */
export function release(x: State, account: Account): void {
  account.takenMs = 0
  x.margin.taken.delete(accountKey(account.user, account.market))
}

/** Whether the fund's caps allow a take-over with patience. */
function mayTakeOver(x: State, account: Account, now: Worth): boolean {
  const { terms, accounts, taken } = x.margin
  if (account.takenMs > 0 || taken.size >= takenMax) return false
  const fund = fundValue(x)
  const [asset, risk] = riskOf(x, account, now)
  const within = (sum: Units, ppm: Ppm): boolean => sum <= mulDivFloor(fund, ppm, million)
  let [ofAsset, ofAll] = [risk, risk]
  for (const key of taken) {
    const other = accounts.get(key)!
    const [where, more] = riskOf(x, other, valueOf(x, other))
    ofAll = addValues(ofAll as Units, more as Units)
    if (where === asset) ofAsset = addValues(ofAsset as Units, more as Units)
  }
  x.margin.takings = x.margin.takings.filter(({ atMs }) => x.atMs - atMs < fastMs)
  const fast = x.margin.takings.reduce((sum, one) => (one.asset === asset ? addValues(sum as Units, one.risk) : sum), risk) as Units
  return within(ofAsset as Units, terms!.fundAssetPpm) && within(ofAll as Units, terms!.fundAllPpm) && within(fast, terms!.fundFastPpm)
}

/** Whether the fund still trades in portions. */
export function isPatient(x: State, account: Account): boolean {
  return account.takenMs > 0 && x.atMs - account.takenMs < patienceMs
}

/** Largest distance from the index at which the fund trades for an account that it took over, in ppm. */
export function takenSlippage(x: State, account: Account): Ppm {
  const days = Math.floor(Math.max(0, x.atMs - account.takenMs - patienceMs) / dayMs)
  return Math.min(million, indexDistancePpm * (1 + days)) as Ppm
}

/** Lots that one step trades of an account taken over: a part of the last minute's volume, at least the smallest order. */
export function workOff(x: State, account: Account, { venue, reference }: Route, lots: Lots): Lots {
  if (!isPatient(x, account)) return lots
  const least = Math.max(venue.market.terms.lotsMin, Math.ceil(venue.market.terms.notionalMin / (reference * venue.quotePerTickLot)))
  return Math.min(lots, Math.max(least, mulDivFloor(venue.average.lastMinute(x.atMs), volumePpm, million))) as Lots
}

/**
 * The coin with the largest value in an account, held or owed, and how much the account counts against the fund's caps, in USDT
 * units.
 */
function riskOf(x: State, account: Account, { assets, debt }: Worth): readonly [asset: number, risk: number] {
  let [first, most, carried] = [0, -1, 0]
  for (const asset of assetsIn(x, account)) {
    if (asset === x.usdt) continue
    const owed = debtValue(owedOf(account, asset as AssetId), indexValue(x, asset as AssetId))
    const value = Math.abs(valueIn(x, asset as AssetId, unitsOf(x, account, asset as AssetId)) - owed)
    carried = addValues(carried as Units, mulDivCeil(value, isFirm(x, asset as AssetId) ? firmPpm : otherPpm, million) as Units)
    if (value <= most) continue
    first = asset
    most = value
  }
  return [first, addValues(carried as Units, Math.max(0, debt - assets) as Units)]
}

function isFirm(x: State, asset: AssetId): boolean {
  return x.margin.terms!.weights.some((weight) => weight.asset === asset && weight.weightPpm >= firmWeightPpm)
}

function valueOf(x: State, account: Account): Worth {
  let [assets, debt] = [0, 0]
  for (const asset of assetsIn(x, account)) {
    assets = addValues(assets as Units, valueIn(x, asset as AssetId, unitsOf(x, account, asset as AssetId)))
    debt = addValues(debt as Units, debtValue(owedOf(account, asset as AssetId), indexValue(x, asset as AssetId)))
  }
  return { assets: assets as Units, debt: debt as Units, level: 0 as Ppm }
}

/** Value of everything the fund holds, in USDT units. */
function fundValue(x: State): number {
  let value = 0
  for (const { id } of x.assets) value = addValues(value as Units, assetValue(x.ledger.available(insuranceRow(x, id)), indexValue(x, id)))
  return value
}
