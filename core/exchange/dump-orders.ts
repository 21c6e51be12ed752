import {
  C,
  EXECUTED,
  EXECUTED_LOTS,
  EXTRA,
  F,
  FLAGS,
  I,
  ID,
  LEFT,
  MARKET,
  OWNER,
  PENDING,
  PLACED_AT,
  PRICE,
  UPDATED_AT,
  VISIBLE,
  WAKING,
} from '../book/order-fields.ts'
import type { OrderSlot } from '../book/order-fields.ts'
import type { Extra } from '../book/orders.ts'
import type { Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import { BY_MARK } from '../protocol/codec/layout.ts'
import { layoutOf, put, putRecord } from '../protocol/codec/records.ts'
import type { DumpVersion } from '../protocol/codec/records.ts'
import type { Records } from '../protocol/codec/records.ts'
import * as text from '../protocol/codec/text.ts'
import type { MarketId, OrderId, UserId } from '../protocol/ids.ts'
import type { State } from './state/state.ts'
import { countAt } from '../protocol/codec/slots.ts'

const { clientIdSlots } = text

const ORDER = layoutOf(
  'number',
  'owner',
  'market',
  'flags',
  'price',
  'left',
  'visible',
  'executedLots',
  'executed',
  'placedAt',
  'updatedAt',
)
/** Position of the client id, which follows, and after it a flag: 1 when a record `MORE` follows. */
const CLIENT_ID = ORDER.length
const HAS_MORE = CLIENT_ID + clientIdSlots
export const orderSlots = HAS_MORE + 1

const MORE_12 = layoutOf(
  'display',
  'spend',
  'trigger',
  'activation',
  'peak',
  'list',
  'sibling',
  'held',
  'prevented',
  'strategy',
  'strategyType',
)
const MORE_17 = layoutOf(...MORE_12.names, 'wokeAtMs', 'isParked')
const MORE = layoutOf(...MORE_17.names, 'preventedMatch')

/** All orders, by number, each followed by its record `MORE` if it has one. */
export function* dumpOrders(x: State, into: Records): Generator<void> {
  for (const venue of x.venues) venue?.triggers.tellPeaks()
  for (const contract of x.perp.list) contract.markTriggers.tellPeaks()
  const slots = x.orders.slots()
  put(into, slots.length)
  for (let n = 0; n < slots.length; n++) {
    dumpOrder(x, slots[n] as OrderSlot, into)
    if ((n & 1023) === 1023) yield
  }
}

function dumpOrder(x: State, slot: OrderSlot, into: Records): void {
  const { f, i, c, extras } = x.orders
  const ft = slot * F
  const extra = extras.get(i[slot * I + EXTRA]!)
  const at = into.reserve(orderSlots)
  const { data } = into
  data[at + ORDER.number] = f[ft + ID]!
  data[at + ORDER.owner] = i[slot * I + OWNER]!
  data[at + ORDER.market] = f[ft + MARKET]!
  data[at + ORDER.flags] = i[slot * I + FLAGS]!
  data[at + ORDER.price] = f[ft + PRICE]!
  data[at + ORDER.left] = f[ft + LEFT]!
  data[at + ORDER.visible] = f[ft + VISIBLE]!
  data[at + ORDER.executedLots] = f[ft + EXECUTED_LOTS]!
  data[at + ORDER.executed] = f[ft + EXECUTED]!
  data[at + ORDER.placedAt] = f[ft + PLACED_AT]!
  data[at + ORDER.updatedAt] = c[slot * C + UPDATED_AT]!
  for (let k = 0; k < clientIdSlots; k++) data[at + CLIENT_ID + k] = c[slot * C + k]!
  data[at + HAS_MORE] = extra === undefined ? 0 : 1
  if (extra === undefined) return
  const sibling = extra.sibling < 0 ? 0 : f[extra.sibling * F + ID]!
  const { display, spend, trigger, activation, peak, list, held, prevented, strategy, strategyType, wokeAtMs, isParked, preventedMatch } =
    extra
  const prices = { display, spend, trigger, activation, peak }
  putRecord(into, MORE, { ...prices, list, sibling, held, prevented, strategy, strategyType, wokeAtMs, isParked, preventedMatch })
}

/** Reads what `dumpOrders` wrote at `start`; returns where it ends. */
export function restoreOrders(x: State, data: Float64Array, start: number, from: DumpVersion): number {
  const { orders } = x
  const siblings: (readonly [slot: number, number: number])[] = []
  let at = start + 1
  for (let left = countAt(data, start, orderSlots); left > 0; left--) {
    const slot = orders.add(data[at + ORDER.number] as OrderId, data[at + ORDER.owner] as UserId, data[at + ORDER.market] as MarketId)
    const { f, i, c } = orders
    const ft = slot * F
    i[slot * I + FLAGS] = data[at + ORDER.flags]!
    f[ft + PRICE] = data[at + ORDER.price]!
    f[ft + LEFT] = data[at + ORDER.left]!
    f[ft + VISIBLE] = data[at + ORDER.visible]!
    f[ft + EXECUTED_LOTS] = data[at + ORDER.executedLots]!
    f[ft + EXECUTED] = data[at + ORDER.executed]!
    f[ft + PLACED_AT] = data[at + ORDER.placedAt]!
    c[slot * C + UPDATED_AT] = data[at + ORDER.updatedAt]!
    for (let k = 0; k < clientIdSlots; k++) c[slot * C + k] = data[at + CLIENT_ID + k]!
    const hasMore = data[at + HAS_MORE] === 1
    at += orderSlots
    if (!hasMore) continue
    restoreMore(orders.extra(slot), data, at, from)
    const sibling = data[at + MORE.sibling]!
    if (sibling !== 0) siblings.push([slot, sibling])
    at += (from === 12 ? MORE_12 : from < 18 ? MORE_17 : MORE).length
  }
  for (const [slot, number] of siblings) orders.extra(slot as OrderSlot).sibling = orders.find(number as OrderId) as OrderSlot
  putToSleep(x)
  return at
}

function restoreMore(extra: Extra, data: Float64Array, at: number, from: DumpVersion): void {
  extra.display = data[at + MORE.display]!
  extra.spend = data[at + MORE.spend] as Units
  extra.trigger = data[at + MORE.trigger] as Ppm
  extra.activation = data[at + MORE.activation] as Ticks
  extra.peak = data[at + MORE.peak] as Ticks
  extra.list = data[at + MORE.list] as OrderId
  extra.held = data[at + MORE.held] as Units
  extra.prevented = data[at + MORE.prevented]!
  extra.strategy = data[at + MORE.strategy]!
  extra.strategyType = data[at + MORE.strategyType]!
  if (from === 12) return
  extra.wokeAtMs = data[at + MORE.wokeAtMs] as Millis
  extra.isParked = data[at + MORE.isParked] === 1
  if (from >= 18) extra.preventedMatch = data[at + MORE.preventedMatch]!
}

/** Orders with a trigger that was not reached sleep again. */
function putToSleep(x: State): void {
  const { orders } = x
  const pending = orders.hasExtras ? orders.slots() : []
  for (const slot of pending) {
    const flags = orders.i[slot * I + FLAGS]!
    const venue = x.venues[orders.f[slot * F + MARKET]!]!
    if ((flags & PENDING) !== 0 && (flags & WAKING) === 0 && !orders.extra(slot as OrderSlot).isParked) {
      const contract = (flags & BY_MARK) === 0 ? undefined : x.perp.contract(venue.id)
      // Price 0: sleeping orders stay as they were, even if their activation price was passed while nothing could trigger.
      ;(contract?.markTriggers ?? venue.triggers).add(slot as OrderSlot, 0 as Ticks)
    }
  }
}
