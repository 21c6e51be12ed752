import type { IndexPrice, Millis, Ppm, Units } from '../../money/brand.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import { optionTermsSlots, readOptionTerms, readOptionTerms12, writeOptionTerms } from '../../protocol/codec/option.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { DumpVersion } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { clientIdSlots, packText, unpackText } from '../../protocol/codec/text.ts'
import type { Composition, CorrectedQuote } from '../../proof/composition.ts'
import type { TapePoint } from '../../proof/second.ts'
import { OptionDesk } from './records/state.ts'
import type { OptionOrder } from './records/state.ts'
import { countAt } from '../../protocol/codec/slots.ts'

const TAPE = layoutOf('tick', 'tickedAt')
/** The hash at the head of the tape: 32 bits in each slot. */
const hashSlots = 8
const DESK = layoutOf('isOpen', 'keepMs', 'hasTerms')
const USER_12 = layoutOf('user', 'isAdmitted', 'lossMax', 'nextLossMax', 'nextAt', 'coolOffUntil', 'day', 'loss')
/** Version 12 did not count guards. */
const USER = layoutOf(...USER_12.names, 'guardDay', 'dayOrders', 'guardVoids')
/** Fields of an order, after its client id. */
const ORDER = layoutOf(
  'order',
  'user',
  'market',
  'isUp',
  'stake',
  'profitPpm',
  'profit',
  'acceptedAt',
  'strikeFrom',
  'expiresAt',
  'windowMs',
  'gapMaxMs',
  'guardPpm',
  'reference',
  'hasStrike',
  'strikeTick',
  'strikeAt',
  'strikePrice',
  'isStrikeGood',
)
const MARKET = layoutOf('market', 'pointCount')
const POINT = layoutOf('tick', 'at', 'price', 'isGood')
const COMPOSITION = layoutOf('market', 'at', 'shift', 'quoteCount', 'awayCount')
const QUOTE = layoutOf('venue', 'price', 'correction')
const AWAY = layoutOf('venue', 'correction')

/** The tape's head, the terms, then users, orders and kept ticks, each sorted by number. */
export function dumpOption(desk: OptionDesk, into: Records): void {
  putRecord(into, TAPE, desk)
  into.all(words(desk.head))
  putRecord(into, DESK, { isOpen: desk.isOpen, keepMs: desk.keepMs, hasTerms: desk.terms !== undefined })
  if (desk.terms !== undefined) {
    const at = into.reserve(optionTermsSlots(desk.terms))
    writeOptionTerms(desk.terms, into.data, at)
  }
  put(into, desk.users.size)
  for (const [user, facts] of sorted(desk.users)) putRecord(into, USER, { ...facts, user })
  put(into, desk.orders.size)
  for (const [, order] of sorted(desk.orders)) dumpOrder(order, into)
  put(into, desk.points.size)
  for (const [market, points] of sorted(desk.points)) {
    putRecord(into, MARKET, { market, pointCount: points.length })
    for (const point of points) putRecord(into, POINT, point)
  }
  dumpCompositions(desk, into)
}

function dumpCompositions({ compositions }: OptionDesk, into: Records): void {
  put(into, compositions.size)
  for (const [market, { at, shift, quotes, away }] of sorted(compositions)) {
    putRecord(into, COMPOSITION, { market, at, shift, quoteCount: quotes.length, awayCount: away.length })
    for (const quote of quotes) putRecord(into, QUOTE, quote)
    for (const each of away) putRecord(into, AWAY, each)
  }
}

/** Reads what `dumpCompositions` wrote at `start`. Returns the index just after it. */
function restoreCompositions({ compositions }: OptionDesk, data: Float64Array, start: number): number {
  let at = start + 1
  for (let left = countAt(data, start, COMPOSITION.length); left > 0; left--) {
    const [market, time, shift] = [data[at + COMPOSITION.market]!, data[at + COMPOSITION.at]!, data[at + COMPOSITION.shift]!]
    const here = countAt(data, at + COMPOSITION.quoteCount, QUOTE.length)
    const gone = countAt(data, at + COMPOSITION.awayCount, AWAY.length)
    const first = at + COMPOSITION.length
    const quotes = Array.from({ length: here }, (_, i) => quoteAt(data, first + i * QUOTE.length))
    const second = first + here * QUOTE.length
    const away = Array.from({ length: gone }, (_, i) => awayAt(data, second + i * AWAY.length))
    at = second + gone * AWAY.length
    compositions.set(market, { at: time, quotes, shift, away })
  }
  return at
}

function quoteAt(data: Float64Array, at: number): CorrectedQuote {
  return { venue: data[at + QUOTE.venue]!, price: data[at + QUOTE.price]!, correction: data[at + QUOTE.correction]! }
}

function awayAt(data: Float64Array, at: number): Composition['away'][number] {
  return { venue: data[at + AWAY.venue]!, correction: data[at + AWAY.correction]! }
}

/**
 * Reads what `dumpOption` wrote at `start`. Returns the desk and the index just after it. A dump of version 12 has no
 * corrections: each market's begin with its first tick, at the median.
 */
