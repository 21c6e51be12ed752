/** The lease of a leader: how long it holds, and what ends it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { JournalConnection } from '../../../journal/connection.ts'
import type { Fenced } from '../../../journal/fault.ts'
import { renewLease, takeAgain, takeLeadership, takeOver } from '../../../journal/leadership.ts'
import { emptyHead, type Head } from '../../../journal/row.ts'
import type { RolledBack } from '../../../journal/witness.ts'
import type { Store } from '../../../store/open.ts'
import { CuttingProxy } from '../../../store/test/cutting-proxy.ts'
import { engines } from '../../test/engines.ts'
import { Clock, until } from '../../test/held.ts'
import { Lease, leaseTimes, momentOf } from '../lease.ts'
import { LeaseWatch } from '../lease-watch.ts'

const { newStore } = engines()

const renewalsOf = async ({ pool }: Store): Promise<number> => (await pool.query('select renewals from leader')).rows[0].renewals

/** Resolves when a statement waits for a row that another one holds. */
async function untilWaiting({ pool }: Store): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await pool.query(waiting)).rowCount === 0) await sleep(5)
}

/** Takes the leadership and holds a lease on a clock that the test moves. */
async function leaseOn(store: Store, { url = store.url, head = (): Head => emptyHead, renewMs = 5 } = {}) {
  const connection = await JournalConnection.open(store.url)
  const clock = new Clock()
  const lost: (Fenced | RolledBack)[] = []
  const said: string[] = []
  const epoch = await takeLeadership(connection)
  const lease = new Lease({
    ...{ url, pool: store.pool, epoch, sentAt: momentOf(clock), time: clock, times: { ...leaseTimes, renewMs }, head },
    onLost: (cause) => lost.push(cause),
    log: (message) => said.push(message),
  })
  return {
    ...{ lease, clock, lost, said, epoch, connection },
    async [Symbol.asyncDispose]() {
      lease[Symbol.dispose]()
      await connection.close()
    },
  }
}

test('ENGINE-LEASE-001: the lease is renewed over and over, and holds for 1.5 s from when a renewal was sent', async () => {
  const store = await newStore()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  await using leader = await leaseOn(store, { url })
  const { lease, clock } = leader
  const first = await renewalsOf(store)
  while ((await renewalsOf(store)) < first + 3) await sleep(5)
  // A renewal that becomes durable after its answer was held up counts from when it was sent.
  proxy.holdAnswers(true)
  clock.nowMs += 1_499
  assert.equal(lease.isHeld, true)
  clock.nowMs += 1
  assert.equal(lease.isHeld, false)
  clock.nowMs -= 1_500
  assert.equal(lease.isHeld, true)
  clock.wall = () => clock.nowMs + 1_500
  assert.equal(lease.isHeld, false, 'a machine whose steady clock stood still while it was suspended')
})

test('ENGINE-LEASE-002: a leader that wakes after its lease has expired renews it before it answers', async () => {
  const store = await newStore()
  await using leader = await leaseOn(store, { renewMs: 1e9 })
  const { lease, clock } = leader
  await lease.whenHeld()
  await lease.answerable()
  clock.nowMs += 60_000
  const renewals = await renewalsOf(store)
  const locker = await store.pool.connect()
  await locker.query('begin; select from leader for update')
  let answered = 0
  const answers = [lease.whenHeld(), lease.answerable()].map((answer) => answer.then(() => answered++))
  await untilWaiting(store)
  assert.equal(answered, 0)
  await locker.query('commit')
  locker.release()
  await Promise.all(answers)
  assert.ok((await renewalsOf(store)) > renewals)
})

test('ENGINE-LEASE-002: a leader that wakes when another one leads answers nothing', async () => {
  const store = await newStore()
  await using leader = await leaseOn(store, { renewMs: 1e9 })
  const { lease, clock, lost, connection } = leader
  await lease.whenHeld()
  await takeLeadership(connection)
  clock.nowMs += 1_500
  await Promise.all([assert.rejects(lease.whenHeld(), { name: 'Fenced' }), assert.rejects(lease.answerable(), { refusal: 'UNAVAILABLE' })])
  assert.deepEqual(
    lost.map(({ name, message }) => [name, message]),
    [['Fenced', 'Epoch 1 does not lead any more']],
  )
  clock.nowMs -= 1_500
  assert.equal(lease.isHeld, false, 'whatever the clock says')
})

test('ENGINE-LEASE-003: while the lease can’t be renewed callers are refused after a wait, and answered again after it', async () => {
  const store = await newStore()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  await using leader = await leaseOn(store, { url })
  const { lease, clock, said } = leader
  await until(() => lease.isHeld)
  proxy.refuseConnections(true)
  proxy.cut()
  await until(() => said.length > 0)
  clock.nowMs += 1_500
  const began = performance.now()
  await assert.rejects(lease.answerable(), { refusal: 'UNAVAILABLE' })
  assert.ok(performance.now() - began > 1_900, 'it waited for a renewal')
  clock.nowMs += 2_000
  await assert.rejects(lease.answerable(), { refusal: 'UNAVAILABLE' }, 'the next one does not wait again')
  assert.deepEqual(said, ['The lease cannot be renewed now, trying again'])
  proxy.refuseConnections(false)
  await lease.whenHeld()
  await lease.answerable()
})

