import type { Ticks } from '../../../money/brand.ts'
import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import { BUY, SELL_SIDE } from '../../../book/codes.ts'
import * as fields from '../../../book/order-fields.ts'
import { REDUCE_ONLY } from '../../../protocol/codec/layout.ts'
import { writePerpPhase } from '../../../protocol/codec/perp-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { BAD, RESUMING, HALTED, REDUCING } from '../../records/phase.ts'
import { reach } from '../../state/reach.ts'
import type { State } from '../../state/state.ts'
import { drop, reasonNumber } from '../positions/close.ts'
import { flush } from '../positions/flush.ts'
import type { Contract } from '../records/state.ts'

const { FLAGS, I } = fields

/** Largest number of orders that one command cancels because the index was not good for long. */
export const clearedMax = 500

const NO_INDEX = reasonNumber('no-index')

/** Time at which the phase of any contract changes by itself, or orders wait to be cancelled; Infinity if never. */
export function gatesDueAtMs(x: State): number {
  let due = Infinity
  for (const { gate, isClearing } of x.perp.list) due = Math.min(due, isClearing ? x.atMs : gate.dueAtMs())
  return due
}

/** Updates the phase of each contract at an index or clock tick. */
export function advanceGates(x: State): void {
  for (const contract of x.perp.list) advanceGate(x, contract)
}

/**
 * Opens and closes a contract. When it matches again, the orders whose triggers were passed meanwhile are woken. When its index
 * has not been good for 30 s, the orders that could open are cancelled.
 */
export function advanceGate(x: State, contract: Contract): void {
  const { gate, venue } = contract
  // Before its first mark nothing can be lost.
  if (contract.mark === 0) return
  const matched = gate.matches
  if (gate.advance(x.atMs, contract.isGood, venue.market.terms.isTrading)) {
    contract.isClearing = gate.phase === REDUCING
    writePerpPhase(x.events, contract.id, gate.phase)
  }
  if (contract.isClearing) clear(x, contract)
  if (!gate.matches || matched) return
  if (contract.markTriggers.count > 0) reach(x, contract.id, contract.markTriggers, contract.mark, contract.mark)
  if (venue.triggers.count > 0 && venue.lastPrice > 0) reach(x, contract.id, venue.triggers, venue.lastPrice, venue.lastPrice)
}

/** Cancels orders in the book that could open, best first, up to the limit of one command. */
function clear(x: State, contract: Contract): void {
  const { book } = contract.venue
  let left = clearedMax
  for (const side of [BUY, SELL_SIDE]) {
    let price = book.best(side as SideNumber)
    while (price !== 0 && left > 0) {
      const next = side === BUY ? book.ladder.nextBid(price as Ticks) : book.ladder.nextAsk(price as Ticks)
      for (const slot of book.queue(price as Ticks)) {
        if (left === 0 || (x.orders.i[slot * I + FLAGS]! & REDUCE_ONLY) !== 0) continue
        drop(x, contract, slot as OrderSlot, NO_INDEX)
        left--
      }
      price = next
    }
  }
  contract.isClearing = left === 0
  flush(x)
}

/** Whether orders that only reduce may trade. */
export function matchesReducing({ gate, isClearing }: Contract): boolean {
  return gate.matches || (gate.phase === REDUCING && !isClearing)
}

export function isHalted({ gate }: Contract): boolean {
  return gate.phase === HALTED
}

/**
 * Reason why a contract accepts no order now. While it resumes, orders may rest if they don't trade, so that there is a book when
 * matching starts. An order that reduces may rest and sleep at any time.
 */
export function checkPhase(contract: Contract, isReducing: boolean, isTrading: boolean): Refusal | undefined {
  if (contract.mark === 0) return 'NO_INDEX_PRICE'
  const { gate } = contract
  if (gate.phase === RESUMING && !isTrading) return undefined
  if (gate.matches || (isReducing && (!isTrading || matchesReducing(contract)))) return undefined
  return gate.phase === BAD || gate.phase === REDUCING ? 'NO_INDEX_PRICE' : 'MARKET_HALTED'
}
