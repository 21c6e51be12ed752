import type { OrderSlot } from '../../../book/order-fields.ts'
import type { Millis } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import { countdownMax } from '../../../protocol/command/perp.ts'
import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import { isAsleep } from '../positions/asleep.ts'
import { drop, reasonNumber } from '../positions/close.ts'
import { flush } from '../positions/flush.ts'
import type { PerpSweep } from '../records/deadlines.ts'
import type { Contract } from '../records/state.ts'

const { F, FLAGS, I, ID } = fields
const { PERP_COUNTDOWN, PERP_MARKET, USER } = layout

/** Largest number of orders that a command ends, and of countdowns that it looks at. The next clock tick continues. */
export const endsMax = 200

const EXPIRED = reasonNumber('expired')
const COUNTDOWN = reasonNumber('countdown')

/** `perp.countdown`: also possible for frozen users and in halted markets, because all that it does is cancel. */
export function setCountdown(x: State, data: Float64Array, start: number): Refusal | undefined {
  const market = data[start + PERP_MARKET] as MarketId
  const user = data[start + USER] as UserId
  const duration = data[start + PERP_COUNTDOWN]!
  if (x.perp.contract(market) === undefined) return 'MARKET_UNKNOWN'
  if (duration < 0 || duration > countdownMax) return 'TIME_OUT_OF_RANGE'
  if (duration === 0) x.perp.deadlines.stop(user, market)
  else x.perp.deadlines.count(user, market, (x.atMs + duration) as Millis)
  return undefined
}

/** Time from which a tick has an order to end; Infinity if never. */
export function endsDueAtMs({ atMs, perp: { deadlines } }: State): number {
  return deadlines.sweeps.length > 0 ? atMs : (deadlines.first?.atMs ?? Number.POSITIVE_INFINITY)
}

/** Ends orders whose date has come, and cancels those of users whose countdown has ended. Neither waits for the other. */
export function endDue(x: State): void {
  const { deadlines } = x.perp
  if (endsDueAtMs(x) > x.atMs) return
  for (let n = 0; n < endsMax; n++) {
    const due = deadlines.first
    if (due === undefined || due.atMs > x.atMs) break
    if (due.order !== 0) drop(x, x.perp.contract(due.market)!, x.orders.find(due.order) as OrderSlot, EXPIRED)
    else {
      deadlines.stop(due.user, due.market)
      deadlines.sweeps.push({ user: due.user, market: due.market, upTo: x.lastOrder })
    }
  }
  let left = endsMax
  for (let passed = 0; left > 0 && passed < endsMax && deadlines.sweeps.length > 0; passed++) {
    const cancelled = sweep(x, deadlines.sweeps[0]!, left)
    if (cancelled === undefined) break
    left -= cancelled
    deadlines.sweeps.shift()
  }
  flush(x)
}

/** Cancels the orders of an ended countdown, at most `most` of them, oldest first. Returns their number; undefined when others are left. */
function sweep(x: State, { user, market, upTo }: PerpSweep, most: number): number | undefined {
  const contract = x.perp.contract(market)!
  const orders = inBook(x, contract, user).filter((order) => order <= upTo)
  for (const order of orders.slice(0, most)) {
    // An order that only reduces may have gone with the one before it.
    const slot = x.orders.find(order) as OrderSlot
    if (slot >= 0) drop(x, contract, slot, COUNTDOWN)
  }
  return orders.length > most ? undefined : orders.length
}

/** A user's orders in a contract's book, by number. */
function inBook({ orders, perp }: State, contract: Contract, user: UserId): OrderId[] {
  const { f, i } = orders
  const found: OrderId[] = []
  for (const holding of perp.knownAccount(user)?.holdings ?? []) {
    if (holding.contract !== contract) continue
    for (const slot of holding.slots) if (!isAsleep(i[slot * I + FLAGS] as OrderFlags)) found.push(f[slot * F + ID] as OrderId)
  }
  return found.sort((a, b) => a - b)
}
