/** A scaled order: all its limit orders are checked together, and all or none are placed. */
import type { SideNumber } from '../../book/codes.ts'
import type { Ticks } from '../../money/brand.ts'
import { POSITION_MASK, POST_ONLY, REDUCE_ONLY, SELL } from '../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import { scaledShapes } from '../../protocol/command/algo.ts'
import type { OrderId } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { scaledParts } from '../../risk/algo.ts'
import type { ScaledPart } from '../../risk/algo.ts'
import { checkLots, isPrice } from '../../risk/orders.ts'
import { checkBankruptcy, checkResting, isInBand } from '../perp/rules/checks.ts'
import { closable, sideOfFlags } from '../perp/rules/money.ts'
import { BOTH, LONG } from '../perp/records/state.ts'
import type { Contract, Holding } from '../perp/records/state.ts'
import type { Venue } from '../records/venue.ts'
import { hasTooMany } from '../spot/checks.ts'
import { bookHold } from '../spot/close.ts'
import { payingRow } from '../spot/funds.ts'
import { isTooMuch } from '../spot/turnover.ts'
import type { State } from '../state/state.ts'
import type { Algo } from './records/state.ts'

/** The limit orders of a scaled order, in the order in which they are placed. */
export function partsOf({ lots, parts, from, to, shape }: Algo): readonly ScaledPart[] {
  return scaledParts(lots, parts, from, to, scaledShapes[shape]!)
}

/**
 * Why the orders can't all rest; undefined when they can. No part trades when it is placed, so none changes what the others need except by
 * its own hold. In Futures all lots together are checked at both ends of the range, which is never less strict than one order after
 * another.
 */
export function checkScaled(x: State, venue: Venue, algo: Algo, parts: readonly ScaledPart[]): Refusal | undefined {
  const side = (algo.flags & SELL) as SideNumber
  const q = venue.quotePerTickLot
  const contract = venue.isSpot ? undefined : x.perp.contract(venue.id)
  for (const { price, lots } of parts) {
    if (!isPrice(price)) return 'PRICE_INVALID'
    const wrong = checkLots(venue.market.terms, q, price, lots)
    if (wrong !== undefined) return isSmall(wrong) ? 'ALGO_PART_TOO_SMALL' : wrong
    if (!isNear(x, venue, contract, price)) return 'PRICE_OUTSIDE_BAND'
    if (venue.book.crosses(side, price)) return 'ALGO_WOULD_TRADE'
  }
  return contract === undefined ? checkSpot(x, venue, algo, parts) : checkPerp(x, contract, algo, parts)
}

function isSmall(wrong: Refusal): boolean {
  return wrong === 'QUANTITY_TOO_SMALL' || wrong === 'NOTIONAL_TOO_SMALL' || wrong === 'QUANTITY_INVALID'
}

function isNear(x: State, venue: Venue, contract: Contract | undefined, price: Ticks): boolean {
  if (contract === undefined) return venue.isInBand(price, x.atMs)
  return contract.mark === 0 || isInBand(contract, price)
}

function checkSpot(x: State, venue: Venue, { user, flags, lots }: Algo, parts: readonly ScaledPart[]): Refusal | undefined {
  const side = (flags & SELL) as SideNumber
  if (hasTooMany(x, venue, user, parts.length)) return 'TOO_MANY_OPEN_ORDERS'
  const need = parts.reduce((sum, part) => sum + bookHold(venue, side, part.price, part.lots), 0)
  if (x.ledger.available(payingRow(x, venue, side, user, 0 as OrderFlags)) < need) return 'INSUFFICIENT_BALANCE'
  const highest = Math.max(...parts.map(({ price }) => price)) as Ticks
  return isTooMuch(x, venue, user, (flags | POST_ONLY) as OrderFlags, highest, lots) ? 'TURNOVER_LIMIT' : undefined
}

function checkPerp(x: State, contract: Contract, { user, flags, lots }: Algo, parts: readonly ScaledPart[]): Refusal | undefined {
  const side = (flags & SELL) as SideNumber
  const holding = x.perp.holding(user, contract, sideOfFlags(flags))
  if (countIn(x, contract, holding) + parts.length > contract.venue.market.terms.openOrdersMax) return 'TOO_MANY_OPEN_ORDERS'
  const ends = [parts[0]!.price, parts.at(-1)!.price]
  if (reduces(flags, holding)) {
    const free = closable(holding, side) - holding.openLots[side]! - holding.reduceLots[side]!
    if (lots > free) return 'REDUCE_ONLY_REJECTED'
  } else {
    for (const price of ends) {
      const wrong = checkResting(x, holding, side, price, lots)
      if (wrong !== undefined) return wrong
    }
  }
  for (const price of ends) {
    const wrong = checkBankruptcy(x, holding, side, price)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Whether the orders only reduce: they say so, or in hedge mode they go against their position. */
function reduces(flags: OrderFlags, { side }: Holding): boolean {
  if ((flags & REDUCE_ONLY) !== 0) return true
  return (flags & POSITION_MASK) !== 0 && side !== BOTH && ((flags & SELL) !== 0) === (side === LONG)
}

/** Orders of a user in a contract, sleeping ones too. */
function countIn(x: State, contract: Contract, { user }: Holding): number {
  let found = 0
  for (const holding of x.perp.knownAccount(user)?.holdings ?? []) if (holding.contract === contract) found += holding.slots.size
  return found
}

/** Orders of a scaled order that are still open, by number. */
export function openOf(x: State, { orders }: Algo): readonly OrderId[] {
  return orders.filter((order) => x.orders.find(order) >= 0)
}
