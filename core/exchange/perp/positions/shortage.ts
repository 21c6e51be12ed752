import type { Units } from '../../../money/brand.ts'
import * as reasons from '../../../ledger/reasons.ts'
import type { State } from '../../state/state.ts'
import { dropSome, reasonNumber } from './close.ts'
import { settleHolding } from './due.ts'
import { insure, takeMargin } from './fill.ts'
import { outsideRow, perpRow, profitOf } from '../rules/money.ts'
import type { Holding, PerpAccount } from '../records/state.ts'

const { REALISED } = reasons

const LIQUIDATION = reasonNumber('liquidation')

/**
 * Pays losses from fills that their accounts could not pay at once: first, for a cross account, from the holds of other orders and
 * the profit of other positions, then from the insurance fund. The rest waits to be taken from profits on the winning side.
 * Returns the amount that the fund paid.
 */
export function settleShortages(x: State): Units {
  let insured = 0
  for (let shortage = x.perp.shortages.shift(); shortage !== undefined; shortage = x.perp.shortages.shift()) {
    const { holding } = shortage
    let left: number = shortage.amount
    if (holding.isCross) left -= payFromAccount(x, holding, left)
    const fromFund = insure(x, left)
    insured += fromFund
    left -= fromFund
    holding.contract.unpaid[holding.isShort ? 0 : 1] += left
  }
  return insured as Units
}

/** Fills the hole, which the fund could not pay before, as far as it now can. */
export function fillHole(x: State): void {
  if (x.perp.hole > 0) x.perp.hole -= insure(x, x.perp.hole)
}

function payFromAccount(x: State, holding: Holding, most: number): number {
  const { ledger } = x
  const row = perpRow(x, holding.user)
  dropSome(x, holding, LIQUIDATION, Infinity)
  let left = most
  const spend = (): void => {
    const paid = Math.min(left, ledger.available(row)) as Units
    if (paid <= 0) return
    ledger.debit(row, paid, REALISED)
    ledger.credit(outsideRow(x), paid, REALISED)
    left -= paid
  }
  spend()
  for (const other of byProfit(holding.account)) {
    if (left === 0) break
    takeMargin(x, other, left)
    realise(x, other, left)
    spend()
  }
  return most - left
}

/** Largest profit first. */
function byProfit(account: PerpAccount): Holding[] {
  return [...account.cross].sort((a, b) => profitOf(b) - profitOf(a) || a.id - b.id)
}

/** Realises up to `most` of a position's profit at the mark: its cost moves towards the mark by that much. */
function realise(x: State, holding: Holding, most: number): void {
  const profit = Math.min(most, profitOf(holding)) as Units
  if (profit <= 0) return
  settleHolding(x, holding)
  x.ledger.debitOutside(outsideRow(x), profit, REALISED)
  x.ledger.credit(perpRow(x, holding.user), profit, REALISED)
  holding.cost = (holding.cost + (holding.lots > 0 ? profit : -profit)) as Units
  holding.realised += profit
  x.perp.touch(holding, true)
}
