import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import type { Role } from '../../staff/permissions.ts'
import { codeIn, consoleWorld, type Member, origin, secret, type StaffBrowser } from './console-world.ts'

const world = consoleWorld()
const minute = 60_000

async function propose(by: Member, wish: object): Promise<number> {
  const answer = await by.browser.send('POST', '/staff/proposals', { reason: 'a good reason', ...wish })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}
const approve = async ({ browser }: Pick<Member, 'browser'>, id: number): Promise<string> =>
  codeIn(await browser.send('POST', `/staff/proposals/${id}/approve`))

/** A change by two administrators. */
async function decided(ann: Member, ben: Member, wish: object): Promise<void> {
  assert.equal(await approve(ben, await propose(ann, wish)), '200')
}

async function scene(role: Role = 'support') {
  const subject = await world().hire(role)
  const [ann, ben] = await world().administrators()
  return { ann, ben, subject }
}

/** Sends the head of a request, and its body only when the test says so. Resolves once the gate has let the head pass. */
async function held({ cookie }: StaffBrowser, path: string, body: object): Promise<() => Promise<string>> {
  const { sessions } = world().staff
  const { find } = sessions
  const passed = new Promise<void>((resolve) => {
    sessions.find = async (token) => {
      const session = await find.call(sessions, token)
      sessions.find = find
      assert.ok(session)
      resolve()
      return session
    }
  })
  const payload = new PassThrough()
  const headers = { host: 'localhost:80', origin, cookie: cookie!, 'content-type': 'application/json' }
  const answer = world().app.inject({ method: 'POST', url: `/console/v1${path}`, headers, payload })
  payload.write(' ')
  await passed
  return async () => {
    payload.end(JSON.stringify(body))
    const { statusCode, body: text } = await answer
    return `${statusCode} ${text === '' ? '' : (JSON.parse(text).code ?? '')}`.trim()
  }
}

