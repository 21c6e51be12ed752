/** Tests what becomes of commands whose batch is on its way to the journal, and of those behind it. */
import type { Command } from '@candor/core/protocol/command/index.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import { NotWritten } from '../../journal/fault.ts'
import { decodePayload } from '../../journal/payload.ts'
import { readJournal } from '../../journal/read.ts'
import { recover } from '../../journal/recover.ts'
import { RolledBack } from '../../journal/witness.ts'
import type { Store } from '../../store/open.ts'
import { engines, faucet } from './engines.ts'
import { Clock, HeldWrites, Noted, offer, stillTimers, turns, until, user } from './held.ts'

const { newStore, start } = engines()
const snapshotsIn = async ({ pool }: Store): Promise<number[]> => {
  const { rows } = await pool.query('select seq from snapshots order by seq')
  return rows.map(({ seq }) => seq)
}

test('ENGINE-ACK-001: commands that arrive during a write form the next batches, of at most the limit, with the time of their first', async () => {
  const store = await newStore()
  const time = new Clock()
  const begun = time.nowMs
  const { engine } = await start({ store, time, batchMax: 2 })
  const [own, all] = [new Noted(), new Noted(true)]
  for (const sink of [own, all]) engine.attach(sink)
  {
    using writes = new HeldWrites()
    offer(engine, own, 1, user(1))
    time.nowMs += 5
    offer(engine, own, 2, user(2))
    time.nowMs += 5
    offer(engine, own, 3, user(3), user(4), user(5))
    await turns()
    assert.deepEqual([writes.count, own.told], [1, []])
  }
  await until(() => engine.seq === 5)
  assert.deepEqual(own.told, [
    [1, 1, [1]],
    [2, 3, [2, 3]],
    [4, 5, [4, 5]],
  ])
  assert.deepEqual(all.told, [
    [1, 1, []],
    [2, 3, []],
    [4, 5, []],
  ])
  const { rows } = await store.pool.query('select seq, n, first_at from journal order by seq')
  assert.deepEqual(rows, [
    { seq: 1, n: 1, first_at: begun },
    { seq: 3, n: 2, first_at: begun + 5 },
    { seq: 5, n: 2, first_at: begun + 10 },
  ])
})

test('ENGINE-ACK-003: the journal names the refused commands of a batch, each with its refusal', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  offer(engine, undefined, 1, user(1), faucet('a'), user(2), { ...faucet('b'), user: 9 } as Command)
  await until(() => engine.seq === 4)
  for await (const { payload } of readJournal(store.pool)) {
    assert.deepEqual(decodePayload(payload).refused, [
      { seq: 2, refusal: refusals.ASSET_UNKNOWN.id },
      { seq: 4, refusal: refusals.USER_UNKNOWN.id },
    ])
  }
})

test('ENGINE-ACK-002: a question waits for the batch that it read, be it on its way to the journal or behind that', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const answers: string[] = []
  const ask = (name: string): Promise<unknown> => engine.ask(({ seq }) => seq).then((seq) => answers.push(`${name} ${seq}`))
  await ask('before')
  using writes = new HeldWrites()
  offer(engine, undefined, 1, user(1))
  const first = ask('first')
  await turns()
  offer(engine, undefined, 2, user(2))
  const second = ask('second')
  await turns()
  assert.deepEqual(answers, ['before 0'])
  writes.pass()
  await first
  await until(() => writes.count === 1)
  await turns()
  assert.deepEqual(answers, ['before 0', 'first 1'])
  writes.pass()
  await second
  assert.deepEqual(answers, ['before 0', 'first 1', 'second 2'])
})

test('ENGINE-OUTAGE-002: a write counts as hanging after two seconds, for callers of its batch and of the next; its end decides', async (t) => {
  const store = await newStore()
  const { engine } = await start({ store, batchMax: 1 })
  const sink = new Noted()
  engine.attach(sink)
  using writes = new HeldWrites()
  using timers = stillTimers(t)
  for (const n of [1, 2, 3]) offer(engine, sink, n, user(n))
  const asked = assert.rejects(
    engine.ask(({ seq }) => seq),
    { refusal: 'UNAVAILABLE' },
  )
  await turns()
  timers.tick(1_999)
  assert.deepEqual([engine.state, sink.told], ['up', []])
  timers.tick(1)
  assert.deepEqual([engine.state, engine.reason], ['down', 'the database does not answer'])
  const told = [
    ['STATUS_UNKNOWN', 1],
    ['STATUS_UNKNOWN', 2],
    ['UNAVAILABLE', 3],
  ]
  assert.deepEqual(sink.told, told)
  await asked
  await assert.rejects(
    engine.ask(({ seq }) => seq),
    { refusal: 'UNAVAILABLE' },
  )
  writes.pass()
  await until(() => engine.state === 'up')
  assert.deepEqual([engine.reason, engine.seq, writes.count], ['the journal answers again', 1, 1])
  writes.pass()
  await until(() => engine.seq === 2)
  assert.deepEqual(sink.told, told)
  timers.tick(60_000)
  assert.equal(engine.state, 'up', 'a write that has ended does not hang')
})

