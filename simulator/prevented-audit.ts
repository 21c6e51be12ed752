import type { SelfTradeMode } from '@candor/core/protocol/command/spot.ts'
import type { Event, MatchPrevented, OrderClosed, OrderPrevented } from '@candor/core/protocol/event/index.ts'

/** What an auditor knows of an open order from its events. `left` is undefined for an order by amount. */
export type PreventableOrder = {
  readonly user: number
  readonly market: number
  /** 0 for a market order. */
  readonly price: number
  readonly left: number | undefined
}

type Find = (order: number) => PreventableOrder
type Fail = (what: string) => never

/** The orders that lose all that is left of them in each mode. */
const ends: Readonly<Record<SelfTradeMode, { readonly maker: boolean; readonly taker: boolean }>> = {
  'expire-taker': { maker: false, taker: true },
  'expire-maker': { maker: true, taker: false },
  'expire-both': { maker: true, taker: true },
  none: { maker: false, taker: false },
  decrement: { maker: false, taker: false },
}

/**
 * Checks prevented matches by events alone: their numbers have no gaps, both orders are open and of one user, each loses what its mode
 * takes from it, and that follows in the same command. No order ends by self-trade prevention without such a match.
 */
export class PreventedAudit {
  readonly #find: Find
  readonly #fail: Fail
  readonly #last = new Map<number, number>()
  readonly #counts = new Map<SelfTradeMode, number>()
  /** Open orders that have lost lots. */
  readonly #losers = new Set<number>()
  /** Orders that must end before the command does, and the decrement that must come next. */
  readonly #ending = new Set<number>()
  #decrement: MatchPrevented | undefined

  constructor(find: Find, fail: Fail) {
    this.#find = find
    this.#fail = fail
  }

  /** Number of prevented matches so far, by mode. */
  get counts(): ReadonlyMap<SelfTradeMode, number> {
    return this.#counts
  }

  /** Takes the events of spot markets, before their orders change by them. */
  see(event: Event): void {
    if (this.#decrement !== undefined && event.type !== 'order.prevented') this.#fail(`match ${this.#decrement.match} reduced nothing`)
    if (event.type === 'match.prevented') this.#match(event)
    if (event.type === 'order.prevented') this.#reduced(event)
    if (event.type === 'order.closed') this.#closed(event)
  }

  /** Called at the end of a command. */
  end(): void {
    for (const order of this.#ending) this.#fail(`order ${order} stayed after a prevented match`)
    if (this.#decrement !== undefined) this.#fail(`match ${this.#decrement.match} reduced nothing`)
  }

  #match(event: MatchPrevented): void {
    const { market, match, mode, user, price, makerOrder, takerOrder, makerLots, takerLots } = event
    const last = this.#last.get(market) ?? 0
    if (match !== last + 1) this.#fail(`prevented match ${match} after ${last} in market ${market}`)
    this.#last.set(market, match)
    this.#counts.set(mode, (this.#counts.get(mode) ?? 0) + 1)
    if (makerOrder === takerOrder) this.#fail(`order ${makerOrder} met itself`)
    const [maker, taker] = [this.#find(makerOrder), this.#find(takerOrder)]
    for (const order of [maker, taker]) if (order.user !== user || order.market !== market) this.#fail(`match ${match} of another's order`)
    if (maker.price !== price) this.#fail(`match ${match} is not at its maker's price`)
    this.#lost(event, makerOrder, maker, makerLots, ends[mode].maker)
    this.#lost(event, takerOrder, taker, takerLots, ends[mode].taker)
    if (mode === 'none' || (mode === 'decrement' && makerLots !== takerLots)) this.#fail(`match ${match} with mode ${mode}`)
    if (mode === 'decrement') this.#decrement = event
  }

  #lost({ match, mode }: MatchPrevented, number: number, { left }: PreventableOrder, lots: number, isEnd: boolean): void {
    const isAll = left === undefined ? lots > 0 : lots === left
    const isPart = lots > 0 && (left === undefined || lots <= left)
    if (!(isEnd ? isAll : mode === 'decrement' ? isPart : lots === 0))
      this.#fail(`order ${number} lost ${lots} of ${left} in match ${match}`)
    if (lots > 0) this.#losers.add(number)
    if (isEnd) this.#ending.add(number)
  }

  #reduced({ market, user, price, lots, makerOrder, takerOrder }: OrderPrevented): void {
    const told = this.#decrement
    this.#decrement = undefined
    const isTold = told?.makerOrder === makerOrder && told.takerOrder === takerOrder && told.makerLots === lots && told.price === price
    if (!isTold || told?.market !== market || told.user !== user) this.#fail(`orders ${makerOrder} and ${takerOrder} were reduced untold`)
  }

  #closed({ order, reason }: OrderClosed): void {
    const isPrevented = this.#losers.delete(order)
    if (this.#ending.delete(order) && reason !== 'self-trade') this.#fail(`order ${order} ended as ${reason} after a prevented match`)
    if (reason === 'self-trade' && !isPrevented) this.#fail(`order ${order} ended without a prevented match`)
  }
}
