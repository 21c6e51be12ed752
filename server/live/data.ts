import type { MarketView } from '@candor/core/market-data/market-view.ts'
import { PublicView } from '@candor/core/market-data/public-view.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { eachCommand } from '@candor/core/market-data/commands.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { Interest, Released } from '@candor/core/protocol/released.ts'
import type pg from 'pg'
import type { Followed } from './followed.ts'
import type { Freshness } from './freshness.ts'
import { publicHistory } from '../store/query/market/history.ts'
import { Contracts } from './contracts.ts'
import { Listing } from './listing.ts'
import { Options } from './options.ts'
import { Orders } from './orders.ts'

/**
 * Called after each command with its events except the outcome, and with the outcome, which has the time. Orders begin and end only for
 * users whom `Orders` follows, and entries are only those that somebody wants.
 */
export type CommandListener = (events: readonly Event[], outcome: OutcomeEvent) => void

type Parts = {
  readonly ask: Ask
  readonly pool: pg.Pool
  readonly freshness: Freshness
  readonly followed: Followed
  readonly log: (message: string, cause?: unknown) => void
}

/**
 * This process's copy of the exchange's state, updated by released batches: listing, public market data, orders. It starts from
 * the state of the engine and the tables and continues with the batches that came meanwhile. When batches are missing, it starts
 * over.
 */
export class MarketData {
  readonly #parts: Parts
  readonly #commandListeners: CommandListener[] = []
  readonly #batchListeners: (() => void)[] = []
  readonly #resetListeners: (() => void)[] = []
  readonly listing = new Listing()
  readonly orders = new Orders()
  readonly contracts = new Contracts()
  readonly options = new Options()
  #view = new PublicView()
  /** Batches that wait until the start is complete. */
  #waiting: Released[] | undefined = []
  #lastSeq = 0
  readonly #interest: Interest = {
    entries: (user) => this.#entryReaders.some((isWanted) => isWanted(user)),
    orders: (user) => this.orders.isFollowed(user),
  }
  readonly #entryReaders: ((user: UserId) => boolean)[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get view(): PublicView {
    return this.#view
  }

  /** False during a start: the data would be incomplete. */
  get isReady(): boolean {
    return this.#waiting === undefined
  }

  market(id: number): MarketView | undefined {
    return this.#view.market(id as MarketId)
  }

  onCommand(listener: CommandListener): void {
    this.#commandListeners.push(listener)
  }

  /** Listeners get the changes of this user's accounts, which others don't need. */
  wantEntries(isWanted: (user: UserId) => boolean): void {
    this.#entryReaders.push(isWanted)
  }

  /** Called after each batch. */
  onBatch(listener: () => void): void {
    this.#batchListeners.push(listener)
  }

  /** Called after starting over: listeners that follow differences have missed some. */
  onReset(listener: () => void): void {
    this.#resetListeners.push(listener)
  }

  released(batch: Released): void {
    if (this.#waiting) {
      const last = this.#waiting.at(-1)
      if (last !== undefined && batch.firstSeq > last.lastSeq + 1) {
        this.#waiting.length = 0
        this.#forget()
      }
      this.#waiting.push(batch)
      return
    }
    if (batch.lastSeq <= this.#lastSeq) return
    if (batch.firstSeq > this.#lastSeq + 1) {
      this.#waiting = [batch]
      this.#parts.log('released batches are missing: the market data starts over')
      void this.#startOver()
      return
    }
    this.#apply(batch)
  }

  /** Must be called after batches have begun to arrive (`released`), so that none is lost in between. */
  async start(): Promise<void> {
    while (!(await this.#load())) {
      this.#parts.log('released batches went missing: the market data is loaded once more')
      this.#forget()
    }
  }

  /** Orders and options that were read before batches went missing lack what those changed. */
  #forget(): void {
    this.orders.clear()
    this.options.clear()
  }

  /** Returns false when batches are missing between what was loaded and those that wait. */
  async #load(): Promise<boolean> {
    const { ask, pool, freshness } = this.#parts
    await this.listing.load(ask)
    this.contracts.load(this.listing, await ask.marks())
    const view = new PublicView()
    view.list(await ask.listing())
    const seq = await ask.seq()
    // The tables must contain everything before the first batch applied here, or trades would be missing.
    while (!(await freshness.reached(seq))) this.#parts.log('waiting for the projector')
    const history = await publicHistory(pool)
    for (const [id, market] of history.markets) view.market(id)?.restore(market)
    for (const { at, units } of history.volume) view.restoreVolume(at, units)
    for (const { market } of this.listing.markets) view.market(market.id)?.depth.reset(await ask.book(market.id))
    const waiting = this.#waiting ?? []
    if (waiting[0] !== undefined && waiting[0].firstSeq > seq + 1) return false
    this.#view = view
    this.#waiting = undefined
    // Trades and book updates that the tables and books already have are skipped by their numbers.
    this.#lastSeq = waiting[0] ? waiting[0].firstSeq - 1 : seq
    this.#parts.followed.advance(this.#lastSeq)
    for (const batch of waiting) this.#apply(batch)
    this.#view.takeChanges()
    return true
  }

  async #startOver(): Promise<void> {
    for (;;) {
      try {
        this.#forget()
        await this.start()
        for (const listener of this.#resetListeners) listener()
        return
      } catch (cause) {
        this.#parts.log('the market data could not start over, trying again', cause)
        this.#waiting ??= []
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
  }

  #apply(batch: Released): void {
    const events = batch.eventsFor(this.#interest)
    this.#lastSeq = batch.lastSeq
    for (const event of events) {
      this.listing.apply(event)
      this.contracts.apply(event)
    }
    this.#view.apply(events)
    eachCommand(events, (own, outcome) => {
      for (const listener of this.#commandListeners) listener(own, outcome)
    })
    this.#parts.followed.advance(batch.lastSeq)
    for (const listener of this.#batchListeners) listener()
  }

  /** Reloads books that missed an update. */
  async mend(): Promise<void> {
    for (const view of this.#view.markets()) if (view.depth.isStale) view.depth.reset(await this.#parts.ask.book(view.market.id))
  }
}
