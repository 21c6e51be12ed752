import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import { PriceBoard, type Pair } from './board.ts'
import { IndexTicker, type PricedMarket } from './index-ticker.ts'
import type { Log } from './log.ts'
import type { FeedMode } from './mode.ts'
import { priceScale } from './price.ts'
import { insertReferenceHistory, type InsertReferenceCandles } from './reference-history.ts'
import { contentsOf, ReplayPlayer } from './replay/player.ts'
import { coinOf } from './simulated/coins.ts'
import { SimulatedMarket } from './simulated/market.ts'
import { VenueConnection } from './venue/connection.ts'
import type { GetJson, Venue } from './venue/venue.ts'
import { pairsOn, venues as allVenues } from './venue/venues.ts'

export type FeedOptions = {
  readonly mode: FeedMode
  readonly seed: string
  readonly submit: Submit
  readonly listing: Pick<Awaited<ReturnType<Ask['listing']>>, 'assets' | 'markets'>
  /** Called with the source of prices, once a second and at each change of mode. */
  readonly publish?: (status: WireFeed) => void
  /** Set only at the first start: fills the charts before `startFeeds` resolves. */
  readonly insertReferenceCandles?: InsertReferenceCandles
  /** Last known index prices by market symbol, at 1e-8, from which a simulated market continues. */
  readonly startAt?: ReadonlyMap<string, number>
  readonly log: Log
  /** Replaces venues, for tests. */
  readonly venues?: readonly Venue[]
  readonly getJson?: GetJson
  /** Interval of ticks, and how long a start waits for the first prices. Defaults 250 and 4,000. */
  readonly everyMs?: number
  readonly patienceMs?: number
  readonly retryMs?: number
  /**
   * How long venues must answer again before `auto` trusts them, and how long they must be gone before it gives them up: 5,000
   * and 10,000.
   */
  readonly steadyMs?: number
  readonly goneMs?: number
  /** Feeds of the same exchange in other processes. Default: there are none. */
  readonly others?: OtherFeeds
}

/**
 * One process feeds prices; others fill in where its ticks are late.
 *
 * isFirst  whether this process is the one
 * tell     says that the exchange has taken a tick from here
 * hear     calls back for each tick that another process says so of
 */
export type OtherFeeds = {
  readonly isFirst: () => boolean
  readonly tell: () => void
  readonly hear: (listener: () => void) => void
}

export type Feeds = AsyncDisposable & { status(): WireFeed; distances(): readonly PriceDistance[] }

/** A venue's price of a market beside the index: `distance` is a share of the index, above zero where the price is higher. */
export type PriceDistance = { readonly venue: string; readonly market: string; readonly ageMs: number; readonly distance: number }

/** Resolves when the first prices are in the exchange, or after `patienceMs` when no venue answers. */
export async function startFeeds(options: FeedOptions): Promise<Feeds> {
  const engine = new FeedEngine(options)
  try {
    await engine.start()
  } catch (error) {
    await engine[Symbol.asyncDispose]()
    throw error
  }
  return engine
}

/** A tick that is this late is replaced by one from another process. */
const lateMs = 100
/** How often the other processes look for late ticks. */
const lookMs = 25

/** A simulated market that slept longer than this skips the missed time. */
const catchUpSteps = 240

type Simulation = { readonly market: SimulatedMarket; startedAt: number; steps: number }

class FeedEngine implements Feeds {
  readonly #options: FeedOptions
  readonly #log: Log
  readonly #markets: readonly PricedMarket[]
  readonly #ticker: IndexTicker
  readonly #everyMs: number
  readonly #live = new PriceBoard()
  /** Simulated or replayed prices; a new board for each simulated market, so that no earlier price remains. */
  #made = new PriceBoard()
  readonly #connections: VenueConnection[] = []
  #player: ReplayPlayer | undefined
  #replayed: readonly Pair[] = []
  #simulated: Simulation | undefined
  #mode: WireFeed['mode'] = 'live'
  /** Time since which `auto` sees the opposite of its current state. */
  #otherSince: number | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #looker: ReturnType<typeof setInterval> | undefined
  /** When a tick was last taken, from here or from another process. */
  #takenAt = performance.now()
  #publishedAt = Number.NEGATIVE_INFINITY

