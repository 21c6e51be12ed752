import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { TestUser } from '../../../main/test/exchange.ts'
import { type Program, programOf } from '../../../programs/test/program.ts'
import { OldIds } from '../old-ids.ts'
import { cancelOf, freshnessOf, ring, IdsWorld } from './ids-world.ts'

let world: IdsWorld
before(async () => {
  world = await IdsWorld.start()
})
after(() => world[Symbol.asyncDispose]())

const dayMs = 86_400_000

async function holdings(user: TestUser): Promise<unknown> {
  const { accounts } = (await user.call('GET', '/balances')).body
  return accounts.map(({ kind, balances }: any) => [kind, balances])
}

test('GATEWAY-ONCE-001: a request whose client id left the ring of its user gets the first outcome again from the tables, in the app and for programs', async () => {
  const user = await world.exchange.user({ funds: { USDT: '100000' } })
  const program: Program = await programOf(world.exchange.url, user)
  const inApp = { clientId: 'app-1', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '55000', quantity: '0.01' }
  const poor = { ...inApp, clientId: 'app-2', quantity: '100' }
  const moved = { clientId: 'app-3', asset: 'USDT', from: 'spot', to: 'perp', amount: '7' }
  const signed = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '54000' }
  const first = await user.call('POST', '/spot/orders', inApp)
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const refused = await user.call('POST', '/spot/orders', poor)
  assert.equal(refused.body.code, 'INSUFFICIENT_BALANCE')
  assert.equal((await user.call('POST', '/transfer', moved)).status, 200)
  const sent = await program.done('POST', '/api/v3/order', { ...signed, newClientOrderId: 'program-1' })
  // The orders are no longer open, because the core keeps the ids of open orders.
  await program.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  await world.link.submit(cancelOf(user, 'cancel-1'))
  const reached = await holdings(user)

  await world.turnRing(user)
  // The core itself would execute it again: this proves that it forgot.
  assert.equal((await world.link.submit(cancelOf(user, 'cancel-1'))).isRepeat, false)

  const again = await user.call('POST', '/spot/orders', inApp)
  assert.deepEqual([again.status, again.body.order.id], [200, first.body.order.id])
  assert.equal((await user.call('POST', '/spot/orders', poor)).body.code, 'INSUFFICIENT_BALANCE')
  assert.equal((await user.call('POST', '/transfer', moved)).status, 200)
  const sentAgain = await program.done('POST', '/api/v3/order', { ...signed, newClientOrderId: 'program-1' })
  assert.equal(sentAgain.orderId, sent.orderId)
  const other = await program.signed('POST', '/api/v3/order', { ...signed, price: '53000', newClientOrderId: 'program-1' })
  assert.deepEqual([other.status, other.body.code], [400, -2010])
  assert.deepEqual(await program.done('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' }), [])
  assert.deepEqual(await holdings(user), reached)
  // New requests are executed as usual.
  await program.done('POST', '/api/v3/order', { ...signed, newClientOrderId: 'program-2' })
})

test('GATEWAY-ONCE-002: a user far from the end of the ring costs no read of the tables, and one beyond it few', async () => {
  const user = await world.exchange.user()
  const { submit, asked } = world.gateway()
  for (let n = 0; n < 150; n++) await submit(cancelOf(user, `few-${n}`))
  assert.deepEqual([asked.sent, asked.tables], [150, 0])
  assert.ok(asked.core <= 10, `${asked.core} questions to the core`)
  await world.turnRing(user)
  // The gateway reads the ids in the tables.
  for (let n = 0; n < 200; n++) await submit(cancelOf(user, `more-${n}`))
  const before = { ...asked }
  for (let n = 0; n < 300; n++) await submit(cancelOf(user, `most-${n}`))
  assert.ok(asked.tables - before.tables <= 12, `${asked.tables - before.tables} looks into the tables`)
  assert.equal(asked.sent - before.sent, 300)
  assert.equal((await submit(cancelOf(user, 'few-7'))).isRepeat, true)
  assert.equal(asked.sent - before.sent, 300)
  assert.equal((await submit(cancelOf(user, 'more-7'))).isRepeat, true)
})