test('ENGINE-OUTAGE-006: an engine that stops writes what it decided, refuses what it did not, and leaves one snapshot of the end', async (t) => {
  const store = await newStore()
  const { engine } = await start({ store, batchMax: 1 })
  const sink = new Noted()
  engine.attach(sink)
  const close = mock.method(JournalWriter.prototype, 'close')
  using writes = new HeldWrites()
  let isOver = false
  let stopped: Promise<void>
  {
    using timers = stillTimers(t)
    for (const n of [1, 2, 3]) offer(engine, sink, n, user(n))
    offer(engine, undefined, 0, user('nobody'))
    stopped = engine.stop().then(() => void (isOver = true))
    assert.deepEqual([engine.state, engine.reason, sink.told], ['stopped', 'stopping', [['UNAVAILABLE', 3]]])
    // A write that hangs is awaited all the same.
    timers.tick(60_000)
    offer(engine, sink, 4, user(4))
    assert.deepEqual([engine.state, sink.told.at(-1)], ['stopped', ['UNAVAILABLE', 4]])
    await assert.rejects(
      engine.ask(({ seq }) => seq),
      { refusal: 'UNAVAILABLE' },
    )
  }
  writes.pass()
  await until(() => engine.seq === 1 && writes.count === 1)
  await turns()
  assert.equal(isOver, false)
  writes.pass()
  await stopped
  assert.deepEqual(sink.told, [
    ['UNAVAILABLE', 3],
    ['UNAVAILABLE', 4],
    [1, 1, [1]],
    [2, 2, [2]],
  ])
  assert.deepEqual(await snapshotsIn(store), [2])
  const { head, snapshotSeq } = await recover(store.pool)
  assert.deepEqual([head.seq, snapshotSeq], [2, 2])
  await engine.stop()
  assert.equal(close.mock.callCount(), 1)
})

for (const [cause, refusal] of [
  [new NotWritten(false, new Error('gone')), 'UNAVAILABLE'],
  [new NotWritten(true, new Error('gone')), 'STATUS_UNKNOWN'],
  [new Error('odd'), 'STATUS_UNKNOWN'],
] as const) {
  test(`ENGINE-OUTAGE-001: after a failed write (${cause.message}) nothing decided is used, and the engine recovers by itself`, async () => {
    const store = await newStore()
    const lines: unknown[] = []
    const { engine } = await start({ store, batchMax: 1, log: (line) => lines.push([line.message, line.cause]) })
    const sink = new Noted()
    engine.attach(sink)
    const states: string[] = []
    engine.onState((state) => states.push(state))
    const close = mock.method(JournalWriter.prototype, 'close')
    {
      using writes = new HeldWrites()
      for (const n of [1, 2, 3]) offer(engine, sink, n, user(n))
      const asked = assert.rejects(
        engine.ask(({ seq }) => seq),
        { refusal: 'UNAVAILABLE' },
      )
      await turns()
      writes.fail(cause)
      await until(() => engine.state === 'down')
      assert.equal(engine.reason, cause.message)
      await asked
    }
    await until(() => engine.state === 'up')
    assert.equal(engine.reason, 'recovered at 0, 0 commands replayed')
    assert.deepEqual([states, close.mock.callCount()], [['down', 'up'], 1])
    assert.deepEqual(lines, [['A batch could not be written to the journal', cause]])
    assert.deepEqual(sink.told, [
      [refusal, 1],
      ['UNAVAILABLE', 2],
      ['UNAVAILABLE', 3],
    ])
    offer(engine, sink, 5, user(5))
    await until(() => engine.seq === 1)
    assert.deepEqual(sink.told.at(-1), [1, 1, [5]])
  })
}

