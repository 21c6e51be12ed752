import type { Units } from '../../../money/brand.ts'
import { writeMarginLevel } from '../../../protocol/codec/margin-write.ts'
import type { State } from '../../state/state.ts'
import { LIQUIDATING, SAFE, WATCH, accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { canAct } from '../rules/acting.ts'
import { assetsIn, bordersOf, worth } from '../rules/value.ts'
import type { Worth } from '../rules/value.ts'

/** Accounts that one command passes, and of them those that it values, at most. */
export const passedMax = 20_000
export const valuedMax = 500
/** Orders that count as one more account. */
const ordersAtOnce = 32

/**
 * Where an account stands: at or below the warning it is watched, at or below the liquidation border it is liquidated
 * until it is back at the warning or owes nothing. One whose only risk is in prices that are not good, or in markets that
 * are halted, is watched and waits.
 */
function standing(x: State, account: Account, now: Worth): number {
  if (account.takenMs > 0) return LIQUIDATING
  if (account.debts.length === 0) return SAFE
  if (x.margin.terms === undefined) return account.state
  const { call, liquidation } = bordersOf(x, account, now.debt)
  if (account.state === LIQUIDATING && now.level < call) return LIQUIDATING
  if (now.level <= liquidation) return canAct(x, account) ? LIQUIDATING : WATCH
  return now.level <= call ? WATCH : SAFE
}

/** After an account's assets or debts changed: tells when it crossed a border. */
export function review(x: State, account: Account): void {
  account.calmUntil = 0
  if (account.debts.length === 0 && account.state === SAFE) return
  tell(x, account, worth(x, account))
}

function tell(x: State, account: Account, now: Worth): void {
  const state = standing(x, account, now)
  if (state === account.state) return
  account.state = state
  if (state === LIQUIDATING) x.margin.steps.add(accountKey(account.user, account.market))
  writeMarginLevel(x.events, account.user, account.market, state, now.level)
}

/** After prices or terms changed: all accounts that owe are looked at, a page with each command. */
export function reviewAll(x: State): void {
  const { margin } = x
  if (margin.indebted.size === 0) return
  if (margin.reviewFrom >= 0) margin.reviewsAgain = true
  else margin.reviewFrom = 0
  reviewSome(x)
}

/**
 * Looks at the next accounts, in the order of users and markets. Those that can't have come near a border since the last
 * look are passed; those that are being liquidated try their next step.
 */
export function reviewSome(x: State): void {
  const { margin } = x
  const { indebted } = margin
  if (margin.reviewFrom < 0) return
  let place = indebted.placeOf(margin.reviewFrom)
  let valued = 0
  for (let passed = 0; passed < passedMax && valued < valuedMax; passed++) {
    const account = indebted.at(place++)
    if (account === undefined) return endReview(x)
    if (margin.moved < account.calmUntil) continue
    valued += 1 + Math.floor(account.orders.size / ordersAtOnce)
    look(x, account)
  }
  const next = indebted.at(place)
  if (next === undefined) return endReview(x)
  margin.reviewFrom = accountKey(next.user, next.market)
}

function endReview({ margin }: State): void {
  margin.reviewFrom = margin.reviewsAgain ? 0 : -1
  margin.reviewsAgain = false
}

function look(x: State, account: Account): void {
  const now = worth(x, account)
  tell(x, account, now)
  // Whoever waits for a better book or price tries again.
  if (account.state === LIQUIDATING) x.margin.steps.add(accountKey(account.user, account.market))
  account.calmUntil = x.margin.moved + calmFor(x, account, now)
}

/** Nobody is calm for longer than this, in 1e-9. */
const calmMax = 150_000_000
const calmUnit = 1_000_000_000
/** Sums so small that nothing overflows. */
const calmAssetsMax = 2 ** 50

/**
 * How far prices may move until a safe account could need a warning, in 1e-9, rounded down. When no price moves by more
 * than the part m, assets fall by at most m and debts rise by at most m, so the level loses at most the factor
 * (1 − m) ÷ (1 + m) ≥ 1 − 2m; in many ticks no more than the sum of their 2m ÷ (1 − m). Each value is rounded by less than a
 * unit, of which two an asset and two an order are taken off before. Nothing depends on this but work saved: an account that
 * is not calm is looked at, and the look decides.
 */
function calmFor(x: State, account: Account, { assets, debt }: Worth): number {
  if (account.state !== SAFE || x.margin.terms === undefined || assets > calmAssetsMax) return 0
  const rounded = 2 * (assetsIn(x, account).length + account.orders.size) + 2
  const level = (Math.max(0, assets - rounded) / (debt + rounded)) * 1_000_000
  // Debts that rise can come to a tier with a higher border.
  const { call } = bordersOf(x, account, (debt * 1.25) as Units)
  return level <= call ? 0 : Math.max(0, Math.min(calmMax, Math.floor((1 - call / level - 0.0001) * calmUnit)))
}
