/** Tests what makes the engine refuse: a full disk, a broken invariant, a wall clock that is off. And what a stop leaves behind. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import { NotWritten } from '../../journal/fault.ts'
import { localLink } from '../local-link.ts'
import { engines } from './engines.ts'
import { Clock, HeldWrites, Noted, offer, turns, until, user } from './held.ts'

const { newStore, start } = engines()

/** The core throws at the command with this number. */
function breakAt(seq: number): void {
  const { execute } = Exchange.prototype
  mock.method(Exchange.prototype, 'execute', function (this: Exchange, ...args: Parameters<typeof execute>) {
    if (this.seq === seq - 1) throw new Error('assets do not sum to zero')
    return execute.apply(this, args)
  })
}

test('ENGINE-HALT-001: a broken invariant refuses each command once, and what was on its way to the journal is still answered', async () => {
  const store = await newStore()
  const lines: string[] = []
  const { engine } = await start({ store, log: ({ message }) => lines.push(message) })
  const sink = new Noted()
  engine.attach(sink)
  breakAt(36)
  {
    using _ = new HeldWrites()
    offer(engine, sink, 1, user(1))
    offer(engine, sink, 2, ...Array.from({ length: 60 }, (_, n) => user(2 + n)))
    assert.deepEqual([engine.state, engine.reason], ['halted', 'assets do not sum to zero'])
    await turns()
    const refused = sink.told.map((one) => (one as [string, number])[1]).sort((a, b) => a - b)
    assert.deepEqual(
      refused,
      Array.from({ length: 60 }, (_, n) => 2 + n),
    )
    assert.ok(sink.told.every((one) => (one as [string])[0] === 'UNAVAILABLE'))
    sink.told.length = 0
  }
  await until(() => engine.seq === 1)
  offer(engine, sink, 99, user(99))
  assert.deepEqual(sink.told, [
    [1, 1, [1]],
    ['UNAVAILABLE', 99],
  ])
  await assert.rejects(
    engine.ask(({ seq }) => seq),
    { refusal: 'UNAVAILABLE' },
  )
  await engine.stop()
  assert.equal(engine.state, 'halted')
  assert.deepEqual(lines, ['The engine halts'])
  assert.equal((await store.pool.query('select from snapshots')).rowCount, 0)
})

test('ENGINE-HALT-001: a broken invariant in a later batch refuses the commands behind it, also those that nobody waits for', async () => {
  const store = await newStore()
  const lines: string[] = []
  const { engine } = await start({ store, batchMax: 2, log: ({ message }) => lines.push(message) })
  const sink = new Noted()
  engine.attach(sink)
  breakAt(4)
  {
    using _ = new HeldWrites()
    for (const n of [1, 2, 3, 4]) offer(engine, sink, n, user(n))
    offer(engine, undefined, 0, user('nobody'))
    offer(engine, sink, 5, user(5))
    assert.deepEqual([engine.state, sink.told], ['up', []])
  }
  await until(() => engine.state === 'halted')
  await turns()
  assert.deepEqual(lines, ['The engine halts'])
  await until(() => engine.seq === 3)
  await until(() => sink.told.length === 4)
  assert.deepEqual(
    sink.told.filter((one) => (one as [unknown])[0] === 'UNAVAILABLE'),
    [4, 5].map((n) => ['UNAVAILABLE', n]),
  )
})

test('ENGINE-HALT-001: a process that can not be told of a durable batch halts the engine', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const broken = new (class extends Noted {
    override release(): void {
      throw new Error('cannot be told')
    }
  })(true)
  engine.attach(broken)
  offer(engine, undefined, 1, user(1))
  await until(() => engine.state !== 'up')
  assert.deepEqual([engine.state, engine.reason], ['halted', 'cannot be told'])
})

test('ENGINE-FENCE-001: an engine that was fenced stays so when it stops', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await start({ store })
  await assert.rejects(link.submit(user(1)), { refusal: 'STATUS_UNKNOWN' })
  await assert.rejects(
    engine.ask(({ seq }) => seq),
    { refusal: 'UNAVAILABLE' },
  )
  for (const isFull of [true, false]) {
    engine.setFull(isFull)
    assert.equal(engine.state, 'fenced', 'whatever the disk does')
  }
  await engine.stop()
  assert.equal(engine.state, 'fenced')
})

