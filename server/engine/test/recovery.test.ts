import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import { NotWritten } from '../../journal/fault.ts'
import { recover } from '../../journal/recover.ts'
import { readSeen } from '../../journal/witness-file.ts'
import { Witness } from '../../journal/witness.ts'
import { Engine } from '../engine.ts'
import { lead } from '../lead.ts'
import type { Link } from '../link.ts'
import { engines } from './engines.ts'
import { HeldWrites, offer, until, user } from './held.ts'
import { nextCommand, openMarket, seeded } from './workload.ts'

const { newStore, start } = engines()

async function trade(link: Link, count: number, seed = 1): Promise<Outcome[]> {
  const random = seeded(seed)
  const outcomes: Outcome[] = []
  for (let i = 0; i < count; i += 50) {
    const commands = Array.from({ length: Math.min(50, count - i) }, (_, j) => {
      const user = (1 + Math.floor(random() * 50)) as UserId
      return link.submit(nextCommand(random, user, `t${seed}-${i + j}`, [`t${seed}-${i - 50}`]))
    })
    outcomes.push(...(await Promise.all(commands)))
  }
  return outcomes
}

test('ENGINE-RECOVER-001: recovery from the journal, and from snapshot and tail, gives the state before the stop', async () => {
  const store = await newStore()
  const first = await start({ store })
  await openMarket(first.link.submit)
  await trade(first.link, 1000)
  await first.engine.stop()
  const second = await start({ store })
  await trade(second.link, 1000, 2)
  const { seq, hash } = await second.link.ask.head()
  const tail = await recover(store.pool)
  assert.ok(tail.snapshotSeq > 0 && tail.replayed >= 1000)
  assert.deepEqual([tail.head.seq, tail.exchange.hash()], [seq, hash])
  await store.pool.query('delete from snapshots')
  const whole = await recover(store.pool)
  assert.deepEqual([whole.replayed, whole.exchange.hash()], [seq, hash])
  await second.engine.stop()
})

test('ENGINE-RECOVER-002: a damaged snapshot is skipped, a damaged row stops the start', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const { hash } = await link.ask.head()
  await engine.stop()
  await store.pool.query('update snapshot_chunks set bytes = set_byte(bytes, 40, 255 - get_byte(bytes, 40))')
  const lines: string[] = []
  const again = await start({ store, log: ({ message }) => lines.push(message) })
  assert.equal((await again.link.ask.head()).hash, hash)
  assert.deepEqual(lines, ['A snapshot cannot be used'])
  await again.engine.stop()
  await store.pool.query('delete from snapshots; update journal set payload = set_byte(payload, 40, 255 - get_byte(payload, 40))')
  const close = mock.method(JournalWriter.prototype, 'close')
  await assert.rejects(Engine.start({ store }), { name: 'Damaged' })
  assert.equal(close.mock.callCount(), 1, 'the leadership is given back')
})

test('ENGINE-OUTAGE-006: an engine that is stopped while it recovers stays stopped, and leaves no writer open', async () => {
  const store = await newStore()
  const folder = await mkdtemp(join(tmpdir(), 'candor-lead-'))
  for (const moment of ['recovery', 'flush'] as const) {
    const witness = await Witness.open(folder)
    let isStopped = moment === 'recovery'
    const flush = mock.method(witness, 'flush', async () => {
      isStopped = true
    })
    const close = mock.method(JournalWriter.prototype, 'close')
    const led = await lead({ store, witness }, { isStopped: () => isStopped })
    // The witness's own timer may flush once more, where allocating the tables takes longer than it waits.
    assert.deepEqual([led, flush.mock.callCount() > 0, close.mock.callCount()], [undefined, moment === 'flush', 1], moment)
    mock.restoreAll()
    await witness[Symbol.asyncDispose]()
  }
  await rm(folder, { recursive: true })
})

test('JOURNAL-WITNESS-002: the witness has an engine’s epoch before its first write, and tells it to the next one', async () => {
  const store = await newStore()
  const folder = await mkdtemp(join(tmpdir(), 'candor-lead-'))
  const witness = await Witness.open(folder)
  try {
    const led = mock.method(JournalWriter, 'lead')
    const { engine, link } = await start({ store, witness, giveUpMs: 700 })
    assert.deepEqual(await readSeen(join(folder, 'witness')), { epoch: 1, seq: 0, hash: Buffer.alloc(32) })
    await link.submit(user(1))
    assert.deepEqual([witness.seen.epoch, witness.seen.seq], [1, 1])
    await engine.stop()
    await start({ store, witness })
    assert.deepEqual([witness.seen.epoch, witness.seen.seq], [2, 1])
    await start({ store })
    assert.deepEqual(
      led.mock.calls.map((call) => call.arguments),
      [
        [store.url, { giveUpMs: 700, seenEpoch: 0 }],
        [store.url, { seenEpoch: 1 }],
        [store.url, {}],
      ],
    )
  } finally {
    await witness[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
})

test('JOURNAL-WITNESS-001: a database that comes back without acknowledged commands halts the engine, and none leads on it', async () => {
  const store = await newStore()
  const folder = await mkdtemp(join(tmpdir(), 'candor-lead-'))
  const witness = await Witness.open(folder)
  try {
    const lines: string[] = []
    const { engine, link } = await start({ store, witness, log: ({ message }) => lines.push(message) })
    for (const n of [1, 2]) await link.submit(user(n))
    await store.pool.query('delete from journal where seq = 2')
    {
      using writes = new HeldWrites()
      offer(engine, undefined, 1, user(3))
      writes.fail(new NotWritten(false, undefined))
      await until(() => engine.state === 'halted')
    }
    assert.match(engine.reason, /^The database was rolled back/)
    assert.deepEqual(lines, ['A batch could not be written to the journal', 'The engine halts'])
    // It is noticed also when the commands get lost during the start.
    mock.method(witness, 'check', () => Promise.resolve())
    const close = mock.method(JournalWriter.prototype, 'close')
    await assert.rejects(Engine.start({ store, witness }), { name: 'RolledBack' })
    assert.equal(close.mock.callCount(), 1)
  } finally {
    await witness[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
})

test('ENGINE-RECOVER-003: a row that replays to different events than were released stops the start', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  await engine.stop()
  await store.pool.query('delete from snapshots')
  const execute = Exchange.prototype.execute
  const mocked = mock.method(Exchange.prototype, 'execute', function (this: Exchange, ...args: Parameters<typeof execute>) {
    const result = execute.apply(this, args)
    if (this.seq === 7) args[2].reserve(2)
    return result
  })
  await assert.rejects(Engine.start({ store }), /different events/)
  mocked.mock.restore()
})
