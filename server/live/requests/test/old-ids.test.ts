import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import { connectLink } from '../../../engine/connect-link.ts'
import type { Link } from '../../../engine/link.ts'
import { linkPath } from '../../../engine/link-path.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { type Program, programOf } from '../../../programs/test/program.ts'
import { topics } from '../../../gateway/topics.ts'
import { Freshness } from '../../freshness.ts'
import { OldIds } from '../old-ids.ts'

const ring = 1_000
const dayMs = 86_400_000

let exchange: TestExchange
/** That of another gateway. */
let link: Link
/** Of the exchange's clock: later than the machine's. */
let lateMs = 0
let turns = 0

before(async () => {
  const time = { wall: () => Date.now() + lateMs, steady: () => performance.now() + lateMs }
  exchange = await startExchange({ hasFeeds: false, time })
  link = await connectLink(linkPath(exchange.dataFolder))
  await tick()
})
after(async () => {
  await link[Symbol.asyncDispose]()
  await exchange[Symbol.asyncDispose]()
})

async function tick(): Promise<void> {
  const prices = [{ market: 1, price: 6e12, sources: 4, isGood: true }]
  await link.submit({ type: 'index.tick', prices } as never)
}

const others: OldIds[] = []

/** As every gateway does when it lets more of a user's requests pass. */
function tellAll(user: TestUser): void {
  link.publish(topics.looked, user.id)
  for (const other of others) other.heard(user.id as UserId)
}

const cancelOf = (user: TestUser, clientId: string, order = 1_000_000): Command =>
  ({ type: 'spot.cancel', user: user.id as UserId, clientId, market: 1, order, orderClientId: '' }) as never

/** So many refused commands of another gateway that nothing before them is in the core's ring any more. */
async function turnRing(user: TestUser, count = ring): Promise<void> {
  const turn = ++turns
  for (let looks = 0; looks < 8; looks++) tellAll(user)
  await Promise.all(Array.from({ length: count }, (_, n) => link.submit(cancelOf(user, `turn-${turn}-${n}`))))
}