test('ENGINE-OUTAGE-003: a disk that fills up refuses the waiting commands at once; those that were decided become durable', async () => {
  const store = await newStore()
  const { engine } = await start({ store, batchMax: 1 })
  const sink = new Noted()
  engine.attach(sink)
  const { reason } = engine
  engine.setFull(false)
  assert.deepEqual([engine.state, engine.reason], ['up', reason])
  {
    using _ = new HeldWrites()
    for (const n of [1, 2, 3]) offer(engine, sink, n, user(n))
    engine.setFull(true)
    offer(engine, undefined, 4, user(4))
    assert.deepEqual([engine.state, engine.reason, sink.told], ['full', 'the disk is nearly full', [['UNAVAILABLE', 3]]])
  }
  await until(() => engine.seq === 2)
  assert.deepEqual(sink.told.slice(1), [
    [1, 1, [1]],
    [2, 2, [2]],
  ])
  assert.equal(await engine.ask(({ seq }) => seq), 2)
  engine.setFull(false)
  assert.deepEqual([engine.state, engine.reason], ['up', 'the disk has room again'])
  offer(engine, sink, 5, user(5))
  await until(() => engine.seq === 3)
})

test('ENGINE-OUTAGE-003: the engine watches the disk of its folder until it stops', async (t) => {
  const store = await newStore()
  let free = 1
  const looks: string[] = []
  const space = async (folder: string) => (looks.push(folder), { bavail: free, blocks: 2 ** 30, bsize: 4_096 })
  const measured = mock.method(fs, 'statfs', space as unknown as typeof fs.statfs)
  syncBuiltinESMExports()
  t.mock.timers.enable({ apis: ['setInterval'] })
  try {
    const { engine } = await start({ store, diskFolder: '/the/disk' })
    await until(() => engine.state === 'full')
    free = 2 ** 29
    t.mock.timers.tick(5_000)
    await until(() => engine.state === 'up')
    await engine.stop()
    t.mock.timers.tick(60_000)
    assert.deepEqual(looks, ['/the/disk', '/the/disk'])
    const without = await start({ store })
    t.mock.timers.tick(60_000)
    await without.engine.stop()
    assert.equal(looks.length, 2)
  } finally {
    t.mock.timers.reset()
    measured.mock.restore()
    syncBuiltinESMExports()
  }
})

const place = { user: 1, clientId: '', market: 1, side: 'buy', lots: 1 } as const
const openings: readonly Command[] = [
  commandOf({
    ...{ ...place, type: 'spot.place', orderType: 'limit', price: 1, timeInForce: 'GTC', isPostOnly: false },
    selfTrade: 'expire-taker',
  }),
  commandOf({ ...place, type: 'spot.placeOco', stopPrice: 1, selfTrade: 'expire-taker' }),
  commandOf({
    ...{ ...place, type: 'perp.place', position: 'both', orderType: 'limit', price: 1, timeInForce: 'GTC', isPostOnly: false },
    ...{ isReduceOnly: false, isClosing: false, triggerBy: 'last', selfTrade: 'expire-taker' },
  }),
  commandOf({ type: 'perp.reverse', user: 1, clientId: '', market: 1 }),
  commandOf({ type: 'option.open', user: 1, clientId: '', market: 1, direction: 'up', stake: 1, seconds: 60, guardPpm: 0 }),
]

test('ENGINE-CLOCK-001: while the wall clock is off, every kind of new order is refused, also in the middle of other commands', async () => {
  const store = await newStore()
  const time = new Clock()
  const { wall } = time
  const { engine } = await start({ store, time })
  const sink = new Noted()
  engine.attach(sink)
  time.wall = () => wall() + 1_001
  assert.equal(engine.isClockSynced, false)
  offer(engine, undefined, 1, openings[0]!)
  for (const [n, command] of openings.entries()) offer(engine, sink, 10 * n, user(`a${n}`), command, user(`b${n}`))
  assert.deepEqual(
    sink.told,
    openings.map((_, n) => ['CLOCK_UNSYNCED', 10 * n + 1]),
  )
  await until(() => engine.seq === 10)
  time.wall = () => wall() + 1_000
  assert.equal(engine.isClockSynced, true)
  for (const [n, command] of openings.entries()) offer(engine, sink, 100 + n, command)
  await until(() => engine.seq === 15)
})

