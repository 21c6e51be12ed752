import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import { type RawData, WebSocket } from 'ws'
import { audit } from '../../journal/audit.ts'
import { type Ground, makeIdentity } from '../roles.ts'
import { tellCertified } from '../certified.ts'
import { request, startExchange, type TestExchange, type TestUser } from './exchange.ts'

/** A clock that follows the machine's until the test moves it. */
class Clock {
  ahead = 0
  readonly wall = () => Date.now() + this.ahead
  readonly steady = () => performance.now() + this.ahead

  /** Moves to a moment just after the next multiple of this many hours UTC. */
  passTo(hours: number): void {
    const length = hours * 3_600_000
    this.ahead += length - (this.wall() % length) + 50
  }
}

const symbol = 'BTCUSDTPERP'
const venues = [0, 1, 2, 3]

/** Sets the index of BTC, as four venues would. */
async function index(exchange: TestExchange, price: number): Promise<void> {
  const units = price * 1e8
  const quotes = venues.map((venue) => ({ venue, price: units + venue * 1e6 - 15e5 }))
  const outcome = await exchange.link.submit(
    commandOf({
      type: 'index.tick',
      prices: [{ market: 1 as MarketId, price: units, sources: 4, isGood: true, quotes }],
    }),
  )
  assert.equal(outcome.refusal, undefined)
}

async function trader(exchange: TestExchange, leverage: number, mode?: 'cross'): Promise<TestUser> {
  const user = await exchange.user({ funds: { USDT: '20000' }, isCertified: true })
  const ok = async (path: string, body: object): Promise<void> => {
    const answer = await user.call('POST', path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  await ok('/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '10000' })
  if (mode) await ok('/perp/margin-mode', { symbol, mode })
  await ok('/perp/leverage', { symbol, leverage })
  return user
}

async function place(user: TestUser, clientId: string, order: object): Promise<any> {
  const { status, body } = await user.call('POST', '/perp/orders', { clientId, symbol, type: 'limit', ...order })
  assert.equal(status, 200, JSON.stringify(body))
  return body.order
}

/** Messages of a user's own stream and of the market's mark stream. */
async function listen(exchange: TestExchange, user: TestUser): Promise<Disposable & { readonly heard: any[] }> {
  const heard: any[] = []
  const ws = new WebSocket(`${exchange.url.replace('http', 'ws')}/app/v1/stream`, { headers: { cookie: user.cookie } })
  const isSubscribed = new Promise<void>((done) => {
    ws.on('message', (data: RawData) => {
      const message = JSON.parse(String(data))
      heard.push(message.data ?? {})
      if (message.id === 1) done()
    })
  })
  await new Promise((done, fail) => ws.once('open', done).once('error', fail))
  ws.send(JSON.stringify({ method: 'SUBSCRIBE', params: ['user', 'btcusdtperp@mark'], id: 1 }))
  await isSubscribed
  return { heard, [Symbol.dispose]: () => ws.terminate() }
}

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let tries = 0; tries < 2_500; tries++) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(20)
  }
  throw new Error(`still waiting for ${what}`)
}

