/** Postings by hand: proposed by one member, approved by another who types the sum again, carried out once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { Changes } from '../../operations/changes.ts'
import { operationsDb } from '../../operations/tables.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const treasurers: Member[] = []
let customers = 0

async function scene() {
  while (treasurers.length < 2) treasurers.push(await world().hire('treasury'))
  world().pass(60_000)
  for (const one of treasurers) await world().logIn(one)
  const { account, uid, user } = await customer()
  return { tom: treasurers[0]!, tia: treasurers[1]!, account, uid, user }
}

/** A customer who is a user of the small core, too; earlier ones no longer are. */
async function customer() {
  await world().rows('update accounts set core_user = null')
  const { account } = await world().papers.customer()
  const { user } = await world().core.submit({
    ...{ type: 'user.open', requestId: `r${++customers}`, class: 'retail', referrer: 0 },
  } as unknown as Command)
  await world().core.submit({ type: 'funds.faucet', user, clientId: '', asset: 1, amount: 90_000_000 } as unknown as Command)
  await world().rows('update accounts set core_user = null')
  const [row] = await world().rows('update accounts set core_user = $2 where id = $1 returning uid', account, user)
  return { account, uid: row!['uid'] as string, user }
}

const send = ({ browser }: Pick<Member, 'browser'>, path: string, body: object = {}) => browser.send('POST', `/terms/postings${path}`, body)
const wishOf = (from: string, to: string, amount = '25.5', asset = 'USDT') => ({
  ...{ kind: 'posting', subject: '', terms: { from, to, asset, amount }, reason: 'ticket 7' },
})
async function propose(member: Member, ...wish: Parameters<typeof wishOf>): Promise<number> {
  const answer = await send(member, '', wishOf(...wish))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}
const balance = (user: number): number =>
  world()
    .core.exchange.accounts()
    .find(({ account }) => 'user' in account && account.user === user && account.kind === 'spot')!.available

test('OPERATIONS-POST-001: two members post a sum between a customer and the exchange; the approver types it again', async () => {
  const { tom, tia, uid, user } = await scene()
  const before = await world().newest()
  const id = await propose(tom, uid, 'fees')
  const [shown] = (await tia.browser.send('GET', '/operations?area=postings&state=open')).body.operations
  assert.deepEqual([shown.id, shown.kind, shown.subject, shown.assets, shown.isStale], [id, 'posting', uid, ['USDT'], false])
  assert.deepEqual(
    shown.differences.map(({ name, before: old, after }: { name: string; before: unknown; after: unknown }) => [name, old, after]),
    [
      ['from', null, uid],
      ['to', null, 'fees'],
      ['asset', null, 'USDT'],
      ['amount', null, '25.5'],
    ],
  )
  assert.equal(codeIn(await send(tom, `/${id}/approve`, { amount: '25.5' })), '403 SECOND_PERSON_NEEDED')
  for (const body of [{}, { amount: '255' }, { amount: '25.49999999999999999' }])
    assert.equal(codeIn(await send(tia, `/${id}/approve`, body)), '400 SUM_DIFFERS', JSON.stringify(body))
  assert.equal(balance(user), 90_000_000)
  assert.equal((await send(tia, `/${id}/approve`, { amount: '25.500' })).body.state, 'done')
  assert.equal(balance(user), 64_500_000)
  assert.equal(codeIn(await send(tia, `/${id}/approve`, { amount: '25.5' })), '409 PROPOSAL_CLOSED')
  const log = (await world().log(before)).filter(({ action }) => action.startsWith('operation'))
  assert.deepEqual(
    log.map(({ staff, action, why }) => [staff, action, why]),
    [
      [tom.id, 'operation-proposed', 'ticket 7'],
      [tia.id, 'operation-approved', 'ticket 7'],
    ],
  )
})

test('OPERATIONS-POST-002: a posting whose command was not confirmed is sent again, and moves the sum once', async () => {
  const { tom, tia, uid, user } = await scene()
  for (const isLost of [true, false]) {
    const before = balance(user)
    const id = await propose(tom, uid, 'outside:chain', '1')
    world().core.failures.push({ isLost })
    assert.deepEqual((await send(tia, `/${id}/approve`, { amount: '1' })).body, { state: 'waits' })
    await world().desk.operations.finish()
    await world().desk.operations.finish()
    assert.equal(balance(user), before - 1_000_000)
    assert.equal((await tia.browser.send('GET', `/operations/${id}`)).body.state, 'approved')
  }
})

test('OPERATIONS-POST-003: what the core refuses moves nothing, and wrong wishes are refused when they are proposed', async () => {
  const { tom, tia, uid, user } = await scene()
  const refused = async (...wish: Parameters<typeof wishOf>) => codeIn(await send(tom, '', wishOf(...wish)))
  assert.equal(await refused('100000001', 'fees'), '404 USER_UNKNOWN')
  for (const [from, to, amount, asset] of [
    [uid, uid],
    [uid, 'outside:sandbox'],
    [uid, 'outside:loans'],
    [uid, 'fees', '0'],
    [uid, 'fees', '1.1234567'],
    [uid, 'fees', '1e3'],
    [uid, 'fees', '-1'],
    [uid, 'fees', '1', 'XYZ'],
  ] as const)
    assert.equal((await refused(from, to, amount, asset)).slice(0, 4), '400 ', JSON.stringify([from, to, amount, asset]))
  const more = await propose(tom, uid, 'fees', '90.000001')
  assert.equal(codeIn(await send(tia, `/${more}/approve`, { amount: '90.000001' })), '400 INSUFFICIENT_BALANCE')
  assert.equal((await tia.browser.send('GET', `/operations/${more}`)).body.refusal, 'INSUFFICIENT_BALANCE')
  const out = await propose(tom, 'insurance', uid, '1')
  assert.equal(codeIn(await send(tia, `/${out}/approve`, { amount: '1' })), '400 ACCOUNT_CLOSED')
  assert.equal(balance(user), 90_000_000)
})

