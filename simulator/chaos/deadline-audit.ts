import { DepthBook } from '@candor/core/market-data/depth.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { PriceMatch } from '@candor/core/protocol/command/perp.ts'
import type { Event, OrderAccepted, OrderClosed } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'

/** Orders that one clock tick ends at their dates, and orders that it cancels for countdowns. */
const endsMax = 200

type Known = { readonly accepted: OrderAccepted; price: number; isPending: boolean }
/** Order 0: the end of a countdown. */
type Due = { readonly at: number; readonly order: OrderId | 0; readonly user: UserId; readonly market: MarketId }
type Sweep = { readonly user: UserId; readonly market: MarketId; readonly upTo: number }

/** Checks, by commands and events alone, when Futures orders expire, what countdowns cancel, and which price the book gives. */
export class DeadlineAudit {
  readonly #books = new Map<number, DepthBook>()
  readonly #orders = new Map<number, Known>()
  /** By user and market. */
  readonly #countdowns = new Map<string, Due>()
  #sweeps: Sweep[] = []
  #lastOrder = 0
  expired = 0
  counted = 0
  matched = 0

  /** Takes the events of one command. Throws when they are impossible. */
  follow(command: Command, at: number, events: readonly Event[]): void {
    const outcome = events.at(-1)
    const isTaken = outcome?.type === 'outcome' && outcome.refusal === undefined && !outcome.isRepeat
    if (command.type === 'perp.countdown' && isTaken) this.#set(command.user, command.market, at, command.duration)
    if (command.type === 'clock.tick') this.#tick(at, events)
    for (const event of events) this.#see(event, command)
    if (command.type === 'clock.tick') this.#checkSweeps(events)
    if (outcome?.type === 'outcome') this.#lastOrder = Math.max(this.#lastOrder, outcome.order)
  }

  #set(user: UserId, market: MarketId, at: number, duration: number): void {
    if (duration === 0) this.#countdowns.delete(`${user} ${market}`)
    else this.#countdowns.set(`${user} ${market}`, { at: at + duration, order: 0, user, market })
  }

  /** All that is due ends in its order, up to the limit; an order that another's end took along does not count. */
  #tick(at: number, events: readonly Event[]): void {
    const due = this.#due(at)
    const gone = new Set<number>()
    let ended = 0
    const pass = (): void => {
      for (let first = due[0]; first !== undefined && ended < endsMax; first = due[0]) {
        if (first.order !== 0 && !gone.has(first.order)) return
        due.shift()
        if (first.order !== 0) continue
        ended++
        this.#countdowns.delete(`${first.user} ${first.market}`)
        this.#sweeps.push({ user: first.user, market: first.market, upTo: this.#lastOrder })
      }
    }
    const closed = events.filter((event) => event.type === 'order.closed')
    for (const event of closed) {
      if (event.reason !== 'expired') {
        gone.add(event.order)
        continue
      }
      pass()
      must(due[0]?.order === event.order && ended < endsMax, `order ${event.order} expired out of turn`)
      due.shift()
      ended++
      this.expired++
    }
    pass()
    must(ended === endsMax || due.length === 0, `order ${due[0]?.order} did not expire`)
  }

  #due(at: number): Due[] {
    const due = [...this.#countdowns.values()].filter((one) => one.at <= at)
    for (const { accepted } of this.#orders.values()) {
      const { goodTill } = accepted.perp!
      if (goodTill !== undefined && goodTill <= at) due.push({ at: goodTill, ...accepted })
    }
    return due.sort((a, b) => a.at - b.at || a.order - b.order || a.user - b.user || a.market - b.market)
  }

  #see(event: Event, command: Command): void {
    switch (event.type) {
      case 'market.listed':
        this.#books.set(event.market.id, new DepthBook())
        return
      case 'book.level':
        this.#books.get(event.market)?.apply(event)
        return
      case 'order.accepted':
        this.#lastOrder = Math.max(this.#lastOrder, event.order)
        if (event.perp === undefined) return
        if (event.perp.priceMatch !== undefined && event.trigger === undefined) this.#checkPrice(event, event.perp.priceMatch, event.price)
        this.#orders.set(event.order, { accepted: event, price: event.price, isPending: event.trigger !== undefined })
        return
      case 'order.triggered': {
        const known = this.#orders.get(event.order)
        if (known !== undefined) known.isPending = false
        return
      }
      case 'order.amended': {
        const known = this.#orders.get(event.order)
        if (known === undefined) return
        const { accepted, price } = known
        const match = accepted.perp?.priceMatch
        if (command.type === 'perp.amend' && command.priceMatch !== undefined && command.user === event.user)
          this.#checkPrice(accepted, command.priceMatch, event.price)
        else if (match !== undefined && price === 0 && event.price !== 0) this.#checkPrice(accepted, match, event.price)
        known.price = event.price
        return
      }
      case 'order.closed':
        this.#close(event, command)
        return
      default:
    }
  }

  #close({ order, reason }: OrderClosed, command: Command): void {
    const known = this.#orders.get(order)
    if (reason === 'expired' || reason === 'countdown') must(command.type === 'clock.tick', `order ${order} ended without a clock tick`)
    if (reason === 'no-level') {
      const { accepted, price } = known!
      const match = accepted.perp?.priceMatch
      must(match !== undefined && price === 0 && this.#level(accepted, match) === 0, `the book had a price for order ${order}`)
    }
    if (reason === 'countdown') {
      const { user, market } = known!.accepted
      const isMeant = this.#sweeps.some((one) => one.user === user && one.market === market && order <= one.upTo)
      must(isMeant && isInBook(known!), `order ${order} was cancelled without a countdown`)
      this.counted++
    }
    this.#orders.delete(order)
  }

  /** A tick that did not use up its limit leaves no order of an ended countdown in the book. */
  #checkSweeps(events: readonly Event[]): void {
    const closed = events.filter((event) => event.type === 'order.closed').length
    const left = this.#sweeps.filter(({ user, market, upTo }) =>
      [...this.#orders.values()].some(
        (one) => one.accepted.user === user && one.accepted.market === market && one.accepted.order <= upTo && isInBook(one),
      ),
    )
    must(left.length === 0 || closed >= endsMax || this.#sweeps.length > endsMax, 'orders outlived their countdown')
    this.#sweeps = left
  }

  #checkPrice(order: OrderAccepted, match: PriceMatch, price: number): void {
    const level = this.#level(order, match)
    must(price === level, `order ${order.order} has price ${price}, the book ${level}`)
    this.matched++
  }

  /** Price of a level; 0 when the book has no such level. */
  #level({ market, side }: OrderAccepted, match: PriceMatch): number {
    const [from, place = '1'] = match.split('-')
    const view = this.#books.get(market)!.view(Number(place))
    const levels = (from === 'queue') === (side === 'buy') ? view.bids : view.asks
    return levels[Number(place) - 1]?.price ?? 0
  }
}

/** A triggered market order waits outside the book. */
function isInBook({ accepted, isPending }: Known): boolean {
  return !isPending && accepted.orderType === 'limit'
}

function must(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Error(what)
}