test('PERP-STORY-001: two customers open against each other, one pays the other funding, and the index liquidates one of them, step by step, with all deciding values on record', async () => {
  const clock = new Clock()
  await using exchange = await startExchange({ hasFeeds: false, time: clock })
  await index(exchange, 60_000)
  const [long, short, bidder] = [await trader(exchange, 10), await trader(exchange, 5, 'cross'), await trader(exchange, 4, 'cross')]
  using stream = await listen(exchange, long)
  const { heard } = stream

  await place(short, 's1', { side: 'sell', price: '60000', quantity: '0.5' })
  const opened = await place(long, 'l1', { side: 'buy', type: 'market', quantity: '0.5' })
  assert.equal(opened.average, '60000')
  const { body: account } = await long.call('GET', '/perp/account')
  const [position] = account.positions
  assert.deepEqual([position.quantity, position.entryPrice, position.value, position.margin], ['0.50000', '60000', '30000', '3000'])
  // (30,000 − 3,000) ÷ (0.5 × 97.5 %): 0.5 × 0.025 of the value at the mark must be left.
  assert.equal(position.liquidationPrice, '55384.6')
  assert.deepEqual([account.available, account.held], ['6985', '3000'], 'the fee of a taker is 0.05 % of 30,000')
  const balances = (await short.call('GET', '/balances')).body
  assert.deepEqual(
    balances.accounts.map(({ kind, unrealisedUsdt }: any) => [kind, unrealisedUsdt]),
    [
      ['spot', undefined],
      ['perp', '0'],
    ],
  )

  clock.passTo(8)
  await index(exchange, 60_000)
  const paid = await until('funding', async () => (await long.call('GET', '/perp/funding')).body.items[0])
  assert.deepEqual([paid.symbol, paid.rate, paid.quantity, paid.amount], [symbol, '0.01', '0.50000', '-3'])
  assert.equal((await short.call('GET', `/perp/funding?symbol=${symbol}`)).body.items[0].amount, '3')
  assert.equal((await request(exchange.url, 'GET', '/perp/funding-rates')).body.items[0].rate, '0.01')

  await place(bidder, 'b1', { side: 'buy', price: '55300', quantity: '0.2' })
  await place(bidder, 'b2', { side: 'buy', price: '54100', quantity: '0.5' })
  await index(exchange, 55_500)
  assert.equal((await long.call('GET', '/perp/account')).body.positions.length, 1, 'above the liquidation price nothing happens')
  const shock = (await request(exchange.url, 'GET', '/perp/prices')).body.marks.find((one: any) => one.symbol === symbol)
  assert.deepEqual([shock.index, shock.isIndexGood], ['55500', true])
  for (const price of [55_300, 54_500, 54_100, 42_000]) await index(exchange, price)
  // Without buyers and with the margin used up, the fund takes over the rest.
  await bidder.call('DELETE', '/perp/orders')
  await index(exchange, 37_000)
  await until('the end of the position', async () =>
    (await long.call('GET', '/perp/account')).body.positions.length === 0 ? true : undefined,
  )

  const [ended] = (await long.call('GET', '/perp/positions/closed')).body.items
  assert.deepEqual(
    [ended.id, ended.symbol, ended.side, ended.mode, ended.leverage, ended.cause, ended.result],
    [opened.id, symbol, 'buy', 'isolated', 10, 'liquidation', 'loss'],
  )
  assert.deepEqual([ended.openPrice, ended.openQuantity, ended.openAmount, ended.totalOpenAmount], ['60000', '0.50000', '3000', '30000'])
  assert.equal(ended.funding, '-3')
  const settle = Number(ended.settlePrice)
  assert.ok(settle > 53_000 && settle < 55_400, ended.settlePrice)
  assert.equal(Number(ended.settleProfit).toFixed(6), (Number(ended.realised) - Number(ended.fees) - 3).toFixed(6))

  const { body: story } = await long.call('GET', `/perp/liquidations/${opened.id}`)
  assert.ok(story.steps.length >= 2)
  for (const step of story.steps) {
    assert.ok(Number(step.equity) <= Number(step.maintenance), 'each step was due')
    assert.equal(step.sources.length, 4)
    assert.equal(step.sources[0].venue, 'binance')
    assert.ok(step.sources.every(({ price }: any) => Math.abs(Number(price) - Number(step.index)) < 1))
    assert.ok(step.averagePrice === null || Number(step.averagePrice) >= 54_000)
  }
  const last = story.steps.at(-1)
  assert.equal(last.orderId, null)
  assert.ok(Number(last.equity) < 0 && Number(last.closedQuantity) > 0, 'the fund took over what was left')
  assert.deepEqual(
    [last.averagePrice, last.insured, last.deleveraged],
    [null, '0', []],
    'at its bankruptcy price, and nobody else was closed',
  )
  const sold = story.steps.reduce((sum: number, step: any) => sum + Number(step.closedQuantity), 0)
  assert.equal(sold.toFixed(5), '0.50000')
  assert.ok(story.steps.some(({ entries }: any) => entries.some(({ reason }: any) => reason === 'liquidation-fee')))
  assert.equal((await short.call('GET', `/perp/liquidations/${opened.id}`)).body.code, 'POSITION_UNKNOWN')

  const { body: fund } = await request(exchange.url, 'GET', '/perp/insurance')
  assert.ok(Number(fund.balance) > 1_000_000, fund.balance)
  const orders = (await long.call('GET', '/perp/orders/history')).body.items
  assert.ok(orders.some(({ perp }: any) => perp.liquidation))
  for (const kind of ['position', 'positionClosed', 'level', 'liquidation', 'funding', 'mark', 'balance', 'order'])
    await until(kind, () => Promise.resolve(heard.some(({ e }) => e === kind) || undefined))
  const told = heard.find(({ e }) => e === 'positionClosed').closed
  assert.deepEqual(told, ended, 'the stream and the tables agree')
  assert.deepEqual(heard.find(({ e }) => e === 'funding').funding, paid)
  assert.deepEqual([heard.findLast(({ e }) => e === 'position').position.quantity, heard.at(-1) !== undefined], ['0.00000', true])

  await until('the tables', async () => {
    const { rows } = await exchange.store.pool.query<{ seq: number }>('select seq from projection')
    return rows[0]!.seq >= (await exchange.link.ask.head()).seq ? true : undefined
  })
  assert.deepEqual((await audit({ pool: exchange.store.pool })).problems, [])
})

