import { createHash } from 'node:crypto'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OptionOpened, OptionSettled, OptionStruck, TapeExtended } from '@candor/core/protocol/event/option.ts'
import { OracleComposition } from '../../oracle/composition.ts'
import { fail } from '../failure.ts'
import type { Postings } from './postings.ts'

type Point = { readonly tick: number; readonly at: number; readonly price: number; readonly isGood: boolean }
/** A price of a tick, with the quotes that it comes from. */
type Named = {
  readonly market: number
  readonly price: number
  readonly sources: number
  readonly isGood: boolean
  readonly quotes: readonly { readonly venue: number; readonly price: number; readonly correction?: number }[]
  readonly shift?: number
}
type Open = { readonly opened: OptionOpened; struck: OptionStruck | undefined }

/** Ticks are kept from this long before the oldest open order: longer than the oldest index at which an order is accepted. */
const keptMs = 120_000

/**
 * Checks Second and the index tape: hashes the tape from the commands and recomputes every strike and settlement from it, millisecond
 * by millisecond if necessary.
 */
export class OptionAudit {
  readonly #postings: Postings
  readonly open = new Map<number, Open>()
  readonly #settled = new Set<number>()
  readonly #points = new Map<number, Point[]>()
  readonly #composition = new OracleComposition()
  #terms: OptionTerms | undefined
  #head = new Uint8Array(32)
  #tick = 0
  #tickedAt = 0
  #at = 0
  #decided = 0
  #moved = new Map<number, number>()

  constructor(postings: Postings) {
    this.#postings = postings
  }

  begin(at: number): void {
    this.#at = at
    this.#decided = 0
    this.#moved = new Map()
  }

  see(event: Event, command: Command): void {
    switch (event.type) {
      case 'option.terms':
        this.#terms = event.terms
        return
      case 'tape.extended':
        return this.#extend(event, command as IndexTick)
      case 'option.opened':
        return this.#opened(event, command)
      case 'option.struck':
        return this.#struck(event)
      case 'option.settled':
        return this.#settle(event)
      default:
    }
  }

