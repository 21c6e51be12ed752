import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Role } from '../../staff/permissions.ts'
import { codeIn, consoleWorld, type Member, owner } from './console-world.ts'

const world = consoleWorld()
const day = 86_400_000

async function roleOf({ id }: Member): Promise<string> {
  const [row] = await world().rows('select role, state from staff where id = $1', id)
  return `${row!['role']} ${row!['state']}`
}

async function propose(by: Member, wish: object): Promise<string> {
  const answer = await by.browser.send('POST', '/staff/proposals', { reason: 'a good reason', ...wish })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}

const approve = async (by: Member, id: string): Promise<string> => codeIn(await by.browser.send('POST', `/staff/proposals/${id}/approve`))

/** Two administrators, and somebody of whom they decide. */
async function scene(role: Role = 'support') {
  const [ann, ben] = await world().administrators()
  const subject = await world().hire(role)
  await world().administrators()
  return { ann, ben, subject }
}

test('STAFF-FOUR-001: one administrator proposes with a reason, and a different one approves', async () => {
  const { ann, ben, subject } = await scene()
  assert.equal(
    (await ann.browser.send('POST', '/staff/proposals', { kind: 'role', staff: subject.id, role: 'risk' })).body.code,
    'FIELD_MISSING',
  )
  const before = await world().newest()
  const id = await propose(ann, { kind: 'role', staff: subject.id, role: 'risk', reason: 'moves to risk' })
  assert.equal(await roleOf(subject), 'support active')
  const [shown] = (await ben.browser.send('GET', '/staff/proposals')).body.proposals
  assert.deepEqual(
    [shown.kind, shown.email, shown.role, shown.reason, shown.proposedBy],
    ['role', subject.email, 'risk', 'moves to risk', ann.email],
  )
  assert.equal(await approve(ben, id), '200')
  assert.equal(await roleOf(subject), 'risk active')
  assert.deepEqual(
    (await world().log(before)).map(({ staff, action, why, before: was, after }) => [staff, action, why, was?.role, after.role]),
    [
      [ann.id, 'proposed', 'moves to risk', undefined, 'risk'],
      [ben.id, 'approved', 'moves to risk', 'support', 'risk'],
    ],
  )
  for (const wish of [
    { kind: 'role', staff: subject.id, role: 'risk' },
    { kind: 'role', staff: randomUUID(), role: 'risk' },
    { kind: 'invitation', email: subject.email, name: 'Twice', role: 'risk' },
    { kind: 'invitation', email: 'not an address', name: 'Nobody', role: 'risk' },
  ])
    assert.ok((await ann.browser.send('POST', '/staff/proposals', { reason: 'x', ...wish })).status >= 400, JSON.stringify(wish))
})

test('STAFF-FOUR-002: nobody approves the own proposal, from no tab, however often and fast', async () => {
  const { ann, ben, subject } = await scene()
  const id = await propose(ann, { kind: 'role', staff: subject.id, role: 'administrator' })
  const tab = world().browser()
  await world().logIn(ann, tab)
  const tabs = [ann, { ...ann, browser: tab }]
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => approve(tabs[at % 2]!, id)))
  assert.deepEqual(new Set(answers), new Set(['403 SECOND_PERSON_NEEDED']))
  // The same wish from the second tab is the same open proposal.
  const again = await tab.send('POST', '/staff/proposals', { kind: 'role', staff: subject.id, role: 'administrator', reason: 'again' })
  assert.equal(codeIn(again), '409 STAFF_EXISTS')
  assert.equal(await roleOf(subject), 'support active')
  await ben.browser.send('POST', `/staff/proposals/${id}/decline`, { reason: 'no' })
})

test('STAFF-FOUR-002: the command line only proposes, and one administrator’s approvals of that are not two', async () => {
  const { ann, ben, subject } = await scene()
  const before = await world().newest()
  const id = String(
    await world().staff.proposals.propose({ kind: 'role', staff: subject.id, role: 'compliance', reason: 'by the shell' }, owner),
  )
  const first = await ann.browser.send('POST', `/staff/proposals/${id}/approve`)
  assert.deepEqual([first.status, first.body], [200, { state: 'waits' }])
  const answers = await Promise.all([approve(ann, id), approve(ann, id)])
  assert.deepEqual(answers, ['403 SECOND_PERSON_NEEDED', '403 SECOND_PERSON_NEEDED'])
  assert.equal(await roleOf(subject), 'support active')
  assert.equal(await approve(ben, id), '200')
  assert.equal(await roleOf(subject), 'compliance active')
  assert.deepEqual(
    (await world().log(before)).map(({ staff, action }) => [staff, action]),
    [
      [null, 'proposed'],
      [ann.id, 'proposal-taken-over'],
      [ann.id, 'refused'],
      [ann.id, 'refused'],
      [ben.id, 'approved'],
    ],
  )
})

