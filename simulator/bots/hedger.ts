import { type Client, createClient } from '@candor/client/client.ts'
import { createCookieJar } from '@candor/client/node/cookie.ts'
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireShelf } from '@candor/core/protocol/wire/convert.ts'
import type { Credentials } from './account.ts'
import { type Grid, gridOf, isWorthwhile, minus, steps, times } from './units.ts'

export type HedgerOptions = {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly log: (details: object, text: string) => void
  /** Default 2,000. */
  readonly everyMs?: number
}

/** What is nearer to its target than this stays. */
const idleUsdt = 100
/** Largest value of one order, so that the book has time to fill up again. */
const orderUsdt = 20_000
/**
 * How far from the index an order may trade: half of the spread that conversions brought, so that nobody converts to sell to the hedger.
 * What finds no such price is given back, and tried again.
 */
export const slippageOf = (spreadPercent: string): number => Number(spreadPercent) / 200

type Move = { readonly grid: Grid; readonly side: 'buy' | 'sell'; readonly lots: number; readonly price: string }

/**
 * Brings the inventory of conversions back to its targets, as an ordinary account of the house: takes what is above a target, sells or
 * buys it in the spot books, and gives back all that it has. It owns nothing, so that a crash between two steps leaves no other work
 * than to give back.
 */
export class Hedger implements AsyncDisposable {
  readonly client: Client
  readonly #options: HedgerOptions
  readonly #run = Date.now().toString(36)
  #grids: ReadonlyMap<string, Grid> = new Map()
  #counter = 0
  #isLoggedIn = false
  #isStopped = false
  #faultAt = 0
  #loop: Promise<void> = Promise.resolve()
  #wake: (() => void) | undefined

  constructor(options: HedgerOptions) {
    this.#options = options
    this.client = createClient({ baseUrl: options.baseUrl, cookie: createCookieJar(), timeoutMs: 10_000 })
  }

  start(): this {
    this.#loop = this.#turns()
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    this.#wake?.()
    await this.#loop
  }

  /** One look at all shelves. Returns the number of orders sent. */
  async turn(): Promise<number> {
    if (!this.#isLoggedIn) await this.#login()
    let shelves = await this.#giveBack((await this.client.convert.shelves()).shelves)
    const { assets, spreadPercent } = await this.client.convert.terms()
    const prices = new Map(assets.map(({ asset, price }) => [asset, Number(price)]))
    const slippage = slippageOf(spreadPercent)
    let sent = 0
    // Sales first: they bring the USDT that purchases need.
    for (const side of ['sell', 'buy'] as const) {
      for (const { asset } of shelves) {
        const market = { grid: this.#grids.get(asset), index: prices.get(asset) ?? 0, slippage }
        const move = moveOf(shelves, asset, side, market)
        if (move === undefined) continue
        shelves = await this.#carryOut(move)
        sent += 1
      }
    }
    return sent
  }

  async #turns(): Promise<void> {
    while (!this.#isStopped) {
      await this.turn().catch((cause: unknown) => this.#handle(cause))
      if (this.#isStopped) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#options.everyMs ?? 2_000)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  async #login(): Promise<void> {
    const { email, password } = this.#options.credentials
    await this.client.user.login({ channel: 'email', to: email, password, lang: 'en' })
    const { markets } = await this.client.market.config()
    this.#grids = new Map(
      markets
        .filter(({ kind, quote, isTrading }) => kind === 'spot' && quote === 'USDT' && isTrading)
        .map((one) => [one.base, gridOf(one)]),
    )
    this.#isLoggedIn = true
  }

  /** Gives back what a turn before left, and what trades brought. Orders are never left open. Returns the shelves afterwards. */
  async #giveBack(before: readonly WireShelf[]): Promise<readonly WireShelf[]> {
    let shelves = before
    const { accounts } = await this.client.funds.balances()
    const own = accounts.find(({ kind }) => kind === 'spot')?.balances ?? []
    for (const { asset, available } of own)
      if (Number(available) > 0 && before.some((shelf) => shelf.asset === asset)) shelves = await this.#move(asset, available, 'give')
    return shelves
  }

  /** Returns the shelves afterwards. */
  async #carryOut({ grid, side, lots, price }: Move): Promise<readonly WireShelf[]> {
    const quantity = grid.quantityText(lots)
    const [asset, amount] = side === 'sell' ? [grid.base, quantity] : [grid.quote, times(price, lots, grid.lotText)]
    const shelves = await this.#move(asset, amount, 'take')
    // After a failure the next turn gives back.
    await this.client.spot.place({
      ...{ clientId: this.#nextId(), symbol: grid.symbol, side, type: 'limit', timeInForce: 'IOC' },
      ...{ price: price as Decimal, quantity: quantity as Decimal },
    })
    return this.#giveBack(shelves)
  }

  async #move(asset: string, amount: string, direction: 'take' | 'give'): Promise<readonly WireShelf[]> {
    return (await this.client.convert.hedge({ clientId: this.#nextId(), asset, amount: amount as Decimal, direction })).shelves
  }

  #nextId(): string {
    this.#counter += 1
    return `hedge-${this.#run}-${this.#counter}`
  }

  /** Decides how to go on. The next turn begins with giving back, whatever happened. */
  #handle(cause: unknown): void {
    if (cause instanceof ApiError && cause.status === 401) this.#isLoggedIn = false
    const isUsual = cause instanceof OfflineError || cause instanceof ApiError
    const now = Date.now()
    if (isUsual && now - this.#faultAt < 60_000) return
    this.#faultAt = now
    this.#options.log({ error: String(cause) }, isUsual ? 'the hedger waits' : 'the hedger failed')
  }
}

/** The order that brings an asset towards its target; undefined when it is near enough, or nothing can be done now. */
export function moveOf(
  shelves: readonly WireShelf[],
  asset: string,
  side: 'buy' | 'sell',
  { grid, index, slippage }: { readonly grid: Grid | undefined; readonly index: number; readonly slippage: number },
): Move | undefined {
  const shelf = shelves.find((one) => one.asset === asset)
  const usdt = shelves.find((one) => one.asset === 'USDT')
  if (grid === undefined || shelf === undefined || usdt === undefined || !(index > 0)) return undefined
  // What accepted quotes will bring is not there yet, and must not be bought.
  const gap = side === 'sell' ? minus(shelf.available, shelf.target) : minus(shelf.target, shelf.expected)
  const limit = index * (side === 'sell' ? 1 - slippage : 1 + slippage)
  const price = grid.priceText(Math.round(limit / grid.tick))
  const payable = side === 'sell' ? Infinity : Number(minus(usdt.available, usdt.target)) / Number(price)
  const most = Math.min(Number(gap), payable, orderUsdt / index)
  if (!(most * index >= idleUsdt)) return undefined
  const lots = Math.min(steps(gap, grid.lotText), Math.floor(most / grid.lot))
  return isWorthwhile(grid, lots, index) ? { grid, side, lots, price } : undefined
}
