import type { Lots } from '../../money/brand.ts'
import type { State } from '../state/state.ts'
import { outsideRow, perpRow } from './rules/money.ts'

/** Checks the invariants of Futures after a command: one sentence for each violation. */
export function perpViolations(x: State): readonly string[] {
  if (x.perp.list.length === 0) return []
  const violations: string[] = []
  let costs = 0
  let unpaid = 0
  for (const { id, positions, openLots, inventory, unpaid: waits } of x.perp.list) {
    let [lots, long] = [inventory.lots, Math.max(0, inventory.lots)]
    costs += inventory.lots > 0 ? -inventory.cost : inventory.cost
    unpaid += waits[0] + waits[1]
    for (const holding of positions) {
      lots = (lots + holding.lots) as Lots
      long += Math.max(0, holding.lots)
      costs += holding.lots > 0 ? -holding.cost : holding.cost
      if (holding.cost < 0 || holding.margin < 0) violations.push(`position ${holding.id} below zero`)
    }
    if (long !== openLots) violations.push(`market ${id} counts ${openLots} open lots instead of ${long}`)
    if (lots !== 0) violations.push(`positions of market ${id} sum to ${lots} lots`)
  }
  const outside = x.ledger.available(outsideRow(x)) + x.perp.hole + unpaid
  if (outside !== costs) violations.push(`outside:perp is ${outside} instead of ${costs}`)
  for (const account of x.perp.accounts()) {
    let held = 0
    for (const holding of account.holdings) held += holding.margin + holding.ordersMargin
    const actual = x.ledger.held(perpRow(x, account.user))
    if (actual !== held) violations.push(`user ${account.user} holds ${actual} for contracts instead of ${held}`)
  }
  return violations
}
