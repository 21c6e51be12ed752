import { createClient, type Client } from '@candor/client/client.ts'
import { createCookieJar } from '@candor/client/node/cookie.ts'
import { nodeSocket } from '@candor/client/node/socket.ts'
import { openStream, type Stream } from '@candor/client/socket/stream.ts'
import type { WireBalance } from '@candor/core/protocol/wire/funds.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { WirePerpAccount, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder, WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import { botLeverage } from './perp.ts'
import type { OwnOrder, Side } from './ladder.ts'
import type { Grid } from './units.ts'

export type Credentials = { readonly email: string; readonly password: string }

/** An order of the bots, in the same form for spot and futures. */
export type NewOrder = {
  readonly clientId: string
  readonly side: Side
  readonly type: 'limit' | 'market'
  readonly timeInForce?: 'GTC'
  readonly price?: string
  readonly quantity: string
  readonly postOnly?: boolean
}

function perpTotal(balances: readonly WireBalance[]): number {
  const usdt = balances.find(({ asset }) => asset === 'USDT')
  return usdt ? Number(usdt.available) + Number(usdt.held) : 0
}

/** One of the bots' two users: an ordinary customer, with a local copy of its orders and balances. */
export class BotAccount {
  readonly client: Client
  readonly #credentials: Credentials
  readonly #grids: ReadonlyMap<string, Grid>
  readonly #perpGrids: ReadonlyMap<string, Grid>
  readonly #baseUrl: string
  readonly #jar = createCookieJar()
  readonly #orders = new Map<string, Map<string, OwnOrder>>()
  readonly #balances = new Map<string, number>()
  /** Lots of each futures position, negative if short; by position number. */
  readonly #positions = new Map<string, { readonly symbol: string; readonly lots: number }>()
  readonly #settings = new Map<string, WirePerpAccount['settings'][number]>()
  /** Available plus held balance of the futures account, in USDT. */
  perpUsdt = 0
  /** Closed orders: an answer that arrives after the stream's event must not bring them back. */
  readonly #ended = new Set<string>()
  #stream: Stream | undefined
  #counter = 0
  readonly #run = Date.now().toString(36)
  /** Set whenever the local copy may be wrong. */
  isStale = true

