import type { SideNumber } from '../book/codes.ts'
import type { MarketId, OrderId, UserId } from '../protocol/ids.ts'
import type { IndexPrice, Millis, Ticks } from '../money/brand.ts'
import type { OrderSlot } from '../book/order-fields.ts'
import { F, FLAGS, I, ID, MARKET } from '../book/order-fields.ts'
import { BUY, SELL_SIDE } from '../book/codes.ts'
import type { Mode } from '../protocol/command/mode.ts'
import { SELL } from '../protocol/codec/layout.ts'
import { decodeEvents, eventLength } from '../protocol/codec/event.ts'
import { writeAssetListed, writeFeesChanged, writeMarketListed } from '../protocol/codec/event-write.ts'
import type { AssetListed, FeesChanged, MarketListed } from '../protocol/event/index.ts'
import { dumpVersions, layoutOf, put, putRecord } from '../protocol/codec/records.ts'
import type { DumpVersion } from '../protocol/codec/records.ts'
import { Records } from '../protocol/codec/records.ts'
import { derivedMode, modeOf } from './state/mode.ts'
import { dumpAlgos, restoreAlgos } from './algo/dump.ts'
import { dumpChain, restoreChain } from './chain/dump.ts'
import { dumpConvert, restoreConvert } from './convert/dump.ts'
import { dumpFirms, restoreFirms } from './firm/dump.ts'
import { dumpPresale, restorePresale } from './presale/dump.ts'
import { dumpMargin, restoreMargin } from './margin/dump.ts'
import { noteOrders } from './margin/rules/orders.ts'
import { dumpOption, restoreOption } from './option/dump.ts'
import { dumpDeadlines, restoreDeadlines } from './perp/dump-deadlines.ts'
import { dumpPerp, restorePerp, restorePerpOrders } from './perp/dump.ts'
import { dumpOrders, orderSlots, restoreOrders } from './dump-orders.ts'
import { dumpPrevented, restorePrevented } from './spot/dump-prevented.ts'
import { openContract } from './perp/handlers/list.ts'
import { marketFrom12 } from './perp/records/upgrade.ts'
import { bindInvited, dumpReferral, restoreReferral } from './referral/dump.ts'
import { State } from './state/state.ts'
import { Venue } from './records/venue.ts'
import { countAt } from '../protocol/codec/slots.ts'

/**
 * "candor" in 48 bits, and the version of the layout that follows. A change of the layout, or of the state of a rule, raises the
 * version and keeps older layouts readable: a section whose layout changed gets the version that it reads.
 */
const magic = 0x63616e646f72
const version = dumpVersions.at(-1)!
const HEAD_12 = layoutOf('magic', 'version', 'seq', 'atMs', 'lastOrder', 'userCount')
const HEAD = layoutOf(...HEAD_12.names, 'mode')
const USER = layoutOf('bits', 'referrer')
const SWEEP = layoutOf('user', 'market', 'only', 'upTo')
const VENUE_12 = layoutOf('lastPrice', 'lastTrade', 'lastUpdate', 'indexPrice', 'indexSources', 'isIndexGood')
const VENUE = layoutOf(...VENUE_12.names, 'haltedAtMs', 'opensAtMs')

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
  const { seq, atMs, lastOrder, userCount, mode } = x
  putRecord(into, HEAD, { magic, version, seq, atMs, lastOrder, userCount, mode })
  for (let user = 1; user <= x.userCount; user++) {
    const at = into.reserve(USER.length)
    into.data[at + USER.bits] = x.users[user]!
    into.data[at + USER.referrer] = x.referrers[user]!
    if ((user & 1023) === 0) yield
  }
  put(into, x.assets.length)
  for (const asset of x.assets) writeAssetListed(into, asset)
  writeFeesChanged(into, x.volumes.tiers, x.perpVolumes.tiers)
  yield* x.ledger.dump(into)
  yield* x.volumes.dump(into)
  yield* x.perpVolumes.dump(into)
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
  for (const sweep of x.sweeps) putRecord(into, SWEEP, sweep)
  dumpMargin(x.margin, into)
  yield
  dumpOption(x.option, into)
  x.facts.dump(into)
  x.postings.dump(into)
  dumpChain(x.chain, into)
  dumpConvert(x.convert, into)
  yield
  yield* x.requests.dump(into)
  dumpPresale(x.presale, into)
  yield* dumpReferral(x, into)
  dumpFirms(x, into)
  dumpDeadlines(x, into)
  dumpPrevented(x, into)
  dumpAlgos(x, into)
}

