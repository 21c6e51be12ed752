import { writeMarginLevel } from '../../protocol/codec/margin-write.ts'
import type { State } from '../state.ts'
import { LIQUIDATING, SAFE, WATCH, accountKey } from './state.ts'
import type { Account } from './state.ts'
import { bordersOf, worth } from './value.ts'
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
  if (account.debts.length === 0 && account.state === SAFE) return
  const now = worth(x, account)
  const state = standing(x, account, now)
  if (state === account.state) return
  account.state = state
  const key = accountKey(account.user, account.market)
  if (state === LIQUIDATING && !x.margin.steps.includes(key)) x.margin.steps.push(key)
  writeMarginLevel(x.events, account.user, account.market, state, now.level)
}

/** After prices or terms changed: all accounts that owe, in their own order whatever came first. */
export function reviewAll(x: State): void {
  const crossing: Account[] = []
  for (const account of x.margin.indebted) {
    if (standing(x, account, worth(x, account)) !== account.state) crossing.push(account)
  }
  for (const account of x.margin.sorted(crossing)) review(x, account)
}