/** A gateway of its own, and how often it asks. */
function gateway(
  pool = exchange.store.pool,
  { freshness, tablesMaxMs }: { readonly freshness?: Pick<Freshness, 'reached'>; readonly tablesMaxMs?: number } = {},
): { readonly submit: Submit; readonly asked: { core: number; tables: number; sent: number } } {
  const asked = { core: 0, tables: 0, sent: 0 }
  const counting = {
    query: (...args: unknown[]) => {
      if (JSON.stringify(args[0]).includes('request_blocks')) asked.tables++
      return (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
    },
  } as unknown as typeof pool
  const watermark = async (): Promise<number> => (await counting.query<{ seq: number }>('select seq from projection')).rows[0]!.seq
  const ids = new OldIds({
    submit: (command, keyId) => {
      asked.sent++
      return link.submit(command, keyId)
    },
    ask: {
      requestRoom: (user) => {
        asked.core++
        return link.ask.requestRoom(user)
      },
    },
    freshness: freshness ?? new Freshness(watermark),
    pool: counting,
    ...(tablesMaxMs === undefined ? {} : { tablesMaxMs }),
  })
  others.push(ids)
  return { submit: ids.submit, asked }
}

async function holdings(user: TestUser): Promise<unknown> {
  const { accounts } = (await user.call('GET', '/balances')).body
  return accounts.map(({ kind, balances }: any) => [kind, balances])
}

test('GATEWAY-ONCE-001: a request whose client id left the ring of its user gets the first outcome again from the tables, in the app and for programs', async () => {
  const user = await exchange.user({ funds: { USDT: '100000' } })
  const program: Program = await programOf(exchange.url, user)
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
  // They are open no longer: the core keeps the ids of open orders.
  await program.done('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  await link.submit(cancelOf(user, 'cancel-1'))
  const reached = await holdings(user)

  await turnRing(user)
  // The core itself would act again: this proves that it forgot.
  assert.equal((await link.submit(cancelOf(user, 'cancel-1'))).isRepeat, false)

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
  // What is new goes on as ever.
  await program.done('POST', '/api/v3/order', { ...signed, newClientOrderId: 'program-2' })
})

test('GATEWAY-ONCE-002: a user far from the end of the ring costs no look into the tables, and one beyond it few', async () => {
  const user = await exchange.user()
  const { submit, asked } = gateway()
  for (let n = 0; n < 150; n++) await submit(cancelOf(user, `few-${n}`))
  assert.deepEqual([asked.sent, asked.tables], [150, 0])
  assert.ok(asked.core <= 10, `${asked.core} questions to the core`)
  await turnRing(user)
  // It learns what stands in the tables.
  for (let n = 0; n < 200; n++) await submit(cancelOf(user, `more-${n}`))
  const before = { ...asked }
  for (let n = 0; n < 300; n++) await submit(cancelOf(user, `most-${n}`))
  assert.ok(asked.tables - before.tables <= 12, `${asked.tables - before.tables} looks into the tables`)
  assert.equal(asked.sent - before.sent, 300)
  assert.equal((await submit(cancelOf(user, 'few-7'))).isRepeat, true)
  assert.equal(asked.sent - before.sent, 300)
  assert.equal((await submit(cancelOf(user, 'more-7'))).isRepeat, true)
})

test('GATEWAY-ONCE-003: another gateway, or one that started anew, knows the same; requests of one user that wait for a look keep their order', async () => {
  const user = await exchange.user()
  await link.submit(cancelOf(user, 'old'))
  await turnRing(user)
  const { submit, asked } = gateway()
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
  await link.submit(cancelOf(user, 'elsewhere'))
  await turnRing(user)
  assert.equal((await submit(cancelOf(user, 'elsewhere'))).isRepeat, true)
})

test('GATEWAY-ONCE-004: while the tables can not be asked, a request that might be a repeat is refused as not executed; all others go on', async () => {
  const [heavy, light] = [await exchange.user(), await exchange.user()]
  await turnRing(heavy)
  const away = { query: () => Promise.reject(new Error('Connection terminated unexpectedly')) }
  const { submit, asked } = gateway(away as never)
  for (const id of ['a', 'b']) {
    await assert.rejects(submit(cancelOf(heavy, id)), { name: 'Refused', refusal: 'UNAVAILABLE' })
  }
  assert.equal(asked.sent, 0)
  assert.equal((await submit(cancelOf(light, 'a'))).isRepeat, false)
})

/** Waits until the tables hold all that was sent. */
async function written(): Promise<void> {
  const head = await link.ask.seq()
  const freshness = new Freshness(async () => (await exchange.store.pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq)
  while (!(await freshness.reached(head)));
}

/** Tables that stay as they are now until they are let go on: what the follower writes meanwhile is not seen in them. */
async function behind(): Promise<{ readonly pool: typeof exchange.store.pool; readonly goOn: () => Promise<void> }> {
  const { pool } = exchange.store
  const client = await pool.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select from projection')
  let isBehind = true
  const query = (...args: unknown[]) =>
    ((isBehind ? client.query.bind(client) : pool.query.bind(pool)) as (...args: unknown[]) => unknown)(...args)
  const goOn = async (): Promise<void> => {
    if (!isBehind) return
    isBehind = false
    await client.query('rollback')
    client.release()
  }
  return { pool: { query } as unknown as typeof pool, goOn }
}

test('GATEWAY-ONCE-006: tables that are behind hold nobody up while the user’s last requests all stand in the core', async () => {
  const user = await exchange.user()
  const { pool, goOn } = await behind()
  try {
    await turnRing(user, ring * 0.8)
    const { submit, asked } = gateway(pool)
    for (let n = 0; n < 40; n++) assert.equal((await submit(cancelOf(user, `behind-${n}`))).isRepeat, false)
    assert.equal((await submit(cancelOf(user, 'behind-0'))).isRepeat, true)
    assert.equal(asked.sent, 41)
    await turnRing(user, ring * 0.15)
    await assert.rejects(gateway(pool, { tablesMaxMs: 100 }).submit(cancelOf(user, 'behind-0')), {
      name: 'Refused',
      refusal: 'UNAVAILABLE',
    })
  } finally {
    await goOn()
  }
})

test('GATEWAY-ONCE-006: tables that are behind hold nobody up beyond the ring while they lack less than half of it', async () => {
  const user = await exchange.user()
  await link.submit(cancelOf(user, 'first'))
  await turnRing(user)
  await written()
  let pool = exchange.store.pool
  const query = (...args: unknown[]) => (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
  const { submit } = gateway({ query } as unknown as typeof pool, { tablesMaxMs: 100 })
  assert.equal((await submit(cancelOf(user, 'before'))).isRepeat, false)
  // The gateway has seen the tables when they were complete; now they stand still.
  const { pool: late, goOn } = await behind()
  pool = late
  try {
    for (let n = 0; n < ring * 0.4; n++) assert.equal((await submit(cancelOf(user, `late-${n}`))).isRepeat, false)
    assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
    assert.equal((await submit(cancelOf(user, 'late-0'))).isRepeat, true)
    const more = Array.from({ length: ring * 0.3 }, (_, n) => submit(cancelOf(user, `later-${n}`)))
    const outcomes = await Promise.allSettled(more)
    assert.ok(outcomes.some(({ status }) => status === 'rejected'))
    assert.ok(outcomes.every((one) => one.status === 'fulfilled' || one.reason.refusal === 'UNAVAILABLE'))
  } finally {
    await goOn()
  }
})

test('GATEWAY-ONCE-006: what other gateways let pass while this one waits for the tables does not make a repeat pass', async () => {
  const user = await exchange.user()
  const first = await link.submit(cancelOf(user, 'first'))
  const { pool, goOn } = await behind()
  await turnRing(user, ring * 0.97)
  let waits = 0
  const freshness = {
    reached: async () => {
      if (++waits > 1) return true
      await turnRing(user, ring * 0.3)
      await goOn()
      return false
    },
  }
  const repeated = await gateway(pool, { freshness }).submit(cancelOf(user, 'first'))
  assert.ok(waits > 0)
  assert.deepEqual([repeated.isRepeat, repeated.refusal], [true, first.refusal])
  // The core itself would act again: this proves that it forgot.
  assert.equal((await link.submit(cancelOf(user, 'first'))).isRepeat, false)
})

test('GATEWAY-ONCE-005: after a day the tables forget, and the client id is free', async () => {
  const user = await exchange.user()
  await link.submit(cancelOf(user, 'daily'))
  await turnRing(user)
  assert.equal((await gateway().submit(cancelOf(user, 'daily'))).isRepeat, true)
  lateMs += dayMs - 60_000
  await turnRing(user, 1)
  assert.equal((await gateway().submit(cancelOf(user, 'daily'))).isRepeat, true)
  lateMs += 3 * 60_000
  await turnRing(user, 1)
  assert.equal((await gateway().submit(cancelOf(user, 'daily'))).isRepeat, false)
})

test('GATEWAY-ONCE-001: the legs of lists take places of the ring too, and do not make a repeat pass', async () => {
  const [user, seller] = [await exchange.user({ funds: { USDT: '100000' } }), await exchange.user({ funds: { BTC: '1' } })]
  await tick()
  // A list needs a last price.
  const order = { symbol: 'BTCUSDT', type: 'limit', price: '60000', quantity: '0.01' }
  assert.equal((await seller.call('POST', '/spot/orders', { ...order, side: 'sell', clientId: 'sell' })).status, 200)
  assert.equal((await user.call('POST', '/spot/orders', { ...order, side: 'buy', clientId: 'buy' })).status, 200)
  const { submit } = gateway()
  assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, false)
  const list = { type: 'spot.placeOco', user: user.id, clientId: '', market: 1, side: 'buy', lots: 10_000, selfTrade: 'expire-taker' }
  const prices = { limitPrice: 550_000, stopPrice: 650_000, stopLimit: 650_000 }
  for (let n = 0; n < ring / 2; n++) {
    const placed = await submit({ ...list, ...prices, limitClientId: `limit-${n}`, stopClientId: `stop-${n}` } as never)
    assert.equal(placed.refusal, undefined)
    await submit(cancelOf(user, '', placed.order + 1))
  }
  assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
  // The core itself would act again: this proves that it forgot.
  assert.equal((await link.submit(cancelOf(user, 'first'))).isRepeat, false)
})

test('GATEWAY-ONCE-001: no repeat passes while what stands in the tables is forgotten and read anew', async () => {
  const user = await exchange.user()
  await link.submit(cancelOf(user, 'first'))
  await turnRing(user)
  let held: Promise<void> | undefined
  let countings = 0
  const query = async (...args: unknown[]): Promise<unknown> => {
    if (JSON.stringify(args[0]).includes('recorded-count')) {
      countings++
      await held
    }
    return (exchange.store.pool.query as (...args: unknown[]) => unknown).apply(exchange.store.pool, args)
  }
  const { submit } = gateway({ query } as unknown as typeof exchange.store.pool)
  await submit(cancelOf(user, 'before'))
  // More than it made room for.
  for (let turn = 0; turn < 3; turn++) await turnRing(user)
  await submit(cancelOf(user, 'after'))
  let letGo = (): void => undefined
  held = new Promise((resolve) => (letGo = resolve))
  let n = 0
  for (; countings < 2 && n < 60; n++) await submit(cancelOf(user, `full-${n}`))
  assert.equal(countings, 2)
  const repeated = submit(cancelOf(user, 'first'))
  letGo()
  assert.equal((await repeated).isRepeat, true)
})

test('GATEWAY-ONCE-001: when all rings become small, nobody goes on with what a large one allowed', async () => {
  const asked: number[] = []
  let isCrowded = false
  const { pool } = exchange.store
  const ids = new OldIds({
    submit: () => Promise.resolve({} as never),
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
  assert.deepEqual(asked, [1])
  isCrowded = true
  await cancel(2)
  await cancel(1)
  assert.deepEqual(asked, [1, 2, 2, 1])
  await cancel(1)
  assert.deepEqual(asked, [1, 2, 2, 1])
})

test('GATEWAY-ONCE-001: a gateway that asked nothing while the requests of others made all rings small asks again', async () => {
  let asked = 0
  const ids = new OldIds({
    submit: () => Promise.resolve({} as never),
    ask: {
      requestRoom: () => {
        asked++
        return Promise.resolve({ seq: 1, ring, left: ring, isCrowded: false, next: 1 })
      },
    },
    ...{ freshness: { reached: () => Promise.resolve(true) }, pool: exchange.store.pool },
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

test('GATEWAY-ONCE-003: nothing overtakes a request whose id is looked for in the tables, whether it stands there or not', async () => {
  const user = await exchange.user()
  const first = await link.submit(cancelOf(user, 'first'))
  await turnRing(user)
  let held: Promise<void> | undefined
  let isFound = true
  const { pool } = exchange.store
  const query = async (...args: unknown[]): Promise<unknown> => {
    const isLook = JSON.stringify(args[0]).includes('recorded-request')
    if (isLook) await held
    return isLook && !isFound ? { rows: [] } : (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
  }
  const sent: string[] = []
  const ids = new OldIds({
    submit: (command) => {
      sent.push((command as { clientId: string }).clientId)
      return link.submit(command)
    },
    ...{
      ask: link.ask,
      freshness: new Freshness(async () => (await pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq),
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

test('GATEWAY-ONCE-004: no repeat passes while the tables lack what was seen in them before the database lost its last commits', async () => {
  const user = await exchange.user()
  await link.submit(cancelOf(user, 'first'))
  const { pool: lost, goOn } = await behind()
  try {
    await turnRing(user)
    await written()
    let pool = exchange.store.pool
    const query = (...args: unknown[]) => (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
    const { submit } = gateway({ query } as unknown as typeof pool, { tablesMaxMs: 100 })
    assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
    pool = lost
    await assert.rejects(submit(cancelOf(user, 'first')), { name: 'Refused', refusal: 'UNAVAILABLE' })
    await goOn()
    assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
  } finally {
    await goOn()
  }
})
