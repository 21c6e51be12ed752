import type { Millis } from '../../money/brand.ts'
import * as fields from '../../book/order-fields.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt, type Read } from '../../protocol/codec/slots.ts'
import type { MarketId, MatchNumber, OrderId, UserId } from '../../protocol/ids.ts'
import type { State } from '../state/state.ts'

const { F, I, MARKET, OWNER } = fields

const TERMS = layoutOf('order', 'goodTill', 'match')
const COUNTDOWN = layoutOf('user', 'market', 'atMs')
const SWEEP = layoutOf('user', 'market', 'upTo')

/** Orders that have a date or take their price from the book, running countdowns, and those whose orders are being cancelled. */
export function dumpDeadlines({ perp: { deadlines } }: State, into: Records): void {
  const [orders, countdowns] = [deadlines.orders(), deadlines.countdowns()]
  put(into, orders.length)
  for (const each of orders) putRecord(into, TERMS, each)
  put(into, countdowns.length)
  for (const each of countdowns) putRecord(into, COUNTDOWN, each)
  put(into, deadlines.sweeps.length)
  for (const each of deadlines.sweeps) putRecord(into, SWEEP, each)
}

/** Reads what `dumpDeadlines` wrote, after the orders. Returns the index just after it. */
export const restoreDeadlines =
  ({ orders, perp: { deadlines } }: State): Read<number> =>
  (data, start) => {
    let at = start
    for (let left = countAt(data, at++, TERMS.length); left > 0; left--, at += TERMS.length) {
      const order = data[at + TERMS.order] as OrderId
      const slot = orders.find(order)
      const [user, market] = [orders.i[slot * I + OWNER] as UserId, orders.f[slot * F + MARKET] as MarketId]
      deadlines.keep(order, { goodTill: data[at + TERMS.goodTill] as Millis, match: data[at + TERMS.match] as MatchNumber }, user, market)
    }
    for (let left = countAt(data, at++, COUNTDOWN.length); left > 0; left--, at += COUNTDOWN.length) {
      const [user, market] = [data[at + COUNTDOWN.user] as UserId, data[at + COUNTDOWN.market] as MarketId]
      deadlines.count(user, market, data[at + COUNTDOWN.atMs] as Millis)
    }
    for (let left = countAt(data, at++, SWEEP.length); left > 0; left--, at += SWEEP.length) {
      const [user, market] = [data[at + SWEEP.user] as UserId, data[at + SWEEP.market] as MarketId]
      deadlines.sweeps.push({ user, market, upTo: data[at + SWEEP.upTo] as OrderId })
    }
    return at
  }