test('ENGINE-CLOCK-001: an engine that starts with an earlier wall clock continues at the time of the last command', async () => {
  const store = await newStore()
  const time = new Clock()
  const begun = time.nowMs
  const first = await start({ store, time })
  await first.link.submit(user(1))
  await first.engine.stop()
  const earlier = new Clock()
  earlier.nowMs = begun - 5_000
  const { engine, link } = await start({ store, time: earlier })
  assert.equal(engine.isClockSynced, false)
  assert.equal((await link.submit(user(2))).at, begun)
})

test('ENGINE-RECOVER-001: a stop without new commands stores no snapshot, and one that can not be stored is only missed', async () => {
  const store = await newStore()
  const first = await start({ store })
  await first.link.submit(user(1))
  await first.engine.stop()
  const lines: string[] = []
  const log = ({ message }: { readonly message: string }): unknown => lines.push(message)
  const second = await start({ store, log })
  await store.pool.query('alter table snapshots rename to elsewhere')
  await second.engine.stop()
  assert.deepEqual(lines, [])
  await store.pool.query('alter table elsewhere rename to snapshots')
  const third = await start({ store, log })
  await third.link.submit(user(2))
  await store.pool.query('alter table snapshots rename to elsewhere')
  await third.engine.stop()
  assert.deepEqual(lines, ['No snapshot could be stored: the next start replays more'])
})

test('ENGINE-ACK-001: what was released before an outage is not released again after it, even without its snapshot', async () => {
  const store = await newStore()
  const first = await start({ store })
  for (const n of [1, 2]) await first.link.submit(user(n))
  await first.engine.stop()
  const { engine } = await start({ store })
  const all = new Noted(true)
  engine.attach(all)
  await store.pool.query('delete from snapshots')
  {
    using writes = new HeldWrites()
    offer(engine, undefined, 1, user(3))
    writes.fail(new NotWritten(false, undefined))
  }
  await until(() => engine.reason === 'recovered at 2, 2 commands replayed')
  assert.deepEqual(all.told, [])
  offer(engine, undefined, 1, user(3))
  await until(() => engine.seq === 3)
  assert.deepEqual(all.told, [[3, 3, []]])
})

test('ENGINE-OUTAGE-006: an engine that is stopped while it recovers from an outage stays stopped', async () => {
  const store = await newStore()
  const lines: string[] = []
  const { engine } = await start({ store, log: ({ message }) => lines.push(message) })
  const close = mock.method(JournalWriter.prototype, 'close')
  let stopped: Promise<void> | undefined
  mock.method(Exchange.prototype, 'reserve', () => {
    stopped = engine.stop()
    return true
  })
  using writes = new HeldWrites()
  offer(engine, undefined, 1, user(1))
  writes.fail(new NotWritten(false, undefined))
  await until(() => stopped !== undefined && close.mock.callCount() === 2)
  await stopped
  await turns()
  const sink = new Noted()
  offer(engine, sink, 2, user(2))
  assert.deepEqual([engine.state, sink.told, close.mock.callCount()], ['stopped', [['UNAVAILABLE', 2]], 2])
  assert.deepEqual(lines, ['A batch could not be written to the journal'])
})

test('listeners that were taken off hear no state', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const heard: string[] = []
  const [one, two] = [(state: string) => heard.push(`one ${state}`), (state: string) => heard.push(`two ${state}`)]
  engine.onState(one)
  engine.onState(two)
  engine.offState(one)
  const link = localLink(engine)
  await engine.stop()
  await assert.rejects(link.submit(user(1)), { refusal: 'UNAVAILABLE' })
  assert.deepEqual(heard, ['two stopped'])
})