/** The mode that the data of a dump belongs to, read from its first bytes; undefined when they do not say. */
export function modeOfDump(bytes: Uint8Array): Mode | undefined {
  const { data } = Records.from(bytes.slice(0, 8 * HEAD.length))
  return data[HEAD.magic] === magic && data[HEAD.version]! >= 13 ? modeOf(data[HEAD.mode]!) : undefined
}

/** Whether a dump, by its first bytes, has the layout that this build writes. */
export function isNewestDump(bytes: Uint8Array): boolean {
  const { data } = Records.from(bytes.slice(0, 8 * HEAD.length))
  return data[HEAD.magic] === magic && data[HEAD.version] === version
}

/** The state that was dumped. Throws when the version is unknown or the dump does not end where it should. */
export function restoreState(dump: Uint8Array, secret = 0): State {
  const { data } = Records.from(dump)
  const from = dumpVersions.find((each) => each === data[HEAD.version])
  if (data[HEAD.magic] !== magic || from === undefined) throw new Error('not a dump of a version that can be read')
  const x = new State(undefined, secret)
  x.seq = data[HEAD.seq]!
  x.atMs = data[HEAD.atMs] as Millis
  x.lastOrder = data[HEAD.lastOrder] as OrderId
  if (from >= 13) x.mode = data[HEAD.mode]!
  const userCount = countAt(data, HEAD.userCount, USER.length)
  let at = from >= 13 ? HEAD.length : HEAD_12.length
  for (let user = 1; user <= userCount; user++, at += USER.length) {
    x.addUser(0, data[at + USER.referrer] as UserId)
    x.users[user] = data[at + USER.bits]!
  }
  const assets = countAt(data, at++)
  for (let n = 1; n <= assets; n++) {
    const { asset } = event<AssetListed>(data, at)
    if (asset.id !== n) throw new Error(`asset ${asset.id} is in place ${n}`)
    x.addAsset(asset)
    at += eventLength(data, at, data.length)
  }
  const fees = event<FeesChanged>(data, at)
  x.volumes.setTiers(fees.tiers)
  x.perpVolumes.setTiers(fees.perpTiers)
  at += eventLength(data, at, data.length)
  if (data[at] !== assets) throw new Error(`${data[at]} assets have sums, ${assets} are listed`)
  at = x.ledger.restore(data, at, from)
  if (from < 13) x.mode = derivedMode(x)
  at = x.volumes.restore(data, at, from)
  if (from >= 20) at = x.perpVolumes.restore(data, at, from)
  at = restoreVenues(x, data, at, from)
  at = restorePerp(x, data, at, from)
  at = restoreOrders(x, data, at, from)
  restorePerpOrders(x)
  for (const venue of x.venues) if (venue !== undefined) at = restoreQueues(x, venue, data, at)
  // Version 12 has no orders that are tried again.
  at = from === 12 ? restoreWakesOf12(x, data, at) : x.retries.restore(data, x.wakes.restore(data, at))
  const sweeps = countAt(data, at++, SWEEP.length)
  for (let n = 0; n < sweeps; n++, at += SWEEP.length) {
    const [user, market] = [data[at + SWEEP.user] as UserId, data[at + SWEEP.market] as MarketId]
    x.sweeps.push({ user, market, only: data[at + SWEEP.only]!, upTo: data[at + SWEEP.upTo] as OrderId })
  }
  at = restoreMargin(x, data, at, from)
  noteOrders(x)
  const option = restoreOption(data, at, from)
  x.option = option.desk
  // Users of version 12 no longer count as new and have no known region. Second stays as its terms say.
  at = from >= 13 ? x.facts.restore(data, option.end, from) : option.end
  if (from >= 15) at = x.postings.restore(data, at)
  if (from >= 16) at = restoreChain(x.chain)(data, at)
  if (from >= 17) at = restoreConvert(x.convert)(data, at)
  at = x.requests.restore(data, at, from)
  if (from >= 18) at = restorePresale(x.presale)(data, at)
  if (from >= 18) at = restoreReferral(x)(data, at)
  else bindInvited(x)
  if (from >= 18) at = restoreFirms(x)(data, at)
  if (from >= 18) at = restoreDeadlines(x)(data, at)
  if (from >= 18) at = restorePrevented(x)(data, at)
  if (from >= 19) at = restoreAlgos(x)(data, at)
  if (at !== data.length) throw new Error(`dump ends at slot ${at} of ${data.length}`)
  return x
}

