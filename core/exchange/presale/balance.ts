import type { Units } from '../../money/brand.ts'
import type { State } from '../state/state.ts'
import { escrowRow, tokensRow } from './rows.ts'

/** Checks the invariants of presales: one sentence for each violation. */
export function presaleViolations(x: State): readonly string[] {
  const { presales } = x.presale
  const violations: string[] = []
  const check = (isRight: boolean, said: string): void => {
    if (!isRight) violations.push(said)
  }
  const [escrow, promised, locked] = [new Map<number, Units>(), new Map<number, Units>(), new Map<string, Units>()]
  for (const { number, terms, sums, subscribed, holders } of presales.values()) {
    const { token, pay, supply, subscriptionMax, purchaseLimit } = terms
    if (holders === undefined) {
      add(escrow, pay, subscribed)
      add(promised, token, supply)
    }
    let total = 0
    for (const [user, sum] of sums) {
      total += sum
      check(sum > 0 && sum <= subscriptionMax, `user ${user} subscribed ${sum} to presale ${number}`)
    }
    check(holders !== undefined || total === subscribed, `subscriptions to presale ${number} are ${total} instead of ${subscribed}`)
    let sold = 0
    for (const { user, allocated, released } of holders ?? []) {
      sold += allocated
      add(locked, `${user} ${token}`, (allocated - released) as Units)
      check(allocated <= purchaseLimit && released >= 0 && released <= allocated, `user ${user} got ${allocated} of presale ${number}`)
    }
    check(sold <= supply, `presale ${number} sold ${sold} of ${supply}`)
  }
  for (const { id } of x.assets) {
    const [has, needs] = [x.ledger.available(escrowRow(x, id)), escrow.get(id) ?? 0]
    check(has === needs, `the escrow has ${has} of ${id} instead of ${needs}`)
    const [held, due] = [x.ledger.held(tokensRow(x, id)), promised.get(id) ?? 0]
    check(held === due, `${held} of ${id} are held for presales instead of ${due}`)
  }
  for (const [key, amount] of locked) {
    const [user, token] = key.split(' ').map(Number) as [never, never]
    const held = x.ledger.held(x.ledger.findSpot(user, token))
    check(held >= amount, `user ${user} holds ${held} of ${token}, less than the locked ${amount}`)
  }
  return violations
}

function add<K>(sums: Map<K, Units>, key: K, amount: Units): void {
  sums.set(key, ((sums.get(key) ?? 0) + amount) as Units)
}
