/** Tests the commands that the engine decides by itself, because time has passed. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { plain } from '@candor/core/money/test/plain.ts'
import * as codec from '@candor/core/protocol/codec/event-write.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../engine.ts'
import { engines } from './engines.ts'
import { Clock, HeldWrites, Noted, offer, turns, until, user } from './held.ts'

const { newStore, start } = engines()
const { writeLevel } = plain(codec)
const terms = { makerFeePpm: 800, takerFeePpm: 1000, notionalMin: 1, lotsMin: 1, lotsMax: 1e7, bandPpm: 900_000, slippagePpm: 50_000 }
const market = {
  ...{ symbol: 'BTCUSDT', base: 2, quote: 1, tick: '0.1', lot: '0.00001' },
  terms: { ...terms, openOrdersMax: 200, isTrading: true },
}
const listed = [
  commandOf({ type: 'asset.list', symbol: 'USDT', scale: 6 }),
  commandOf({ type: 'asset.list', symbol: 'BTC', scale: 8 }),
  commandOf({ type: 'market.list', ...market }),
  commandOf({ type: 'index.tick', prices: [{ market: 1, price: 6e12, sources: 4, isGood: true }] }),
]

/** An engine that is started again, with four commands in its journal, when its prices have become too old. */
async function startedAfterSilence(beforeStart = (): void => {}) {
  const store = await newStore()
  const time = new Clock()
  const first = await start({ store, time, silenceMaxMs: 3_000 })
  offer(first.engine, undefined, 1, ...listed)
  await until(() => first.engine.seq === 4)
  await first.engine.stop()
  time.nowMs += 3_001
  beforeStart()
  const { engine } = await start({ store, time, silenceMaxMs: 3_000 })
  return { store, engine }
}

const isGood = (engine: Engine): Promise<boolean> => engine.ask((exchange) => exchange.goodPrices().length === 1)

test('ENGINE-SILENCE-001: after a restart the clock alone notices that prices are too old, with one command', async () => {
  const { engine } = await startedAfterSilence()
  await until(() => engine.seq > 4)
  await turns()
  assert.deepEqual([engine.seq, await isGood(engine)], [5, false])
})

test('ENGINE-SILENCE-001: the clock alone notices that no price has come since the last command', async () => {
  const store = await newStore()
  const time = new Clock()
  const { engine } = await start({ store, time, silenceMaxMs: 20 })
  offer(engine, undefined, 1, ...listed)
  await until(() => engine.seq === 4)
  time.nowMs += 21
  await until(() => engine.seq === 5)
  assert.equal(await isGood(engine), false)
})

test('ENGINE-SILENCE-002: prices that are too old end before the next command, at the time at which they became too old', async () => {
  const store = await newStore()
  const time = new Clock()
  const begun = time.nowMs
  const { engine } = await start({ store, time, silenceMaxMs: 30_000 })
  offer(engine, undefined, 1, ...listed)
  await until(() => engine.seq === 4)
  const own = new Noted()
  engine.attach(own)
  time.nowMs += 60_000
  offer(engine, own, 7, user(1))
  await until(() => engine.seq === 6)
  assert.deepEqual(own.told, [[5, 6, [7]]])
  assert.deepEqual(await isGood(engine), false)
  offer(engine, own, 8, user(2))
  await until(() => engine.seq === 7)
  const { rows } = await store.pool.query('select seq, n, first_at from journal where seq > 4 order by seq')
  assert.deepEqual(rows, [
    { seq: 6, n: 2, first_at: begun + 30_001 },
    { seq: 7, n: 1, first_at: begun + 60_000 },
  ])
})

