import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Released } from '@candor/core/protocol/released.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recover } from '../../journal/recover.ts'
import type { Store } from '../../store/open.ts'
import { CuttingProxy } from '../../store/test/cutting-proxy.ts'
import { isFull, watchDisk } from '../disk.ts'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../options.ts'
import { engines, faucet } from './engines.ts'
import { openMarket } from './workload.ts'

const { newStore, start } = engines()

/** How long a commit may take: only commits that a test holds up seem to hang, however busy the machine is. */
class Patience {
  #stallMs = 60_000

  with(options: Partial<EngineOptions> & { store: Store }): Partial<EngineOptions> & { store: Store } {
    const stallMs = (): number => this.#stallMs
    return {
      ...options,
      get stallMs() {
        return stallMs()
      },
    }
  }

  ends(): void {
    this.#stallMs = 100
  }

  returns(): void {
    this.#stallMs = 60_000
  }
}

async function isUp(engine: Engine): Promise<void> {
  while (engine.state !== 'up') await sleep(20)
}

test('ENGINE-OUTAGE-001: without its database the engine refuses, and continues by itself when the database is back', async () => {
  const direct = await newStore()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  const store: Store = { ...direct, url }
  const patience = new Patience()
  const { engine, link } = await start(patience.with({ store, giveUpMs: 200 }))
  const states: string[] = []
  link.onState((state) => states.push(state))
  const released: Released[] = []
  link.onReleased((batch) => released.push(batch))
  await openMarket(link.submit)
  patience.ends()
  proxy.holdAnswers(true)
  const lost = link.submit(faucet('lost'))
  await assert.rejects(lost, { refusal: 'STATUS_UNKNOWN' })
  proxy.refuseConnections(true)
  proxy.cut()
  await assert.rejects(link.submit(faucet('refused')), { refusal: 'UNAVAILABLE' })
  await assert.rejects(link.ask.head(), { refusal: 'UNAVAILABLE' })
  await sleep(600)
  patience.returns()
  proxy.holdAnswers(false)
  proxy.refuseConnections(false)
  await isUp(engine)
  assert.equal((await link.submit(faucet('lost'))).isRepeat, true, 'it had reached the journal')
  assert.equal((await link.submit(faucet('refused'))).isRepeat, false, 'it had not been executed')
  assert.deepEqual(states, ['up', 'down', 'up'])
  for (const [i, batch] of released.entries()) if (i > 0) assert.equal(batch.firstSeq, (released[i - 1]?.lastSeq ?? 0) + 1)
  const { seq, hash } = await link.ask.head()
  const recovered = await recover(direct.pool)
  assert.deepEqual([recovered.head.seq, recovered.exchange.hash()], [seq, hash])
  await engine.stop()
})

test('ENGINE-OUTAGE-002: callers of a hanging commit get an unknown outcome, and the commit counts when it ends', async () => {
  const direct = await newStore()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  const patience = new Patience()
  const { engine, link } = await start(patience.with({ store: { ...direct, url } }))
  await openMarket(link.submit)
  patience.ends()
  const locker = await direct.pool.connect()
  await locker.query('begin; lock table journal in exclusive mode')
  await assert.rejects(link.submit(faucet('hanging')), { refusal: 'STATUS_UNKNOWN' })
  assert.equal(engine.state, 'down')
  patience.returns()
  await locker.query('commit')
  locker.release()
  await isUp(engine)
  assert.equal((await link.submit(faucet('hanging'))).isRepeat, true)
  await engine.stop()
})

test('ENGINE-OUTAGE-003: on a nearly full disk commands wait, and questions are answered', async () => {
  const gib = 1024 ** 3
  assert.equal(isFull({ free: 3 * gib, total: 1000 * gib }), false, 'a few gigabytes are room enough')
  assert.equal(isFull({ free: gib, total: 1000 * gib }), true)
  let free = 10 * gib
  const changes: boolean[] = []
  using _ = watchDisk(
    '.',
    (isFullNow) => changes.push(isFullNow),
    async () => ({ free, total: 100 * gib }),
    5,
  )
  await sleep(20)
  for (const [n, size] of [gib, 10 * gib].entries()) {
    free = size
    for (let tries = 0; tries < 2_000 && changes.length <= n; tries++) await sleep(5)
  }
  assert.deepEqual(changes, [true, false])

  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  engine.setFull(true)
  await assert.rejects(link.submit(faucet('full')), { refusal: 'UNAVAILABLE' })
  assert.equal((await link.ask.head()).seq, engine.seq)
  engine.setFull(false)
  assert.equal((await link.submit(faucet('full'))).isRepeat, false)
  await engine.stop()
})

test('ENGINE-OUTAGE-003: an engine that recovers while the disk is nearly full accepts no commands', async () => {
  const direct = await newStore()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  const patience = new Patience()
  const { engine, link } = await start(patience.with({ store: { ...direct, url }, giveUpMs: 200 }))
  await openMarket(link.submit)
  patience.ends()
  proxy.refuseConnections(true)
  proxy.cut()
  await assert.rejects(link.submit(faucet('lost')))
  engine.setFull(true)
  patience.returns()
  proxy.refuseConnections(false)
  while (engine.state === 'down') await sleep(20)
  assert.equal(engine.state, 'full')
  await assert.rejects(link.submit(faucet('full')), { refusal: 'UNAVAILABLE' })
  engine.setFull(false)
  assert.equal((await link.submit(faucet('room'))).isRepeat, false)
  await engine.stop()
})

test('ENGINE-OUTAGE-004: commands that do not fit into the inbox are refused at once', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store, inboxMax: 100, batchMax: 10 })
  const answers = await Promise.allSettled(
    Array.from({ length: 130 }, (_, i) =>
      link.submit({ type: 'spot.cancelAll', user: 1 as UserId, clientId: `c${i}`, market: 0 as MarketId }),
    ),
  )
  assert.ok(
    answers.every(({ status }) => status === 'rejected'),
    'one chunk of 130 is more than the inbox holds',
  )
  const fitting = Array.from({ length: 100 }, (_, i) =>
    link.submit({ type: 'spot.cancelAll', user: 1 as UserId, clientId: `d${i}`, market: 0 as MarketId }),
  )
  assert.equal((await Promise.all(fitting)).length, 100)
  await engine.stop()
})