test('STAFF-SESSION-005: a request that began before its session ended does nothing', async () => {
  const { ann, ben, subject } = await scene('compliance')
  const { id } = await world().papers.waiting()
  assert.equal((await subject.browser.send('POST', `/papers/${id}/claim`)).status, 204)
  const other = await world().papers.waiting()
  const certify = await held(subject.browser, `/papers/${id}/certify`, {})
  const claim = await held(subject.browser, `/papers/${other.id}/claim`, {})
  const begin = await held(subject.browser, '/auth/authenticator', {})
  await decided(ann, ben, { kind: 'enrolment', staff: subject.id })
  assert.deepEqual(
    await Promise.all([certify(), claim(), begin()]),
    Array.from({ length: 3 }, () => '401 UNAUTHENTICATED'),
  )
  assert.deepEqual(await world().rows('select state, claimed_by from papers where id = $1', other.id), [
    { state: 'waiting', claimed_by: null },
  ])
  assert.deepEqual(await world().rows('select account from staff_authenticators where account = $1', subject.id), [])

  // An administrator's own other browser, whose session the administrator ends.
  const wish = { kind: 'role', staff: ben.id, role: 'risk', reason: 'by a stolen session' }
  const stolen = world().browser()
  await world().logIn(ann, stolen)
  const [proposing, deciding] = [
    await held(stolen, '/staff/proposals', wish),
    await held(stolen, `/staff/proposals/${await propose(ben, { kind: 'role', staff: subject.id, role: 'risk' })}/approve`, {}),
  ]
  assert.equal((await ann.browser.send('DELETE', '/auth/sessions')).status, 204)
  assert.deepEqual([await proposing(), await deciding()], ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED'])
})

test('STAFF-SESSION-006: decisions about the staff need a login of the last 15 minutes', async () => {
  const { ann, ben, subject } = await scene()
  const wish = { kind: 'role', staff: subject.id, role: 'risk', reason: 'a good reason' }
  const id = await propose(ann, wish)
  world().pass(15 * minute + 1)
  assert.equal(await approve(ben, id), '403 SESSION_NOT_FRESH')
  assert.equal(codeIn(await ben.browser.send('POST', '/staff/proposals', { ...wish, role: 'treasury' })), '403 SESSION_NOT_FRESH')
  await world().logIn(ben)
  assert.equal(await approve(ben, id), '200')
})

test('STAFF-FOUR-004: what a member proposed lapses with the role, and with the passkey that may have been stolen', async () => {
  const { ann, ben, subject } = await scene()
  const carl = await world().hire('administrator')
  await world().administrators()
  const first = await propose(carl, { kind: 'role', staff: subject.id, role: 'treasury' })
  await decided(ann, ben, { kind: 'role', staff: carl.id, role: 'risk' })
  await decided(ann, ben, { kind: 'role', staff: carl.id, role: 'administrator' })
  assert.equal(await approve(ben, first), '409 PROPOSAL_CLOSED', 'an administrator again')
  await world().logIn(carl)
  const second = await propose(carl, { kind: 'role', staff: subject.id, role: 'treasury' })
  await decided(ann, ben, { kind: 'enrolment', staff: carl.id })
  assert.equal(await approve(ben, second), '409 PROPOSAL_CLOSED', 'proposed by whoever had the old passkey')
  // A proposal names the person as the approver saw them.
  const third = await propose(ann, { kind: 'role', staff: subject.id, role: 'treasury' })
  await decided(ann, ben, { kind: 'address', staff: subject.id, email: `new-${subject.email}` })
  assert.equal(await approve(ben, third), '409 PROPOSAL_CLOSED', 'about somebody with another address')
})

test('STAFF-FOUR-009: nobody gets an address that another member had', async () => {
  const { ann, ben, subject } = await scene()
  const next = `next-${subject.email}`
  await decided(ann, ben, { kind: 'address', staff: subject.id, email: next })
  const invitation = { kind: 'invitation', email: subject.email, name: 'Somebody', role: 'risk', reason: 'the same address' }
  assert.equal(codeIn(await ann.browser.send('POST', '/staff/proposals', invitation)), '409 STAFF_EXISTS')
  await decided(ann, ben, { kind: 'address', staff: subject.id, email: subject.email })
})

test('STAFF-FOUR-010: one administrator has twenty open proposals at most', async () => {
  const { ann, ben } = await scene()
  const invite = (by: Member) =>
    by.browser.send('POST', '/staff/proposals', {
      ...{ kind: 'invitation', email: `${randomUUID()}@staff.example`, name: 'Nobody', role: 'risk', reason: 'noise' },
    })
  const answers: string[] = []
  for (let at = 0; at < 25; at++) {
    world().pass(1_000)
    answers.push(codeIn(await invite(ann)))
  }
  assert.ok(answers.filter((answer) => answer === '200').length <= 20, answers.join())
  assert.equal(answers.at(-1), '429 RATE_LIMITED')
  assert.equal(codeIn(await invite(ben)), '200')
  world().pass(25 * 60 * minute)
})

test('STAFF-LOGIN-005: a known password leaves fifty guesses of the code in a month, from however many networks', async () => {
  const { subject } = await scene()
  const { secret: key } = (await subject.browser.send('POST', '/auth/authenticator')).body
  const code = () => generateSync({ secret: key, epoch: Math.floor(world().clock() / 1_000) })
  assert.equal((await subject.browser.send('POST', '/auth/authenticator/confirm', { code: code() })).status, 204)
  const form = (sixDigits: string) => ({ email: subject.email, password: secret, code: sixDigits })
  for (let at = 0; at < 70; at++) {
    const browser = world().browser({ 'x-forwarded-for': `203.${at}.113.7` })
    const wrong = code() === '000000' ? '111111' : '000000'
    // Each network waits for its turn.
    for (let turn = 0; turn < 3; turn++) {
      if (codeIn(await browser.send('POST', '/auth/login', form(wrong))) === '401 CREDENTIALS_WRONG') break
      world().pass(minute)
    }
  }
  world().pass(60 * minute)
  assert.equal(
    codeIn(await world().browser({ 'x-forwarded-for': '192.0.2.7' }).send('POST', '/auth/login', form(code()))),
    '401 CREDENTIALS_WRONG',
  )
  await world().logIn(subject)
})

test('STAFF-LOGIN-006: a signed challenge works once, for its own purpose, member and side', async () => {
  const { subject } = await scene()
  const browser = world().browser()
  const enter = async (response: unknown): Promise<string> => codeIn(await browser.send('POST', '/auth/passkey', { response }))
  const asked = (await browser.send('POST', '/auth/passkey/options')).body
  const response = subject.passkey.sign(asked)
  const answers = await Promise.all([enter(response), enter(response), enter(response)])
  assert.deepEqual(answers.sort(), ['200', '400 PASSKEY_WRONG', '400 PASSKEY_WRONG'])
  assert.equal(await enter(subject.passkey.sign(asked)), '400 PASSKEY_WRONG', 'the challenge again')
  // The challenge of an enrolment is neither a login's nor another member's.
  const tokens = [await world().invite(`one-${subject.email}`, 'risk'), await world().invite(`two-${subject.email}`, 'risk')]
  const [one, two] = await Promise.all(
    tokens.map(async (token) => (await world().browser().send('POST', '/auth/enrol/options', { token })).body),
  )
  assert.equal(await enter(subject.passkey.sign({ options: { ...asked.options, challenge: one.options.challenge } })), '400 PASSKEY_WRONG')
  const swapped = { token: tokens[1], password: secret, label: 'key', response: new SoftPasskey(origin).create(one) }
  assert.equal(codeIn(await browser.send('POST', '/auth/enrol', swapped)), '400 PASSKEY_WRONG')
  // A passkey that a member has already is nobody else's.
  const taken = { ...swapped, response: subject.passkey.create(two) }
  assert.equal(codeIn(await browser.send('POST', '/auth/enrol', taken)), '400 PASSKEY_WRONG')
})

test('STAFF-LOG-003: refused attempts are in the log, and nobody fills it with them', async () => {
  const { ann, ben, subject } = await scene()
  const { secret: key } = (await subject.browser.send('POST', '/auth/authenticator')).body
  const code = generateSync({ secret: key, epoch: Math.floor(world().clock() / 1_000) })
  assert.equal((await subject.browser.send('POST', '/auth/authenticator/confirm', { code })).status, 204)
  const before = await world().newest()
  const own = await propose(ann, { kind: 'role', staff: subject.id, role: 'risk' })
  assert.equal(await approve(ann, own), '403 SECOND_PERSON_NEEDED')
  assert.equal(codeIn(await subject.browser.send('GET', '/log')), '403 FORBIDDEN')
  const browser = world().browser()
  const asked = (await browser.send('POST', '/auth/passkey/options')).body
  const bent = subject.passkey.sign(asked, { isVerified: false })
  assert.equal(codeIn(await browser.send('POST', '/auth/passkey', { response: bent })), '400 PASSKEY_WRONG')
  const form = { email: subject.email, password: secret, code: code === '000000' ? '111111' : '000000' }
  assert.equal(codeIn(await browser.send('POST', '/auth/login', form)), '401 CREDENTIALS_WRONG')
  assert.equal(codeIn(await browser.send('POST', '/auth/login', { ...form, password: 'another password' })), '401 CREDENTIALS_WRONG')
  assert.deepEqual(
    (await world().log(before)).slice(1).map(({ staff, action, subject: about, after }) => [staff, action, about, after]),
    [
      [ann.id, 'refused', null, { action: 'staff.decide', path: `/staff/proposals/${own}/approve`, refusal: 'SECOND_PERSON_NEEDED' }],
      [subject.id, 'refused', null, { action: 'log.read', path: '/log', refusal: 'FORBIDDEN' }],
      [subject.id, 'login-failed', null, { way: 'passkey' }],
      [subject.id, 'login-failed', null, { way: 'code', isPassword: true }],
      [subject.id, 'login-failed', null, { way: 'code', isPassword: false }],
    ],
  )
  const flooded = await world().newest()
  const answers = new Set<string>()
  for (let at = 0; at < 60; at++) answers.add(codeIn(await subject.browser.send('GET', '/staff')))
  assert.deepEqual([...answers], ['403 FORBIDDEN', '429 RATE_LIMITED'])
  assert.ok((await world().log(flooded)).length <= 30)
  await ben.browser.send('POST', `/staff/proposals/${own}/decline`, { reason: 'a try' })
})

test('CONSOLE-INPUT-001: names and reasons can’t pretend to be several lines, and no query breaks the database', async () => {
  const { ann, subject } = await scene()
  for (const text of ['one\u2028two', 'one\u2029two', 'one\ntwo', 'right\u202eleft'])
    assert.equal(
      codeIn(await ann.browser.send('POST', '/staff/proposals', { kind: 'role', staff: subject.id, role: 'risk', reason: text })),
      '400 FIELD_INVALID',
      JSON.stringify(text),
    )
  const wish = { kind: 'role', staff: subject.id, role: 'risk', reason: 'one\u001b[2Jtwo' } as const
  await assert.rejects(world().staff.proposals.propose(wish, { visitor: { ip: 'command line', userAgent: '' } }), {
    refusal: 'FIELD_INVALID',
  })
  for (const path of ['/log?action=%00', '/log.csv?action=%00']) assert.equal((await ann.browser.send('GET', path)).status, 400, path)
})
