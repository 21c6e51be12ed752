import type { SideNumber } from '../book/codes.ts'
import type { MarketId, OrderId, UserId } from '../protocol/ids.ts'
import type { IndexPrice, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import type { OrderSlot } from '../book/order-fields.ts'
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
} from '../book/order-fields.ts'
import { VISIBLE, WAKING } from '../book/order-fields.ts'
import { BUY, SELL_SIDE } from '../book/codes.ts'
import type { Mode } from '../protocol/command/mode.ts'
import { BY_MARK, SELL } from '../protocol/codec/layout.ts'
import { decodeEvents, eventLength } from '../protocol/codec/event.ts'
import { writeAssetListed, writeFeesChanged, writeMarketListed } from '../protocol/codec/event-write.ts'
import type { AssetListed, FeesChanged, MarketListed } from '../protocol/event/index.ts'
import { Records } from '../protocol/codec/records.ts'
import { derivedMode, modeOf } from './state/mode.ts'
import { dumpMargin, restoreMargin } from './margin/dump.ts'
import { noteOrders } from './margin/rules/orders.ts'
import * as text from '../protocol/codec/text.ts'
import { dumpOption, restoreOption } from './option/dump.ts'
import { dumpPerp, restorePerp, restorePerpOrders } from './perp/dump.ts'
import { openContract } from './perp/handlers/list.ts'
import { marketFrom12 } from './perp/records/upgrade.ts'
import { State } from './state/state.ts'
import { Venue } from './records/venue.ts'

const { clientIdSlots } = text

/**
 * "candor" in 48 bits, and the version of the layout that follows. A change of the layout, or of the state of a rule, raises the
 * version and keeps older layouts readable: a section whose layout changed gets the version that it reads.
 */
const magic = 0x63616e646f72
const version = 13
const oldestReadable = 12
/** Magic, version, seq, time, last order, users, mode. */
const headSlots = 7
const orderSlots = 18
const extraSlots = 13
const extraSlotsOf12 = 11

/** The whole state as sections, each sorted by number. The result does not depend on the layout of the memory. */
export function dumpState(x: State): Records {
  const into = new Records(4096 + slotsAbout(x))
  for (const _ of dumpSome(x, into));
  return into
}

/** Roughly the number of slots of a dump: memory that grows by doubling would be copied again and again. Unused memory is not backed. */
function slotsAbout({ userCount, ledger, orders, requests }: State): number {
  return userCount * 12 + ledger.blockCount * 8 + orders.count * (orderSlots + 1) + requests.count * 3
}

/** Dumps the state in parts: at every step the caller may take out of `into` what has been appended. */
export function* dumpSome(x: State, into: Records): Generator<void> {
  put(into, magic, version, x.seq, x.atMs, x.lastOrder, x.userCount, x.mode)
  for (let user = 1; user <= x.userCount; user++) {
    put(into, x.users[user]!, x.referrers[user]!)
    if ((user & 1023) === 0) yield
  }
  put(into, x.assets.length)
  for (const asset of x.assets) writeAssetListed(into, asset)
  writeFeesChanged(into, x.volumes.tiers)
  yield* x.ledger.dump(into)
  yield* x.volumes.dump(into)
  dumpVenues(x, into)
  dumpPerp(x, into)
  yield* dumpOrders(x, into)
  for (const venue of x.venues) {
    if (venue !== undefined) dumpQueues(x, venue, into)
    yield
  }
  x.wakes.dump(into)
  x.retries.dump(into)
  put(into, x.sweeps.length)
  for (const sweep of x.sweeps) put(into, sweep.user, sweep.market, sweep.only, sweep.upTo)
  dumpMargin(x.margin, into)
  yield
  dumpOption(x.option, into)
  x.facts.dump(into)
  yield
  yield* x.requests.dump(into)
}

/** The mode that the data of a dump belongs to, read from its first bytes; undefined when they do not say. */
export function modeOfDump(bytes: Uint8Array): Mode | undefined {
  const { data } = Records.from(bytes.slice(0, 8 * headSlots))
  return data[0] === magic && data[1]! >= 13 ? modeOf(data[6]!) : undefined
}

