import type { OrderSlot } from '../../../book/order-fields.ts'
import type { Millis } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import { countdownMax } from '../../../protocol/command/perp.ts'
import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { Handler } from '../../state/handler.ts'
import type { State } from '../../state/state.ts'
import { isAsleep } from '../positions/asleep.ts'
import { drop, reasonNumber } from '../positions/close.ts'
import { flush } from '../positions/flush.ts'
import type { PerpSweep } from '../records/deadlines.ts'

const { F, FLAGS, I, ID } = fields
const { PERP_COUNTDOWN, PERP_MARKET, USER } = layout

/** Largest number of orders that a command ends, and of countdowns that it looks at. The next clock tick continues. */
export const endsMax = 200

const EXPIRED = reasonNumber('expired')
const COUNTDOWN = reasonNumber('countdown')

/** `perp.countdown`: also possible for frozen users and in halted markets, because all that it does is cancel. */
export const setCountdown: Handler = (x, data, start) => {
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
  for (let left = endsMax, passed = 0; left > 0 && passed < endsMax && deadlines.sweeps.length > 0; passed++) {
    const orders = inBook(x, deadlines.sweeps[0]!)
    for (const order of orders.slice(0, left)) {
      // An order that only reduces may have gone with the one before it.
      const slot = x.orders.find(order) as OrderSlot
      if (slot >= 0) drop(x, x.perp.contract(deadlines.sweeps[0]!.market)!, slot, COUNTDOWN)
    }
    left -= orders.length
    if (left >= 0) deadlines.sweeps.shift()
  }
  flush(x)
}

/** The orders of an ended countdown that are in the market's book, by number. */
function inBook({ orders, perp }: State, { user, market, upTo }: PerpSweep): OrderId[] {
  const { f, i } = orders
  const found: OrderId[] = []
  for (const holding of perp.knownAccount(user)?.holdings ?? []) {
    if (holding.market !== market) continue
    for (const slot of holding.slots) {
      const order = f[slot * F + ID] as OrderId
      if (order <= upTo && !isAsleep(i[slot * I + FLAGS] as OrderFlags)) found.push(order)
    }
  }
  return found.sort((a, b) => a - b)
}
