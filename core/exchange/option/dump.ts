import type { IndexPrice, Millis, Ppm, Units } from '../../money/brand.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import { optionTermsSlots, readOptionTerms, readOptionTerms12, writeOptionTerms } from '../../protocol/codec/option.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { clientIdSlots, packText, unpackText } from '../../protocol/codec/text.ts'
import { OptionDesk } from './records/state.ts'
import type { OptionOrder } from './records/state.ts'

/** Up to version 12, which did not count guards, a user has three slots fewer. */
const userSlots = 11
const userSlots12 = 8
const orderSlots = 25

/** The tape's head, the terms, then users, orders and kept ticks, each sorted by number. */
export function dumpOption(desk: OptionDesk, into: Records): void {
  put(into, desk.tick, desk.tickedAt, ...words(desk.head), desk.isOpen ? 1 : 0, desk.keepMs, desk.terms === undefined ? 0 : 1)
  if (desk.terms !== undefined) {
    const at = into.reserve(optionTermsSlots(desk.terms))
    writeOptionTerms(desk.terms, into.data, at)
  }
  put(into, desk.users.size)
  for (const [number, user] of sorted(desk.users)) {
    put(into, number, user.isAdmitted ? 1 : 0, user.lossMax, user.nextLossMax, user.nextAt, user.coolOffUntil, user.day, user.loss)
    put(into, user.guardDay, user.dayOrders, user.guardVoids)
  }
  put(into, desk.orders.size)
  for (const [, order] of sorted(desk.orders)) dumpOrder(order, into)
  put(into, desk.points.size)
  for (const [market, points] of sorted(desk.points)) {
    put(into, market, points.length)
    for (const { tick, at, price, isGood } of points) put(into, tick, at, price, isGood ? 1 : 0)
  }
  dumpCompositions(desk, into)
}

function dumpCompositions({ compositions }: OptionDesk, into: Records): void {
  put(into, compositions.size)
  for (const [market, { at, shift, quotes, away }] of sorted(compositions)) {
    put(into, market, at, shift, quotes.length, away.length)
    for (const { venue, price, correction } of quotes) put(into, venue, price, correction)
    for (const { venue, correction } of away) put(into, venue, correction)
  }
}

/** Reads what `dumpCompositions` wrote at `start`. Returns the index just after it. */
function restoreCompositions({ compositions }: OptionDesk, data: Float64Array, start: number): number {
  let at = start + 1
  for (let n = 0; n < data[start]!; n++) {
    const [market, time, shift, here, gone] = [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!, data[at + 4]!]
    at += 5
    const quotes = Array.from({ length: here }, (_, i) => {
      const slot = at + 3 * i
      return { venue: data[slot]!, price: data[slot + 1]!, correction: data[slot + 2]! }
    })
    at += 3 * here
    const away = Array.from({ length: gone }, (_, i) => ({ venue: data[at + 2 * i]!, correction: data[at + 2 * i + 1]! }))
    at += 2 * gone
    compositions.set(market, { at: time, quotes, shift, away })
  }
  return at
}

/**
 * Reads what `dumpOption` wrote at `start`. Returns the desk and the index just after it. A dump of version 12 has no
 * corrections: each market's begin with its first tick, at the median.
 */
export function restoreOption(data: Float64Array, start: number, from: number): { readonly desk: OptionDesk; readonly end: number } {
  const desk = new OptionDesk()
  desk.tick = data[start]!
  desk.tickedAt = data[start + 1] as Millis
  desk.head = bytes(data.subarray(start + 2, start + 10))
  desk.isOpen = data[start + 10] === 1
  const keepMs = data[start + 11]!
  let at = start + 13
  if (data[start + 12] === 1) at = restoreTerms(desk, data, at, from)
  const users = data[at++]!
  for (let n = 0; n < users; n++, at += from >= 13 ? userSlots : userSlots12) {
    const user = desk.user(data[at] as UserId)
    user.isAdmitted = data[at + 1] === 1
    user.lossMax = data[at + 2] as Units
    user.nextLossMax = data[at + 3] as Units
    user.nextAt = data[at + 4] as Millis
    user.coolOffUntil = data[at + 5] as Millis
    user.day = data[at + 6]!
    user.loss = data[at + 7] as Units
    if (from < 13) continue
    user.guardDay = data[at + 8]!
    user.dayOrders = data[at + 9]!
    user.guardVoids = data[at + 10]!
  }
  const orders = data[at++]!
  for (let n = 0; n < orders; n++, at += orderSlots) desk.add(restoreOrder(data, at))
  const markets = data[at++]!
  for (let n = 0; n < markets; n++) {
    const points = desk.points.get(data[at]!)!
    const count = data[at + 1]!
    at += 2
    for (let k = 0; k < count; k++, at += 4) {
      points.push({ tick: data[at]!, at: data[at + 1]!, price: data[at + 2]!, isGood: data[at + 3] === 1 })
    }
  }
  desk.keepMs = keepMs
  if (from >= 13) at = restoreCompositions(desk, data, at)
  return { desk, end: at }
}

function restoreTerms(desk: OptionDesk, data: Float64Array, at: number, from: number): number {
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
  put(into, order.order, order.user, order.market, order.direction === 'up' ? 1 : 0, order.stake, order.profitPpm, order.profit)
  put(into, order.acceptedAt, order.strikeFrom, order.expiresAt, order.windowMs, order.gapMaxMs, order.guardPpm, order.reference)
  put(into, strike === undefined ? 0 : 1, strike?.tick ?? 0, strike?.at ?? 0, strike?.price ?? 0, strike?.isGood === true ? 1 : 0)
}

function restoreOrder(data: Float64Array, at: number): OptionOrder {
  const read = (i: number): number => data[at + clientIdSlots + i]!
  return {
    clientId: unpackText(data, at, clientIdSlots),
    order: read(0) as OrderId,
    user: read(1) as UserId,
    market: read(2) as MarketId,
    direction: read(3) === 1 ? 'up' : 'down',
    stake: read(4) as Units,
    profitPpm: read(5) as Ppm,
    profit: read(6) as Units,
    acceptedAt: read(7) as Millis,
    strikeFrom: read(8) as Millis,
    expiresAt: read(9) as Millis,
    windowMs: read(10),
    gapMaxMs: read(11),
    guardPpm: read(12) as Ppm,
    reference: read(13) as IndexPrice,
    strike: read(14) === 1 ? { tick: read(15), at: read(16), price: read(17), isGood: read(18) === 1 } : undefined,
    isSettled: false,
  }
}

function sorted<T>(map: Iterable<readonly [number, T]>): readonly (readonly [number, T])[] {
  return [...map].sort((a, b) => a[0] - b[0])
}

function words(hash: Uint8Array): readonly number[] {
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength)
  return Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4))
}

function bytes(slots: Float64Array): Uint8Array {
  const hash = new Uint8Array(32)
  const view = new DataView(hash.buffer)
  slots.forEach((word, i) => view.setUint32(i * 4, word))
  return hash
}

function put(into: Records, ...values: readonly number[]): void {
  const at = into.reserve(values.length)
  for (let n = 0; n < values.length; n++) into.data[at + n] = values[n]!
}