test('STAFF-FOUR-003: of parallel decisions one counts, and one thing happens', async () => {
  const { ann, ben, subject } = await scene()
  const carl = await world().hire('administrator')
  await world().administrators()
  const id = await propose(ann, { kind: 'role', staff: subject.id, role: 'risk' })
  const before = await world().newest()
  const decline = async (): Promise<string> =>
    codeIn(await carl.browser.send('POST', `/staff/proposals/${id}/decline`, { reason: 'no' })).replace('204', 'declined')
  const answers = await Promise.all([approve(ben, id), approve(carl, id), approve(ben, id), decline(), approve(carl, id)])
  assert.equal(answers.filter((answer) => answer === '200' || answer === 'declined').length, 1, answers.join())
  assert.equal(answers.filter((answer) => answer === '409 PROPOSAL_CLOSED').length, 4)
  assert.equal((await world().log(before)).length, 1)
  const invitation = await propose(ann, { kind: 'invitation', email: 'fay@staff.example', name: 'Fay', role: 'risk' })
  const approved = await Promise.all([ben, carl].map((one) => approve(one, invitation)))
  assert.deepEqual(approved.sort(), ['200', '409 PROPOSAL_CLOSED'])
  await world().staff.mail.settled()
  assert.equal(world().sent.filter(({ to }) => to === 'fay@staff.example').length, 1)

  // Two administrators are removed at the same moment, each by a decision that the other takes part in: one decision counts.
  const dora = await world().hire('administrator')
  await world().administrators()
  await world().logIn(carl)
  const one = await propose(ann, { kind: 'deactivation', staff: carl.id })
  const two = await propose(carl, { kind: 'role', staff: dora.id, role: 'risk' })
  const both = await Promise.all([approve(dora, one), approve(ben, two)])
  assert.equal(both.filter((answer) => answer === '200').length, 1, both.join())
  const left = [await roleOf(carl), await roleOf(dora)]
  assert.equal(left.filter((role) => role === 'administrator active').length, 1, left.join())
})