test('JOURNAL-WITNESS-001: a lease that finds itself on a database without the last command is lost', async () => {
  const store = await newStore()
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _ = proxy
  let head: Head = emptyHead
  await using leader = await leaseOn(store, { url, head: () => head })
  await until(() => leader.lease.isHeld)
  const hash = Buffer.alloc(32, 3)
  await store.pool.query('insert into journal values (3, 1, 3, 1, 5, $1, $1, $1, $1)', [hash])
  // The lease may still be connecting: it must never know of a command that the database does not have yet.
  head = { seq: 3, hash }
  const renewals = await renewalsOf(store)
  proxy.cut()
  while ((await renewalsOf(store)) === renewals) await sleep(5)
  assert.deepEqual(leader.lost, [], 'a new connection to a database that has it')
  await store.pool.query('delete from journal')
  proxy.cut()
  await until(() => leader.lost.length > 0)
  assert.match(String(leader.lost[0]), /^RolledBack/)
})

test('JOURNAL-WARN-001: a renewal that succeeds with a warning does not count', async () => {
  const store = await newStore()
  await using leader = await leaseOn(store, { renewMs: 1e9 })
  const { lease, clock, said } = leader
  await lease.whenHeld()
  await store.pool.query(`
    create function warn() returns trigger language plpgsql as $$ begin raise warning 'canceling wait for synchronous replication'; return new; end $$;
    create trigger warn before update on leader for each row execute function warn()`)
  clock.nowMs += 1_500
  let isHeld = false
  const held = lease.whenHeld().then(() => (isHeld = true))
  const renewals = await renewalsOf(store)
  while ((await renewalsOf(store)) < renewals + 2) await sleep(5)
  assert.deepEqual([isHeld, said], [false, ['The lease cannot be renewed now, trying again']])
  await store.pool.query('drop trigger warn on leader')
  await held
})

test('ENGINE-LEASE-004: a renewal in flight holds up no write, and a take-over waits for both', async () => {
  const store = await newStore()
  const [one, other] = [await JournalConnection.open(store.url), await JournalConnection.open(store.url)]
  const epoch = await takeLeadership(one)
  const [renewing, writing] = [await store.pool.connect(), await store.pool.connect()]
  await renewing.query('begin; update leader set renewals = renewals + 1')
  await writing.query('begin')
  // As an append locks the leader's row. It would hang here if it met the renewal.
  await writing.query('select from leader where epoch = $1 for key share', [epoch])
  const seen = { epoch, renewals: await renewalsOf(store) }
  let isTaken = false
  const taken = takeOver(one, seen, 0).then((result) => {
    isTaken = true
    return result
  })
  await untilWaiting(store)
  await renewing.query('rollback')
  await untilWaiting(store)
  assert.equal(isTaken, false)
  await writing.query('commit')
  assert.equal(await taken, epoch + 1)
  for (const client of [renewing, writing]) client.release()
  for (const connection of [one, other]) await connection.close()
})

test('ENGINE-STANDBY-002: a take-over has no effect when the leader has renewed its lease, or another one took over', async () => {
  const store = await newStore()
  const [one, other] = [await JournalConnection.open(store.url), await JournalConnection.open(store.url)]
  const read = async () => (await store.pool.query('select epoch, renewals from leader')).rows[0]
  await takeLeadership(one)
  const seen = await read()
  assert.equal(await renewLease(one, 1), true)
  assert.equal(await takeOver(other, seen, 0), undefined, 'renewed')
  // Renewed while the take-over waits.
  const renewing = await store.pool.connect()
  await renewing.query('begin; update leader set renewals = renewals + 1')
  const late = takeOver(other, await read(), 0)
  await untilWaiting(store)
  await renewing.query('commit')
  assert.equal(await late, undefined, 'renewed meanwhile')
  // A write that changes nothing of the lease is no renewal.
  await renewing.query('begin; update leader set since = since')
  const again = takeOver(other, await read(), 0)
  await untilWaiting(store)
  await renewing.query('commit')
  renewing.release()
  assert.equal(await again, 2)
  assert.equal(await renewLease(one, 1), false)
  const before = await read()
  const both = await Promise.all([takeOver(one, before, 0), takeOver(other, before, 0)])
  assert.deepEqual(both.toSorted(), [3, undefined], 'one of two at the same time')
  assert.equal(await takeAgain(one, 2, 0), undefined)
  assert.equal(await takeAgain(one, 3, 0), 4)
  assert.equal(await takeOver(one, await read(), 40), 41, 'above what a witness has seen')
  for (const connection of [one, other]) await connection.close()
})

test('ENGINE-STANDBY-002: a lease is over when the same one was seen for 2 s by the own clock, and 1 s after the database came back', () => {
  const watch = new LeaseWatch(2_000)
  const seen = (renewals: number, nowMs: number, epoch = 1): boolean => watch.sees({ epoch, renewals }, nowMs)
  assert.equal(seen(5, 1_000_000), false)
  assert.equal(seen(5, 1_001_999), false)
  assert.equal(seen(6, 1_001_999), false)
  assert.equal(seen(6, 1_003_998), false)
  assert.equal(seen(6, 1_003_998, 2), false, 'another leader with the same count')
  assert.equal(seen(6, 1_005_997, 2), false)
  assert.equal(seen(6, 1_005_998, 2), true)
  watch.interrupted()
  assert.equal(seen(6, 1_090_000, 2), false, 'the leader could not renew it either')
  assert.equal(seen(6, 1_090_999, 2), false)
  assert.equal(seen(6, 1_091_000, 2), true)
  assert.equal(seen(7, 1_091_000, 2), false)
  watch.interrupted()
  assert.equal(seen(7, 1_091_100, 2), false)
  assert.equal(seen(7, 1_092_999, 2), false, 'a short interruption shortens nothing')
  assert.equal(seen(7, 1_093_000, 2), true)
})