export function restoreOption(data: Float64Array, start: number, from: DumpVersion): { readonly desk: OptionDesk; readonly end: number } {
  const desk = new OptionDesk()
  desk.tick = data[start + TAPE.tick]!
  desk.tickedAt = data[start + TAPE.tickedAt] as Millis
  const hash = start + TAPE.length
  const open = hash + hashSlots
  desk.head = bytes(data.subarray(hash, open))
  desk.isOpen = data[open + DESK.isOpen] === 1
  const keepMs = data[open + DESK.keepMs]!
  let at = open + DESK.length
  if (data[open + DESK.hasTerms] === 1) at = restoreTerms(desk, data, at, from)
  for (let left = countAt(data, at++, (from >= 13 ? USER : USER_12).length); left > 0; left--, at += (from >= 13 ? USER : USER_12).length)
    restoreUser(desk, data, at, from)
  for (let left = countAt(data, at++, clientIdSlots + ORDER.length); left > 0; left--, at += clientIdSlots + ORDER.length)
    desk.add(restoreOrder(data, at))
  const markets = countAt(data, at++, MARKET.length)
  for (let n = 0; n < markets; n++) {
    const points = desk.points.get(data[at + MARKET.market]!)!
    const count = countAt(data, at + MARKET.pointCount, POINT.length)
    at += MARKET.length
    for (let k = 0; k < count; k++, at += POINT.length) points.push(pointAt(data, at))
  }
  desk.keepMs = keepMs
  if (from >= 13) at = restoreCompositions(desk, data, at)
  return { desk, end: at }
}

function restoreUser(desk: OptionDesk, data: Float64Array, at: number, from: DumpVersion): void {
  const user = desk.user(data[at + USER.user] as UserId)
  user.isAdmitted = data[at + USER.isAdmitted] === 1
  user.lossMax = data[at + USER.lossMax] as Units
  user.nextLossMax = data[at + USER.nextLossMax] as Units
  user.nextAt = data[at + USER.nextAt] as Millis
  user.coolOffUntil = data[at + USER.coolOffUntil] as Millis
  user.day = data[at + USER.day]!
  user.loss = data[at + USER.loss] as Units
  if (from < 13) return
  user.guardDay = data[at + USER.guardDay]!
  user.dayOrders = data[at + USER.dayOrders]!
  user.guardVoids = data[at + USER.guardVoids]!
}

function pointAt(data: Float64Array, at: number): TapePoint {
  return { tick: data[at + POINT.tick]!, at: data[at + POINT.at]!, price: data[at + POINT.price]!, isGood: data[at + POINT.isGood] === 1 }
}

function restoreTerms(desk: OptionDesk, data: Float64Array, at: number, from: DumpVersion): number {
  if (from < 13) {
    const { terms, end } = readOptionTerms12(data, at)
    desk.terms = terms
    return end
  }
  desk.terms = readOptionTerms(data, at)
  return at + optionTermsSlots(desk.terms)
}

function dumpOrder(order: OptionOrder, into: Records): void {
  const { strike } = order
  const at = into.reserve(clientIdSlots)
  packText(order.clientId, into.data, at, clientIdSlots)
  putRecord(into, ORDER, {
    ...order,
    isUp: order.direction === 'up',
    hasStrike: strike !== undefined,
    strikeTick: strike?.tick ?? 0,
    strikeAt: strike?.at ?? 0,
    strikePrice: strike?.price ?? 0,
    isStrikeGood: strike?.isGood === true,
  })
}

function restoreOrder(data: Float64Array, start: number): OptionOrder {
  const at = start + clientIdSlots
  return {
    clientId: unpackText(data, start, clientIdSlots),
    order: data[at + ORDER.order] as OrderId,
    user: data[at + ORDER.user] as UserId,
    market: data[at + ORDER.market] as MarketId,
    direction: data[at + ORDER.isUp] === 1 ? 'up' : 'down',
    stake: data[at + ORDER.stake] as Units,
    profitPpm: data[at + ORDER.profitPpm] as Ppm,
    profit: data[at + ORDER.profit] as Units,
    acceptedAt: data[at + ORDER.acceptedAt] as Millis,
    strikeFrom: data[at + ORDER.strikeFrom] as Millis,
    expiresAt: data[at + ORDER.expiresAt] as Millis,
    windowMs: data[at + ORDER.windowMs]!,
    gapMaxMs: data[at + ORDER.gapMaxMs]!,
    guardPpm: data[at + ORDER.guardPpm] as Ppm,
    reference: data[at + ORDER.reference] as IndexPrice,
    strike: data[at + ORDER.hasStrike] === 1 ? strikeAt(data, at) : undefined,
    isSettled: false,
  }
}

function strikeAt(data: Float64Array, at: number): TapePoint {
  return {
    tick: data[at + ORDER.strikeTick]!,
    at: data[at + ORDER.strikeAt]!,
    price: data[at + ORDER.strikePrice]!,
    isGood: data[at + ORDER.isStrikeGood] === 1,
  }
}

function sorted<T>(map: Iterable<readonly [number, T]>): readonly (readonly [number, T])[] {
  return [...map].sort((a, b) => a[0] - b[0])
}

function words(hash: Uint8Array): readonly number[] {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength)
  return Array.from({ length: hashSlots }, (_, i) => view.getUint32(i * 4))
}

function bytes(slots: Float64Array): Uint8Array {
  const hash = new Uint8Array(32)
  const view = new DataView(hash.buffer)
  slots.forEach((word, i) => view.setUint32(i * 4, word))
  return hash
}