  check(command: Command): void {
    const postings = this.#postings
    let profits = 0
    const stakes = new Map<number, number>()
    for (const { opened } of this.open.values()) {
      profits += opened.profit
      stakes.set(opened.user, (stakes.get(opened.user) ?? 0) + opened.stake)
    }
    if (postings.balance('option-house 1').held !== profits)
      fail(`the house holds ${postings.balance('option-house 1').held}, orders could win ${profits}`)
    let paid = 0
    for (const amount of this.#moved.values()) paid += amount
    if (postings.posted('option-house 1', 'payout') + postings.posted('option-house 1', 'stake') !== -paid)
      fail(`the house did not pay ${paid}`)
    for (const [key, { account }] of postings.touched) {
      if (!('user' in account) || account.kind !== 'option' || account.asset !== 1) continue
      if (postings.balance(key).held !== (stakes.get(account.user) ?? 0))
        fail(`${key} holds ${postings.balance(key).held}, open stakes are ${stakes.get(account.user)}`)
      const moved = postings.posted(key, 'payout') + postings.posted(key, 'stake')
      if (moved !== (this.#moved.get(account.user) ?? 0)) fail(`${key} moved ${moved}, outcomes say ${this.#moved.get(account.user)}`)
      this.#moved.delete(account.user)
    }
    for (const [user, amount] of this.#moved) if (amount !== 0) fail(`user ${user} has no entry for ${amount} of outcomes`)
    if (command.type !== 'clock.tick' && command.type !== 'index.tick') return
    if (this.#decided >= 64) return
    for (const order of this.open.values()) if (this.#at >= this.#dueAt(order)) fail(`order ${order.opened.order} is overdue`)
  }

  /** The time by which an open order must be struck or settled, according to its own times and the tape. */
  #dueAt({ opened, struck }: Open): number {
    const from = struck === undefined ? opened.strikeFrom : opened.expiresAt
    if (this.#tickedAt >= from) return this.#tickedAt
    return from + opened.gapMaxMs + (struck === undefined ? 1 : 0)
  }

  #extend({ tick, at, hash, prices }: TapeExtended, command: IndexTick): void {
    if (command.type !== 'index.tick' || tick !== ++this.#tick || at !== this.#at) fail(`tick ${tick} of the tape at ${at}`)
    const right = command.prices.map((one) => ({ ...one, ...this.#composition.compose(one.market, at, one) }))
    if (JSON.stringify(prices.map(flat)) !== JSON.stringify(right.map(flat))) fail(`tick ${tick} differs from the prices of the venues`)
    this.#tickedAt = at
    const slots = [tick, at, right.length + 65_536]
    for (const { market, price, sources, isGood, quotes, shift = 0 } of right) {
      slots.push(market, price, sources, isGood ? 1 : 0, quotes.length)
      for (const quote of quotes) slots.push((quote.price - price + 2 ** 46) * 32 + quote.venue, quote.correction)
      slots.push(shift)
      const points = this.#points.get(market) ?? []
      if (this.#points.get(market) === undefined) this.#points.set(market, points)
      points.push({ tick, at, price, isGood })
    }
    let since: number = at
    for (const { opened } of this.open.values()) since = Math.min(since, opened.acceptedAt)
    const named = new Set(command.prices.map(({ market }) => market as number))
    for (const [market, points] of this.#points) {
      const last = points.at(-1)
      if (!named.has(market) && last !== undefined) points.push({ ...last, tick, at })
      while ((points[1]?.at ?? Infinity) < since - keptMs) points.shift()
    }
    const bytes = Buffer.alloc(slots.length * 8)
    slots.forEach((slot, i) => bytes.writeDoubleLE(slot, i * 8))
    this.#head = new Uint8Array(createHash('sha256').update(this.#head).update(bytes).digest())
    if (Buffer.from(this.#head).toString('hex') !== hash) fail(`tick ${tick} has the wrong hash`)
  }

  #opened(opened: OptionOpened, command: Command): void {
    const terms = this.#terms
    if (command.type !== 'option.open' || terms === undefined)
      return fail(`order ${opened.order} of Second opened without a command or terms`)
    const rate = terms.rates.find(({ seconds }) => seconds === command.seconds)
    const from = this.#at + terms.strikeDelayMs
    const windowMs = Math.min(terms.windowMaxMs, Math.floor((command.seconds * 1000 * terms.windowPpm) / 1e6))
    const profit = Math.floor((command.stake * (rate?.profitPpm ?? 0)) / 1e6)
    const reference = this.#points.get(opened.market)?.at(-1)?.price
    const right = [command.user, command.market, command.stake, command.direction, command.guardPpm, rate?.profitPpm, profit]
    const is = [opened.user, opened.market, opened.stake, opened.direction, opened.guardPpm, opened.profitPpm, opened.profit]
    if (JSON.stringify(is) !== JSON.stringify(right)) fail(`order ${opened.order} of Second is not what was asked for`)
    const times = [opened.acceptedAt, opened.strikeFrom, opened.expiresAt, opened.windowMs, opened.gapMaxMs, opened.reference]
    if (JSON.stringify(times) !== JSON.stringify([this.#at, from, from + command.seconds * 1000, windowMs, terms.gapMaxMs, reference]))
      fail(`order ${opened.order} of Second has other times than the terms`)
    if (opened.stake < terms.stakeMin || opened.stake > terms.stakeMax) fail(`order ${opened.order} of Second stakes ${opened.stake}`)
    this.open.set(opened.order, { opened, struck: undefined })
    this.#checkExposure(opened, terms)
  }

  /** The possible loss of the house in a market must stay within its limit, unless the order reduces it. */
  #checkExposure(opened: OptionOpened, terms: OptionTerms): void {
    const worst = (skipped: number): number => {
      const sums = { up: 0, down: 0 }
      for (const { opened: one } of this.open.values()) {
        if (one.market !== opened.market || one.order === skipped) continue
        sums[one.direction] += one.profit
        sums[one.direction === 'up' ? 'down' : 'up'] -= one.stake
      }
      return Math.max(0, sums.up, sums.down)
    }
    const { available, held } = this.#postings.balance('option-house 1')
    const most = Math.floor(((available + held) * terms.marketExposurePpm) / 1e6)
    if (worst(0) > worst(opened.order) && worst(0) > most) fail(`order ${opened.order} of Second makes the house risk ${worst(0)}`)
  }

  #struck(event: OptionStruck): void {
    const order = this.open.get(event.order) ?? fail(`order ${event.order} of Second is struck and not open`)
    const point = this.#strikeOf(order.opened)
    if (point === undefined || point.tick !== event.tick || point.price !== event.strike || point.at !== event.at || !point.isGood)
      fail(`order ${event.order} of Second is struck at ${event.strike}`)
    order.struck = event
    this.#decided++
  }

  #strikeOf({ market, strikeFrom, gapMaxMs }: OptionOpened): Point | undefined {
    const point = this.#points.get(market)?.find(({ at }) => at >= strikeFrom)
    return point !== undefined && point.at <= strikeFrom + gapMaxMs ? point : undefined
  }

  #settle({ order: number, result, reason, price, payout, user, market, at }: OptionSettled): void {
    const order =
      this.open.get(number) ?? fail(`order ${number} of Second is settled ${this.#settled.has(number) ? 'twice' : 'and unknown'}`)
    const { opened, struck } = order
    const right = this.#outcome(opened)
    if (at !== this.#at) fail(`order ${number} of Second is settled at ${at}`)
    // A void by price protection happens at the strike.
    if (this.#at < this.#dueAt(reason === 'guard' ? { opened, struck: undefined } : order))
      fail(`order ${number} of Second is settled too early`)
    if (right.result !== result || right.reason !== reason || right.price !== price || opened.user !== user || opened.market !== market) {
      fail(
        `order ${number} of Second is ${result} (${reason}) at ${price}, the tape says ${right.result} (${right.reason}) at ${right.price}`,
      )
    }
    if (reason === 'none' && struck === undefined) fail(`order ${number} of Second is settled without a strike`)
    const won = result === 'win' ? opened.profit : result === 'lose' ? -opened.stake : 0
    if (payout !== (result === 'lose' ? 0 : opened.stake + Math.max(0, won))) fail(`order ${number} of Second pays ${payout}`)
    this.#moved.set(user, (this.#moved.get(user) ?? 0) + won)
    this.open.delete(number)
    this.#settled.add(number)
    this.#decided++
  }

  #outcome(opened: OptionOpened): { readonly result: string; readonly reason: string; readonly price: number } {
    const isVoid = (reason: string): { result: string; reason: string; price: number } => ({ result: 'void', reason, price: 0 })
    const strike = this.#strikeOf(opened)
    if (strike === undefined) return isVoid('gap')
    if (!strike.isGood) return isVoid('sources')
    const away = Math.abs(strike.price - opened.reference)
    if (opened.guardPpm > 0 && BigInt(away) * 1_000_000n > BigInt(opened.guardPpm) * BigInt(opened.reference)) return isVoid('guard')
    const points = this.#points.get(opened.market) ?? []
    const from = opened.expiresAt - opened.windowMs
    const times = new Map<number, number>()
    let isGood = true
    for (let n = 0; n < points.length; n++) {
      const point = points[n] as Point
      const next = points[n + 1]
      const end = next?.at ?? Infinity
      if (end <= from || point.at >= opened.expiresAt || end === point.at) continue
      if (end - point.at > opened.gapMaxMs) return isVoid('gap')
      if (!point.isGood) isGood = false
      const ms = Math.min(end, opened.expiresAt) - Math.max(point.at, from)
      times.set(point.price, (times.get(point.price) ?? 0) + ms)
    }
    if (!isGood) return isVoid('sources')
    let count = 0
    const sorted = [...times].sort(([a], [b]) => a - b)
    const found = sorted.find(([, ms]) => {
      count += ms
      return 2 * count >= opened.windowMs
    })
    const price = found?.[0] ?? fail(`the tape has no window for order ${opened.order}`)
    if (price === strike.price) return { result: 'tie', reason: 'none', price }
    return { result: price > strike.price === (opened.direction === 'up') ? 'win' : 'lose', reason: 'none', price }
  }
}

/** All values of a market in a tick. */
function flat({ market, price, sources, isGood, quotes, shift = 0 }: Named): readonly unknown[] {
  return [market, price, sources, isGood, shift, ...quotes.flatMap((quote) => [quote.venue, quote.price, quote.correction])]
}
