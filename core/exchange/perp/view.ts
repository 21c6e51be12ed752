import type { Lots, Millis, Units } from '../../money/brand.ts'
import type { MarketId, UserId } from '../../protocol/ids.ts'
import { marginModes, positionSides } from '../../protocol/command/perp.ts'
import { marketPhases } from '../../protocol/market.ts'
import type { MarkView, PerpAccountView, PerpOrdersMargin, PerpPosition } from '../../protocol/port.ts'
import { fundingRate } from '../../risk/perp-mark.ts'
import { rankOf } from '../../risk/perp-rank.ts'
import type { State } from '../state/state.ts'
import { viewCeiling } from '../state/ceiling.ts'
import { shownPrice } from './positions/flush.ts'
import { viewInterest } from './rules/interest.ts'
import { equityOf, perpRow, profitOf, transferableOf, valueAtMark } from './rules/money.ts'
import type { Contract, Holding } from './records/state.ts'
import { holdingsOf } from './positions/close.ts'

/** A user's Futures account as of the last command. */
export function viewPerpAccount(x: State, user: UserId): PerpAccountView {
  const row = perpRow(x, user)
  const account = x.perp.knownAccount(user)
  const holdings = account === undefined ? [] : holdingsOf(account)
  return {
    isHedge: account?.isHedge ?? false,
    available: x.ledger.available(row),
    held: x.ledger.held(row),
    transferable: transferableOf(x, user),
    settings: x.perp.list.map((contract) => {
      const setting = account?.settings.get(contract.id)
      return { market: contract.id, leverage: setting?.leverage ?? 1, mode: marginModes[setting?.mode ?? 1] }
    }),
    positions: holdings.flatMap((holding) => (holding.lots === 0 ? [] : [viewPosition(x, holding)])),
    orders: holdings.flatMap((holding) =>
      holding.openLots[0] + holding.openLots[1] + holding.ordersMargin === 0 ? [] : [viewOrders(holding)],
    ),
    interest: viewInterest(x, user),
    ceiling: viewCeiling(x, user),
  } as unknown as PerpAccountView
}

/** The insurance fund's inventories, by market number. */
export function viewInventories(
  x: State,
): readonly { readonly market: MarketId; readonly lots: Lots; readonly cost: Units; readonly sinceMs: Millis }[] {
  return x.perp.list.flatMap(({ id, inventory: { lots, cost, sinceMs } }) =>
    lots === 0 ? [] : [{ market: id as MarketId, lots, cost: cost as Units, sinceMs }],
  )
}

/** Mark, index and funding of every contract. */
export function viewMarks(x: State): readonly MarkView[] {
  return x.perp.list.map((contract) => ({
    market: contract.id,
    mark: contract.mark,
    index: contract.index,
    fundingRate: fundingRate(contract.terms, contract.premium.sum, contract.premium.ms),
    fundingAt: contract.fundingAtMs,
    isGood: contract.isGood,
    phase: marketPhases[contract.gate.phase],
  })) as unknown as readonly MarkView[]
}

function viewOrders({ market, side, ordersMargin, openValue, contract: { q } }: Holding): PerpOrdersMargin {
  const [buys, sells] = [openValue[0] * q, openValue[1] * q]
  return { market, side: positionSides[side], margin: ordersMargin, buys, sells } as unknown as PerpOrdersMargin
}

function viewPosition(x: State, holding: Holding): PerpPosition {
  const { id, user, market, side, mode, leverage, lots, cost, margin, realised, fees, funding, openedAtMs } = holding
  return {
    position: id,
    user,
    market,
    side: positionSides[side],
    mode: marginModes[mode],
    leverage,
    lots,
    cost,
    margin,
    liquidationPrice: shownPrice(x, holding),
    realised,
    fees,
    funding,
    openedAt: openedAtMs,
    adlRank: adlRank(x, holding),
  } as unknown as PerpPosition
}

/** Largest age of the displayed ranks in the queue. Nothing else depends on them. */
const ranksMs = 1000
type Ranks = { readonly atMs: Millis; readonly longs: Float64Array; readonly shorts: Float64Array }
const ranksOf = new WeakMap<Contract, Ranks>()

/** Fifth of the auto-deleveraging queue that the position is in, 5 first; up to a second old, compared to 15 digits. */
export function adlRank(x: State, holding: Holding): 1 | 2 | 3 | 4 | 5 {
  const { contract, lots } = holding
  let ranks = ranksOf.get(contract)
  if (ranks === undefined || x.atMs - ranks.atMs >= ranksMs) {
    ranks = { atMs: x.atMs, longs: scores(x, contract, true), shorts: scores(x, contract, false) }
    ranksOf.set(contract, ranks)
  }
  const sorted = lots > 0 ? ranks.longs : ranks.shorts
  const own = score(x, holding)
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! > own) high = middle
    else low = middle + 1
  }
  return rankOf(sorted.length - low, sorted.length)
}

/** Scores in ascending order. */
function scores(x: State, contract: Contract, isLong: boolean): Float64Array {
  const found = contract.positions.filter(({ lots }) => lots > 0 === isLong)
  return Float64Array.from(found, (holding) => score(x, holding)).sort()
}

function score(x: State, holding: Holding): number {
  const profit = profitOf(holding)
  const leverage = Math.max(1, valueAtMark(holding)) / Math.max(1, equityOf(x, holding))
  const gain = profit / Math.max(1, holding.cost)
  return profit >= 0 ? gain * leverage : gain / leverage
}