/** The state that was dumped. Throws when the version is unknown or the dump does not end where it should. */
export function restoreState(dump: Uint8Array, secret = 0): State {
  const { data } = Records.from(dump)
  const from = data[1]!
  if (data[0] !== magic || !(from >= oldestReadable && from <= version)) throw new Error('not a dump of a version that can be read')
  const x = new State(undefined, secret)
  const [seq, atMs, lastOrder, userCount] = [data[2]!, data[3] as Millis, data[4] as OrderId, data[5]!]
  x.seq = seq
  x.atMs = atMs
  x.lastOrder = lastOrder
  if (from >= 13) x.mode = data[6]!
  let at = from >= 13 ? headSlots : 6
  for (let user = 1; user <= userCount; user++, at += 2) {
    x.addUser(0, data[at + 1] as UserId)
    x.users[user] = data[at]!
  }
  const assets = data[at++]!
  for (let n = 0; n < assets; n++) {
    x.addAsset(event<AssetListed>(data, at).asset)
    at += eventLength(data, at, data.length)
  }
  x.volumes.setTiers(event<FeesChanged>(data, at).tiers)
  at = x.ledger.restore(data, at + eventLength(data, at, data.length), from)
  if (from < 13) x.mode = derivedMode(x)
  at = x.volumes.restore(data, at, from)
  at = restoreVenues(x, data, at, from)
  at = restorePerp(x, data, at, from)
  at = restoreOrders(x, data, at, from)
  restorePerpOrders(x)
  for (const venue of x.venues) if (venue !== undefined) at = restoreQueues(x, venue, data, at)
  // Version 12 has no orders that are tried again.
  at = from === 12 ? restoreWakesOf12(x, data, at) : x.retries.restore(data, x.wakes.restore(data, at))
  const sweeps = data[at++]!
  for (let n = 0; n < sweeps; n++, at += 4) {
    x.sweeps.push({ user: data[at] as UserId, market: data[at + 1] as MarketId, only: data[at + 2]!, upTo: data[at + 3] as OrderId })
  }
  at = restoreMargin(x, data, at, from)
  noteOrders(x)
  const option = restoreOption(data, at, from)
  x.option = option.desk
  // Users of version 12 no longer count as new and have no known region. Second stays as its terms say.
  at = from >= 13 ? x.facts.restore(data, option.end) : option.end
  at = x.requests.restore(data, at, from)
  if (at !== data.length) throw new Error(`dump ends at slot ${at} of ${data.length}`)
  return x
}

function dumpVenues(x: State, into: Records): void {
  put(into, x.venues.length - 1)
  for (const venue of x.venues) {
    if (venue === undefined) continue
    writeMarketListed(into, venue.market)
    put(into, venue.lastPrice, venue.lastTrade, venue.lastUpdate, venue.indexPrice, venue.indexSources, venue.isIndexGood ? 1 : 0)
    put(into, ...venue.haltRecord())
    venue.average.dump(into)
  }
}

function restoreVenues(x: State, data: Float64Array, start: number, from: number): number {
  let at = start + 1
  for (let n = 0; n < data[start]!; n++) {
    const listed = event<MarketListed>(data, at).market
    const market = from === 12 ? marketFrom12(listed, x.assets[listed.base - 1]!.symbol) : listed
    const venue = market.perp === undefined ? new Venue(market, x.orders) : openContract(x, market).venue
    at += eventLength(data, at, data.length)
    venue.lastPrice = data[at] as Ticks
    venue.lastTrade = data[at + 1]!
    venue.lastUpdate = data[at + 2]!
    venue.setIndex(data[at + 3] as IndexPrice, data[at + 4]!, data[at + 5] === 1)
    // Version 12 does not record when a halt began: a halt still in force ends as a long one.
    if (from > 12) venue.restoreHalt(data[at + 6] as Millis, data[at + 7] as Millis)
    at = venue.average.restore(data, at + (from === 12 ? 6 : 8))
    if (market.perp === undefined) x.addVenue(venue)
  }
  return at
}

function* dumpOrders(x: State, into: Records): Generator<void> {
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
  data[at] = f[ft + ID]!
  data[at + 1] = i[slot * I + OWNER]!
  data[at + 2] = f[ft + MARKET]!
  data[at + 3] = i[slot * I + FLAGS]!
  data[at + 4] = f[ft + PRICE]!
  data[at + 5] = f[ft + LEFT]!
  data[at + 6] = f[ft + VISIBLE]!
  data[at + 7] = f[ft + EXECUTED_LOTS]!
  data[at + 8] = f[ft + EXECUTED]!
  data[at + 9] = f[ft + PLACED_AT]!
  data[at + 10] = c[slot * C + UPDATED_AT]!
  for (let k = 0; k < clientIdSlots; k++) data[at + 11 + k] = c[slot * C + k]!
  data[at + 17] = extra === undefined ? 0 : 1
  if (extra === undefined) return
  const sibling = extra.sibling < 0 ? 0 : f[extra.sibling * F + ID]!
  put(into, extra.display, extra.spend, extra.trigger, extra.activation, extra.peak, extra.list, sibling, extra.held)
  put(into, extra.prevented, extra.strategy, extra.strategyType, extra.wokeAtMs, extra.isParked ? 1 : 0)
}