function dumpVenues(x: State, into: Records): void {
  put(into, x.venues.length - 1)
  for (const venue of x.venues) {
    if (venue === undefined) continue
    writeMarketListed(into, venue.market)
    const { lastPrice, lastTrade, lastUpdate, indexPrice, indexSources, isIndexGood } = venue
    const prices = { lastPrice, lastTrade, lastUpdate, indexPrice, indexSources, isIndexGood }
    putRecord(into, VENUE, { ...prices, ...venue.haltRecord() })
    venue.average.dump(into)
  }
}

function restoreVenues(x: State, data: Float64Array, start: number, from: DumpVersion): number {
  let at = start + 1
  for (let left = countAt(data, start); left > 0; left--) {
    const listed = event<MarketListed>(data, at).market
    const market = from === 12 ? marketFrom12(listed, x.assets[listed.base - 1]!.symbol) : listed
    const venue = market.perp === undefined ? new Venue(market, x.orders) : openContract(x, market).venue
    at += eventLength(data, at, data.length)
    venue.lastPrice = data[at + VENUE.lastPrice] as Ticks
    venue.lastTrade = data[at + VENUE.lastTrade]!
    venue.lastUpdate = data[at + VENUE.lastUpdate]!
    venue.setIndex(data[at + VENUE.indexPrice] as IndexPrice, data[at + VENUE.indexSources]!, data[at + VENUE.isIndexGood] === 1)
    // Version 12 does not record when a halt began: a halt still in force ends as a long one.
    if (from > 12) venue.restoreHalt(data[at + VENUE.haltedAtMs] as Millis, data[at + VENUE.opensAtMs] as Millis)
    at = venue.average.restore(data, at + (from === 12 ? VENUE_12 : VENUE).length)
    if (market.perp === undefined) x.addVenue(venue)
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
  const count = countAt(data, at)
  const known = new Set<number>()
  for (let n = 1; n <= count; n++) {
    const slot = x.orders.find(data[at + n] as OrderId) as OrderSlot
    if (slot < 0) throw new Error(`order ${data[at + n]} of a queue is not among the orders`)
    // An order behind itself would make a queue that no search leaves.
    if (known.has(slot) || x.orders.f[slot * F + MARKET] !== venue.id) throw new Error(`order ${data[at + n]} is in two queues`)
    known.add(slot)
    venue.book.insert(slot, (x.orders.i[slot * I + FLAGS]! & SELL) as SideNumber)
  }
  return at + 1 + count
}

/** Version 12 has one queue for all markets. */
function restoreWakesOf12(x: State, data: Float64Array, start: number): number {
  const end = start + 1 + countAt(data, start)
  for (let at = start + 1; at < end; at++) {
    x.wakes.add(x.orders.f[x.orders.find(data[at] as OrderId) * F + MARKET] as MarketId, data[at] as OrderId)
  }
  return end
}

function event<T>(data: Float64Array, at: number): T {
  return decodeEvents(data, at, at + eventLength(data, at, data.length))[0] as T
}
