import type { Units } from '../../money/brand.ts'
import type { State } from '../state/state.ts'

/** Checks the invariants of deposits and withdrawals: one sentence for each violation. */
export function chainViolations(x: State): readonly string[] {
  const { chain, ledger } = x
  if (chain.networks.size === 0 && chain.withdrawals.size === 0) return []
  const violations: string[] = []
  const check = (isRight: boolean, said: string): void => {
    if (!isRight) violations.push(said)
  }
  const debts = new Map<number, Units>()
  const unfinal = new Map<string, Units>()
  const holds = new Map<string, Units>()
  for (const { unfinal: credits } of chain.networks.values())
    for (const { user, asset, amount } of credits.values()) add(unfinal, `${user} ${asset}`, amount)
  for (const { user, asset, amount, fee, withdrawal } of chain.withdrawals.values()) {
    add(holds, `${user} ${asset}`, amount)
    check(fee >= 0 && amount > fee, `withdrawal ${withdrawal} of ${amount} with a fee of ${fee}`)
    check(chain.users.get(user)?.open.has(withdrawal) === true, `withdrawal ${withdrawal} is not with its user`)
    check(!chain.ended.has(withdrawal), `withdrawal ${withdrawal} is open and ended`)
    const held = ledger.held(ledger.findSpot(user, asset))
    check(held >= holds.get(`${user} ${asset}`)!, `user ${user} holds ${held} of ${asset}, less than the open withdrawals`)
  }
  let open = 0
  for (const [user, { debts: owed, unfinal: sums, open: own, withdrawn }] of chain.users) {
    open += own.size
    check(withdrawn >= 0, `user ${user} withdrew ${withdrawn}`)
    for (const [asset, debt] of owed) {
      check(debt > 0, `debt of user ${user} in ${asset} is ${debt}`)
      add(debts, asset, debt)
    }
    for (const [asset, sum] of sums) {
      check(unfinal.get(`${user} ${asset}`) === sum, `unfinal deposits of user ${user} in ${asset} are not ${sum}`)
      unfinal.delete(`${user} ${asset}`)
    }
  }
  check(open === chain.withdrawals.size, `users have ${open} open withdrawals instead of ${chain.withdrawals.size}`)
  for (const [key, sum] of unfinal) check(false, `unfinal deposits of ${key} are not counted: ${sum}`)
  for (const { id } of x.assets) {
    const outside = ledger.available(ledger.systemRow('outside:debts', id))
    check(outside + (debts.get(id) ?? 0) === 0, `outside:debts of ${id} is ${outside} instead of minus all debts`)
  }
  return violations
}

function add<K>(sums: Map<K, Units>, key: K, amount: Units): void {
  sums.set(key, ((sums.get(key) ?? 0) + amount) as Units)
}
