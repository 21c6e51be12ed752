/** The exchange of the scripts: an index that stands at 60,000 and 3,000, and a maker whose orders the scripts place. */
import assert from 'node:assert/strict'
import { startExchange, type TestExchange, type TestUser } from '../../../server/main/test/exchange.ts'
import { ownIndex, ownTime } from '../own-world.ts'

export type Side = 'buy' | 'sell'

export type World = AsyncDisposable & {
  readonly exchange: TestExchange
  /** Milliseconds by which the exchange's clock is ahead of the machine's. */
  readonly time: { ahead: number }
  readonly index: (next?: { readonly btc?: number; readonly eth?: number }) => Promise<void>
  /** A request that has to succeed. */
  done(who: TestUser, path: string, body: object): Promise<any>
  /** Places a limit order of the maker. */
  makes(side: Side, price: string, quantity: string, symbol?: string): Promise<void>
  /** Twenty levels on each side of 60,000. */
  makesBook(symbol?: string): Promise<void>
  /** Cancels all orders of the maker and of `who`. */
  clears(who: TestUser): Promise<void>
  until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found>
}

const levels = 20

export async function startWorld(): Promise<World> {
  const time = ownTime()
  const exchange = await startExchange({ seed: 'stumbles', hasFeeds: false, time })
  const { index } = ownIndex(() => exchange)
  await index({ btc: 60_000, eth: 3_000 })
  const ticks = setInterval(() => void index(), 500)
  const maker = await exchange.user({ funds: { USDT: '3000000', BTC: '40', ETH: '400' }, isCertified: true, class: 'bench' })
  let orders = 0
  const world: World = {
    exchange,
    time,
    index,
    async done(who, path, body) {
      const { status, body: answer } = await who.call('POST', path, body)
      assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
      return answer
    },
    async makes(side, price, quantity, symbol = 'BTCUSDT') {
      const path = symbol.endsWith('PERP') ? '/perp/orders' : '/spot/orders'
      await world.done(maker, path, { clientId: `m${++orders}`, symbol, side, type: 'limit', price, quantity })
    },
    async makesBook(symbol) {
      for (let at = 0; at < levels; at += 1) {
        const quantity = (0.05 + ((at * 37) % 11) / 50).toFixed(3)
        await world.makes('buy', String(59_995 - at * 5), quantity, symbol)
        await world.makes('sell', String(60_005 + at * 5), quantity, symbol)
      }
    },
    async clears(who) {
      for (const one of [maker, who]) for (const product of ['spot', 'perp']) await one.call('DELETE', `/${product}/orders`)
    },
    async until(what, look) {
      for (let tries = 0; tries < 1_000; tries += 1) {
        const found = await look()
        if (found !== undefined) return found
        await new Promise((next) => setTimeout(next, 50))
      }
      throw new Error(`still waiting for ${what}`)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(ticks)
      await exchange[Symbol.asyncDispose]()
    },
  }
  await world.done(maker, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '1000000' })
  return world
}
