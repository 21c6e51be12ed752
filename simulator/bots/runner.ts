import { createClient } from '@candor/client/client.ts'
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import { BotAccount, type Credentials } from './account.ts'
import { Budget } from './budget.ts'
import { FaucetKeeper } from './faucet.ts'
import { arrival, type FlowState } from './flow.ts'
import { PerpKeeper } from './perp-keeper.ts'
import { fullness, leanOfPositions, positionLimit, roomFor, skewed } from './perp.ts'
import { leanOf, scales } from './holdings.ts'
import { ladderFor, plan, targets, type Action, type Ladder, type Side } from './ladder.ts'
import { chanceOf, type Chance } from './random.ts'
import { termsOf } from './terms.ts'
import { gridOf, type Grid, isWorthwhile, worthwhile } from './units.ts'

export type BotsOptions = {
  readonly baseUrl: string
  /** Two users. Each quotes every second market and takes in the others, so that no user ever trades with itself. */
  readonly credentials: readonly [Credentials, Credentials]
  readonly seed: string
  readonly log: (details: object, text: string) => void
  /** Default 500: each turn costs engine, follower and gateway a batch, and trades come as often with half as many. */
  readonly everyMs?: number
}

export type Bots = AsyncDisposable & { readonly commands: number }

type MarketState = {
  readonly grid: Grid
  readonly maker: BotAccount
  readonly taker: BotAccount
  readonly flow: FlowState
  ladder: Ladder | undefined
  isBusy: boolean
  /** When the taker last considered a trade. */
  lookedAt: number
  /** No commands for this market before this time. */
  restUntil: number
}

/** Interval at which all state is read again, so that missed changes are corrected. */
const resyncMs = 60_000
const pauseMaxMs = 15_000

/** Starts once the exchange answers and both users are logged in; continues through restarts of the exchange until disposed. */
export async function startBots(options: BotsOptions): Promise<Bots> {
  const runner = new Runner(options)
  await runner.start()
  return runner
}

class Runner implements Bots {
  commands = 0
  readonly #options: BotsOptions
  readonly #budget = new Budget()
  readonly #faucet = new FaucetKeeper()
  readonly #keeper = new PerpKeeper()
  readonly #chance: Chance
  readonly #everyMs: number
  readonly #index = new Map<string, number>()
  readonly #loggedAt = new Map<string, number>()
  readonly #flights = new Set<Promise<void>>()
  #accounts: readonly BotAccount[] = []
  #markets: readonly MarketState[] = []
  #scales: readonly ReadonlyMap<string, number>[] = []
  #pausedUntil = 0
  #pauses = 0
  #resyncedAt = 0
  #isStopped = false
  #isLoggingIn = false
  #loop: Promise<void> = Promise.resolve()
  #wake: (() => void) | undefined

  constructor(options: BotsOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? 500
    this.#chance = chanceOf(options.seed)
  }

