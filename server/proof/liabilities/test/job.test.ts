import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastStatement } from '../../../store/query/proof/statements.ts'
import { startScratchServer } from '../../../store/test/scratch.ts'
import { LiabilityJob } from '../job.ts'
import { LiabilityMaker } from '../maker.ts'
import { fill, give } from './world.ts'

test('PROOF-LIABILITY-018: a process makes the statement that is due and ends; when it fails, its words are told, and the next one comes later; disposing ends it', async () => {
  await using scratch = await startScratchServer()
  await using store = await scratch.store()
  await fill(store, 3)
  await give(store, [{ user: 1, asset: 'BTC', available: '1' }])
  {
    let now = 0
    await using job = new LiabilityJob(store, () => now)
    await job.turn()
    const made = await lastStatement(store.pool)
    assert.deepEqual([made?.n, made?.seq], [1, 40])
    await store.pool.query('update liability_statements set at_ms = at_ms - 600000')
    await give(store, [{ user: 1, asset: 'BTC', available: '45035996.3' }])
    await assert.rejects(job.turn(), /no sum of a tree/)
    await give(store, [{ user: 1, asset: 'BTC', available: '1' }])
    now += 59_000
    await job.turn()
    assert.equal((await lastStatement(store.pool))?.n, 1)
    now += 1_000
    await job.turn()
    assert.equal((await lastStatement(store.pool))?.n, 2)
  }
  await store.pool.query('update liability_statements set at_ms = at_ms - 600000')
  const client = await store.pool.connect()
  await client.query('begin; lock table balances')
  const job = new LiabilityJob(store)
  const turn = job.turn()
  const waits = `select from pg_locks where not granted and relation = 'balances'::regclass`
  while ((await store.pool.query(waits)).rowCount === 0) await sleep(20)
  await job[Symbol.asyncDispose]()
  await turn
  await client.query('rollback')
  client.release()
  assert.equal((await lastStatement(store.pool))?.n, 2)
})

test('PROOF-LIABILITY-021: behind a statement that is a year later than the clock, one is made at once, the next one ten minutes later', async () => {
  await using scratch = await startScratchServer()
  await using store = await scratch.store()
  await fill(store, 3)
  await give(store, [{ user: 1, asset: 'BTC', available: '1' }])
  let now = 1_790_000_000_000
  const later = now + 365 * 86_400_000
  await new LiabilityMaker(store.pool, () => later).turn()
  await using job = new LiabilityJob(store, () => now)
  await job.turn()
  const made = await lastStatement(store.pool)
  assert.deepEqual([made?.n, made?.at], [2, later + 1])
  now += 60_000
  await job.turn()
  assert.equal((await lastStatement(store.pool))?.n, 2)
  // A process that begins anew can't know when the last one was made.
  await using next = new LiabilityJob(store, () => now)
  await next.turn()
  assert.deepEqual([(await lastStatement(store.pool))?.n, (await lastStatement(store.pool))?.at], [3, later + 2])
})

test('PROOF-LIABILITY-022: a disk that fills up ends a statement that is being made; nothing of it counts, and the next one is made when there is room', async () => {
  await using scratch = await startScratchServer()
  await using store = await scratch.store()
  await fill(store, 3)
  await give(store, [{ user: 1, asset: 'BTC', available: '1' }])
  let now = 1_790_000_000_000
  let free = 10 ** 12
  const disk = { folder: '/', measure: () => Promise.resolve({ free, total: 10 ** 12 }), everyMs: 10 }
  await using job = new LiabilityJob(store, () => now, disk)
  const client = await store.pool.connect()
  // It waits for the balances, as one that has much to read or to write.
  await client.query('begin; lock table balances')
  const turn = job.turn()
  const waits = `select from pg_locks where not granted and relation = 'balances'::regclass`
  while ((await store.pool.query(waits)).rowCount === 0) await sleep(20)
  free = 10 ** 9
  await assert.rejects(turn, /the disk is nearly full/)
  await client.query('rollback')
  client.release()
  assert.equal(await lastStatement(store.pool), undefined)
  now += 60_000
  await assert.rejects(job.turn(), /the disk is nearly full/)
  free = 10 ** 12
  now += 120_000
  await job.turn()
  assert.equal((await lastStatement(store.pool))?.n, 1)
})
