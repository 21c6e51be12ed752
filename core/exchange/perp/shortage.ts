import * as reasons from '../../ledger/reasons.ts'
import * as writers from '../../protocol/codec/perp-write.ts'
import { compareScores, scoreOf } from '../../risk/perp-rank.ts'
import type { Score } from '../../risk/perp-rank.ts'
import type { State } from '../state.ts'
import { dropAll, reasonNumber } from './close.ts'
import { settleHolding } from './due.ts'
import { insure, takeMargin } from './fill.ts'
import { equityOf, outsideRow, perpRow, profitOf, valueAtMark } from './money.ts'
import type { Contract, Holding, PerpAccount } from './state.ts'

const { writeDeleveraged } = writers
const { DELEVERAGE, REALISED } = reasons

const LIQUIDATION = reasonNumber('liquidation')

/**
 * Losses that fills made and their accounts could not pay at once. In turn: what a cross account has in other orders and
 * in the profit of other positions, the insurance fund, the profits of those who stand on the winning side; what nobody
 * can pay stays a hole that the fund fills later. Returns what the fund paid.
 */
export function settleShortages(x: State): number {
  let insured = 0
  for (let shortage = x.perp.shortages.shift(); shortage !== undefined; shortage = x.perp.shortages.shift()) {
    const { holding } = shortage
    let left = shortage.amount
    if (holding.isCross) left -= payFromAccount(x, holding, left)
    const fromFund = insure(x, left)
    insured += fromFund
    left -= fromFund
    if (left > 0) left -= haircut(x, holding, left)
    x.perp.hole += left
  }
  return insured
}

/** Fills what the fund could not pay before, as far as it can. */
export function fillHole(x: State): void {
  if (x.perp.hole > 0) x.perp.hole -= insure(x, x.perp.hole)
}

function payFromAccount(x: State, holding: Holding, most: number): number {
  const { ledger } = x
  const row = perpRow(x, holding.user)
  dropAll(x, holding, LIQUIDATION)
  let left = most
  const spend = (): void => {
    const paid = Math.min(left, ledger.available(row))
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

/** Most profit first. */
function byProfit(account: PerpAccount): Holding[] {
  return [...account.cross].sort((a, b) => profitOf(b) - profitOf(a) || a.id - b.id)
}

/** Turns up to `most` of a position's profit at the mark into money: its cost moves towards the mark by as much. */
function realise(x: State, holding: Holding, most: number): void {
  const profit = Math.min(most, profitOf(holding))
  if (profit <= 0) return
  settleHolding(x, holding)
  x.ledger.debitOutside(outsideRow(x), profit, REALISED)
  x.ledger.credit(perpRow(x, holding.user), profit, REALISED)
  holding.cost += holding.lots > 0 ? profit : -profit
  holding.realised += profit
  x.perp.touch(holding, true)
}

/** Takes a loss off the profits at the mark of others, first in the queue first. Returns how much they bore. */
function haircut(x: State, bankrupt: Holding, most: number): number {
  const { ledger } = x
  const { contract } = bankrupt
  let left = most
  for (const winner of rankedBy(x, contract, (holding) => holding !== bankrupt && profitOf(holding) > 0)) {
    if (left === 0) break
    const borne = Math.min(left, profitOf(winner))
    settleHolding(x, winner)
    const row = perpRow(x, winner.user)
    ledger.debitOutside(outsideRow(x), borne, REALISED)
    ledger.credit(row, borne, REALISED)
    ledger.debit(row, borne, DELEVERAGE)
    ledger.credit(outsideRow(x), borne, DELEVERAGE)
    winner.cost += winner.lots > 0 ? borne : -borne
    left -= borne
    x.perp.touch(winner, true)
    writeDeleveraged(x.events, contract.id, contract.mark, 0, bankrupt.user, winner.user, winner.id)
  }
  return most - left
}

/** Positions of a contract in the order of the queue: highest score first, then the older. */
export function rankedBy(x: State, contract: Contract, isMeant: (holding: Holding) => boolean): Holding[] {
  const scored: { readonly holding: Holding; readonly score: Score }[] = []
  for (const holding of contract.positions) {
    if (!isMeant(holding)) continue
    scored.push({ holding, score: scoreOf(profitOf(holding), holding.cost, valueAtMark(holding), equityOf(x, holding)) })
  }
  scored.sort((a, b) => compareScores(a.score, b.score) || a.holding.id - b.holding.id)
  return scored.map(({ holding }) => holding)
}
