import assert from 'node:assert/strict'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { type Fields, type Program, programOf } from '../../test/program.ts'

export type Trader = Program & { readonly user: TestUser }

/** An exchange whose prices the test sets: BTC at 60,000, ETH at 3,000. */
export type PerpDesk = AsyncDisposable & {
  readonly exchange: TestExchange
  /** A verified user with 10,000 USDT in Futures and a key that can trade. */
  trader(userClass?: 'retail' | 'bench'): Promise<Trader>
  /** Moves the index of BTC, ETH or both. */
  index(prices: { readonly BTC?: number; readonly ETH?: number }): Promise<void>
}

export async function startPerpDesk(): Promise<PerpDesk> {
  const exchange = await startExchange({ hasFeeds: false })
  const now = { BTC: 60_000, ETH: 3_000 }
  const index: PerpDesk['index'] = async (prices) => {
    Object.assign(now, prices)
    const told = [now.BTC, now.ETH].map((price, at) => ({ market: at + 1, price: Math.round(price * 1e8), sources: 4, isGood: true }))
    const outcome = await exchange.link.submit(commandOf({ type: 'index.tick', prices: told }))
    assert.equal(outcome.refusal, undefined)
  }
  await index({})
  return {
    exchange,
    index,
    async trader(userClass = 'retail') {
      const user = await exchange.user({ funds: { USDT: '20000' }, isCertified: true, class: userClass })
      const moved = await user.call('POST', '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '10000' })
      assert.equal(moved.status, 200, JSON.stringify(moved.body))
      return Object.assign(await programOf(exchange.url, user), { user })
    },
    [Symbol.asyncDispose]: () => exchange[Symbol.asyncDispose](),
  }
}

/** The trader, with cross margin and leverage 5 in ETH from now on. */
export async function crossed(trader: Trader): Promise<Trader> {
  const symbol = 'ETHUSDT'
  await trader.done('POST', '/fapi/v1/marginType', { symbol, marginType: 'CROSSED' })
  await trader.done('POST', '/fapi/v1/leverage', { symbol, leverage: 5 })
  return trader
}

export const limitOrder = (side: 'BUY' | 'SELL', price: string, quantity: string, more: Fields = {}): Fields => ({
  ...{ symbol: 'ETHUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
  ...more,
})

/** Checks that a request is answered with this code and, if given, exactly this sentence. */
export async function refused(program: Program, method: string, path: string, fields: Fields, code: number, msg?: string): Promise<void> {
  const { status, body } = await program.signed(method, path, fields)
  assert.deepEqual(
    [status, body.code, msg === undefined ? undefined : body.msg],
    [400, code, msg],
    `${method} ${path}: ${JSON.stringify(body)}`,
  )
}