test('ENGINE-OUTAGE-003: nothing that falls due is decided on a nearly full disk, and all of it when there is room again', async () => {
  const store = await newStore()
  const time = new Clock()
  const { engine } = await start({ store, time, silenceMaxMs: 20 })
  offer(engine, undefined, 1, ...listed)
  await until(() => engine.seq === 4)
  {
    using _ = new HeldWrites()
    offer(engine, undefined, 1, user(1))
    engine.setFull(true)
    // The engine's timer runs meanwhile: nothing is due yet.
    await sleep(60)
    time.nowMs += 21
  }
  await until(() => engine.seq === 5)
  await sleep(60)
  assert.deepEqual([engine.seq, await isGood(engine)], [5, true])
  engine.setFull(false)
  await until(() => engine.seq === 6)
  assert.equal(await isGood(engine), false)
})

/** As many commands as this have work left, and each causes an event. */
function leaveWork(left: number): void {
  mock.getter(Exchange.prototype, 'nextDueAtMs', () => (left > 0 ? 0 : Number.POSITIVE_INFINITY))
  const { execute } = Exchange.prototype
  mock.method(Exchange.prototype, 'execute', function (this: Exchange, ...args: Parameters<typeof execute>) {
    left--
    writeLevel(args[2], 1, 9, 0, 600_000, 12)
    return execute.apply(this, args)
  })
}

test('ENGINE-LEFTOVER-001: clock commands that cause events follow each other, in one batch, while the exchange’s clock stands still', async () => {
  const store = await newStore()
  leaveWork(5)
  const { engine } = await start({ store, time: new Clock() })
  await until(() => engine.seq === 5)
  assert.deepEqual((await store.pool.query('select seq, n from journal')).rows, [{ seq: 5, n: 5 }])
})

test('ENGINE-LEFTOVER-001: work that is left follows the end of old prices at once', async () => {
  const { store, engine } = await startedAfterSilence(() => leaveWork(4))
  await until(() => engine.seq === 8)
  assert.deepEqual((await store.pool.query('select seq, n from journal where seq > 4')).rows, [{ seq: 8, n: 4 }])
})

test('ENGINE-LEFTOVER-001: a clock command that changes nothing is followed by a pause of the exchange’s clock', async () => {
  const store = await newStore()
  const time = new Clock()
  mock.getter(Exchange.prototype, 'nextDueAtMs', () => 0)
  const { engine } = await start({ store, time })
  for (const count of [1, 2]) {
    await until(() => engine.seq === count)
    await sleep(40)
    assert.equal(engine.seq, count)
    time.nowMs += 10
  }
})

test('ENGINE-LEFTOVER-002: a batch takes at most 256 clock commands beyond its limit', async () => {
  const store = await newStore()
  mock.getter(Exchange.prototype, 'nextDueAtMs', () => 0)
  // Each reading of the clock takes longer than a pause.
  const begun = Date.now()
  let passed = 0
  const isLate = { is: false }
  const steady = (): number => (isLate.is ? (passed += 20) : passed)
  const { engine } = await start({ store, batchMax: 3, time: { wall: () => begun + passed, steady } })
  await until(() => engine.seq === 1)
  const all = new Noted(true)
  engine.attach(all)
  let seen = 0
  {
    using _ = new HeldWrites()
    offer(engine, undefined, 1, user(1))
    isLate.is = true
    await until(() => {
      void engine.ask(({ seq }) => (seen = seq)).catch(() => undefined)
      return seen >= 2 + 3 + 256
    })
    await turns(50)
  }
  await until(() => all.told.length >= 2)
  assert.deepEqual(all.told.slice(0, 2), [
    [2, 2, []],
    [3, 2 + 3 + 256, []],
  ])
})

test('ENGINE-HALT-001: a clock command that breaks an invariant halts the engine', async () => {
  const store = await newStore()
  const lines: string[] = []
  mock.getter(Exchange.prototype, 'nextDueAtMs', () => 0)
  mock.method(Exchange.prototype, 'execute', () => {
    throw new Error('assets do not sum to zero')
  })
  const { engine } = await start({ store, log: ({ message }) => lines.push(message) })
  await until(() => engine.state !== 'up')
  await turns()
  assert.deepEqual([engine.state, engine.reason, lines], ['halted', 'assets do not sum to zero', ['The engine halts']])
})
