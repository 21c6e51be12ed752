import { writeMarginLevel } from '../../protocol/codec/margin-write.ts'
import type { State } from '../state.ts'
import { LIQUIDATING, SAFE, WATCH, accountKey } from './state.ts'
import type { Account } from './state.ts'
import { bordersOf, indexValue, worth } from './value.ts'
import type { Worth } from './value.ts'

/**
 * Where an account stands: at or below the warning it is watched, at or below the liquidation border it is liquidated
 * until it is back at the warning or owes nothing. While a price that matters is not good it stays as it is.
 */
function standing(x: State, account: Account, now: Worth): number {
  if (account.debts.length === 0) return SAFE
  if (!now.isGood || x.margin.terms === undefined) return account.state
  const { call, liquidation } = bordersOf(x, account, now.debt)
  if (now.level <= liquidation || (account.state === LIQUIDATING && now.level < call)) return LIQUIDATING
  return now.level <= call ? WATCH : SAFE
}

/** After an account's assets or debts changed: tells when it crossed a border. */
export function review(x: State, account: Account): void {
  account.calmUntil = 0
  if (account.debts.length === 0 && account.state === SAFE) return
  const now = worth(x, account)
  const state = standing(x, account, now)
  if (state === account.state) return
  account.state = state
  if (state === LIQUIDATING) x.margin.steps.add(accountKey(account.user, account.market))
  writeMarginLevel(x.events, account.user, account.market, state, now.level)
}

/** After prices or terms changed: all accounts that owe, in their own order whatever came first. */
export function reviewAll(x: State): void {
  const { margin } = x
  margin.moved += furthestMove(x)
  const crossing: Account[] = []
  for (const account of margin.indebted) {
    if (margin.moved < account.calmUntil) continue
    const now = worth(x, account)
    if (standing(x, account, now) !== account.state) crossing.push(account)
    else account.calmUntil = margin.moved + calmFor(x, account, now)
  }
  for (const account of margin.sorted(crossing)) review(x, account)
}

/** Nobody is calm for longer than this. */
const calmMax = 0.15
/** Sums that are so large that rounding does not count, and so small that nothing overflows. */
const calmAssetsMin = 10_000_000
const calmAssetsMax = 2 ** 50

/**
 * How far prices may move until a safe account could need a warning. When no price moves by more than the part m, assets
 * fall by at most m and debts rise by at most m, so the level loses at most the factor (1 − m) ÷ (1 + m) ≥ 1 − 2m; in many
 * ticks no more than the sum of their 2m ÷ (1 − m). Nothing depends on this but work saved: an account that is not calm is
 * looked at, and the look decides.
 */
function calmFor(x: State, account: Account, { assets, debt, level }: Worth): number {
  if (account.state !== SAFE || x.margin.terms === undefined || debt < calmAssetsMin || assets > calmAssetsMax) return 0
  // Debts that rise can come to a tier with a higher border.
  const { call } = bordersOf(x, account, debt * 1.25)
  return Math.min(calmMax, 1 - call / level - 0.0001)
}

/** How far a level can have fallen by what prices did since the last look: 2m ÷ (1 − m) of the furthest; 1 when it can't be said. */
function furthestMove(x: State): number {
  const { lastPrices } = x.margin
  let furthest = 0
  for (const { id } of x.assets) {
    const { price } = indexValue(x, id)
    const before = lastPrices[id]
    lastPrices[id] = price
    if (price === before) continue
    const part = before === undefined || before === 0 ? 1 : Math.abs(price / before - 1)
    if (part > furthest) furthest = part
  }
  return furthest >= 0.3 ? 1 : (2 * furthest) / (1 - furthest)
}
