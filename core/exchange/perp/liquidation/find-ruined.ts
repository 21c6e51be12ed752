import type { Ticks } from '../../../money/brand.ts'
import { positionValue } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { canAct } from './liquidate.ts'
import { crossEquity, crossMaintenance } from '../rules/money.ts'
import { Smallest } from '../records/smallest.ts'
import type { PerpAccount, Waiting } from '../records/state.ts'
import { isCrossClose, isRuined, watchSome } from '../positions/watch.ts'

/** Largest number of positions and cross accounts that one command checks; the others follow with clock ticks. */
const positionsMax = 128
const accountsMax = 250

/**
 * Starts a check of the positions and accounts that marks have reached, after an index tick. If a check is under way, another one
 * follows it.
 */
export function beginLook(x: State): void {
  const { perp } = x
  if (perp.lookedTo > 0) perp.looksAgain = true
  else perp.looksOn = true
  perp.moved += perp.movedBy + 1
  perp.movedBy = 0
}

/** Whether positions or accounts still wait for their check. */
export function isLooking(x: State): boolean {
  const { first } = x.perp.mixed
  return x.perp.looksOn || (first !== undefined && first.calmUntil <= x.perp.moved)
}

/**
 * Checks the positions whose level a mark has reached. Accounts with several cross positions have no such level: they are valued
 * only when marks have moved so far that they could be close to liquidation. Warnings are sent before anything is liquidated.
 */
export function lookSome(x: State): void {
  const found = [...reached(x), ...uncalm(x)]
  if (found.length === 0) return
  watchSome(x, found)
  // Sorted, because a restored exchange has these lists in another order.
  const ruined = found.filter((one) => canAct(one) && isRuined(x, one))
  const position = ({ holding }: Waiting): number => holding?.id ?? Infinity
  ruined.sort((a, b) => position(a) - position(b) || a.account.user - b.account.user)
  for (const { account, holding } of ruined) x.perp.enqueue(account, holding)
}

/** Positions whose level a mark has reached, by position number. */
function reached(x: State): Waiting[] {
  const { perp } = x
  if (!perp.looksOn) return []
  const smallest = new Smallest(positionsMax)
  for (const contract of perp.list) {
    if (!contract.isGood) continue
    const { levels, mark, positions } = contract
    const count = positions.length
    for (let n = nextReached(levels, 0, count, mark); n < count; n = nextReached(levels, n + 1, count, mark)) {
      const holding = positions[n]!
      if (holding.id > perp.lookedTo) smallest.add(holding)
    }
  }
  const holdings = smallest.sorted()
  perp.lookedTo = smallest.isCut ? holdings.at(-1)!.id : 0
  if (!smallest.isCut) {
    perp.looksOn = perp.looksAgain
    perp.looksAgain = false
  }
  return holdings.map((holding) => ({ account: holding.account, holding: holding.isCross ? undefined : holding }))
}

/** The first index from `from` on whose level the mark has reached, or `count`. A separate function, because a tick reads all of them. */
function nextReached(levels: Float64Array, from: number, count: number, mark: Ticks): number {
  let n = from
  for (; n < count; n++) {
    const level = levels[n]!
    if (level > 0 ? mark <= level : level < 0 && mark >= -level) break
  }
  return n
}

/** Accounts with several cross positions that could be close to liquidation. */
function uncalm(x: State): Waiting[] {
  const { perp } = x
  const found: Waiting[] = []
  for (let n = 0; n < accountsMax; n++) {
    const account = perp.mixed.first
    if (account === undefined || account.calmUntil > perp.moved) break
    const isClose = isCrossClose(x, account)
    perp.mixed.put(account, perp.moved + (isClose ? 1 : Math.max(1, calmFor(x, account))))
    if (isClose) found.push({ account, holding: undefined })
  }
  return found
}

/** Upper bound of calm: 15 %, in 1e-9. */
const calmMax = 150_000_000

/**
 * Movement of marks, in 1e-9, before which an account can't be close to liquidation. If no mark moves by more than the part m,
 * equity and required margin change by at most m × Σ value × (1 + rate). The moves m₁, m₂ … of many ticks are at most 1.08 × their sum
 * while that is at most 15 %.
 *
 *   room ÷ (Σ value × (1 + rate)) × 0.92
 */
function calmFor(x: State, account: PerpAccount): number {
  let value = 0
  let needed = 0
  for (const { lots, contract, watchedPpm } of account.cross) {
    const at = positionValue(lots, contract.mark, contract.q)
    value += at * (1 + watchedPpm / 1_000_000)
    needed += Math.ceil((at * watchedPpm) / 1_000_000) + 2
  }
  const room = crossEquity(x, account) - Math.max(needed, crossMaintenance(account))
  return Math.floor(Math.min(calmMax, Math.max(0, (room / value) * 920_000_000)))
}
