import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cancelOf, freshnessOf, ring, IdsWorld } from './ids-world.ts'

let world: IdsWorld
before(async () => {
  world = await IdsWorld.start()
})
after(() => world[Symbol.asyncDispose]())

/** Waits until the tables have all requests that were sent. */
async function written(): Promise<void> {
  const head = await world.link.ask.seq()
  const freshness = freshnessOf(world.exchange.store.pool)
  while (!(await freshness.reached(head)));
}

/** Tables that stay in their current state until the test lets them continue: later rows of the follower are not visible in them. */
async function behind(): Promise<{ readonly pool: typeof world.exchange.store.pool; readonly goOn: () => Promise<void> }> {
  const { pool } = world.exchange.store
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

test('GATEWAY-ONCE-004: while the tables cannot be read, a request that might be a repeat is refused as not executed; all others pass', async () => {
  const [heavy, light] = [await world.exchange.user(), await world.exchange.user()]
  await world.turnRing(heavy)
  const away = { query: () => Promise.reject(new Error('Connection terminated unexpectedly')) }
  const { submit, asked } = world.gateway(away as unknown as typeof world.exchange.store.pool)
  for (const id of ['a', 'b']) {
    await assert.rejects(submit(cancelOf(heavy, id)), { name: 'Refused', refusal: 'UNAVAILABLE' })
  }
  assert.equal(asked.sent, 0)
  assert.equal((await submit(cancelOf(light, 'a'))).isRepeat, false)
})

test('GATEWAY-ONCE-006: tables that lag delay no request while the core remembers all of the user’s last requests', async () => {
  const user = await world.exchange.user()
  const { pool, goOn } = await behind()
  try {
    await world.turnRing(user, ring * 0.8)
    const { submit, asked } = world.gateway(pool)
    for (let n = 0; n < 40; n++) assert.equal((await submit(cancelOf(user, `behind-${n}`))).isRepeat, false)
    assert.equal((await submit(cancelOf(user, 'behind-0'))).isRepeat, true)
    assert.equal(asked.sent, 41)
    await world.turnRing(user, ring * 0.15)
    await assert.rejects(world.gateway(pool, { tablesMaxMs: 100 }).submit(cancelOf(user, 'behind-0')), {
      name: 'Refused',
      refusal: 'UNAVAILABLE',
    })
  } finally {
    await goOn()
  }
})

test('GATEWAY-ONCE-006: tables that lag delay no request beyond the ring while they lack less than half of it', async () => {
  const user = await world.exchange.user()
  await world.link.submit(cancelOf(user, 'first'))
  await world.turnRing(user)
  await written()
  let pool = world.exchange.store.pool
  const query = (...args: unknown[]) => (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
  const { submit } = world.gateway({ query } as unknown as typeof pool, { tablesMaxMs: 100 })
  assert.equal((await submit(cancelOf(user, 'before'))).isRepeat, false)
  // The gateway has read the tables when they were complete; from now on they stand still.
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

test('GATEWAY-ONCE-006: requests that other gateways let pass while this one waits for the tables let no repeat pass', async () => {
  const user = await world.exchange.user()
  const first = await world.link.submit(cancelOf(user, 'first'))
  const { pool, goOn } = await behind()
  await world.turnRing(user, ring * 0.97)
  let waits = 0
  const freshness = {
    reached: async () => {
      if (++waits > 1) return true
      await world.turnRing(user, ring * 0.3)
      await goOn()
      return false
    },
  }
  const repeated = await world.gateway(pool, { freshness }).submit(cancelOf(user, 'first'))
  assert.ok(waits > 0)
  assert.deepEqual([repeated.isRepeat, repeated.refusal], [true, first.refusal])
  // The core itself would execute it again: this proves that it forgot.
  assert.equal((await world.link.submit(cancelOf(user, 'first'))).isRepeat, false)
})

test('GATEWAY-ONCE-004: no repeat passes while the tables lack ids that were read before the database lost its last commits', async () => {
  const user = await world.exchange.user()
  await world.link.submit(cancelOf(user, 'first'))
  const { pool: lost, goOn } = await behind()
  try {
    await world.turnRing(user)
    await written()
    let pool = world.exchange.store.pool
    const query = (...args: unknown[]) => (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
    const { submit } = world.gateway({ query } as unknown as typeof pool, { tablesMaxMs: 100 })
    assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
    pool = lost
    await assert.rejects(submit(cancelOf(user, 'first')), { name: 'Refused', refusal: 'UNAVAILABLE' })
    await goOn()
    assert.equal((await submit(cancelOf(user, 'first'))).isRepeat, true)
  } finally {
    await goOn()
  }
})
