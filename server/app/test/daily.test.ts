import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { WireDailyProfit, WireStatement } from '@candor/core/protocol/wire/days/daily.ts'
import type { WireRates } from '@candor/core/protocol/wire/days/rates.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let alice: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'daily' })
  alice = await exchange.user({ funds: { USDT: '5000' }, class: 'bench' })
  const transfer = { clientId: randomUUID(), asset: 'USDT', from: 'spot', to: 'perp', amount: '1200.5' }
  assert.equal((await alice.call('POST', '/transfer', transfer)).status, 200)
})
after(() => exchange[Symbol.asyncDispose]())

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
/** Today, as of a moment at which it is still the same day half a minute later. */
async function today(): Promise<string> {
  while (dayAt(Date.now()) !== dayAt(Date.now() + 30_000)) await new Promise((resolve) => setTimeout(resolve, 100))
  return dayAt(Date.now())
}

test('DAILY-API-001: a customer reads profits and statements of the own account; impossible days are refused', async () => {
  const day = await today()
  const { body } = await alice.call('GET', `/daily/statement?day=${day}`)
  const statement = body as WireStatement
  assert.deepEqual(
    statement.accounts.map(({ kind, coins }) => [
      kind,
      coins.map(({ asset, lines, closing }) => [asset, lines.practice, lines.transfers, closing]),
    ]),
    [
      ['spot', [['USDT', '5000', '-1200.5', '3799.5']]],
      ['perp', [['USDT', '0', '1200.5', '1200.5']]],
    ],
  )
  assert.deepEqual([statement.total.value!.net, statement.total.value!.profit], ['5000', '0'])
  const month = day.slice(0, 7)
  for (const query of ['', `?month=${month}`]) {
    const profit = (await alice.call('GET', `/daily/profit${query}`)).body as WireDailyProfit
    assert.deepEqual([profit.month, profit.days.length], [month, Number(day.slice(8))])
    assert.deepEqual(profit.days.at(-1), {
      ...{ day, totalUsdt: '5000', profitUsdt: '0' },
      accounts: { spot: '0', perp: '0', margin: '0', option: '0', lend: '0' },
    })
  }
  const file = await fetch(`${exchange.url}/app/v1/daily/statement/file?day=${day}&format=csv`, { headers: { cookie: alice.cookie } })
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(file.headers.get('content-disposition'), `attachment; filename="candor-${day}.csv"`)
  assert.match(await file.text(), new RegExp(`^${day},no,coin,spot,,USDT,0,`, 'm'))

  const bob = await exchange.user()
  assert.deepEqual((await bob.call('GET', `/daily/statement?day=${day}`)).body.accounts, [])
  assert.deepEqual((await bob.call('GET', '/daily/profit')).body.days, [])
  const tomorrow = dayAt(Date.parse(day) + 86_400_000)
  for (const wrong of [tomorrow, '2026-02-30', '2026-13-01', '2026-1-1', '1999-01-01', ''])
    for (const path of [`/daily/statement?day=${wrong}`, `/daily/statement/file?format=csv&day=${wrong}`]) {
      const { status, body } = await alice.call('GET', path)
      assert.deepEqual([status, body.code, body.field], [400, 'FIELD_INVALID', 'day'], path)
    }
  for (const wrong of ['2026-13', '2026-1', '26-01', 'x'])
    assert.equal((await alice.call('GET', `/daily/profit?month=${wrong}`)).body.code, 'FIELD_INVALID')
  for (const path of ['/daily/profit', `/daily/statement?day=${day}`, `/daily/statement/file?format=csv&day=${day}`])
    assert.equal((await request(exchange.url, 'GET', path)).status, 401, path)
})

test('DAILY-STATEMENT-005: a day that is over is final, today is not', async () => {
  const day = await today()
  const of = async (wanted: string) => (await alice.call('GET', `/daily/statement?day=${wanted}`)).body as WireStatement
  assert.equal((await of(day)).isFinal, false)
  const yesterday = await of(dayAt(Date.parse(day) - 1))
  assert.deepEqual([yesterday.isFinal, yesterday.accounts, yesterday.total.coins], [true, [], []])
})

test('PORTFOLIO-COST-009: a customer reads the costs of the own coins at once after a trade, and nobody else’s', async () => {
  const [buyer, seller] = [await exchange.user({ funds: { USDT: '50000' } }), await exchange.user({ funds: { BTC: '1' } })]
  // The money came by no request of the customer, so the tables may not have it yet.
  let { body: before } = await seller.call('GET', '/costs')
  while (before.length === 0) before = (await seller.call('GET', '/costs')).body
  const index = before[0].average
  assert.deepEqual(before, [{ asset: 'BTC', quantity: '1', average: index, cost: index, realised: '0', debt: '0', debtCost: '0' }])
  assert.ok(Number(index) > 0)
  const price = String(Math.floor(Number(index)))
  const order = { symbol: 'BTCUSDT', type: 'limit', price, quantity: '0.1', timeInForce: 'GTC' }
  for (const [user, side] of [
    [seller, 'sell'],
    [buyer, 'buy'],
  ] as const) {
    const { status, body } = await user.call('POST', '/spot/orders', { ...order, clientId: randomUUID(), side })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const [bought] = (await buyer.call('GET', '/costs')).body
  assert.equal(Number(bought.cost), Number(price) / 10)
  assert.ok(Number(bought.average) > Number(price) && Number(bought.average) < Number(price) * 1.01, bought.average)
  const [sold] = (await seller.call('GET', '/costs')).body
  // What is taken out is rounded down to a millionth, which stays with the rest.
  assert.equal(sold.quantity, '0.9')
  assert.ok(Math.abs(Number(sold.average) - Number(index)) < 0.00001, sold.average)
  // A tenth at a price up to a dollar below the index, less the fee.
  assert.ok(Number(sold.realised) < 0 && Number(sold.realised) > -0.1 - Number(price) / 100, sold.realised)
  assert.deepEqual((await alice.call('GET', '/costs')).body, [])
})

test('RATES-API-001: everybody reads the rates that came with the version, with their source and date', async () => {
  const answer = await fetch(`${exchange.url}/app/v1/rates`)
  const rates = (await answer.json()) as WireRates
  assert.deepEqual([answer.status, rates.source, rates.date], [200, 'ecb', '2026-04-13'])
  assert.deepEqual(
    rates.perUsd.filter(({ currency }) => currency === 'EUR' || currency === 'USD'),
    [
      { currency: 'EUR', rate: '0.8558712769' },
      { currency: 'USD', rate: '1' },
    ],
  )
})