test('ENGINE-ACK-001: a batch whose answer was lost is found in the journal, and told to those who follow all batches', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const [own, all] = [new Noted(), new Noted(true)]
  for (const sink of [own, all]) engine.attach(sink)
  const { append } = JournalWriter.prototype
  mock.method(JournalWriter.prototype, 'append', async function (this: JournalWriter, ...rows: Parameters<typeof append>) {
    mock.restoreAll()
    await append.apply(this, rows)
    throw new NotWritten(true, undefined)
  })
  offer(engine, own, 1, user(1), user(2))
  await until(() => engine.reason === 'recovered at 2, 2 commands replayed')
  assert.deepEqual(own.told, [
    ['STATUS_UNKNOWN', 1],
    ['STATUS_UNKNOWN', 2],
  ])
  assert.deepEqual(all.told, [[1, 2, []]])
})

test('ENGINE-OUTAGE-001: a journal that cannot be recovered yet is tried again', async () => {
  const store = await newStore()
  const lines: string[] = []
  const { engine } = await start({ store, log: ({ message }) => lines.push(message) })
  mock.method(JournalWriter, 'lead', () => Promise.reject(new Error('still away')), { times: 1 })
  {
    using writes = new HeldWrites()
    offer(engine, undefined, 1, user(1))
    writes.fail(new NotWritten(false, undefined))
    await until(() => lines.length === 2)
    assert.equal(engine.state, 'down')
  }
  assert.deepEqual(lines, ['A batch could not be written to the journal', 'The journal cannot be recovered yet'])
  await until(() => engine.state === 'up')
})

test('ENGINE-OUTAGE-001: between two tries to recover, half a second passes', async (t) => {
  const store = await newStore()
  const { engine } = await start({ store })
  const lead = mock.method(JournalWriter, 'lead', () => Promise.reject(new Error('still away')))
  const timers = stillTimers(t)
  syncBuiltinESMExports()
  try {
    {
      using writes = new HeldWrites()
      offer(engine, undefined, 1, user(1))
      writes.fail(new NotWritten(false, undefined))
      await until(() => lead.mock.callCount() === 1)
    }
    await turns()
    timers.tick(499)
    await turns()
    assert.equal(lead.mock.callCount(), 1)
    timers.tick(1)
    await until(() => lead.mock.callCount() === 2)
    await turns()
    lead.mock.restore()
    timers.tick(500)
    await until(() => engine.state === 'up')
  } finally {
    timers[Symbol.dispose]()
    syncBuiltinESMExports()
  }
})

test('ENGINE-OUTAGE-004: a command that finds the inbox full is refused at once, and those before it are decided', async () => {
  const store = await newStore()
  const { engine } = await start({ store, batchMax: 1, inboxMax: 2 })
  const sink = new Noted()
  engine.attach(sink)
  {
    using _ = new HeldWrites()
    // The first is being written, the second is decided, the next two wait.
    for (const n of [1, 2, 3, 4, 5]) offer(engine, sink, n, user(n))
    assert.deepEqual(sink.told, [['UNAVAILABLE', 5]])
  }
  await until(() => engine.seq === 4)
})

test('ENGINE-OUTAGE-006: an engine whose last write fails while it stops does not lead again, and leaves no snapshot', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const sink = new Noted()
  engine.attach(sink)
  const lead = mock.method(JournalWriter, 'lead')
  using writes = new HeldWrites()
  offer(engine, sink, 1, user(1))
  const stopped = engine.stop()
  writes.fail(new NotWritten(false, undefined))
  await stopped
  await turns()
  assert.deepEqual([engine.state, sink.told, lead.mock.callCount()], ['stopped', [['UNAVAILABLE', 1]], 0])
  assert.deepEqual(await snapshotsIn(store), [])
})

test('ENGINE-HALT-001: a write that finds the journal rolled back halts the engine', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const lead = mock.method(JournalWriter, 'lead')
  using writes = new HeldWrites()
  offer(engine, undefined, 1, user(1))
  const [none, one] = [0, 1].map((seq) => ({ seq, hash: new Uint8Array(32) }))
  writes.fail(new RolledBack(none!, one!))
  await until(() => engine.state !== 'up')
  await turns()
  assert.deepEqual([engine.state, lead.mock.callCount()], ['halted', 0])
  assert.match(engine.reason, /^The database was rolled back/)
})

test('ENGINE-ACK-001: a process that leaves hears no outcome of what it had sent; the others do', async () => {
  const store = await newStore()
  const { engine } = await start({ store })
  const [gone, stays] = [new Noted(), new Noted()]
  for (const sink of [gone, stays]) engine.attach(sink)
  engine.detach(new Noted())
  {
    using _ = new HeldWrites()
    offer(engine, gone, 1, user(1))
    offer(engine, stays, 1, user(2))
    offer(engine, gone, 2, user(3))
    engine.detach(gone)
  }
  await until(() => engine.seq === 3)
  assert.deepEqual([gone.told, stays.told], [[], [[2, 3, [1]]]])
})