function restoreOrders(x: State, data: Float64Array, start: number, from: number): number {
  const { orders } = x
  const siblings: (readonly [slot: number, number: number])[] = []
  let at = start + 1
  for (let n = 0; n < data[start]!; n++) {
    const slot = orders.add(data[at] as OrderId, data[at + 1] as UserId, data[at + 2] as MarketId)
    const { f, i, c } = orders
    const ft = slot * F
    i[slot * I + FLAGS] = data[at + 3]!
    f[ft + PRICE] = data[at + 4]!
    f[ft + LEFT] = data[at + 5]!
    f[ft + VISIBLE] = data[at + 6]!
    f[ft + EXECUTED_LOTS] = data[at + 7]!
    f[ft + EXECUTED] = data[at + 8]!
    f[ft + PLACED_AT] = data[at + 9]!
    c[slot * C + UPDATED_AT] = data[at + 10]!
    for (let k = 0; k < clientIdSlots; k++) c[slot * C + k] = data[at + 11 + k]!
    const hasExtra = data[at + 17] === 1
    at += orderSlots
    if (!hasExtra) continue
    const extra = orders.extra(slot)
    extra.display = data[at]!
    extra.spend = data[at + 1] as Units
    extra.trigger = data[at + 2] as Ppm
    extra.activation = data[at + 3] as Ticks
    extra.peak = data[at + 4] as Ticks
    extra.list = data[at + 5] as OrderId
    extra.held = data[at + 7] as Units
    extra.prevented = data[at + 8]!
    extra.strategy = data[at + 9]!
    extra.strategyType = data[at + 10]!
    if (data[at + 6] !== 0) siblings.push([slot, data[at + 6]!])
    if (from > 12) {
      extra.wokeAtMs = data[at + 11] as Millis
      extra.isParked = data[at + 12] === 1
    }
    at += from === 12 ? extraSlotsOf12 : extraSlots
  }
  for (const [slot, number] of siblings) orders.extra(slot as OrderSlot).sibling = orders.find(number as OrderId) as OrderSlot
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
  return at
}

/** Orders in a market's book: bids, then asks, best price first, in queue order. */
function dumpQueues(x: State, venue: Venue, into: Records): void {
  const numbers = [BUY, SELL_SIDE].flatMap((side) =>
    venue.book
      .levels(side as SideNumber, Infinity as Ticks)
      .flatMap((level) => venue.book.queue(level.price).map((slot) => x.orders.f[slot * F + ID]!)),
  )
  const at = into.reserve(numbers.length + 1)
  into.data[at] = numbers.length
  into.data.set(numbers, at + 1)
}

function restoreQueues(x: State, venue: Venue, data: Float64Array, at: number): number {
  const count = data[at]!
  for (let n = 1; n <= count; n++) {
    const slot = x.orders.find(data[at + n] as OrderId) as OrderSlot
    if (slot < 0) throw new Error(`order ${data[at + n]} of a queue is not among the orders`)
    venue.book.insert(slot, (x.orders.i[slot * I + FLAGS]! & SELL) as SideNumber)
  }
  return at + 1 + count
}

/** Version 12 has one queue for all markets. */
function restoreWakesOf12(x: State, data: Float64Array, start: number): number {
  const end = start + 1 + data[start]!
  for (let at = start + 1; at < end; at++) {
    x.wakes.add(x.orders.f[x.orders.find(data[at] as OrderId) * F + MARKET] as MarketId, data[at] as OrderId)
  }
  return end
}

function put(into: Records, ...values: readonly number[]): void {
  const at = into.reserve(values.length)
  for (let n = 0; n < values.length; n++) into.data[at + n] = values[n]!
}

function event<T>(data: Float64Array, at: number): T {
  return decodeEvents(data, at, at + eventLength(data, at, data.length))[0] as T
}
