import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import type { WireShelf } from '@candor/core/protocol/wire/convert.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { startExchange, type TestExchange, type TestUser } from '@candor/server/main/test/exchange.ts'
import { Hedger, moveOf } from './hedger.ts'
import { gridOf, minus, times } from './units.ts'

const grid = gridOf({
  ...{ symbol: 'BTCUSDT', kind: 'spot', base: 'BTC', quote: 'USDT', tick: '0.1', lot: '0.00001' },
  ...{ notionalMin: '5', quantityMin: '0.00001' },
} as unknown as WireMarket)

const shelvesOf = (btc: readonly [string, string, string], usdt: readonly [string, string, string]): readonly WireShelf[] =>
  [['BTC', ...btc] as const, ['USDT', ...usdt] as const].map(
    ([asset, target, available, expected]) => ({ asset, target, available, expected }) as unknown as WireShelf,
  )

test('CONVERT-HEDGE-002: the hedger sells what is above a target, and buys what is missing with USDT above theirs', () => {
  const even = ['1000', '1000', '1000'] as const
  const full = shelvesOf(['5', '5.1', '5.1'], even)
  assert.deepEqual(moveOf(full, 'BTC', 'sell', { grid, index: 100_000, slippage: 0.005 }), {
    grid,
    side: 'sell',
    lots: 10_000,
    price: '99500.0',
  })
  assert.equal(moveOf(full, 'BTC', 'buy', { grid, index: 100_000, slippage: 0.005 }), undefined)
  const short = shelvesOf(['5', '4.9', '4.9'], ['1000', '6025', '6025'])
  assert.deepEqual(moveOf(short, 'BTC', 'buy', { grid, index: 100_000, slippage: 0.005 }), {
    grid,
    side: 'buy',
    lots: 5_000,
    price: '100500.0',
  })
  assert.equal(moveOf(short, 'BTC', 'sell', { grid, index: 100_000, slippage: 0.005 }), undefined)
  // Nothing is done for less than it is worth, without a price, or about sums that are on their way.
  assert.equal(moveOf(shelvesOf(['5', '5.0009', '5.0009'], even), 'BTC', 'sell', { grid, index: 100_000, slippage: 0.005 }), undefined)
  assert.equal(moveOf(full, 'BTC', 'sell', { grid, index: 0, slippage: 0.005 }), undefined)
  assert.equal(
    moveOf(shelvesOf(['5', '4.9', '5'], ['1000', '9000', '9000']), 'BTC', 'buy', { grid, index: 100_000, slippage: 0.005 }),
    undefined,
  )
  assert.equal(moveOf(shelvesOf(['5', '5', '5.1'], even), 'BTC', 'sell', { grid, index: 100_000, slippage: 0.005 }), undefined)
  assert.equal(moveOf(shelvesOf(['5', '9', '9'], even), 'BTC', 'sell', { grid, index: 100_000, slippage: 0.005 })?.lots, 20_000)
})

test('sums of the hedger are exact decimal text', () => {
  assert.deepEqual([times('0.1', 3), times('100500.0', 5_000, '0.00001'), times('5', 2, '3')], ['0.3', '5025', '30'])
  assert.deepEqual([minus('1', '0.00000001'), minus('0.1', '0.3'), minus('5', '5')], ['0.99999999', '-0.2', '0'])
})

const until = async (what: string, done: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 60_000; !(await done()); ) {
    if (Date.now() > end) throw new Error(`${what} did not come`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Quotes both sides around the index with all funds that the test needs. */
async function quote(maker: TestUser): Promise<void> {
  const { assets } = (await maker.call('GET', '/convert/terms')).body
  const price = Number(assets.find(({ asset }: { asset: string }) => asset === 'BTC').price)
  await maker.call('DELETE', '/spot/orders?symbol=BTCUSDT')
  for (const [side, factor] of [
    ['buy', 0.9998],
    ['sell', 1.0002],
  ] as const)
    await maker.call('POST', '/spot/orders', {
      ...{ clientId: randomUUID(), symbol: 'BTCUSDT', side, type: 'limit', price: (price * factor).toFixed(1), quantity: '2' },
    })
}

async function hedgerOf(exchange: TestExchange): Promise<TestUser> {
  const hedger = await exchange.user({ class: 'maker', isCertified: true })
  const terms = (await exchange.link.ask.convertTerms())!
  assert.equal((await exchange.link.submit({ type: 'convert.setTerms', terms: { ...terms, hedger: hedger.id } })).refusal, 'FORBIDDEN')
  await exchange.link.submit({ type: 'user.house', user: hedger.id, isHouse: true })
  assert.equal((await exchange.link.submit({ type: 'convert.setTerms', terms: { ...terms, hedger: hedger.id } })).refusal, undefined)
  return hedger
}

test('CONVERT-HEDGE-003: on the real exchange, what customers converted comes back through the spot book, and the hedger keeps nothing', {
  timeout: 120_000,
}, async () => {
  await using exchange = await startExchange({ seed: 'hedger' })
  const [maker, customer] = [
    await exchange.user({ funds: { USDT: '900000', BTC: '9' }, class: 'bench' }),
    await exchange.user({ funds: { USDT: '90000' } }),
  ]
  const { email, password, call } = await hedgerOf(exchange)
  await using hedger = new Hedger({ baseUrl: exchange.url, credentials: { email, password }, log: () => undefined })
  assert.equal((await customer.call('GET', '/convert/shelves')).body.code, 'FORBIDDEN')
  assert.equal((await customer.call('POST', '/convert/hedge', { clientId: 'a', asset: 'BTC', amount: '1', direction: 'take' })).status, 403)
  const shelf = async (asset: string): Promise<WireShelf> =>
    (await call('GET', '/convert/shelves')).body.shelves.find((one: WireShelf) => one.asset === asset)
  const before = await shelf('BTC')
  // The index moves between a quote and its decision: one that it ends is asked for again.
  await until('a conversion', async () => {
    await quote(maker)
    const wish = { clientId: randomUUID(), from: 'USDT', to: 'BTC', give: '9000' }
    const { id } = (await customer.call('POST', '/convert/quotes', wish)).body
    if (id === undefined) return false
    assert.equal((await customer.call('POST', `/convert/quotes/${id}/accept`, {})).status, 200)
    let state = 'accepted'
    await until('its decision', async () => {
      const read = await customer.call('GET', `/convert/conversions/${id}`)
      assert.equal(read.status, 200, JSON.stringify(read.body))
      state = read.body.state
      return state !== 'accepted'
    })
    return state === 'filled'
  })
  assert.ok(Number((await shelf('BTC')).available) < Number(before.available))
  await until('the target', async () => {
    await quote(maker)
    return (await hedger.turn()) === 0
  })
  const after = await shelf('BTC')
  assert.ok(Math.abs(Number(after.available) - Number(after.target)) * 200_000 < 200 * 2, `${after.available} of ${after.target}`)
  const { accounts } = (await call('GET', '/balances')).body
  const all = accounts.flatMap(({ balances }: { readonly balances: readonly object[] }) => balances)
  const own = all.filter(({ available, held }: Record<string, string>) => Number(available) + Number(held) > 0)
  assert.deepEqual(own, [])
})
