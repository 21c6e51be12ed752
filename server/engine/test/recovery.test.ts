import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import { recover } from '../../journal/recover.ts'
import { Witness } from '../../journal/witness.ts'
import { Engine } from '../engine.ts'
import { lead } from '../lead.ts'
import type { Link } from '../link.ts'
import { engines } from './engines.ts'
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
  const again = await start({ store })
  assert.equal((await again.link.ask.head()).hash, hash)
  await again.engine.stop()
  await store.pool.query('delete from snapshots; update journal set payload = set_byte(payload, 40, 255 - get_byte(payload, 40))')
  await assert.rejects(Engine.start({ store }), { name: 'Damaged' })
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
