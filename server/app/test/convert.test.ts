import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { WireConversion, WireConvertTerms, WireQuote } from '@candor/core/protocol/wire/convert.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let maker: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'convert' })
  maker = await exchange.user({ funds: { USDT: '2000000', BTC: '30', ETH: '300' }, class: 'bench' })
})
after(() => exchange[Symbol.asyncDispose]())

/** Quotes both sides of a market close to the index, so that there is something to measure a price by. */
async function quoteBook(symbol: string, asset: string, lots: string): Promise<void> {
  const { assets } = (await maker.call('GET', '/convert/terms')).body as WireConvertTerms
  const price = Number(assets.find((one) => one.asset === asset)!.price)
  for (const [side, factor] of [
    ['buy', 0.9995],
    ['sell', 1.0005],
  ] as const) {
    const order = { clientId: randomUUID(), symbol, side, type: 'limit', price: (price * factor).toFixed(1), quantity: lots }
    const placed = await maker.call('POST', '/spot/orders', order)
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
  }
}

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until every coin has a good index. */
async function pricesAreGood(): Promise<void> {
  await until(async () => {
    const { assets } = (await maker.call('GET', '/convert/terms')).body as WireConvertTerms
    return assets.every(({ price }) => price !== null) ? true : undefined
  })
}

const ask = (user: TestUser, more: object = {}) =>
  user.call('POST', '/convert/quotes', { clientId: randomUUID(), from: 'USDT', to: 'BTC', give: '1000', ...more })

const held = async (user: TestUser): Promise<Readonly<Record<string, readonly [string, string]>>> => {
  const { accounts } = (await user.call('GET', '/balances')).body
  return Object.fromEntries(
    accounts[0].balances.map(({ asset, available, held }: Record<string, string>) => [asset!, [available!, held!] as const]),
  )
}

test('CONVERT-APP-001: a customer asks for a quote, accepts it, and finds the conversion and both sums in the account', async () => {
  await pricesAreGood()
  const user = await exchange.user({ funds: { USDT: '5000' } })
  // The index moves: a conversion that it ends is asked for again.
  const filled = await until(async () => {
    await quoteBook('BTCUSDT', 'BTC', '0.2')
    const asked = await ask(user)
    assert.equal(asked.status, 201, JSON.stringify(asked.body))
    const quote = asked.body as WireQuote
    assert.deepEqual([quote.from, quote.to, quote.give, quote.value], ['USDT', 'BTC', '1000', '1000'])
    assert.ok(Math.abs(Number(quote.get) / Number(quote.give) / Number(quote.rate) - 1) < 1e-6, quote.rate)
    assert.ok(Math.abs(Number(quote.rate) * Number(quote.inverse) - 1) < 1e-6)
    assert.ok(Math.abs(Number(quote.spread) / Number(quote.get) - 0.001001) < 1e-5, quote.spread)
    assert.deepEqual((await user.call('GET', '/convert/standing')).body.open.id, quote.id)
    const accepted = await user.call('POST', `/convert/quotes/${quote.id}/accept`, {})
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    const again = await user.call('POST', `/convert/quotes/${quote.id}/accept`, {})
    assert.equal(again.body.id, quote.id)
    const ended = await until(async () => {
      const now = (await user.call('GET', `/convert/conversions/${quote.id}`)).body as WireConversion
      return now.state === 'accepted' ? undefined : now
    })
    assert.ok(ended.endedAt! >= ended.decidesFrom)
    return ended.state === 'filled' ? ended : undefined
  })
  const balances = await held(user)
  assert.deepEqual(balances['USDT'], ['4000', '0'])
  assert.deepEqual(balances['BTC'], [filled.get, '0'])
  const { items } = (await user.call('GET', '/convert/conversions')).body as { items: readonly WireConversion[] }
  assert.deepEqual(items[0], filled)
  const records = (await user.call('GET', '/records?type=convert')).body.items
  assert.deepEqual(
    records.map(({ asset, amount }: Record<string, string>) => [asset, amount]).toSorted(),
    [
      ['BTC', filled.get],
      ['USDT', '-1000'],
    ].toSorted(),
  )
})

test('CONVERT-APP-002: wrong requests are refused by name, and nobody sees or accepts the quotes of others', async () => {
  await pricesAreGood()
  await quoteBook('BTCUSDT', 'BTC', '0.2')
  const [user, other] = [await exchange.user({ funds: { USDT: '5000' } }), await exchange.user()]
  const refused = async (more: object, code: string, status: number) => {
    const { body, status: is } = await ask(user, more)
    assert.deepEqual([is, body.code], [status, code], JSON.stringify(more))
  }
  await refused({ give: undefined }, 'FIELD_MISSING', 400)
  await refused({ get: '1' }, 'FIELD_INVALID', 400)
  await refused({ to: 'NONE' }, 'ASSET_UNKNOWN', 404)
  await refused({ to: 'USDT' }, 'ASSET_UNKNOWN', 404)
  await refused({ give: '0.0000001' }, 'TOO_MANY_DIGITS', 400)
  await refused({ give: '4.99' }, 'AMOUNT_TOO_SMALL', 400)
  await refused({ give: '5000.000001' }, 'INSUFFICIENT_BALANCE', 400)
  const { id } = (await ask(user)).body as WireQuote
  for (const [who, path] of [
    [other, `/convert/quotes/${id}/accept`],
    [user, '/convert/quotes/1/accept'],
  ] as const)
    assert.deepEqual((await who.call('POST', path, {})).body.code, 'QUOTE_UNKNOWN')
  assert.equal((await user.call('POST', `/convert/quotes/${id}/accept`, {})).status, 200)
  assert.equal((await other.call('GET', `/convert/conversions/${id}`)).body.code, 'QUOTE_UNKNOWN')
  assert.deepEqual((await other.call('GET', '/convert/conversions')).body.items, [])
})
