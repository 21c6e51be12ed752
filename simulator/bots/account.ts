import { createClient, type Client } from '@candor/client/client.ts'
import { createCookieJar } from '@candor/client/node/cookie.ts'
import { nodeSocket } from '@candor/client/node/socket.ts'
import { openStream, type Stream } from '@candor/client/socket/stream.ts'
import type { WireBalance } from '@candor/core/protocol/wire/funds.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { OwnOrder } from './ladder.ts'
import type { Grid } from './units.ts'

export type Credentials = { readonly email: string; readonly password: string }

/** One of the bots' two users: a customer like any other, with what stands in its name kept at hand. */
export class BotAccount {
  readonly client: Client
  readonly #credentials: Credentials
  readonly #grids: ReadonlyMap<string, Grid>
  readonly #baseUrl: string
  readonly #jar = createCookieJar()
  readonly #orders = new Map<string, Map<string, OwnOrder>>()
  readonly #balances = new Map<string, number>()
  /** Orders that ended: an answer that was slower than the stream must not bring them back. */
  readonly #ended = new Set<string>()
  #stream: Stream | undefined
  #counter = 0
  readonly #run = Date.now().toString(36)
  /** Set whenever what is kept here may be wrong. */
  isStale = true

  /** grids: the markets that it quotes */
  constructor(baseUrl: string, credentials: Credentials, grids: readonly Grid[]) {
    this.#baseUrl = baseUrl
    this.#credentials = credentials
    this.#grids = new Map(grids.map((grid) => [grid.symbol, grid]))
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

  /** Reads open orders and balances anew. Orders on markets that it doesn't quote, and conditional ones, are cancelled. */
  async resync(): Promise<void> {
    this.isStale = false
    // From here on the exchange's list is what counts, less what ends while it is on its way.
    this.#ended.clear()
    try {
      const [orders, balances] = await Promise.all([this.client.spot.openOrders(), this.client.funds.balances()])
      this.#orders.clear()
      for (const order of orders) this.keep(order)
      for (const { asset, available, held } of balances.accounts.find((account) => account.kind === 'spot')?.balances ?? []) {
        this.#balances.set(asset, Number(available) + Number(held))
      }
      const strays = orders.filter((order) => order.status === 'pending' || !this.#grids.has(order.symbol))
      for (const stray of strays) await this.client.spot.cancel(stray.id, stray.symbol)
    } catch (error) {
      this.isStale = true
      throw error
    }
  }

  orders(symbol: string): readonly OwnOrder[] {
    return [...(this.#orders.get(symbol)?.values() ?? [])]
  }

  /** Available and held, in whole coins. */
  total(asset: string): number {
    return this.#balances.get(asset) ?? 0
  }

  nextClientId(): string {
    this.#counter += 1
    return `bot-${this.#run}-${this.#counter}`
  }

  /** Takes an order as an answer or the stream tells it; the later state of the two stays. */
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

  /** Takes everything off the books and leaves. */
  async leave(): Promise<void> {
    this.#stream?.close()
    await this.client.spot.cancelAll(undefined, { timeoutMs: 2_000 })
  }

  close(): void {
    this.#stream?.close()
  }

  #take(update: UserUpdate): void {
    if (update.e === 'order') this.keep(update.order)
    else if (update.e === 'balance' && update.account === 'spot') this.#setBalance(update.balance)
    else if (update.e === 'ended') this.isStale = true
  }

  #setBalance({ asset, available, held }: WireBalance): void {
    this.#balances.set(asset, Number(available) + Number(held))
  }
}