  /** quoted: the markets that it quotes; all: these and the markets in which it may have positions */
  constructor(baseUrl: string, credentials: Credentials, quoted: readonly Grid[], all: readonly Grid[] = quoted) {
    this.#baseUrl = baseUrl
    this.#credentials = credentials
    this.#grids = new Map(quoted.map((grid) => [grid.symbol, grid]))
    this.#perpGrids = new Map(all.filter(({ kind }) => kind === 'perp').map((grid) => [grid.symbol, grid]))
    this.client = createClient({ baseUrl, cookie: this.#jar, timeoutMs: 10_000 })
  }

  async login(): Promise<void> {
    await this.client.user.login({ channel: 'email', to: this.#credentials.email, password: this.#credentials.password, lang: 'en' })
    this.#stream?.close()
    this.#stream = openStream({
      url: `${this.#baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/app/v1/stream`,
      socket: nodeSocket(this.#jar),
      onState: (state) => {
        if (state === 'open') this.isStale = true
      },
    })
    this.#stream.subscribe('user', (update) => this.#take(update))
    this.isStale = true
  }

  /** Reads open orders and balances again. Orders in markets that it does not quote, and conditional orders, are cancelled. */
  async resync(): Promise<void> {
    this.isStale = false
    // From here on the exchange's list counts, less the orders that close while it is on its way.
    this.#ended.clear()
    try {
      const [spot, balances] = await Promise.all([this.client.spot.openOrders(), this.client.funds.balances()])
      const orders = this.#perpGrids.size > 0 ? [...spot, ...(await this.client.perp.openOrders())] : spot
      if (this.#perpGrids.size > 0) this.learn(await this.client.perp.account())
      this.#orders.clear()
      for (const order of orders) this.keep(order)
      this.perpUsdt = perpTotal(balances.accounts.find((account) => account.kind === 'perp')?.balances ?? [])
      for (const { asset, available, held } of balances.accounts.find((account) => account.kind === 'spot')?.balances ?? []) {
        this.#balances.set(asset, Number(available) + Number(held))
      }
      const strays = orders.filter((order) => order.status === 'pending' || !this.#grids.has(order.symbol))
      for (const stray of strays) await (stray.perp ? this.client.perp : this.client.spot).cancel(stray.id, stray.symbol)
    } catch (error) {
      this.isStale = true
      throw error
    }
  }

  orders(symbol: string): readonly OwnOrder[] {
    return [...(this.#orders.get(symbol)?.values() ?? [])]
  }

  /** Available plus held balance, in coins. */
  total(asset: string): number {
    return this.#balances.get(asset) ?? 0
  }

  /** Lots held in a futures market, both sides added up; negative if short. */
  position(symbol: string): number {
    let lots = 0
    for (const held of this.#positions.values()) if (held.symbol === symbol) lots += held.lots
    return lots
  }

  /** The settings of a futures market; undefined until the exchange has sent them. */
  setting(symbol: string): WirePerpAccount['settings'][number] | undefined {
    return this.#settings.get(symbol)
  }

  /** Whether a futures market has the settings that the bots use. */
  isSettled(grid: Grid): boolean {
    const setting = this.#settings.get(grid.symbol)
    return setting !== undefined && setting.mode === 'cross' && setting.leverage === Math.min(botLeverage, grid.leverageMax)
  }

  /** Stores the settings and positions of an answer. */
  learn(account: WirePerpAccount): void {
    for (const setting of account.settings) this.#settings.set(setting.symbol, setting)
    this.#positions.clear()
    for (const position of account.positions) this.#hold(position)
  }

  place(grid: Grid, order: NewOrder): Promise<WirePlaced> {
    const body = { ...order, symbol: grid.symbol }
    return grid.kind === 'perp' ? this.client.perp.place(body) : this.client.spot.place(body)
  }

  amend(
    grid: Grid,
    id: string,
    change: { readonly clientId: string; readonly quantity: string; readonly price?: string },
  ): Promise<WirePlaced> {
    return (grid.kind === 'perp' ? this.client.perp : this.client.spot).amend(id, { ...change, symbol: grid.symbol })
  }

  cancel(grid: Grid, id: string): Promise<WireOrder> {
    return (grid.kind === 'perp' ? this.client.perp : this.client.spot).cancel(id, grid.symbol)
  }

  nextClientId(): string {
    this.#counter += 1
    return `bot-${this.#run}-${this.#counter}`
  }

  /** Stores an order from an answer or the stream, unless a later state of it is known. */
  keep(order: WireOrder): void {
    const grid = this.#grids.get(order.symbol)
    if (grid === undefined || this.#ended.has(order.id)) return
    if (order.status !== 'open' && order.status !== 'partially-filled') {
      if (order.status !== 'pending') this.forget(order.symbol, order.id)
      return
    }
    const orders = this.#orders.get(order.symbol) ?? new Map<string, OwnOrder>()
    this.#orders.set(order.symbol, orders)
    const executed = grid.lotsOf(order.executed)
    if ((orders.get(order.id)?.executed ?? 0) > executed) return
    orders.set(order.id, {
      id: order.id,
      side: order.side,
      price: grid.ticksOf(order.price ?? '0'),
      remaining: grid.lotsOf(order.quantity ?? '0') - executed,
      executed,
    })
  }

  forget(symbol: string, id: string): void {
    this.#orders.get(symbol)?.delete(id)
    this.#ended.add(id)
    if (this.#ended.size > 2_000) for (const old of [...this.#ended].slice(0, 1_000)) this.#ended.delete(old)
  }

  /** Cancels all orders and logs out. */
  async leave(): Promise<void> {
    this.#stream?.close()
    await this.client.spot.cancelAll(undefined, undefined, { timeoutMs: 2_000 })
    if (this.#perpGrids.size > 0) await this.client.perp.cancelAll(undefined, { timeoutMs: 2_000 })
  }

  close(): void {
    this.#stream?.close()
  }

  #take(update: UserUpdate): void {
    if (update.e === 'order') this.keep(update.order)
    else if (update.e === 'balance' && update.account === 'spot') this.#setBalance(update.balance)
    else if (update.e === 'balance' && update.account === 'perp') this.perpUsdt = perpTotal([update.balance])
    else if (update.e === 'position') this.#hold(update.position)
    else if (update.e === 'ended') this.isStale = true
  }

  #hold({ id, symbol, side, quantity }: WirePosition): void {
    const lots = this.#perpGrids.get(symbol)?.lotsOf(quantity) ?? 0
    if (lots === 0) this.#positions.delete(id)
    else this.#positions.set(id, { symbol, lots: side === 'sell' ? -lots : lots })
  }

  #setBalance({ asset, available, held }: WireBalance): void {
    this.#balances.set(asset, Number(available) + Number(held))
  }
}
