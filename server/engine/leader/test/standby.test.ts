/** A standby beside a leader, in one process and over one database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fenced, NotWritten } from '../../../journal/fault.ts'
import { takeLeadership } from '../../../journal/leadership.ts'
import { JournalConnection } from '../../../journal/connection.ts'
import type { Store } from '../../../store/open.ts'
import { CuttingProxy } from '../../../store/test/cutting-proxy.ts'
import type { ReleasedBatch } from '../../batch.ts'
import { Engine } from '../../engine.ts'
import type { Link } from '../../link.ts'
import { localLink } from '../../local-link.ts'
import { engines } from '../../test/engines.ts'
import { Clock, HeldWrites, offer, until, user } from '../../test/held.ts'
import { type LeaseTimes, leaseTimes } from '../lease.ts'

const { newStore } = engines()

type Started = AsyncDisposable & {
  readonly engine: Engine
  readonly link: Link
  readonly clock: Clock
  readonly begun: Promise<void>
  readonly said: string[]
}

/** An engine that begins as a standby. Its clock stands still until the test moves it, so that it takes over when the test wants it. */
function begin(store: Store, times: Partial<LeaseTimes> = {}): Started {
  const said: string[] = []
  const clock = new Clock()
  const engine = new Engine({
    ...{ store, standby: true, time: clock, times: { ...leaseTimes, renewMs: 50, ...times } },
    log: ({ message }) => said.push(message),
  })
  const begun = engine.begin()
  begun.catch(() => undefined)
  return { engine, link: localLink(engine), clock, begun, said, [Symbol.asyncDispose]: () => engine.stop() }
}

/** Moves its clock until it leads. */
async function leads({ engine, clock }: Started): Promise<void> {
  for (; engine.state !== 'up'; clock.nowMs += leaseTimes.takeOverMs) await sleep(20)
}

async function untilState({ engine }: Started, state: Engine['state']): Promise<void> {
  while (engine.state !== state) await sleep(5)
}

const all = async ({ link }: Started, from: number, to: number): Promise<void> => {
  for (let n = from; n <= to; n++) await link.submit(user(n))
}

test('ENGINE-STANDBY-001: a standby follows the journal, refuses everything, and gives the same state when it leads', async () => {
  const store = await newStore()
  await using leader = begin(store)
  await leads(leader)
  await all(leader, 1, 3)
  await using standby = begin(store)
  await untilState(standby, 'standby')
  assert.equal(standby.engine.reason, 'hot at 3')
  await all(leader, 4, 6)
  while (standby.engine.seq < 6) await sleep(5)
  await assert.rejects(standby.link.submit(user(7)), { refusal: 'UNAVAILABLE' })
  await assert.rejects(standby.link.ask.seq(), { refusal: 'UNAVAILABLE' })
  assert.equal(leader.engine.state, 'up')
  assert.equal(standby.engine.state, 'standby')
})

test('ENGINE-STANDBY-003: a standby that takes over has the state, and followers get the batches that they missed', async () => {
  const store = await newStore()
  const leader = begin(store)
  await leads(leader)
  await using standby = begin(store)
  await untilState(standby, 'standby')
  const early: number[] = []
  const sink = {
    wantsAll: true,
    release: ({ lastSeq }: ReleasedBatch) => void early.push(lastSeq),
    advanced: () => undefined,
    refuse: () => undefined,
  }
  standby.engine.attach(sink)
  await all(leader, 1, 5)
  const { hash } = await leader.link.ask.head()
  await leader.engine.stop()
  await leads(standby)
  assert.equal((await standby.link.ask.head()).hash, hash)
  assert.deepEqual(early, [1, 2, 3, 4, 5])
  const missed = standby.engine.recent.since(2)!
  assert.deepEqual(
    missed.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq]),
    [3, 4, 5].map((seq) => [seq, seq]),
  )
  await all(standby, 6, 6)
  assert.equal((await standby.link.submit(user(3))).isRepeat, true)
  assert.equal(early[5], 6)
})

test('ENGINE-LEASE-002: a leader whose database does not answer gives no answers after a standby leads, and ends when it hears of it', async () => {
  const direct = await newStore()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  await using leader = begin({ ...direct, url })
  await leads(leader)
  await all(leader, 1, 2)
  await using standby = begin(direct)
  await untilState(standby, 'standby')
  proxy.holdAnswers(true)
  const late = [leader.link.submit(user(3)), leader.link.submit(user(4))].map((outcome) => assert.rejects(outcome))
  await leads(standby)
  await all(standby, 5, 5)
  // It still believes that it leads, but its lease is over when the other one's begins.
  assert.ok(leader.engine.state === 'up' || leader.engine.state === 'down', leader.engine.state)
  leader.clock.nowMs += leaseTimes.validMs
  await assert.rejects(leader.link.ask.seq(), { refusal: 'UNAVAILABLE' })
  proxy.holdAnswers(false)
  proxy.cut()
  await Promise.all(late)
  await untilState(leader, 'fenced')
  await assert.rejects(leader.link.ask.seq(), { refusal: 'UNAVAILABLE' })
  await assert.rejects(leader.link.submit(user(6)), { refusal: 'UNAVAILABLE' })
})