test('PERP-START-001: a new exchange has a Futures market for each market against USDT, a filled insurance fund in the sandbox, pools that lend, and accounts that were verified before', async () => {
  await using exchange = await startExchange({ hasFeeds: false })
  const { markets, assets } = await exchange.link.ask.listing()
  const spot = markets.filter(({ perp }) => perp === undefined)
  const contracts = markets.filter(({ perp }) => perp !== undefined)
  assert.deepEqual([spot.length, contracts.length], [14, 12])
  for (const { symbol: name, tick, lot, perp, terms } of contracts) {
    const follows = markets.find(({ id }) => id === perp?.index)!
    assert.deepEqual([name, tick, lot], [`${follows.symbol}PERP`, follows.tick, follows.lot])
    assert.deepEqual([terms.makerFeePpm, terms.takerFeePpm, perp?.fundingHours], [200, 500, 8])
    assert.equal(perp?.leverageMax, /^(BTC|ETH)/.test(name) ? 10 : 8)
  }
  assert.equal((await request(exchange.url, 'GET', '/perp/insurance')).body.balance, '1000000')
  // The token of the practice presale has no market, so that nobody lends or borrows it.
  const traded = assets.filter(({ symbol: name }) => name !== 'PRACT')
  const pools = await exchange.link.ask.pools()
  assert.deepEqual(
    pools.filter(({ supplied, room }) => supplied > 0 && room > 0).map(({ asset }) => asset),
    traded.map(({ id }) => id),
  )
  assert.equal(traded.length, assets.length - 1)

  const before = await exchange.user()
  await exchange.store.pool.query(`update accounts set certification = 'certified' where core_user = $1`, [before.id])
  await index(exchange, 60_000)
  const order = { clientId: 'x', symbol, side: 'buy', type: 'limit', price: '60000', quantity: '0.01' }
  assert.equal((await before.call('POST', '/perp/orders', order)).body.code, 'NOT_CERTIFIED')
  const settings = { mode: 'sandbox', dataFolder: exchange.dataFolder, publicUrls: [] }
  const ground = { settings, store: exchange.store, logger: undefined } as unknown as Ground
  await using identity = makeIdentity(ground, exchange.link, { send: () => Promise.resolve() })
  await tellCertified(exchange.store, exchange.link.submit, identity)
  assert.equal((await before.call('POST', '/perp/orders', { ...order, clientId: 'y' })).body.code, 'MARGIN_INSUFFICIENT')
})
