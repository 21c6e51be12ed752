import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { codeIn, consoleWorld, type Member, origin, owner, secret } from './console-world.ts'

const world = consoleWorld()
const address = (name: string): string => `${name}-${randomUUID().slice(0, 8)}@staff.example`
const create = (email: string, role: 'administrator' | 'risk' = 'administrator') =>
  world().staff.create({ email, name: 'Somebody', role, reason: 'a good reason' }, owner)

async function decide(by: Member, id: unknown): Promise<string> {
  await world().logIn(by)
  const { status, body } = await by.browser.send('POST', `/staff/proposals/${id}/approve`)
  return `${status} ${body.state ?? body.code}`
}

async function propose(by: Member, wish: object): Promise<number> {
  await world().logIn(by)
  const answer = await by.browser.send('POST', '/staff/proposals', { reason: 'a good reason', ...wish })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}

/** Answer to the token of an enrolment that is only looked at. */
const look = async (token: string): Promise<string> => codeIn(await world().browser().send('POST', '/auth/enrol/options', { token }))

// First in this file: it needs a world without an administrator.
test('STAFF-FOUR-006: printed links are for the first administrator, who ends the others', async () => {
  const [first, second] = [address('first'), address('second')]
  const printed = await create(first)
  const again = await create(first)
  const other = await create(second)
  assert.ok('token' in printed && 'token' in again && 'token' in other)
  assert.equal(await look(printed.token), '400 TOKEN_EXPIRED', 'printed anew')
  assert.ok('proposal' in (await create(address('nobody'), 'risk')), 'no printed link for another role')
  // Both enrol at the same moment: one of them is the first.
  const forms = await Promise.all(
    [again.token, other.token].map(async (token) => {
      const begun = await world().browser().send('POST', '/auth/enrol/options', { token })
      return { token, password: secret, label: 'key', response: new SoftPasskey(origin).create(begun.body) }
    }),
  )
  const answers = await Promise.all(forms.map(async (form) => codeIn(await world().browser().send('POST', '/auth/enrol', form))))
  assert.deepEqual(answers.sort(), ['200', '400 TOKEN_EXPIRED'])
  assert.deepEqual(await Promise.all([again.token, other.token].map(look)), ['400 TOKEN_EXPIRED', '400 TOKEN_EXPIRED'])
  assert.ok('proposal' in (await create(address('third'))))
  assert.deepEqual(world().sent, [])
  await world().rows(
    "delete from staff_passkeys; delete from staff_sessions; alter table staff disable trigger all; update staff set state = 'deactivated'",
  )
  await world().rows('alter table staff enable trigger all')
})

test('STAFF-FOUR-007: the owner is the second person for a new administrator while there is one, and for nothing else', async () => {
  const ann = await world().hire('administrator')
  const risk = await create(address('riley'), 'risk')
  assert.ok('proposal' in risk)
  assert.equal(await decide(ann, risk.proposal), '200 waits')
  assert.equal(await decide(ann, risk.proposal), '403 SECOND_PERSON_NEEDED')
  // Proposed by the command line and approved by Ann.
  const ben = await world().hire('administrator')
  assert.deepEqual(
    world().sent.map(({ to }) => to),
    [ben.email],
  )

  // Two are active, and one of them has lost the passkey.
  const enrolment = { kind: 'enrolment', reason: 'lost the key' } as const
  const own = await world().staff.proposals.propose({ ...enrolment, staff: ann.id }, owner)
  assert.equal(await decide(ann, own), '200 waits', 'not for oneself')
  const role = await world().staff.proposals.propose({ kind: 'role', staff: ben.id, role: 'risk', reason: 'by the shell' }, owner)
  assert.equal(await decide(ann, role), '200 waits')
  const moved = { kind: 'address', staff: ben.id, email: address('mine'), reason: 'by the shell' } as const
  assert.equal(await decide(ann, await world().staff.proposals.propose(moved, owner)), '200 waits')
  const lost = await world().staff.proposals.propose({ ...enrolment, staff: ben.id }, owner)
  assert.equal(await decide(ann, lost), '200 approved')
  const back = await world().enrol(ben.email, await world().tokenTo(ben.email))
  assert.equal(back.id, ben.id)
  Object.assign(ben, back)
  const third = await create(address('carl'))
  assert.ok('proposal' in third)
  assert.equal(await decide(ann, third.proposal), '200 waits')
  assert.equal(await decide(ben, third.proposal), '200 approved')
})

test('STAFF-ENROL-004: the link of an enrolment is in the mail to its person, and in no answer and no log', async () => {
  const [ann, ben] = await world().administrators()
  const email = address('fay')
  const id = await propose(ann, { kind: 'invitation', email, name: 'Fay', role: 'risk' })
  await world().staff.mail.settled()
  assert.equal(world().sent.filter(({ to }) => to === email).length, 0, 'before the approval')
  const approved = await ben.browser.send('POST', `/staff/proposals/${id}/approve`)
  assert.deepEqual(approved.body, { state: 'approved' })
  const token = await world().tokenTo(email)
  const tables = ['staff_log', 'staff_proposals', 'staff_enrolments', 'staff', 'audit_log'] as const
  const seen = [approved.raw.toString(), JSON.stringify(approved.headers)]
  for (const path of ['/staff', '/staff/proposals', '/log', '/log.csv']) seen.push((await ann.browser.send('GET', path)).raw.toString())
  for (const table of tables) seen.push(JSON.stringify(await world().rows(`select * from ${table}`)))
  assert.deepEqual(
    seen.filter((text) => text.includes(token)),
    [],
  )
  const fay = await world().enrol(email, token)
  assert.deepEqual([fay.email, fay.role], [email, 'risk'])
})

test('STAFF-FOUR-008: an address changes by two administrators, who tell the old one, and ends sessions and links', async () => {
  const [ann, ben] = await world().administrators()
  const member = await world().hire('support')
  const [next, taken] = [address('next'), ann.email]
  const wrong = [{ email: 'nowhere' }, { email: taken }, { email: member.email }]
  for (const wish of wrong)
    assert.ok(
      (await ann.browser.send('POST', '/staff/proposals', { kind: 'address', staff: member.id, reason: 'x', ...wish })).status >= 400,
    )
  const id = await propose(ann, { kind: 'address', staff: member.id, email: next })
  assert.equal(await decide(ann, id), '403 SECOND_PERSON_NEEDED')
  assert.equal(await decide(ben, id), '200 approved')
  assert.equal(codeIn(await member.browser.send('GET', '/auth/me')), '401 UNAUTHENTICATED')
  await world().logIn(member)
  assert.equal((await member.browser.send('GET', '/auth/me')).body.email, next)
  await world().staff.mail.settled()
  assert.deepEqual(
    world()
      .sent.filter(({ template }) => template === 'staff-address')
      .map(({ to }) => to),
    [member.email],
  )

  // An invitation to a mistyped address.
  const [mistyped, right] = [address('typo'), address('right')]
  const old = await world().invite(mistyped, 'risk')
  const [row] = await world().rows('select id from staff where email = $1', mistyped)
  assert.equal(await decide(ben, await propose(ann, { kind: 'address', staff: row!['id'], email: right })), '200 approved')
  assert.equal(await look(old), '400 TOKEN_EXPIRED')
  assert.equal((await world().enrol(right, await world().tokenTo(right))).id, row!['id'])
})
