import type { MarketId, OrderId } from '../../../protocol/ids.ts'
import type { Lots, Ppm, Ticks } from '../../../money/brand.ts'
import { writePerpLevel } from '../../../protocol/codec/perp-write.ts'
import { watchStates } from '../../../protocol/event/perp.ts'
import { calmPpm, liquidationPrice, maintenanceMargin, positionValue, watchPpm } from '../../../risk/perp.ts'
import { ticksMax } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { crossEquity, crossMaintenance, cushionOf, equityOf, maintenanceOf, valueAtMark } from '../rules/money.ts'
import type { Holding, PerpAccount, Waiting, Watched } from '../records/state.ts'

/** Largest number of warned users that one tick checks for recovery. */
const releasedMax = 1000

const SAFE = watchStates.indexOf('safe')
const WATCH = watchStates.indexOf('watch')

/**
 * Sets the marks at which an account's open positions need attention: a position is to be watched there or, if it is watched
 * already, liquidated. Several cross positions depend on all their marks together, so none of them has such a mark.
 */
export function setLevels(x: State, account: PerpAccount): void {
  for (const holding of account.holdings) if (holding.lots !== 0 && !holding.isCross) setIsolatedLevel(holding)
  setCrossLevels(x, account)
}

export function setIsolatedLevel(holding: Holding): void {
  const { lots, cost, margin, contract } = holding
  const level = liquidationPrice(lots, cost, margin, ppmOf(holding, holding.isWatched), contract.q)
  contract.setLevel(holding, (holding.isLiquidating ? 0 : holding.advance > 0 ? anyMark(lots) : level) as Ticks)
}

/** A level that every mark is beyond, so that each index tick checks a position that owes the fund. */
function anyMark(lots: Lots): Ticks {
  return lots > 0 ? ticksMax : (1 as Ticks)
}

export function setCrossLevels(x: State, account: PerpAccount): void {
  // The next tick checks the account, because its positions changed.
  if (account.at >= 0) x.perp.mixed.put(account, x.perp.moved + 1)
  const isSingle = account.cross.length === 1 && !account.isLiquidating
  for (const holding of account.cross) {
    const { lots, cost, contract } = holding
    const level = (
      isSingle ? liquidationPrice(lots, cost, cushionOf(x, holding), ppmOf(holding, account.isWatched), contract.q) : 0
    ) as Ticks
    contract.setLevel(holding, isSingle && holding.advance > 0 ? anyMark(lots) : level)
  }
}

function ppmOf({ maintenancePpm, watchedPpm }: Holding, isWatched: boolean): Ppm {
  return isWatched ? maintenancePpm : watchedPpm
}

/** Whether an isolated position, or a cross account, has no more than its maintenance margin at the mark, or owes the fund. */
export function isRuined(x: State, { account, holding }: Waiting): boolean {
  if (holding !== undefined) return holding.lots !== 0 && (holding.advance > 0 || equityOf(x, holding) <= maintenanceOf(holding))
  if (account.cross.length === 0) return false
  return account.cross.some(({ advance }) => advance > 0) || crossEquity(x, account) <= crossMaintenance(account)
}

/** Whether a position or cross account has at most the margin by the rates that `change` computes from the maintenance rates. */
function isBelow(x: State, { account, holding }: Waiting, change: (ppm: Ppm) => number): boolean {
  const needed = (one: Holding): number => maintenanceMargin(valueAtMark(one), change(one.maintenancePpm) as Ppm)
  if (holding !== undefined) return equityOf(x, holding) <= needed(holding)
  let sum = 0
  for (const one of account.cross) sum += needed(one)
  return crossEquity(x, account) <= sum
}

/** Whether a cross account is close to liquidation or may be liquidated. */
export function isCrossClose(x: State, account: PerpAccount): boolean {
  let sum = 0
  for (const { lots, contract, watchedPpm, advance } of account.cross) {
    if (advance > 0) return true
    sum += maintenanceMargin(positionValue(lots, contract.mark, contract.q), watchedPpm)
  }
  return crossEquity(x, account) <= sum
}

/** Warns accounts close to liquidation, in an order that a restored exchange has too. */
export function watchSome(x: State, candidates: readonly Waiting[]): void {
  const found: Watched[] = []
  for (const { account, holding } of candidates) {
    if ((holding ?? account).isWatched || !isBelow(x, { account, holding }, watchPpm)) continue
    if (holding === undefined && !account.cross.some(({ contract }) => contract.isGood)) continue
    ;(holding ?? account).isWatched = true
    found.push({ account, holding, position: holding?.id ?? (0 as OrderId) })
  }
  found.sort((a, b) => a.account.user - b.account.user || a.position - b.position)
  for (const one of found) tell(x, one, WATCH)
  x.perp.watched.push(...found)
}

/** Reports accounts that have recovered, or are gone. */
export function releaseSome(x: State): void {
  const { watched } = x.perp
  if (watched.length === 0) return
  const looked = watched.splice(0, releasedMax)
  const left = looked.filter((one) => isStillThere(one) && isBelow(x, one, calmPpm))
  // Those just checked go to the end, so that the others come first next time.
  for (const one of left) watched.push(one)
  if (left.length === looked.length) return
  const kept = new Set(left)
  for (const one of looked) {
    if (kept.has(one)) continue
    ;(one.holding ?? one.account).isWatched = false
    tell(x, one, SAFE)
  }
}

function isStillThere({ account, holding, position }: Watched): boolean {
  return holding === undefined ? account.cross.length > 0 : holding.lots !== 0 && holding.id === position && !holding.isCross
}

function tell(x: State, { account, holding, position }: Watched, state: number): void {
  writePerpLevel(x.events, account.user, (holding?.market ?? 0) as MarketId, position, state)
  setLevels(x, account)
}
