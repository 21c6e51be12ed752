import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import { dayOf } from '../../surveillance/days.ts'
import { codeIn, consoleWorld } from './console-world.ts'

const world = consoleWorld()

/** Two customers with one browser, who traded with each other on the day before; and the report of that day. */
async function makeReport(): Promise<{ readonly day: string; readonly uids: readonly string[] }> {
  const [one, other] = [await world().papers.world.customer(), await world().papers.world.customer()]
  const day = dayOf(world().clock() as Millis)
  await world().rows('update sessions set device_key = sha256($1)', Buffer.from('one browser'))
  const rows = await world().rows('select uid, core_user from accounts where id = any($1) order by core_user', [one.account, other.account])
  const [first, second] = rows.map((row) => row['core_user'])
  await world().rows(`insert into markets (id, symbol, base, quote, definition) values (1, 'BTCUSDT', 'BTC', 'USDT', '{}')`)
  await world().rows(
    `insert into trades (market, trade_id, seq, at_ms, price, quantity, quote, taker_side, maker_order, taker_order, maker_user, taker_user, maker_fee, taker_fee)
     values ('BTCUSDT', 1, 1, $1, 60000, 0.5, 30000, 'buy', 11, 12, $2, $3, 0, 0)`,
    ...[world().clock(), first, second],
  )
  world().pass(25 * 3_600_000)
  await world().rows('update projection set seq = 5, at_ms = $1', world().clock())
  assert.ok((await world().reports.due()).includes(day))
  assert.equal(await world().reports.make(day), 'made')
  return { day, uids: rows.map((row) => row['uid']) }
}

test('CONSOLE-SURVEIL-020: the staff read reports and findings by day, kind, state and customer, and as files', async () => {
  const { day, uids } = await makeReport()
  const { browser, id } = await world().hire('compliance')
  const { status, body } = await browser.send('GET', '/surveillance')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.open, body.days[0].day, body.days[0].counts], [2, day, { linked: 1, 'self-trades': 1 }])
  assert.deepEqual(body.due.includes(day), false)
  const { findings } = (await browser.send('GET', `/surveillance/findings?state=open&day=${day}&uid=${uids[0]}`)).body
  assert.deepEqual(
    findings.map(({ kind, parties }: { kind: string; parties: { uid: string }[] }) => [kind, ...parties.map((one) => one.uid)]),
    [
      ['self-trades', ...uids],
      ['linked', ...uids],
    ],
  )
  assert.deepEqual((await browser.send('GET', '/surveillance/findings?kind=spoofing')).body, { findings: [] })
  assert.deepEqual((await browser.send('GET', `/surveillance/findings/${findings[0].id}`)).body, findings[0])
  const newest = await world().newest()
  const file = await browser.send('GET', '/surveillance/files/findings?kind=linked')
  assert.match(file.raw.toString(), /^day,kind,market,accounts,/)
  assert.match((await browser.send('GET', '/surveillance/files/days')).raw.toString(), new RegExp(`${day},`))
  assert.deepEqual(
    (await world().log(newest)).map(({ staff, action, subject }) => [staff, action, subject]),
    [
      [id, 'table-exported', 'surveillance/findings'],
      [id, 'table-exported', 'surveillance/days'],
    ],
  )
})

test('CONSOLE-SURVEIL-021: one member settles a finding once, with a reason, and the log of the staff has it', async () => {
  const [{ browser, id }, other] = [await world().hire('risk'), await world().hire('compliance')]
  const [first] = (await browser.send('GET', '/surveillance/findings?state=open')).body.findings
  const path = `/surveillance/findings/${first.id}/settle`
  const newest = await world().newest()
  assert.equal(codeIn(await browser.send('POST', path, { verdict: 'explained' })), '400 FIELD_MISSING')
  assert.equal(codeIn(await browser.send('POST', path, { verdict: 'frozen', reason: 'no' })), '400 FIELD_INVALID')
  const answers = await Promise.all(
    [browser, other.browser].map((one) => one.send('POST', path, { verdict: 'escalated', reason: 'they share a browser' })),
  )
  assert.deepEqual(answers.map(codeIn).toSorted(), ['204', '409 FINDING_SETTLED'])
  const entries = await world().log(newest)
  assert.deepEqual(
    entries.map(({ action, subject, why }) => [action, subject, why]),
    [['finding-escalated', first.id, 'they share a browser']],
  )
  assert.ok([id, other.id].includes(entries[0]!['staff']))
  const { settled } = (await browser.send('GET', `/surveillance/findings/${first.id}`)).body
  assert.deepEqual([settled.verdict, settled.reason], ['escalated', 'they share a browser'])
  assert.equal((await browser.send('GET', '/overview')).body.surveillance.waiting, 1)
})

test('CONSOLE-SURVEIL-022: nobody settles a finding about the own account, and reports, findings and settlements never change', async () => {
  const member = await world().hire('compliance')
  const [open] = (await member.browser.send('GET', '/surveillance/findings?state=open')).body.findings
  const { uid } = open.parties[0]
  await world().rows(
    `insert into staff_marks (account, staff, cause, marked_at) select id, $1, 'declared', 0 from accounts where uid = $2`,
    member.id,
    uid,
  )
  const path = `/surveillance/findings/${open.id}/settle`
  assert.equal(codeIn(await member.browser.send('POST', path, { verdict: 'explained', reason: 'that is me' })), '403 FORBIDDEN')
  const settle = 'insert into surveillance_settlements (finding, verdict, reason, staff, at) values ($1, $2, $3, $4, 0)'
  await assert.rejects(world().rows(settle, open.id, 'explained', 'that is me', member.id), /own account/)
  const auditor = await world().hire('auditor')
  await assert.rejects(world().rows(settle, open.id, 'explained', 'looks fine', auditor.id), /whose role may/)
  for (const table of ['reports', 'findings', 'settlements'])
    await assert.rejects(world().rows(`delete from surveillance_${table}`), /only grow/)
  await assert.rejects(world().rows(`update surveillance_findings set text = ''`), /only grow/)
})
