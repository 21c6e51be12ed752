import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DailyReports } from '../daily.ts'
import { dayMs, shifted, spanOf } from '../days.ts'
import { day, madeDays, short, uid } from './made-day.ts'

const madeDay = madeDays()

const fail = (cause: unknown): void => {
  throw cause
}

test('CONSOLE-SURVEIL-010: two gateways make the report of a day once, and a second run adds nothing', async () => {
  const made = await madeDay()
  await made.accounts([1, 2])
  for (const user of [1, 2]) await made.login(user, 'one browser')
  await made.trades({ buyer: 1, seller: 2, minute: 1 })
  await using one = new DailyReports(made.reports, fail)
  await using other = new DailyReports(made.reports, fail)
  await Promise.all([one.catchUp(), other.catchUp(), one.catchUp()])
  await other.catchUp()
  assert.deepEqual(await made.run('select day, seq::int, counts from surveillance_reports order by day'), [
    // The accounts are a millisecond older than the day.
    { day: shifted(day, -1), seq: 77, counts: {} },
    { day, seq: 77, counts: { linked: 1, 'self-trades': 1 } },
  ])
  const { findings } = await made.desk.page({})
  assert.deepEqual(findings.map(short), [`self-trades ${uid(1)} ${uid(2)} BTCUSDT`, `linked ${uid(1)} ${uid(2)}`])
  assert.equal(await made.reports.make(day), 'known')
})

test('CONSOLE-SURVEIL-011: reports that were missed are made later, oldest first, and a day waits until it is over in the query tables', async () => {
  const made = await madeDay()
  await made.accounts([1])
  made.now = spanOf(day).to + 60_000
  assert.deepEqual(await made.reports.due(), [shifted(day, -1)])
  assert.equal(await made.reports.make(day), 'waits')
  made.now = spanOf(day).to + 10 * 60_000
  await made.run('update projection set seq = 3, at_ms = $1', spanOf(day).to - 1)
  await made.run(
    `insert into journal (seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest, payload) values (5, 1, 5, 0, 1, sha256(''), sha256('a'), sha256(''), '')`,
  )
  assert.equal(await made.reports.make(day), 'waits')
  await made.run('update projection set seq = 5')
  await using daily = new DailyReports(made.reports, fail)
  await daily.catchUp()
  made.now += 3 * dayMs
  assert.deepEqual(
    await made.reports.due(),
    [1, 2, 3].map((days) => shifted(day, days)),
  )
  await made.run('update projection set at_ms = $1', made.now)
  await daily.catchUp()
  assert.deepEqual(
    (await made.desk.days()).map((report) => report.day),
    [3, 2, 1, 0, -1].map((days) => shifted(day, days)),
  )
})

test('CONSOLE-SURVEIL-012: linked accounts are told once, and again when more ties them', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3])
  await made.accounts([4], { referrer: 3 })
  for (const user of [1, 2]) await made.login(user, 'one browser')
  // One network on three days is not enough, and the invitation makes no more than a hint.
  for (const user of [3, 4])
    for (const back of [1, 2, 3])
      await made.login(user, `${user}`, {
        ip: '2001:db8:0:1::' + user,
        at: spanOf(shifted(day, -back)).from,
        seen: spanOf(shifted(day, -back)).to - 1,
      })
  const found = await made.findings()
  assert.deepEqual(found.map(short), [`linked ${uid(1)} ${uid(2)}`])
  assert.match(
    found[0]!.text,
    /may belong to one person.*logged in with the same browser, 2 logins.*A family, a shared flat or an office can look the same/,
  )
  made.now += dayMs
  await made.run('update projection set at_ms = $1', made.now)
  assert.equal(await made.reports.make(shifted(day, 1)), 'made')
  assert.equal((await made.desk.page({})).findings.length, 1)
  for (const user of [1, 2])
    await made.run(
      `insert into papers (id, account, state, tag, created_at, sent_at) select gen_random_uuid(), id, 'waiting', sha256('one document'), $1, $1 from accounts where core_user = $2`,
      spanOf(shifted(day, 2)).from,
      user,
    )
  made.now += dayMs
  await made.run('update projection set at_ms = $1', made.now)
  assert.equal(await made.reports.make(shifted(day, 2)), 'made')
  const [newest] = (await made.desk.page({})).findings
  assert.match(newest!.text, /gave the number of one identity document/)
  assert.equal(newest!.measures[0]!.seen, '160')
})