test('GATEWAY-ONCE-003: another gateway, or one that was restarted, gives the same answers; requests of one user that wait for a look-up keep their order', async () => {
  const user = await world.exchange.user()
  await world.link.submit(cancelOf(user, 'old'))
  await world.turnRing(user)
  const { submit, asked } = world.gateway()
  const seqs: number[] = []
  const outcomes = await Promise.all(
    ['old', 'new-1', '', 'new-2', 'old', 'new-3'].map(async (id) => {
      const outcome = await submit(cancelOf(user, id))
      if (!outcome.isRepeat) seqs.push(outcome.seq)
      return outcome.isRepeat
    }),
  )
  assert.deepEqual(outcomes, [true, false, false, false, true, false])
  assert.deepEqual(
    seqs,
    [...seqs].sort((a, b) => a - b),
  )
  assert.equal(asked.sent, 4)
  // Another gateway's requests pass a whole ring between two looks of this one.
  await world.link.submit(cancelOf(user, 'elsewhere'))
  await world.turnRing(user)
  assert.equal((await submit(cancelOf(user, 'elsewhere'))).isRepeat, true)
})

test('GATEWAY-ONCE-005: after a day the tables no longer have the client id, and it can be used again', async () => {
  const user = await world.exchange.user()
  await world.link.submit(cancelOf(user, 'daily'))
  await world.turnRing(user)
  assert.equal((await world.gateway().submit(cancelOf(user, 'daily'))).isRepeat, true)
  world.pass(dayMs - 60_000)
  await world.turnRing(user, 1)
  assert.equal((await world.gateway().submit(cancelOf(user, 'daily'))).isRepeat, true)
  world.pass(3 * 60_000)
  await world.turnRing(user, 1)
  assert.equal((await world.gateway().submit(cancelOf(user, 'daily'))).isRepeat, false)
})

test('GATEWAY-ONCE-001: the legs of lists take places of the ring too, and let no repeat pass', async () => {
  const [user, seller] = [await world.exchange.user({ funds: { USDT: '100000' } }), await world.exchange.user({ funds: { BTC: '1' } })]
  await world.tick()
  // A list needs a last price.
  const order = { symbol: 'BTCUSDT', type: 'limit', price: '60000', quantity: '0.01' }
  assert.equal((await seller.call('POST', '/spot/orders', { ...order, side: 'sell', clientId: 'sell' })).status, 200)
  assert.equal((await user.call('POST', '/spot/orders', { ...order, side: 'buy', clientId: 'buy' })).status, 200)
  const { submit } = world.gateway()
  assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, false)
  const list = {
    type: 'spot.placeOco',
    user: user.id,
    clientId: '',
    market: 1,
    side: 'buy',
    lots: 10_000,
    selfTrade: 'expire-taker',
  } as const
  const prices = { limitPrice: 550_000, stopPrice: 650_000, stopLimit: 650_000 }
  for (let n = 0; n < ring / 2; n++) {
    const placed = await submit(commandOf({ ...list, ...prices, limitClientId: `limit-${n}`, stopClientId: `stop-${n}` }))
    assert.equal(placed.refusal, undefined)
    await submit(cancelOf(user, '', placed.order + 1))
  }
  assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
  // The core itself would execute it again: this proves that it forgot.
  assert.equal((await world.link.submit(cancelOf(user, 'first'))).isRepeat, false)
})

test('GATEWAY-ONCE-001: no repeat passes while the ids in the tables are dropped for those of others and read again', async () => {
  const [user, other] = [await world.exchange.user(), await world.exchange.user()]
  await world.link.submit(cancelOf(user, 'first'))
  for (const one of [user, other]) await world.turnRing(one)
  let held: Promise<void> | undefined
  let readings = 0
  const query = async (...args: unknown[]): Promise<unknown> => {
    const [text, values] = args as [unknown, readonly unknown[] | undefined]
    if (JSON.stringify(text).includes('order by seq desc fetch first') && values?.[0] === user.id) {
      readings++
      await held
    }
    return (world.exchange.store.pool.query as (...args: unknown[]) => unknown).apply(world.exchange.store.pool, args)
  }
  const { submit } = world.gateway({ query } as unknown as typeof world.exchange.store.pool, { seenBytesMax: 0 })
  await submit(cancelOf(user, 'before'))
  await submit(cancelOf(user, 'between'))
  const before = readings
  await submit(cancelOf(other, 'other'))
  let letGo = (): void => undefined
  held = new Promise((resolve) => (letGo = resolve))
  const after = submit(cancelOf(user, 'after'))
  while (readings === before) await new Promise(setImmediate)
  const repeated = submit(cancelOf(user, 'first'))
  letGo()
  assert.equal((await after).isRepeat, false)
  assert.equal((await repeated).isRepeat, true)
})