  async start(): Promise<void> {
    const visitor = createClient({ baseUrl: this.#options.baseUrl })
    const config = await this.#untilAnswered(() => visitor.market.config())
    const grids = config.markets.filter((market) => market.isTrading).map(gridOf)
    this.#accounts = this.#options.credentials.map(
      (each, which) =>
        new BotAccount(
          this.#options.baseUrl,
          each,
          grids.filter((_grid, position) => position % 2 === which),
          grids,
        ),
    )
    this.#markets = grids.map((grid, position) => ({
      grid,
      maker: this.#accounts[position % 2],
      taker: this.#accounts[(position + 1) % 2],
      flow: { wave: 0, lastIndex: 0 },
      ladder: undefined,
      isBusy: false,
      lookedAt: 0,
      restUntil: 0,
    }))
    for (const account of this.#accounts) await this.#untilAnswered(() => account.login())
    this.#options.log({ markets: this.#markets.length }, 'bots quote')
    this.#loop = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    this.#wake?.()
    await this.#loop
    await Promise.allSettled(this.#flights)
    const left = await Promise.allSettled(this.#accounts.map((account) => account.leave()))
    for (const account of this.#accounts) account.close()
    if (left.some((each) => each.status === 'rejected')) this.#options.log({}, 'bots stopped without cancelling their quotes')
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = Date.now()
      if (startedAt >= this.#pausedUntil) {
        try {
          await this.#turn(startedAt)
          this.#pauses = 0
        } catch (error) {
          await this.#handle(error)
        }
      }
      await this.#sleep(Math.max(20, this.#everyMs - (Date.now() - startedAt)))
    }
  }

  async #turn(now: number): Promise<void> {
    if (now - this.#resyncedAt > resyncMs || this.#accounts.some((account) => account.isStale)) {
      // Commands in flight would change the state that is read.
      await Promise.allSettled(this.#flights)
      for (const account of this.#accounts) await account.resync()
      this.#resyncedAt = Date.now()
    }
    for (const ticker of await this.#accounts[0].client.market.tickers()) this.#index.set(ticker.symbol, Number(ticker.index))
    this.#scales = this.#accounts.map((account) =>
      scales(
        this.#markets.filter((market) => market.maker === account && market.grid.kind === 'spot').map((market) => market.grid),
        (asset) => account.total(asset),
        (asset) => this.#valueOf(asset),
      ),
    )
    this.#fill(now)
    for (const market of this.#rotated()) this.#turnMarket(market, now)
  }

  /** All markets, beginning with a random one, so that the limit that they share favours none. */
  #rotated(): readonly MarketState[] {
    const first = Math.floor(this.#chance.next() * this.#markets.length)
    return [...this.#markets.slice(first), ...this.#markets.slice(0, first)]
  }

  #turnMarket(market: MarketState, now: number): void {
    const index = this.#index.get(market.grid.symbol) ?? 0
    if (market.isBusy || now < market.restUntil || !(index > 0)) return
    const { symbol, kind } = market.grid
    if (kind === 'perp' && this.#prepare(market, now)) return
    const terms = termsOf(symbol)
    const full = kind === 'perp' ? this.#fullness(market, market.maker, index) : 0
    const ticks = Math.round(index / market.grid.tick)
    const rungTicks = market.ladder?.rungTicks ?? Math.max(1, Math.round((ticks * terms.spreadPpm) / 2_000_000))
    market.ladder = ladderFor(skewed(ticks, rungTicks, full), terms.spreadPpm, market.ladder)
    const wanted = targets(symbol, market.ladder, (side, size) =>
      this.#lotsOf(market, side, terms.sizeUsdt * size * roomFor(side, full), index),
    )
    const actions = plan(market.maker.orders(symbol), wanted, market.ladder)

    const sent: Promise<unknown>[] = []
    for (const action of actions) {
      if (!this.#budget.take(symbol, now)) break
      sent.push(this.#quote(market, action))
    }
    const newcomer = arrival(this.#chance, market.flow, {
      seconds: Math.min(2_000, now - market.lookedAt) / 1_000,
      perSecond: terms.tradesPerSecond,
      index,
      lean:
        kind === 'perp'
          ? leanOfPositions(full, this.#fullness(market, market.taker, index))
          : leanOf(market.maker.total(market.grid.base), market.taker.total(market.grid.base)),
    })
    market.lookedAt = now
    // Correct quotes are more important than one more trade.
    if (newcomer !== undefined && actions.length <= 2 && this.#budget.take(symbol, now))
      sent.push(this.#trade(market, newcomer.side, newcomer.usdt, index))
    if (sent.length > 0) this.#follow(market, sent)
  }

  /** Sends nothing more to the market until these are answered. */
  #follow(market: MarketState, sent: readonly Promise<unknown>[]): void {
    market.isBusy = true
    const flight = Promise.allSettled(sent).then(async (results) => {
      market.isBusy = false
      for (const result of results) if (result.status === 'rejected') await this.#handle(result.reason, market)
    })
    this.#flights.add(flight)
    void flight.finally(() => this.#flights.delete(flight))
  }

  /** A user's position in a futures market relative to its limit, −1 to 1. */
  #fullness({ grid }: MarketState, account: BotAccount, index: number): number {
    return fullness(account.position(grid.symbol) * grid.lot * index, positionLimit(grid.symbol))
  }

  /** Whether a futures market still needs settings or margin. If so, sends them. */
  #prepare(market: MarketState, now: number): boolean {
    for (const account of [market.maker, market.taker]) {
      if (account.perpUsdt === 0) return true
      if (account.isSettled(market.grid)) continue
      if (this.#budget.take(market.grid.symbol, now)) {
        this.commands += 1
        this.#follow(market, [this.#keeper.settle(account, market.grid)])
      }
      return true
    }
    return false
  }

  /** Lots for this many USDT, limited by the maker's holdings; 0 if the order would be too small for the exchange. */
  #lotsOf(market: MarketState, side: Side, usdt: number, index: number): number {
    const { grid } = market
    if (grid.kind === 'perp') return worthwhile(grid, usdt, index)
    const scale = this.#scales[this.#accounts.indexOf(market.maker)].get(side === 'buy' ? grid.quote : grid.base) ?? 0
    const lots = Math.floor((usdt * scale) / this.#valueOf(grid.base) / grid.lot)
    return isWorthwhile(grid, lots, index) ? lots : 0
  }

  async #quote(market: MarketState, action: Action): Promise<void> {
    const { grid, maker } = market
    const { symbol } = grid
    this.commands += 1
    const clientId = maker.nextClientId()
    if (action.kind === 'cancel') {
      await maker.cancel(grid, action.order.id)
      maker.forget(symbol, action.order.id)
    } else if (action.kind === 'place') {
      const { side, price, lots } = action.target
      const answer = await maker.place(grid, {
        clientId,
        side,
        type: 'limit',
        timeInForce: 'GTC',
        price: grid.priceText(price),
        quantity: grid.quantityText(lots),
        postOnly: true,
      })
      maker.keep(answer.order)
    } else {
      try {
        const answer = await maker.amend(grid, action.order.id, {
          clientId,
          quantity: grid.quantityText(action.lots),
          ...(action.price === action.order.price ? {} : { price: grid.priceText(action.price) }),
        })
        maker.keep(answer.order)
      } catch (error) {
        // The order was filled or cancelled meanwhile. The next turn places the missing quote.
        if (!(error instanceof ApiError) || (error.code !== 'ORDER_UNKNOWN' && error.code !== 'ORDER_NOT_AMENDABLE')) throw error
        maker.forget(symbol, action.order.id)
      }
    }
  }

  async #trade(market: MarketState, side: Side, usdt: number, index: number): Promise<void> {
    const { grid, taker } = market
    const asset = side === 'buy' ? grid.quote : grid.base
    const affordable = grid.kind === 'perp' ? this.#roomOfTaker(market, side, index) : 0.2 * taker.total(asset) * this.#valueOf(asset)
    const lots = Math.floor(Math.min(usdt, affordable) / this.#valueOf(grid.base) / grid.lot)
    if (lots < grid.lotsMin || lots * grid.lot * index < 1.3 * grid.notionalMin) return
    this.commands += 1
    try {
      await taker.place(grid, {
        clientId: taker.nextClientId(),
        side,
        type: 'market',
        quantity: grid.quantityText(lots),
      })
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 'NO_LIQUIDITY' && error.code !== 'NO_REFERENCE_PRICE')) throw error
    }
  }

  /** USDT that the taker may still trade in a futures market; unlimited if that reduces its position. */
  #roomOfTaker(market: MarketState, side: Side, index: number): number {
    return positionLimit(market.grid.symbol) * roomFor(side, this.#fullness(market, market.taker, index))
  }

  #fill(now: number): void {
    for (const [position, account] of this.#accounts.entries()) {
      for (const [asset, scale] of this.#scales[position]) {
        if (scale >= 0.9 || !(this.#valueOf(asset) > 0)) continue
        this.#track(this.#faucet.fill(account, String(position), asset, now))
      }
      if (this.#markets.some(({ grid }) => grid.kind === 'perp')) this.#track(this.#keeper.fund(account, now))
    }
  }

  #track(work: Promise<unknown>): void {
    const flight = work.then(
      () => undefined,
      (error: unknown) => this.#handle(error),
    )
    this.#flights.add(flight)
    void flight.finally(() => this.#flights.delete(flight))
  }

  /** USDT for one coin by its index price; 0 if unknown. */
  #valueOf(asset: string): number {
    return asset === 'USDT' ? 1 : (this.#index.get(`${asset}USDT`) ?? 0)
  }

  /** Decides how to continue after an error. No error ends the bots. */
  async #handle(error: unknown, market?: MarketState): Promise<void> {
    if (error instanceof OfflineError) this.#pause(undefined, error.message)
    else if (!(error instanceof ApiError)) this.#log('bug', { error: String(error) }, 'a bot failed')
    else if (error.code === 'UNAUTHENTICATED') {
      this.#pause(2, error.code)
      await this.#loginAgain()
    } else if (error.status === 429 || error.status === 503) this.#pause(error.retryAfter, error.code)
    else if (market !== undefined) {
      const restMs = { POST_ONLY_WOULD_TAKE: 1_500, NOT_CERTIFIED: 60_000 } as Readonly<Record<string, number>>
      market.restUntil = Date.now() + (restMs[error.code] ?? 5_000)
      if (staleRefusals.has(error.code)) market.maker.isStale = true
      if (error.code !== 'POST_ONLY_WOULD_TAKE')
        this.#log(`${market.grid.symbol} ${error.code}`, { market: market.grid.symbol, code: error.code }, 'a bot was refused')
    } else this.#log(error.code, { code: error.code }, 'a bot was refused')
  }

  /** Logs in again, once for all answers that report a lost session. */
  async #loginAgain(): Promise<void> {
    if (this.#isLoggingIn) return
    this.#isLoggingIn = true
    try {
      for (const account of this.#accounts) await account.login()
    } catch (error) {
      this.#pause(error instanceof ApiError ? error.retryAfter : undefined, String(error))
    } finally {
      this.#isLoggingIn = false
    }
  }

  /** Pauses all markets and marks the local copies as stale. */
  #pause(seconds: number | undefined, why: string): void {
    const now = Date.now()
    // Errors during a pause come from commands sent before it, so they don't lengthen it.
    if (now >= this.#pausedUntil) {
      this.#pauses += 1
      const back = Math.min(pauseMaxMs, 500 * 2 ** Math.min(this.#pauses - 1, 10)) * (0.5 + this.#chance.next() / 2)
      this.#pausedUntil = now + Math.max(back, (seconds ?? 0) * 1_000)
    }
    for (const account of this.#accounts) account.isStale = true
    this.#log('pause', { why }, 'bots wait')
  }

  /** Logs a message, the same one at most once a minute. */
  #log(key: string, details: object, text: string): void {
    const now = Date.now()
    if (now - (this.#loggedAt.get(key) ?? 0) < 60_000) return
    this.#loggedAt.set(key, now)
    this.#options.log(details, text)
  }

  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await ask()
      } catch (error) {
        const isPassing = error instanceof OfflineError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
        if (!isPassing || this.#isStopped) throw error
        this.#log('start', { why: error.message }, 'bots wait for the exchange')
        const retryMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
        await this.#sleep(Math.max(retryMs, Math.min(5_000, 250 * 2 ** Math.min(tries, 10))))
      }
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Refusals that mean that an account's local copy is stale. */
const staleRefusals: ReadonlySet<string> = new Set(['INSUFFICIENT_BALANCE', 'MARGIN_INSUFFICIENT', 'ORDER_UNKNOWN', 'POSITION_OPEN'])
