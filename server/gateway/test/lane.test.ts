import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { after, before, test } from 'node:test'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let user: TestUser
let index: number

before(async () => {
  exchange = await startExchange({ seed: 'lane' })
  user = await exchange.user({ funds: { USDT: '1000000' }, class: 'bench' })
  const { body } = await request(exchange.url, 'GET', '/tickers')
  index = Number(body.tickers.find((one: { symbol: string }) => one.symbol === 'BTCUSDT').index)
})
after(() => exchange[Symbol.asyncDispose]())

type Asked = { readonly method: string; readonly path: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

/** Status, names and values of the headers, and the body, without what differs from one answer to the next. */
function ask({ method, path, body, headers = {} }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = send(`${exchange.url}/app/v1${path}`, { method, headers: { cookie: user.cookie, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => {
        // Whether the connection stays is the framework's to decide; it gives up those that sent what it could not read.
        const { date, 'content-length': length, connection: _, 'keep-alive': _kept, ...rest } = response.headers
        assert.equal(Number(length), Buffer.byteLength(text))
        assert.ok(date)
        const lines = Object.entries(rest).map(([name, value]) => `${name}: ${value}`)
        const told = text.replace(/"(requestId|id|clientId|placedAt|updatedAt)":("[^"]*"|\d+)/g, '"$1":…')
        resolve([response.statusCode, ...lines.sort(), told].join('\n'))
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

let orders = 0
const order = (more: object = {}) =>
  JSON.stringify({
    clientId: `lane-${++orders}`,
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: String(Math.floor(index * 0.9)),
    quantity: '0.1',
    ...more,
  })

test('GATEWAY-LANE-001: orders past the framework and through it get the same answers', async () => {
  const bodies: readonly (() => string)[] = [
    () => order(),
    () => order({ price: 'abc' }),
    () => order({ price: undefined }),
    () => order({ unknown: 1 }),
    () => order({ symbol: 'NOPEUSDT' }),
    () => order({ quantity: '1000000' }),
    () => order({ trigger: { kind: 'stop', price: '200', direction: 'up' } }),
    () => '{"clientId":',
    () => '{"side":"buy","side":"buy"}',
    () => '[]',
    () => '\xff',
  ]
  for (const body of bodies) {
    for (const headers of [{}, { cookie: 'candor=none' }, { origin: 'http://elsewhere.example' }]) {
      const [plain, unusual] = await Promise.all(
        ['application/json', 'application/json; charset=utf-8'].map((type) =>
          ask({ method: 'POST', path: '/spot/orders', body: body(), headers: { ...headers, 'content-type': type } }),
        ),
      )
      assert.equal(plain, unusual, body())
    }
  }
})

test('GATEWAY-LANE-001: cancels past the framework and through it get the same answers', async () => {
  const place = async () => {
    const { body } = await user.call('POST', '/spot/orders', order())
    return body.order.id as string
  }
  const pairs: readonly (readonly [string, string])[] = [
    [`/spot/orders/${await place()}?symbol=BTCUSDT`, `/spot/orders/${await place()}?symbol=%42TCUSDT`],
    ['/spot/orders/99999999?symbol=BTCUSDT', '/spot/orders/99999999?symbol=%42TCUSDT'],
    ['/spot/orders/abc?symbol=BTCUSDT', '/spot/orders/%61bc?symbol=BTCUSDT'],
    ['/spot/orders/7?symbol=NOPEUSDT', '/spot/orders/7?symbol=%4EOPEUSDT'],
    ['/spot/orders/7?unknown=1', '/spot/orders/7?unknown=%31'],
    ['/perp/orders/7?symbol=BTCUSDTPERP', '/perp/orders/7?symbol=%42TCUSDTPERP'],
  ]
  for (const [plain, unusual] of pairs) {
    assert.equal(await ask({ method: 'DELETE', path: plain }), await ask({ method: 'DELETE', path: unusual }), plain)
  }
})