test('ENGINE-LEASE-002: a write that became durable before another engine led is not acknowledged after it', async () => {
  const store = await newStore()
  await using leader = begin(store, { renewMs: 1e6 })
  await leads(leader)
  await all(leader, 1, 1)
  const written: Promise<unknown>[] = []
  {
    using writes = new HeldWrites()
    written.push(assert.rejects(leader.link.submit(user(2)), { refusal: 'STATUS_UNKNOWN' }))
    await until(() => writes.count === 1)
    // It wakes after the lease has expired, and its row goes in all the same.
    leader.clock.nowMs += leaseTimes.validMs
    const connection = await JournalConnection.open(store.url)
    await connection.query({
      text: `create function slow() returns trigger language plpgsql as $$ begin
      update leader set epoch = epoch + 1; return new; end $$`,
    })
    await connection.query({ text: 'create trigger slow after insert on journal for each row execute function slow()' })
    await connection.close()
    writes.pass()
    await Promise.all(written)
  }
  assert.equal(leader.engine.state, 'fenced')
  assert.equal((await store.pool.query('select from journal where seq = 2')).rowCount, 1, 'durable')
})

test('ENGINE-STANDBY-004: a leader whose memory was discarded leads again when nobody took over, and ends otherwise', async () => {
  const store = await newStore()
  await using leader = begin(store)
  await leads(leader)
  await all(leader, 1, 1)
  const { epoch } = (await store.pool.query('select epoch from leader')).rows[0]
  using writes = new HeldWrites()
  offer(leader.engine, undefined, 1, user(2))
  writes.fail(new NotWritten(false, undefined))
  await untilState(leader, 'down')
  await untilState(leader, 'up')
  assert.equal((await store.pool.query('select epoch from leader')).rows[0].epoch, epoch + 1)
  offer(leader.engine, undefined, 1, user(2))
  await until(() => writes.count === 1)
  const connection = await JournalConnection.open(store.url)
  await takeLeadership(connection)
  await connection.close()
  writes.fail(new NotWritten(false, undefined))
  await untilState(leader, 'fenced')
  assert.equal((await store.pool.query('select epoch from leader')).rows[0].epoch, epoch + 2, 'it takes nothing back')
})

test('ENGINE-LEASE-001: an idle leader notices that another one leads', async () => {
  const store = await newStore()
  await using leader = begin(store)
  await leads(leader)
  const connection = await JournalConnection.open(store.url)
  await takeLeadership(connection)
  await connection.close()
  await untilState(leader, 'fenced')
  assert.equal(leader.engine.reason, new Fenced('Epoch 1 does not lead any more').message)
})

test('ENGINE-STANDBY-001: a standby waits for a database that is away, and goes on', async () => {
  const direct = await newStore()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  await using leader = begin(direct)
  await leads(leader)
  await all(leader, 1, 1)
  await using standby = begin({ ...direct, url })
  await untilState(standby, 'standby')
  proxy.refuseConnections(true)
  proxy.cut()
  await until(() => standby.said.length > 0)
  await all(leader, 2, 3)
  assert.equal(standby.engine.state, 'standby')
  proxy.refuseConnections(false)
  while (standby.engine.seq < 3) await sleep(5)
  assert.deepEqual(standby.said, ['The standby waits for the database'])
})

test('ENGINE-STANDBY-001: a damaged row ends a standby, and so does a row that is gone', async () => {
  const store = await newStore()
  await using leader = begin(store)
  await leads(leader)
  await all(leader, 1, 2)
  const standby = begin(store)
  await untilState(standby, 'standby')
  await store.pool.query('delete from journal where seq = 2')
  await assert.rejects(standby.begun, { name: 'Damaged', message: /is not there any more/ })
  const other = begin(store)
  await untilState(other, 'standby')
  await store.pool.query(`insert into journal select 2, epoch, n, first_at, core_version, hash, hash, events_digest, payload from journal`)
  await assert.rejects(other.begun, { name: 'Damaged' })
})

test('ENGINE-OUTAGE-006: a standby that is stopped ends, and takes nothing over', async () => {
  const store = await newStore()
  await using leader = begin(store)
  await leads(leader)
  await all(leader, 1, 1)
  const standby = begin(store)
  await untilState(standby, 'standby')
  await standby.engine.stop()
  await standby.begun
  assert.equal(standby.engine.state, 'stopped')
  await all(leader, 2, 2)
})
