import type { OrderId, UserId } from '../../../protocol/ids.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ppm, Units } from '../../../money/brand.ts'
import * as codes from '../../../book/codes.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { bandHigh, bandLow } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { reasonNumber } from '../positions/close.ts'
import { deleverage } from './deleverage.ts'
import { flush } from '../positions/flush.ts'
import { tradeInventory } from '../positions/carry.ts'
import { takeForFund } from '../positions/settle.ts'
import type { Contract } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAccepted, writeClosed } = writers
const { BUY, SELL_SIDE } = codes
const { IOC, LIQUIDATION, POSITION_SHIFT, REDUCE_ONLY, SELL } = layout

/**
 * Time between two orders of the fund, each for a sixtieth of the last minute's volume (a tenth of the volume in that time); their
 * distance from the mark; the total time.
 */
const stepMs = 10_000
const volumePart = 60
const nearPpm = 10_000
const carriedMs = 1_800_000

const FILLED = reasonNumber('filled')
const EXPIRED = reasonNumber('ioc')
const noClientId = new Float64Array(6)

/** Time from which the fund has something to sell off; Infinity when it has no inventory. */
export function workDueAtMs(x: State): number {
  let due = Infinity
  for (const { inventory } of x.perp.list) if (inventory.lots !== 0) due = Math.min(due, inventory.workedAtMs + stepMs)
  return due
}

/** Sells off the fund's inventories, contract by contract. An inventory left after half an hour is closed against the queue. */
export function workOff(x: State): void {
  for (const contract of x.perp.list) {
    const { inventory, gate } = contract
    if (inventory.lots === 0 || x.atMs < inventory.workedAtMs + stepMs) continue
    const isOver = x.atMs >= inventory.sinceMs + carriedMs
    if (isOver && gate.liquidates) closeOut(x, contract)
    else {
      inventory.workedAtMs = x.atMs
      if (gate.matches && contract.isGood) trade(x, contract)
    }
  }
}

function trade(x: State, contract: Contract): void {
  const { inventory, mark, venue, id, q } = contract
  const lots = Math.min(Math.abs(inventory.lots), Math.floor(inventory.volume(x.atMs) / volumePart)) as Lots
  const side = inventory.lots > 0 ? SELL_SIDE : BUY
  const limit = side === SELL_SIDE ? bandLow(mark, nearPpm as Ppm) : bandHigh(mark, nearPpm as Ppm)
  if (lots === 0 || !venue.book.crosses(side, limit)) return
  const order = ++x.lastOrder as OrderId
  const flags = ((side === SELL_SIDE ? SELL : 0) | IOC | LIQUIDATION | REDUCE_ONLY | (1 << POSITION_SHIFT)) as OrderFlags
  writeAccepted(x.events, order, 0, 0 as UserId, noClientId, 0, id, flags, limit, lots, 0, 0, 0, 0)
  const left = takeForFund(x, contract, side, order, limit, lots)
  writeClosed(x.events, order, 0 as UserId, id, left === 0 ? FILLED : EXPIRED, (lots - left) as Lots, (venue.book.taken * q) as Units)
  flush(x)
}

/** Closes at the mark: the fund has the loss, and the positions on the other side keep their profit. */
function closeOut(x: State, contract: Contract): void {
  const { inventory, mark } = contract
  const { lots } = inventory
  const close = (closed: Lots): void => tradeInventory(x, contract, (-Math.sign(lots) * closed) as Lots, mark)
  const closed = deleverage(x, { contract, lots, price: mark, account: undefined, close })
  // No position can bear this mark: tried again at another.
  if (closed === 0) inventory.workedAtMs = x.atMs
  if (closed > 0) flush(x)
}
