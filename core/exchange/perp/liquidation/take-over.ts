import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import { writeTakenOver } from '../../../protocol/codec/perp-write.ts'
import { bankruptcyPrice } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { NOT_READY, deleverage } from './deleverage.ts'
import { BY_LIQUIDATION, end, reduce } from '../positions/fill.ts'
import { acceptable, noteRisk, tradeInventory } from '../positions/carry.ts'
import { cushionOf } from '../rules/money.ts'
import type { Holding } from '../records/state.ts'

/**
 * Closes a position that has no worth left and that the book does not take, at its bankruptcy price: the insurance fund takes over
 * as much as its caps allow, and the rest is closed against the first of the opposite queue. Returns the lots closed, or
 * `NOT_READY` while that queue is being built.
 */
export function takeOver(x: State, holding: Holding): number {
  const { contract } = holding
  const price = bankruptcyPrice(holding.lots, holding.cost, cushionOf(x, holding), contract.q)
  if (price === 0) return 0
  const size = Math.abs(holding.lots)
  const close = (lots: Lots): void => reduce(x, holding, lots, (price * lots * contract.q) as Units, !holding.isCross)
  carry(x, holding, price, close)
  const rest = holding.lots
  const closed = rest === 0 ? 0 : deleverage(x, { contract, lots: rest, price, account: holding.account, close })
  if (holding.lots === 0) end(x, holding, BY_LIQUIDATION)
  const done = size - Math.abs(holding.lots)
  return done === 0 && closed === NOT_READY ? NOT_READY : done
}

/** The fund's part; in two steps if it first closes an opposite inventory. */
function carry(x: State, holding: Holding, price: Ticks, close: (lots: Lots) => void): void {
  const { contract } = holding
  for (let step = 0; step < 2 && holding.lots !== 0; step++) {
    const lots = acceptable(x, contract, holding.lots, price)
    if (lots === 0) return
    const signed = (Math.sign(holding.lots) * lots) as Lots
    writeTakenOver(x.events, contract.id, price, lots, holding.user, holding.id)
    noteRisk(x, contract, signed, price)
    close(lots)
    tradeInventory(x, contract, signed, price)
  }
}