  constructor(options: FeedOptions) {
    this.#options = options
    this.#log = options.log
    this.#everyMs = options.everyMs ?? 250
    const symbols = new Map(options.listing.assets.map((asset) => [asset.id, asset.symbol]))
    this.#markets = options.listing.markets.map(({ id, symbol, base, quote }) => ({
      id,
      symbol,
      base: symbols.get(base) ?? '',
      quote: symbols.get(quote) ?? '',
    }))
    const { others } = options
    this.#ticker = new IndexTicker(this.#markets, options.submit, options.log, () => {
      this.#takenAt = performance.now()
      others?.tell()
    })
    others?.hear(() => {
      this.#takenAt = performance.now()
      this.#ticker.heardOther()
    })
  }

  async start(): Promise<void> {
    const { mode } = this.#options
    if (mode === 'simulated') this.#simulate(performance.now())
    else if (mode === 'auto' || mode === 'live') await this.#connect()
    else await this.#replay(mode.slice('replay:'.length))
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), this.#everyMs)
    if (this.#options.others !== undefined) this.#looker = setInterval(() => this.#fill(), lookMs)
    await this.#ticker.idle()
    if (this.#options.insertReferenceCandles !== undefined) await this.#history(this.#options.insertReferenceCandles)
  }

  status(): WireFeed {
    return {
      mode: this.#mode,
      isFallback: this.#mode === 'simulated' && this.#options.mode === 'auto',
      venues: this.#board().status(performance.now()),
    }
  }

  /** Of each venue and market that has an index now. */
  distances(): readonly PriceDistance[] {
    const [board, now] = [this.#board(), performance.now()]
    return this.#markets.flatMap(({ symbol, base, quote }) => {
      const index = board.index(base, quote, now)?.price
      if (index === undefined) return []
      const sources = board.sources(base, quote, now)
      return sources.map(({ venue, price, ageMs }) => ({ venue, market: symbol, ageMs, distance: price / index - 1 }))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    clearInterval(this.#looker)
    for (const connection of this.#connections) connection.close()
    await this.#player?.[Symbol.asyncDispose]()
    await this.#ticker.idle()
  }

  #board(): PriceBoard {
    return this.#mode === 'live' ? this.#live : this.#made
  }

  /** Opens all venues and waits until each market has three prices, no venue can be reached, or patience ends. */
  async #connect(): Promise<void> {
    const now = (): number => performance.now()
    for (const venue of this.#options.venues ?? allVenues) {
      this.#connections.push(
        new VenueConnection({
          venue,
          pairs: pairsOn(venue, this.#markets),
          board: this.#live,
          log: this.#log,
          now,
          ...(this.#options.retryMs === undefined ? {} : { retryMs: this.#options.retryMs }),
        }),
      )
    }
    const end = now() + (this.#options.patienceMs ?? 4_000)
    const isDecided = (): boolean =>
      this.#markets.every(({ base, quote }) => this.#live.index(base, quote, now())?.isGood) ||
      this.#connections.every((connection) => connection.failures > 0)
    while (now() < end && !isDecided()) await new Promise((resolve) => setTimeout(resolve, 50))
    if (this.#options.mode === 'auto' && !this.#isLiveUp()) this.#fallBack(now())
  }

  #isLiveUp(): boolean {
    return this.#live.status(performance.now()).some((venue) => venue.isUp)
  }

  async #replay(path: string): Promise<void> {
    const wanted = [
      ...this.#markets.map(({ base, quote }) => ({ base, quote })),
      ...this.#markets.filter(({ quote }) => quote === 'USDT').map(({ base }) => ({ base, quote: 'USD' })),
      { base: 'USDT', quote: 'USD' },
    ]
    const contents = await contentsOf(path, wanted)
    this.#mode = 'replay'
    this.#replayed = contents.pairs
    const hasRate = contents.pairs.some(({ base }) => base === 'USDT')
    const isReplayed = ({ base, quote }: Pair): boolean =>
      contents.pairs.some((pair) => pair.base === base && (pair.quote === quote || (quote === 'USDT' && pair.quote === 'USD')))
    // USD counts as one USDT where the recording has no rate.
    const walked = this.#markets.filter((market) => !isReplayed(market))
    this.#simulate(performance.now(), walked, hasRate ? [] : [{ base: 'USDT', quote: 'USD' }])
    this.#player = new ReplayPlayer({
      path,
      contents,
      wanted,
      board: this.#made,
      now: () => performance.now(),
      log: this.#log,
    })
    // The first frames come at once, and markets derived from them need them.
    const end = performance.now() + 2_000
    const isThere = (): boolean => this.#made.status(performance.now()).some((venue) => contents.venues.includes(venue.name) && venue.isUp)
    while (performance.now() < end && !isThere()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  #simulate(startedAt: number, markets: readonly Pair[] = this.#markets, rates: readonly Pair[] = []): void {
    this.#made = new PriceBoard()
    this.#simulated = {
      market: new SimulatedMarket({
        seed: this.#options.seed,
        markets: [...markets.map(({ base, quote }) => ({ base, quote })), ...rates],
        startAt: this.#startValues(),
        stepMs: this.#everyMs,
      }),
      startedAt,
      steps: 0,
    }
    if (this.#mode !== 'replay') this.#mode = 'simulated'
  }

  /** USDT values of coins, from the last index of their USDT markets. */
  #startValues(): ReadonlyMap<string, number> {
    const values = new Map<string, number>()
    for (const { id, base, quote, symbol } of this.#markets) {
      const price = this.#ticker.sent(id)?.price ?? this.#options.startAt?.get(symbol)
      if (quote === 'USDT' && price !== undefined) values.set(base, price / priceScale)
    }
    return values
  }

  #tick(): void {
    const now = performance.now()
    if (this.#options.mode === 'auto') this.#choose(now)
    if (this.#simulated !== undefined) this.#step(this.#simulated, now)
    if (!this.#isFirst) return
    this.#ticker.tick(this.#board(), now)
    if (now - this.#publishedAt >= 1_000) {
      this.#publishedAt = now
      this.#options.publish?.(this.status())
    }
  }

  get #isFirst(): boolean {
    return this.#options.others?.isFirst() ?? true
  }

  /**
   * Sends a tick where that of the first process is late; as long as its ticks come in time, there are no others, and so no jitter. Only prices
   * of venues: a simulated market here is another one than there.
   */
  #fill(): void {
    const now = performance.now()
    if (this.#isFirst || this.#mode !== 'live' || now - this.#takenAt < this.#everyMs + lateMs) return
    this.#takenAt = now
    this.#ticker.heardOther()
    this.#ticker.tick(this.#live, now)
  }

  #choose(now: number): void {
    const isUp = this.#isLiveUp()
    if (isUp === (this.#mode === 'live')) {
      this.#otherSince = undefined
      return
    }
    this.#otherSince ??= now
    if (now - this.#otherSince < (isUp ? (this.#options.steadyMs ?? 5_000) : (this.#options.goneMs ?? 10_000))) return
    if (isUp) this.#goLive()
    else this.#fallBack(now)
  }

  #goLive(): void {
    this.#log.info({}, 'price venues answer: the market is live')
    this.#change('live')
    this.#simulated = undefined
  }

  #fallBack(now: number): void {
    this.#log.warn({}, 'no price venue answers: the market is simulated from here on')
    this.#simulate(now)
    this.#change('simulated')
  }

  #change(mode: 'live' | 'simulated'): void {
    this.#mode = mode
    this.#otherSince = undefined
    this.#publishedAt = Number.NEGATIVE_INFINITY
  }

  #step(simulated: Simulation, now: number): void {
    for (const { base, quote } of this.#replayed) {
      const value = quote === 'USDT' || quote === 'USD' ? this.#made.index(base, 'USDT', now) : undefined
      if (value !== undefined) simulated.market.pin(base, value.price / priceScale)
    }
    const behind = Math.floor((now - simulated.startedAt) / this.#everyMs) + 1 - simulated.steps
    if (behind > catchUpSteps) simulated.startedAt += (behind - catchUpSteps) * this.#everyMs
    for (; simulated.startedAt + simulated.steps * this.#everyMs <= now; simulated.steps += 1) {
      for (const { venue, pair, price } of simulated.market.step()) this.#made.put(venue, pair, price, 'book', now)
    }
  }

  async #history(insert: InsertReferenceCandles): Promise<void> {
    const values = this.#startValues()
    const pairs = new Map<number, Pair>(this.#markets.map((market) => [market.id, market]))
    const isLive = this.#mode === 'live'
    await insertReferenceHistory({
      markets: this.#options.listing.markets.map((market) => ({ market, pair: pairs.get(market.id) as Pair })),
      insert,
      nowMs: Date.now(),
      seed: this.#options.seed,
      usdtOf: (symbol) => (symbol === 'USDT' ? 1 : (values.get(symbol) ?? coinOf(symbol).price)),
      venues: isLive ? (this.#options.venues ?? allVenues) : [],
      usdtUsd: this.#live.usdtUsd(performance.now()),
      log: this.#log,
      ...(this.#options.getJson === undefined ? {} : { get: this.#options.getJson }),
    })
  }
}
