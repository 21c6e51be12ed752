/** Tests how an engine takes the leadership: what it checks and records before the first command, and how it gives up. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import { NotWritten } from '../../journal/fault.ts'
import { emptyHead } from '../../journal/row.ts'
import { readSeen } from '../../journal/witness-file.ts'
import { Witness } from '../../journal/witness.ts'
import { Engine } from '../engine.ts'
import { lead } from '../leader/lead.ts'
import { engines } from './engines.ts'
import { HeldWrites, offer, until, user } from './held.ts'

const { newStore, start } = engines()
const unwatched = { ownEpoch: 0, head: () => emptyHead, onHot: () => undefined, onLost: () => undefined }

test('FUNDS-ROWS-007: an engine that does not get the memory for all tables says so once, and leads', async () => {
  const store = await newStore()
  const said: string[] = []
  const mocked = mock.method(Exchange.prototype, 'reserve', () => false)
  const silent = await start({ store })
  await silent.engine.stop()
  const { engine, link } = await start({ store, log: ({ message }) => said.push(message) })
  mocked.mock.restore()
  await link.submit(user(1))
  assert.equal(said.filter((line) => line.startsWith('The system does not give the memory')).length, 1, said.join('\n'))
  await engine.stop()
})

test('ENGINE-RECOVER-002: a damaged snapshot is skipped, a damaged row stops the start', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  for (const n of [1, 2]) await link.submit(user(n))
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
    const led = await lead({ store, witness }, { ...unwatched, isStopped: () => isStopped })
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
    const led = mock.method(JournalWriter, 'lead')
    await assert.rejects(Engine.start({ store, witness }), { name: 'RolledBack' })
    assert.equal(led.mock.callCount(), 0, 'nothing is written to it')
    // It is noticed also when the commands get lost during the start.
    mock.method(witness, 'check', () => Promise.resolve(true))
    const close = mock.method(JournalWriter.prototype, 'close')
    await assert.rejects(Engine.start({ store, witness }), { name: 'RolledBack' })
    assert.equal(close.mock.callCount(), 1)
  } finally {
    await witness[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
})
