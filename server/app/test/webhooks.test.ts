import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { isSigned, type Post, type Receiver, startReceiver } from '../../webhooks/test/receiver.ts'
import { delivery, deliveryPage, replayed, webhook, webhookList, webhookMade } from '../user/webhook-routes.ts'

let exchange: TestExchange
let receiver: Receiver
let alice: TestUser
let bob: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'webhooks', hasFeeds: false })
  receiver = await startReceiver()
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  alice = await exchange.user({ funds: { USDT: '100000', BTC: '1' }, isCertified: true })
  bob = await exchange.user({ funds: { USDT: '100000', BTC: '1' }, isCertified: true, class: 'bench' })
})
after(async () => {
  await receiver[Symbol.asyncDispose]()
  await exchange[Symbol.asyncDispose]()
})

async function ok(user: TestUser, method: string, path: string, body?: object): Promise<any> {
  const answer = await user.call(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
/** A webhook that has answered its challenge. */
const make = async (user: TestUser, path: string, kinds: readonly string[]) => {
  const made = webhookMade.parse(await ok(user, 'POST', '/webhooks', { url: `${receiver.url}/${path}`, kinds, password: user.password }))
  const isPending = async (): Promise<boolean> =>
    webhookList.parse(await ok(user, 'GET', '/webhooks')).webhooks.find(({ id }) => id === made.webhook.id)?.pending !== undefined
  while (await isPending()) await sleep(10)
  return made
}
const at = (path: string) => (post: Post) => post.path === `/hook/${path}`
let orders = 0
const trade = async (seller: TestUser, buyer: TestUser, quantity = '0.01') => {
  const order = { symbol: 'BTCUSDT', type: 'limit', price: '60000', quantity }
  const maker = await ok(seller, 'POST', '/spot/orders', { ...order, side: 'sell', clientId: `s${++orders}` })
  const taker = await ok(buyer, 'POST', '/spot/orders', { ...order, side: 'buy', clientId: `b${orders}` })
  assert.equal(taker.order.status, 'filled')
  return { maker: maker.order, taker: taker.order }
}

test('API-HOOK-001: a fill is delivered to the webhooks of maker and taker, and to no others', async () => {
  const carol = await exchange.user()
  const mine = await make(alice, 'alice', ['spot.fill'])
  const his = await make(bob, 'bob', ['spot.fill', 'perp.fill'])
  await make(bob, 'other-kinds', ['perp.liquidation', 'option.settlement'])
  await make(carol, 'carol', ['spot.fill'])
  const { maker, taker } = await trade(alice, bob)
  const [told] = await receiver.until(1, at('alice'))
  const [heard] = await receiver.until(1, at('bob'))
  assert.ok(isSigned(told!, mine.secret) && isSigned(heard!, his.secret) && !isSigned(told!, his.secret))
  const { tradeId, ...rest } = told!.event.data as { tradeId: number }
  assert.equal(told!.event.type, 'spot.fill')
  assert.ok(Math.abs(told!.event.createdAt - Date.now()) < 60_000)
  const common = { symbol: 'BTCUSDT', price: '60000.0', quantity: '0.01000', quoteQuantity: '600.000000', orderExecuted: '0.01000' }
  assert.deepEqual(rest, {
    ...common,
    ...{ orderId: Number(maker.id), clientOrderId: maker.clientId, side: 'sell', fee: '0.600000', feeAsset: 'USDT', isMaker: true },
  })
  assert.deepEqual(heard!.event.data, {
    ...common,
    ...{
      orderId: Number(taker.id),
      clientOrderId: taker.clientId,
      side: 'buy',
      tradeId,
      fee: '0.00001000',
      feeAsset: 'BTC',
      isMaker: false,
    },
  })
  await trade(bob, alice)
  await receiver.until(2, at('alice'))
  await receiver.until(2, at('bob'))
  assert.deepEqual([receiver.posts.filter(at('carol')), receiver.posts.filter(at('other-kinds'))], [[], []])
})

test('API-HOOK-015: events before a URL has answered its challenge are not kept for it; later ones are delivered', async () => {
  receiver.answerChallenge = (response) => response.end('not now')
  const form = { url: `${receiver.url}/asked`, kinds: ['spot.fill'], password: alice.password }
  const { webhook: made } = webhookMade.parse(await ok(alice, 'POST', '/webhooks', form))
  const mine = async () => webhookList.parse(await ok(alice, 'GET', '/webhooks')).webhooks.find(({ id }) => id === made.id)!
  while ((await mine()).pending?.problem !== 'challenge') await sleep(10)
  assert.equal((await alice.call('POST', `/webhooks/${made.id}/test`)).body.code, 'WEBHOOK_PENDING')
  const before = await trade(alice, bob)
  await receiver.until(1, (post) => at('alice')(post) && post.event.data['orderId'] === Number(before.maker.id))
  receiver.answerChallenge = (response, value) => response.end(value)
  webhook.parse(await ok(alice, 'POST', `/webhooks/${made.id}/challenge`))
  while ((await mine()).pending) await sleep(10)
  const after = await trade(alice, bob)
  const [told, ...more] = await receiver.until(1, at('asked'))
  assert.deepEqual([told?.event.data['orderId'], told?.event.sequence, more.length], [Number(after.maker.id), 1, 0])
  await ok(alice, 'DELETE', `/webhooks/${made.id}`)
})

test('API-HOOK-001: fills of Futures and of Margin accounts and closed positions have event kinds of their own', async () => {
  await make(bob, 'products', ['perp.fill', 'perp.close', 'margin.fill'])
  const symbol = 'ETHUSDTPERP'
  for (const user of [alice, bob]) {
    await ok(user, 'POST', '/transfer', { clientId: 'p', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
    await ok(user, 'POST', '/perp/leverage', { symbol, leverage: 5 })
  }
  const contract = { symbol, type: 'limit', price: '3000', quantity: '1' }
  const swap = async (seller: TestUser, buyer: TestUser, id: string) => {
    await ok(seller, 'POST', '/perp/orders', { ...contract, side: 'sell', clientId: `ps${id}` })
    await ok(buyer, 'POST', '/perp/orders', { ...contract, side: 'buy', clientId: `pb${id}` })
  }
  await swap(alice, bob, '1')
  await swap(bob, alice, '2')
  const [opened, second, closed] = (await receiver.until(3, at('products')))
    .map(({ event }) => event)
    .sort((a, b) => a.sequence - b.sequence)
  assert.deepEqual(
    [opened, second].map((event) => [event?.type, event?.data.symbol, event?.data.side, event?.data.clientOrderId, event?.data.feeAsset]),
    [
      ['perp.fill', symbol, 'buy', 'pb1', 'USDT'],
      ['perp.fill', symbol, 'sell', 'ps2', 'USDT'],
    ],
  )
  assert.deepEqual(
    [closed?.type, closed?.data.side, closed?.data.cause, closed?.data.openedValue],
    ['perp.close', 'buy', 'order', '3000.000000'],
  )

  await ok(bob, 'POST', '/transfer', { clientId: 'm', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '1000' })
  await ok(alice, 'POST', '/spot/orders', {
    clientId: 'ms',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'limit',
    price: '60000',
    quantity: '0.001',
  })
  const margin = { account: 'margin-cross', borrow: 'none' }
  await ok(bob, 'POST', '/spot/orders', {
    clientId: 'mb',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '60000',
    quantity: '0.001',
    margin,
  })
  const [, , , onMargin] = (await receiver.until(4, at('products'))).map(({ event }) => event).sort((a, b) => a.sequence - b.sequence)
  assert.deepEqual([onMargin?.type, onMargin?.data.isIsolated, onMargin?.data.clientOrderId], ['margin.fill', false, 'mb'])
})

test('API-HOOK-001: a Margin account that the index takes below its level gets an event for each step of its liquidation, as in its history', async () => {
  const index = async (price: number) => {
    const prices = [{ market: 1, price: price * 1e8, sources: 4, isGood: true }]
    assert.equal((await exchange.link.submit(commandOf({ type: 'index.tick', prices }))).refusal, undefined)
  }
  const funds = { USDT: '200000', BTC: '1' }
  const [trader, maker] = [await exchange.user({ funds, isCertified: true }), await exchange.user({ funds, class: 'bench' })]
  const mine = await make(trader, 'margin', ['margin.liquidation'])
  await make(maker, 'across', ['margin.liquidation'])
  const symbol = 'BTCUSDT'
  const order = (side: string, price: string, quantity: string) => ({
    symbol,
    side,
    type: 'limit',
    price,
    quantity,
    clientId: `l${++orders}`,
  })
  await ok(trader, 'POST', '/transfer', { clientId: 'l', asset: 'USDT', from: 'spot', to: 'margin-isolated', symbol, amount: '10000' })
  await ok(maker, 'POST', '/spot/orders', order('sell', '60000', '1'))
  const margin = { account: 'margin-isolated', borrow: 'borrow' }
  assert.equal((await ok(trader, 'POST', '/spot/orders', { ...order('buy', '60000', '1'), margin })).order.status, 'filled')
  await ok(maker, 'POST', '/spot/orders', order('buy', '52300', '2'))
  // 50,000 are owed for 0.999 BTC: the level is below 1.05 at 52,500.
  try {
    for (const price of [53_000, 52_500, 52_400]) await index(price)
    const isOver = async (): Promise<boolean> => {
      const { level, state } = (await ok(trader, 'GET', `/margin/accounts?symbol=${symbol}`)).accounts[0]
      return state !== 'liquidating' && (level === null || Number(level) >= 1.1)
    }
    for (let attempt = 0; attempt < 3_000 && !(await isOver()); attempt++) await sleep(10)
    const steps = ((await ok(trader, 'GET', '/margin/liquidations')).items as any[]).toSorted(
      (a, b) => Number(a.orderId) - Number(b.orderId),
    )
    assert.ok(steps.length > 0 && Number(steps[0].level) <= 1.05, JSON.stringify(steps))
    const posts = (await receiver.until(steps.length, at('margin'))).toSorted((a, b) => a.event.sequence - b.event.sequence)
    assert.equal(posts.length, steps.length)
    for (const [n, { event, ...post }] of posts.entries()) {
      const step = steps[n]
      assert.ok(isSigned({ event, ...post }, mine.secret))
      assert.deepEqual([event.type, event.data.symbol, event.data.orderId], ['margin.liquidation', symbol, Number(step.orderId)])
      assert.equal(Number(event.data.liquidationLevel), 1.05)
      const { marginLevel, assets, debt, fee, insured } = event.data
      const kept = [step.level, step.assetsUsdt, step.debtUsdt, step.fee, step.insured]
      assert.deepEqual([marginLevel, assets, debt, fee, insured].map(Number), kept.map(Number))
    }
    assert.deepEqual(receiver.posts.filter(at('across')), [])
  } finally {
    await index(60_000)
  }
})

test('API-HOOK-008: the owner sees deliveries, repeats one or all since a time, and sends a test', async () => {
  const { webhook: own } = await make(alice, 'replay', ['spot.fill'])
  await trade(alice, bob, '0.001')
  await receiver.until(1, at('replay'))
  const since = Date.now()
  await sleep(2)
  await trade(alice, bob, '0.002')
  const [first, second] = await receiver.until(2, at('replay'))
  const path = `/webhooks/${own.id}`
  const page = async (query = '') => deliveryPage.parse(await ok(alice, 'GET', `${path}/deliveries${query}`))
  for (let attempt = 0; attempt < 3_000 && (await page('?state=waiting')).deliveries.length > 0; attempt++) await sleep(10)
  const { deliveries } = await page()
  assert.deepEqual(
    deliveries.map(({ sequence, state, tries, status, body }) => [sequence, state, tries, status, body]),
    [
      [2, 'delivered', 1, 200, second?.text],
      [1, 'delivered', 1, 200, first?.text],
    ],
  )
  const newest = await page('?limit=1')
  assert.deepEqual([newest.deliveries[0]?.sequence, newest.next], [2, '2'])
  assert.deepEqual(
    (await page('?limit=1&before=2')).deliveries.map(({ sequence }) => sequence),
    [1],
  )

  delivery.parse(await ok(alice, 'POST', `${path}/deliveries/1/replay`))
  assert.equal((await receiver.until(3, at('replay')))[2]?.text, first?.text)
  assert.deepEqual(replayed.parse(await ok(alice, 'POST', `${path}/replay`, { since })), { count: 1 })
  assert.equal((await receiver.until(4, at('replay')))[3]?.text, second?.text)
  const trial = delivery.parse(await ok(alice, 'POST', `${path}/test`))
  const [post] = (await receiver.until(5, at('replay'))).slice(4)
  assert.deepEqual([post?.event.type, post?.event.id, post?.event.data, trial.type], ['test', trial.eventId, {}, 'test'])

  for (const [method, rest] of [
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['POST', '/deliveries/1/replay'],
    ['DELETE', ''],
  ] as const)
    assert.equal((await bob.call(method, `${path}${rest}`)).status, 404)
  assert.equal((await bob.call('PATCH', path, { isOn: false })).status, 404)
  assert.equal((await alice.call('POST', `${path}/deliveries/0/replay`)).status, 404)
})

test('API-HOOK-003: while a webhook is off its events are lost; switched on with other kinds, it continues from there', async () => {
  const { webhook: own } = await make(alice, 'switched', ['spot.fill'])
  const path = `/webhooks/${own.id}`
  const off = webhook.parse(await ok(alice, 'PATCH', path, { isOn: false }))
  assert.equal(off.off?.by, 'owner')
  await trade(alice, bob, '0.003')
  for (const rest of ['/test', '/deliveries/1/replay']) assert.equal((await alice.call('POST', `${path}${rest}`)).body.code, 'WEBHOOK_OFF')
  const on = webhook.parse(await ok(alice, 'PATCH', path, { isOn: true, kinds: ['perp.fill', 'spot.fill'] }))
  assert.deepEqual([on.off, on.kinds], [undefined, ['spot.fill', 'perp.fill']])
  await trade(alice, bob, '0.004')
  const [post] = await receiver.until(1, at('switched'))
  assert.equal(post?.event.data.quantity, '0.00400')
  await ok(alice, 'PATCH', path, { kinds: ['perp.fill'] })
  await make(alice, 'witness', ['spot.fill'])
  await trade(alice, bob, '0.005')
  await receiver.until(1, at('witness'))
  assert.equal(receiver.posts.filter(at('switched')).length, 1)
  assert.equal((await alice.call('PATCH', path, { kinds: [] })).body.field, 'kinds')
})

test('API-HOOK-009: creating a webhook needs the password and a permitted URL; its owner is told by mail', async () => {
  const dora = await exchange.user()
  const form = { url: receiver.url, kinds: ['spot.fill'], password: dora.password }
  const wrong: readonly (readonly [object, string])[] = [
    [{ password: 'not it' }, 'CREDENTIALS_WRONG'],
    [{ url: 'http://hooks.example.com/' }, 'WEBHOOK_URL_REFUSED'],
    [{ url: 'https://10.0.0.1/' }, 'WEBHOOK_URL_REFUSED'],
    [{ url: 'https://a:b@hooks.example.com/' }, 'WEBHOOK_URL_REFUSED'],
    [{ kinds: [] }, 'FIELD_INVALID'],
    [{ kinds: ['everything'] }, 'FIELD_INVALID'],
    [{ secret: 'mine' }, 'FIELD_UNKNOWN'],
  ]
  for (const [part, code] of wrong) {
    const { body } = await dora.call('POST', '/webhooks', { ...form, ...part })
    assert.equal(body.code, code, JSON.stringify(part))
  }
  const made = webhookMade.parse(await ok(dora, 'POST', '/webhooks', form))
  const list = webhookList.parse(await ok(dora, 'GET', '/webhooks'))
  // It may have been challenged meanwhile, and have answered.
  const known = list.webhooks.map((webhook) => ({ ...webhook, pending: undefined }))
  const own = { ...made.webhook, pending: undefined }
  assert.deepEqual([known, list.max, list.hasLoopback, made.webhook.pending?.isDue], [[own], 10, true, true])
  const mail = async () => (await (await fetch(`${exchange.url}/inbox.json?to=${dora.email}`)).json()) as { messages: { text: string }[] }
  for (let attempt = 0; attempt < 3_000 && !JSON.stringify(await mail()).includes(receiver.url); attempt++) await sleep(10)
  assert.ok(JSON.stringify(await mail()).includes(receiver.url))
  assert.equal((await dora.call('DELETE', `/webhooks/${made.webhook.id}`)).status, 204)
  assert.equal((await dora.call('DELETE', `/webhooks/${made.webhook.id}`)).status, 404)
})
