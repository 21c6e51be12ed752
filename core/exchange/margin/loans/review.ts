import type { Units } from '../../../money/brand.ts'
import { writeMarginLevel } from '../../../protocol/codec/margin-write.ts'
import type { State } from '../../state/state.ts'
import { LIQUIDATING, SAFE, WATCH, accountKey } from '../records/account.ts'
import type { Account } from '../records/account.ts'
import { canAct } from '../rules/acting.ts'
import { assetsIn, thresholdsOf, worth } from '../rules/value.ts'
import type { Worth } from '../rules/value.ts'

/** Largest number of accounts that one command visits, and of those that it values. */
export const passedMax = 20_000
export const valuedMax = 500
/** Number of orders that count as one more account. */
const ordersAtOnce = 32

/**
 * State of an account: watched at or below the warning; liquidated at or below the liquidation threshold, until it is back at the
 * warning or owes nothing. An account whose only risk is in prices that are not good, or in halted markets, is watched and waits.
 */
function standing(x: State, account: Account, now: Worth): number {
  if (account.takenMs > 0) return LIQUIDATING
  if (account.debts.length === 0) return SAFE
  if (x.margin.terms === undefined) return account.state
  const { call, liquidation } = thresholdsOf(x, account, now.debt)
  if (account.state === LIQUIDATING && now.level < call) return LIQUIDATING
  if (now.level <= liquidation) return canAct(x, account) ? LIQUIDATING : WATCH
  return now.level <= call ? WATCH : SAFE
}

/** Reviews an account after its assets or debts changed, and emits an event if it crossed a threshold. */
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

/** Reviews all accounts with debt after prices or terms changed, one page per command. */
export function reviewAll(x: State): void {
  const { margin } = x
  if (margin.indebted.size === 0) return
  if (margin.reviewFrom >= 0) margin.reviewsAgain = true
  else margin.reviewFrom = 0
  reviewSome(x)
}

/**
 * Reviews the next accounts, ordered by user and market. Accounts that can't have come near a threshold since their last review are
 * passed over. Accounts in liquidation try their next step.
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
  // An account that waits for a better book or price tries again.
  if (account.state === LIQUIDATING) x.margin.steps.add(accountKey(account.user, account.market))
  account.calmUntil = x.margin.moved + calmFor(x, account, now)
}

/** Upper bound of the calm of an account, in 1e-9. */
const calmMax = 150_000_000
const calmUnit = 1_000_000_000
/** Calm is computed only for sums below this, so that nothing overflows. */
const calmAssetsMax = 2 ** 50

/**
 * Price movement before which a safe account can't need a warning, in 1e-9, rounded down. If no price moves by more than the
 * part m, assets fall and debts rise by at most m, so the level shrinks at most by the factor (1 − m) ÷ (1 + m) ≥ 1 − 2m; over
 * many ticks, at most by the sum of their 2m ÷ (1 − m). Each value is rounded by less than a unit; two units per asset and two
 * per order are subtracted beforehand. This only saves work: an account that is not calm is reviewed, and the review decides.
 */
function calmFor(x: State, account: Account, { assets, debt }: Worth): number {
  if (account.state !== SAFE || x.margin.terms === undefined || assets > calmAssetsMax) return 0
  const rounded = 2 * (assetsIn(x, account).length + account.orders.size) + 2
  const level = (Math.max(0, assets - rounded) / (debt + rounded)) * 1_000_000
  // A growing debt can reach a tier with a higher threshold.
  const { call } = thresholdsOf(x, account, (debt * 1.25) as Units)
  return level <= call ? 0 : Math.max(0, Math.min(calmMax, Math.floor((1 - call / level - 0.0001) * calmUnit)))
}