test('STAFF-SESSION-003: a change of role and a deactivation end every session at once', async () => {
  const { ann, ben, subject } = await scene()
  const tab = world().browser()
  await world().logIn(subject, tab)
  const me = async (): Promise<string[]> =>
    Promise.all([subject.browser, tab].map(async (one) => codeIn(await one.send('GET', '/auth/me'))))
  assert.deepEqual(await me(), ['200', '200'])
  assert.equal(await approve(ben, await propose(ann, { kind: 'role', staff: subject.id, role: 'auditor' })), '200')
  assert.deepEqual(await me(), ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED'])
  await world().logIn(subject)
  assert.equal((await subject.browser.send('GET', '/auth/me')).body.role, 'auditor')
  assert.equal(await approve(ben, await propose(ann, { kind: 'deactivation', staff: subject.id })), '200')
  assert.deepEqual(await me(), ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED'])
  const asked = (await tab.send('POST', '/auth/passkey/options')).body
  assert.equal(codeIn(await tab.send('POST', '/auth/passkey', { response: subject.passkey.sign(asked) })), '400 PASSKEY_WRONG')
  const back = await ann.browser.send('POST', '/staff/proposals', { kind: 'enrolment', staff: subject.id, reason: 'comes back' })
  assert.equal(codeIn(back), '404 NOT_FOUND')
})

test('STAFF-SESSION-003: a login at the moment of a deactivation leaves no session', async () => {
  const { ann, ben, subject } = await scene()
  const id = await propose(ann, { kind: 'deactivation', staff: subject.id })
  const browsers = Array.from({ length: 8 }, () => world().browser())
  const options = await Promise.all(browsers.map(async (one) => (await one.send('POST', '/auth/passkey/options')).body))
  const responses = options.map((one) => subject.passkey.sign(one))
  const [, ...entered] = await Promise.all([
    approve(ben, id),
    ...browsers.map(async (one, at) => codeIn(await one.send('POST', '/auth/passkey', { response: responses[at] }))),
  ])
  for (const answer of entered) assert.match(answer, /^200|CREDENTIALS_WRONG|PASSKEY_WRONG/)
  for (const one of browsers) assert.equal(codeIn(await one.send('GET', '/auth/me')), '401 UNAUTHENTICATED')
})

test('STAFF-FOUR-004: a proposal lapses after a day, by a refusal, and with its proposer’s role', async () => {
  const { ann, ben, subject } = await scene()
  const wish = { kind: 'role', staff: subject.id, role: 'risk' }
  const late = await propose(ann, wish)
  world().pass(day + 1)
  await world().administrators()
  assert.equal(await approve(ben, late), '409 PROPOSAL_CLOSED')
  assert.deepEqual((await ben.browser.send('GET', '/staff/proposals')).body.proposals, [])
  const declined = await propose(ann, wish)
  assert.equal((await ben.browser.send('POST', `/staff/proposals/${declined}/decline`, { reason: 'not now' })).status, 204)
  assert.equal(await approve(ben, declined), '409 PROPOSAL_CLOSED')
  const carl = await world().hire('administrator')
  await world().administrators()
  const orphan = await propose(carl, wish)
  assert.equal(await approve(ben, await propose(ann, { kind: 'deactivation', staff: carl.id })), '200')
  assert.equal(await approve(ben, orphan), '409 PROPOSAL_CLOSED')
  assert.equal(await roleOf(subject), 'support active')
  assert.equal(await approve(ben, '999999'), '404 NOT_FOUND')
  await ann.browser.send('POST', `/staff/proposals/${orphan}/decline`, { reason: 'its proposer has left' })
})

test('STAFF-FOUR-005: the database refuses changes of the staff that no approved proposal names', async () => {
  const { ann, ben, subject } = await scene()
  const { id } = subject
  const needsOne = /a change of the staff needs/
  for (const text of [
    "update staff set role = 'administrator' where id = $1",
    "update staff set state = 'deactivated' where id = $1",
    "update staff set email = 'x@y.example' where id = $1",
    "update staff set role = 'administrator', proposal = 999999 where id = $1",
    "insert into staff (id, email, name, role, state, created_at) select gen_random_uuid(), 'z@y.example', '', 'risk', 'invited', 1 from staff where id = $1",
  ])
    await assert.rejects(world().rows(text, id), needsOne, text)
  // Approved by its own proposer: the row itself refuses.
  const own = await propose(ann, { kind: 'role', staff: id, role: 'administrator' })
  await assert.rejects(
    world().rows("update staff_proposals set state = 'approved', decided_by = $2, decided_at = 1 where id = $1", own, ann.id),
    /a proposal needs two administrators/,
  )
  const other = "update staff_proposals set state = 'approved', decided_by = $2, decided_at = 1 where id = $1"
  await assert.rejects(
    world().rows(other, own, id),
    /a proposal needs two administrators/,
    'decided by somebody else than an administrator',
  )
  const forged = `insert into staff_proposals (kind, subject, email, name, role, reason, proposed_by, proposed_at, expires_at, state, decided_by, decided_at)
    select 'role', subject, email, name, role, reason, proposed_by, 1, 2, 'approved', $2, 1 from staff_proposals where id = $1`
  await assert.rejects(world().rows(forged, own, ben.id), /a proposal begins open/)
  await assert.rejects(world().rows('update staff_proposals set proposed_by = $2 where id = $1', own, ben.id), /a proposal does not change/)
  await assert.rejects(world().rows("update staff_proposals set role = 'risk' where id = $1", own), /a proposal does not change/)
  await assert.rejects(world().rows("update staff set role = 'administrator', proposal = $2 where id = $1", id, own), needsOne)
  // One that was carried out before is no reason for another change.
  await ann.browser.send('POST', `/staff/proposals/${own}/decline`, { reason: 'a try' })
  const risk = await propose(ann, { kind: 'role', staff: id, role: 'risk' })
  assert.equal(await approve(ben, risk), '200')
  const back = await propose(ann, { kind: 'role', staff: id, role: 'support' })
  assert.equal(await approve(ben, back), '200')
  await assert.rejects(world().rows("update staff set role = 'risk', proposal = $2 where id = $1", id, risk), needsOne)
})

test('STAFF-LOG-001: an entry and its action stay or fall together', async () => {
  const { ann, subject } = await scene()
  const before = await world().newest()
  await world().rows("create function no_entry() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$")
  await world().rows('create trigger no_entry before insert on staff_log for each row execute function no_entry()')
  const wish = { kind: 'role', staff: subject.id, role: 'risk', reason: 'unseen' }
  assert.equal((await ann.browser.send('POST', '/staff/proposals', wish)).status, 503)
  assert.equal((await ann.browser.send('POST', '/auth/logout')).status, 503)
  await world().rows('drop trigger no_entry on staff_log')
  assert.deepEqual((await ann.browser.send('GET', '/staff/proposals')).body.proposals, [])
  await ann.browser.send('POST', '/auth/logout')
  const [entry] = await world().log(before)
  assert.deepEqual(
    [entry!['action'], entry!['staff'], entry!['ip'], entry!['at'], typeof entry!['session']],
    ['logout', ann.id, '127.0.0.1', world().clock(), 'string'],
  )
  assert.equal((await world().log(before)).length, 1)
})

test('STAFF-LOG-002: entries can’t be changed or deleted, not even by the tables’ owner', async () => {
  await world().administrators()
  for (const text of ["update staff_log set action = 'x'", 'delete from staff_log', 'truncate staff_log'])
    await assert.rejects(world().rows(text), /the log of the staff only grows/)
})
