import type { Units } from '../../money/brand.ts'
import { EXTRA, I } from '../../book/order-fields.ts'
import type { AssetId, OrderId } from '../../protocol/ids.ts'
import type { Balance } from '../../protocol/port.ts'
import type { State } from '../state/state.ts'
import { freshOf, pendingInterest } from './loans/lenders.ts'
import { liquidity } from './loans/pool.ts'
import type { Pool } from './records/state.ts'

/** Checks invariants of loans and pools: one sentence for each violation. */
export function marginViolations(x: State): string[] {
  const { margin } = x
  if (margin.terms === undefined) return []
  const wrong: string[] = []
  const check = (isRight: boolean, said: string): void => {
    if (!isRight) wrong.push(said)
  }
  const owed = new Map<number, { principal: Units; interest: Units }>()
  for (const account of margin.accounts.values()) {
    check(margin.indebted.has(account) === account.debts.length > 0, `account ${account.user}/${account.market} is misfiled`)
    for (const { asset, principal, interest } of account.debts) {
      const sum = owed.get(asset) ?? { principal: 0, interest: 0 }
      check(principal >= 0 && interest >= 0 && principal + interest > 0, `debt of ${account.user}/${account.market} in ${asset}`)
      owed.set(asset, { principal: (sum.principal + principal) as Units, interest: (sum.interest + interest) as Units })
    }
  }
  for (const [order] of margin.loans) check(isKept(x, order as OrderId), `the loan of ${order} belongs to no order or list`)
  const balances = x.ledger.accounts()
  for (const { id } of x.assets) {
    const pool = margin.seen(id)
    const { principal, interest } = owed.get(id) ?? { principal: 0, interest: 0 }
    check(principal === pool.principal && interest === pool.interest, `debts in ${id} are not what its pool lent`)
    check(outside(balances, id) + principal + interest === 0, `outside:loans of ${id} is not minus all debts`)
    check(liquidity(x, pool) >= 0, `pool ${id} lent more than it has`)
    checkClaims(x, pool, balances, check)
  }
  return wrong
}

/** Whether a number names a living order that is in no list, or a list with a living order. */
function isKept(x: State, order: OrderId): boolean {
  const slot = x.orders.find(order)
  return slot < 0 ? x.legOf(order) >= 0 : (x.orders.extras.get(x.orders.i[slot * I + EXTRA]!)?.list ?? 0) === 0
}

function checkClaims(x: State, pool: Pool, balances: readonly Balance[], check: (isRight: boolean, said: string) => void): void {
  let claims = 0
  let queued = 0
  let pending = 0
  let earning = 0
  for (const { account, available, held } of balances) {
    if (!('kind' in account) || account.kind !== 'lend' || account.asset !== pool.asset) continue
    claims += available + held
    queued += held
    pending += pendingInterest(x, pool, account.user)
    earning += available + held - freshOf(pool, account.user, x.margin.hour)
  }
  const waiting = pool.queue.reduce((sum, { amount }) => sum + amount, 0)
  const interest = x.ledger.available(x.ledger.systemRow('lend-interest', pool.asset))
  check(claims === pool.claims, `claims in ${pool.asset} are not what its pool counts`)
  check(queued === pool.queued && waiting === queued, `the queue of ${pool.asset} is not what is held`)
  check(earning === pool.earning, `what earns in ${pool.asset} is not what its pool counts`)
  check(pending + pool.pot + pool.reserve <= interest && pool.pot >= 0 && pool.reserve >= 0, `interest of ${pool.asset} is promised twice`)
}

function outside(balances: readonly Balance[], asset: AssetId): number {
  return (
    balances.find(({ account }) => 'system' in account && account.system === 'outside:loans' && account.asset === asset)?.available ?? 0
  )
}