test('GATEWAY-ONCE-003: no request overtakes one whose id is looked for in the tables, whether it is there or not', async () => {
  const user = await world.exchange.user()
  const first = await world.link.submit(cancelOf(user, 'first'))
  await world.turnRing(user)
  let held: Promise<void> | undefined
  let isFound = true
  const { pool } = world.exchange.store
  const query = async (...args: unknown[]): Promise<unknown> => {
    const isLook = JSON.stringify(args[0]).includes('recorded-request')
    if (isLook) await held
    return isLook && !isFound ? { rows: [] } : (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
  }
  const sent: string[] = []
  const ids = new OldIds({
    submit: (command) => {
      sent.push((command as { clientId: string }).clientId)
      return world.link.submit(command)
    },
    ...{
      ask: world.link.ask,
      freshness: freshnessOf(pool),
      pool: { query } as unknown as typeof pool,
    },
  })
  await ids.submit(cancelOf(user, 'before'))
  for (const wasFound of [true, false]) {
    isFound = wasFound
    let letGo = (): void => undefined
    held = new Promise((resolve) => (letGo = resolve))
    sent.length = 0
    const names = ['first', 'second', 'first', 'third', '', 'fourth'].map((name) =>
      name === 'first' || name === '' ? name : `${name}-${wasFound}`,
    )
    const outcomes = names.map((name) => ids.submit(cancelOf(user, name)))
    assert.deepEqual(sent, [])
    letGo()
    const answers = await Promise.all(outcomes)
    assert.deepEqual(sent, wasFound ? names.filter((name) => name !== 'first') : names)
    if (wasFound) for (const n of [0, 2]) assert.deepEqual([answers[n]!.isRepeat, answers[n]!.refusal], [true, first.refusal])
  }
})

test('GATEWAY-ONCE-001: when all rings become small, the allowance of a large one ends, and its owner hears it once', async () => {
  const asked: number[] = []
  let [isCrowded, heard] = [false, 0]
  const { pool } = world.exchange.store
  const ids = new OldIds({
    submit: () => Promise.resolve({} as Outcome),
    onCrowded: () => heard++,
    ask: {
      requestRoom: (user) => {
        asked.push(user)
        return Promise.resolve({ seq: 1, ring: isCrowded ? 64 : ring, left: isCrowded ? 64 : ring, isCrowded, next: 1 })
      },
    },
    ...{ freshness: { reached: () => Promise.resolve(true) }, pool },
  })
  const cancel = (user: number) => ids.submit(cancelOf({ id: user } as unknown as TestUser, `crowd-${asked.length}`), undefined)
  await cancel(1)
  await cancel(1)
  assert.deepEqual([asked, heard], [[1], 0])
  isCrowded = true
  await cancel(2)
  await cancel(1)
  assert.deepEqual(asked, [1, 2, 2, 1])
  await cancel(1)
  assert.deepEqual([asked, heard], [[1, 2, 2, 1], 1])
})

test('GATEWAY-ONCE-001: a gateway that was idle while the requests of others made all rings small asks again', async () => {
  let asked = 0
  const ids = new OldIds({
    submit: () => Promise.resolve({} as Outcome),
    ask: {
      requestRoom: () => {
        asked++
        return Promise.resolve({ seq: 1, ring, left: ring, isCrowded: false, next: 1 })
      },
    },
    ...{ freshness: { reached: () => Promise.resolve(true) }, pool: world.exchange.store.pool },
  })
  const cancel = (name: string) => ids.submit(cancelOf({ id: 1 } as unknown as TestUser, name))
  await cancel('first')
  ids.reached(1_000_000)
  await cancel('soon')
  assert.equal(asked, 1)
  ids.reached(1_100_000)
  await cancel('late')
  ids.reached(1_200_000)
  await cancel('later')
  assert.equal(asked, 2)
})