test('OPERATIONS-POST-004: nobody posts alone, with another role, or to a marked account of the staff; the public list has no posting', async () => {
  const { tom, tia, uid, user } = await scene()
  const risk = await world().hire('risk')
  await world().logIn(risk)
  assert.equal(codeIn(await send(risk, '', wishOf(uid, 'fees'))), '403 FORBIDDEN')
  const id = await propose(tom, 'fees', uid, '1')
  const tab = { browser: world().browser() }
  await world().logIn(tom, tab.browser)
  const alone = await Promise.all([tom, tab, tom, tab].map((one) => send(one, `/${id}/approve`, { amount: '1' })))
  assert.deepEqual(new Set(alone.map(codeIn)), new Set(['403 SECOND_PERSON_NEEDED']))
  assert.equal(codeIn(await send(risk, `/${id}/approve`, { amount: '1' })), '403 FORBIDDEN')
  const people = { proposer: 1, approver: 1, reason: 'alone' }
  const command = { type: 'funds.post', decision: 1, from: { system: 'outside:chain' }, to: { user }, asset: 1, amount: 1, ...people }
  assert.equal((await world().core.submit(command as unknown as Command)).refusal, 'FORBIDDEN')
  await assert.rejects(
    world().rows(
      "update operations set state = 'approved', decided_by = proposed_by, approver = proposer, decided_at = 1 where id = $1",
      id,
    ),
    /check/,
  )
  await world().core.submit({ type: 'user.staff', user, isStaff: true } as unknown as Command)
  assert.equal(codeIn(await send(tia, `/${id}/approve`, { amount: '1' })), '403 FORBIDDEN')
  assert.equal(balance(user), 90_000_000)
  const done = await propose(tom, 'outside:chain', 'insurance', '3')
  assert.equal((await send(tia, `/${done}/approve`, { amount: '3' })).body.state, 'done')
  const { rows } = { rows: await world().rows("select count(*)::int as n from operations where kind = 'posting' and done_at is not null") }
  assert.ok(Number(rows[0]!['n']) >= 2)
  const changes = new Changes(operationsDb(world().papers.world.store), world().core.ask)
  assert.deepEqual(
    (await changes.page()).changes.filter(({ kind }) => (kind as string) === 'posting'),
    [],
  )
})

test('OPERATIONS-POST-005: what one member proposes to post on a UTC day is worth the cap at most, in every asset', async () => {
  const { tom, tia, uid } = await scene()
  const left = async ({ browser }: Member): Promise<string> => (await browser.send('GET', '/terms/postings')).body.left
  const open = async (member: Member, ...wish: Parameters<typeof wishOf>): Promise<string> =>
    codeIn(await send(member, '', wishOf(...wish)))
  // A new day.
  world().pass(86_400_000)
  for (const one of [tom, tia]) await world().logIn(one)
  assert.equal(await left(tom), '100000')
  const id = await propose(tom, uid, 'fees', '60000')
  assert.equal(await left(tom), '40000')
  assert.equal(await open(tom, 'fees', 'insurance', '40000.01'), '403 POSTING_LIMIT')
  assert.equal(await left(tia), '100000', 'another member has another cap')
  // 1 BTC is worth nothing known, then 30,000 USDT.
  assert.equal(await open(tom, 'fees', 'insurance', '1', 'BTC'), '403 POSTING_LIMIT')
  await world().rows(
    `insert into candles_1m (market, open_time, open, high, low, close, volume, quote_volume, trades, is_reference)
     values ('BTCUSDT', $1, 30000, 30000, 30000, 30000, 1, 30000, 1, false)`,
    world().papers.world.clock() - 120_000,
  )
  assert.equal(await open(tom, 'fees', 'insurance', '1.34', 'BTC'), '403 POSTING_LIMIT')
  await propose(tom, 'fees', 'insurance', '1.2', 'BTC')
  assert.equal(await left(tom), '4000')
  // What is declined counts no longer.
  assert.equal((await send(tia, `/${id}/decline`, { reason: 'not this one' })).status, 204)
  assert.equal(await left(tom), '64000')
  world().pass(86_400_000)
  await world().logIn(tom)
  assert.equal(await left(tom), '100000')
})

test('OPERATIONS-POST-005: of two proposals at once that exceed the cap together, one is refused', async () => {
  const { tom, uid } = await scene()
  world().pass(86_400_000)
  await world().logIn(tom)
  const answers = await Promise.all([send(tom, '', wishOf(uid, 'fees', '60000')), send(tom, '', wishOf('fees', 'insurance', '60000'))])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403])
})
