import type { UserId } from '../../../protocol/ids.ts'
import type { Lots, Units } from '../../../money/brand.ts'
import * as reasons from '../../../ledger/reasons.ts'
import { writeDeleveraged } from '../../../protocol/codec/perp-write.ts'
import type { State } from '../../state/state.ts'
import { partnersMax } from './deleverage.ts'
import { settleHolding } from '../positions/due.ts'
import { insure } from '../positions/fill.ts'
import { flush } from '../positions/flush.ts'
import { outsideRow, perpRow, profitOf } from '../rules/money.ts'
import { nextOf, rankingOf } from './rank.ts'
import type { Contract, Holding } from '../records/state.ts'

const { DELEVERAGE, REALISED } = reasons

/** Whether any loss waits to be paid from the profits of others. */
export function isUnpaid(x: State): boolean {
  return x.perp.list.some(({ unpaid, gate }) => gate.liquidates && unpaid[0] + unpaid[1] > 0)
}

/**
 * Pays losses that neither their accounts nor the fund could pay: from the fund if it now can, otherwise from the profits, at the
 * mark, of positions on the winning side, in the order of the queue. The part that they can't pay remains a hole.
 */
export function bearSome(x: State): void {
  for (const contract of x.perp.list) {
    if (!contract.gate.liquidates) continue
    for (const side of [0, 1] as const) if (contract.unpaid[side] > 0) bear(x, contract, side)
  }
}

function bear(x: State, contract: Contract, side: 0 | 1): void {
  contract.unpaid[side] -= insure(x, contract.unpaid[side])
  if (contract.unpaid[side] === 0) return
  const ranking = rankingOf(x, contract, side)
  if (ranking === undefined) return
  while (contract.unpaid[side] > 0 && x.perp.partners < partnersMax) {
    const winner = nextOf(x, contract, ranking)
    if (winner === undefined && ranking.isCut) break
    if (winner === undefined) {
      x.perp.hole += contract.unpaid[side]
      contract.unpaid[side] = 0
      break
    }
    x.perp.partners++
    haircut(x, contract, winner, side)
    // A winner that paid everything stays first: the next loss may find more of its profit.
    if (contract.unpaid[side] > 0) ranking.next++
  }
  flush(x)
}

function haircut(x: State, contract: Contract, winner: Holding, side: 0 | 1): void {
  const { ledger } = x
  const borne = Math.min(contract.unpaid[side], profitOf(winner)) as Units
  if (borne <= 0) return
  settleHolding(x, winner)
  const row = perpRow(x, winner.user)
  ledger.debitOutside(outsideRow(x), borne, REALISED)
  ledger.credit(row, borne, REALISED)
  ledger.debit(row, borne, DELEVERAGE)
  ledger.credit(outsideRow(x), borne, DELEVERAGE)
  winner.cost = (winner.cost + (winner.lots > 0 ? borne : -borne)) as Units
  contract.unpaid[side] -= borne
  x.perp.touch(winner, true)
  const nobody = { lots: 0 as Lots, bankruptUser: 0 as UserId }
  writeDeleveraged(x.events, { market: contract.id, price: contract.mark, ...nobody, user: winner.user, position: winner.id })
}
