import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { State } from '../state.ts'
import type { OrderHooks } from '../venue.ts'
import { checkBankruptcy, checkImmediate, checkResting } from './checks.ts'
import { contractOf, diesWithPosition, discard, drop, holdingOf, reasonNumber } from './close.ts'
import { flush } from './flush.ts'
import { closable } from './money.ts'
import { actAsLimit, actAsMarket, marketLimit } from './orders.ts'
import type { Holding } from './state.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { writeAmended, writeTriggered } = writers
const { F, FLAGS, I, ID, LEFT, PENDING, PRICE, WAKING } = fields
const { CLOSING, MARKET_ORDER, REDUCE_ONLY, SELL, TIF_MASK } = layout

const CANCELLED = reasonNumber('cancelled')
const GONE = reasonNumber('position-closed')
const REDUCED = reasonNumber('reduce-only')
const HALTED = reasonNumber('halted')
const LIQUIDATED = reasonNumber('liquidation')
const MARGIN = reasonNumber('margin')

/** How orders of contracts end at their owner's wish, and how those act that slept. */
export const perpHooks: OrderHooks = {
  cancel(x, _venue, slot) {
    drop(x, contractOf(x, slot), slot, CANCELLED)
    flush(x)
  },
  wake(x, _venue, slot) {
    wake(x, slot)
    flush(x)
  },
}

function wake(x: State, slot: number): void {
  const { f, i } = x.orders
  const contract = contractOf(x, slot)
  const holding = holdingOf(x, contract, slot)
  const order = f[slot * F + ID]!
  const asked = f[slot * F + LEFT]!
  let flags = i[slot * I + FLAGS]! & ~(PENDING | WAKING)
  const side = flags & SELL
  if (diesWithPosition(flags)) {
    holding.sleeping--
    const standing = closable(holding, side)
    f[slot * F + LEFT] = (flags & CLOSING) !== 0 ? standing : Math.min(standing, f[slot * F + LEFT]!)
    flags |= REDUCE_ONLY
  }
  i[slot * I + FLAGS] = flags
  writeTriggered(x.events, order, holding.user, contract.id)
  const lots = f[slot * F + LEFT]!
  // An order is as large as what it may still close: whoever follows the events fills and sums it by that.
  if (lots !== asked && lots > 0) writeAmended(x.events, order, holding.user, contract.id, f[slot * F + PRICE]!, lots, 0)
  const reason = obstacle(x, holding, slot, flags)
  if (reason !== undefined) return discard(x, contract, slot, reason)
  if ((flags & MARKET_ORDER) !== 0) actAsMarket(x, holding, slot, order)
  else actAsLimit(x, holding, slot, order)
}

/** Why a woken order can't act, undefined when it can. */
function obstacle(x: State, holding: Holding, slot: number, flags: number): number | undefined {
  const { contract, account } = holding
  const side = flags & SELL
  const lots = x.orders.f[slot * F + LEFT]!
  if (lots === 0) return (flags & CLOSING) !== 0 ? GONE : REDUCED
  if (!contract.venue.market.terms.isTrading) return HALTED
  if (holding.isLiquidating || (holding.isCross && account.isLiquidating)) return LIQUIDATED
  const isMarket = (flags & MARKET_ORDER) !== 0
  const price = isMarket ? marketLimit(x, holding, side, lots) : x.orders.f[slot * F + PRICE]!
  if (checkBankruptcy(x, holding, side, price) !== undefined) return MARGIN
  if ((flags & REDUCE_ONLY) !== 0) return undefined
  const wrong =
    isMarket || (flags & TIF_MASK) !== 0 ? checkImmediate(x, holding, side, price, lots) : checkResting(x, holding, side, price, lots)
  return wrong === undefined ? undefined : MARGIN
}
