import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { StaffCookie } from '../cookie.ts'
import { codeIn, consoleWorld, type Member, origin, secret } from './console-world.ts'

const world = consoleWorld()
const minute = 60_000
const me = async ({ browser }: Pick<Member, 'browser'>): Promise<string> => codeIn(await browser.send('GET', '/auth/me'))
const codeOf = (key: string): string => generateSync({ secret: key, epoch: Math.floor(world().clock() / 1_000) })

async function invited(email: string): Promise<string> {
  await world().administrators()
  return world().invite(email, 'support')
}

/** A member with an authenticator app, and its secret. */
async function withApp(): Promise<Member & { readonly key: string }> {
  const member = await world().hire('risk')
  const { secret: key } = (await member.browser.send('POST', '/auth/authenticator')).body
  assert.equal((await member.browser.send('POST', '/auth/authenticator/confirm', { code: codeOf(key) })).status, 204)
  world().pass(minute)
  return { ...member, key }
}

test('STAFF-ENROL-001: an enrolment works once, within a day, and its token is stored as a hash', async () => {
  const email = 'carol@staff.example'
  const token = await invited(email)
  assert.match(token, /^[\w-]{22}$/)
  const stored = JSON.stringify(await world().rows('select * from staff_enrolments'))
  assert.ok(!stored.includes(token) && !stored.includes(Buffer.from(token).toString('hex')))
  const browsers = [world().browser(), world().browser()]
  const forms: object[] = []
  for (const browser of browsers) {
    const begun = await browser.send('POST', '/auth/enrol/options', { token })
    assert.deepEqual([begun.body.email, begun.body.role], [email, 'support'])
    forms.push({ token, password: secret, label: 'key', response: new SoftPasskey(origin).create(begun.body) })
  }
  const answers = await Promise.all(browsers.map(async (browser, at) => codeIn(await browser.send('POST', '/auth/enrol', forms[at]))))
  assert.deepEqual(answers.sort(), ['200', '400 TOKEN_EXPIRED'])
  assert.equal((await world().rows('select * from staff_passkeys p join staff s on s.id = p.account where email = $1', email)).length, 1)
  assert.equal(codeIn(await world().browser().send('POST', '/auth/enrol/options', { token })), '400 TOKEN_EXPIRED')

  const late = await invited('dan@staff.example')
  world().pass(24 * 60 * minute + 1)
  assert.equal(codeIn(await world().browser().send('POST', '/auth/enrol/options', { token: late })), '400 TOKEN_EXPIRED')
})

test('STAFF-ENROL-002: short, common and obvious passwords are refused, and the token stays good', async () => {
  const email = 'josephine.baker@staff.example'
  const token = await invited(email)
  const browser = world().browser()
  for (const [password, refusal] of [
    ['fourteen chars', 'STAFF_PASSWORD_TOO_SHORT'],
    ['passwordpassword', 'PASSWORD_COMMON'],
    ['josephine.baker1', 'PASSWORD_COMMON'],
    ['x'.repeat(129), 'PASSWORD_TOO_LONG'],
  ] as const) {
    const begun = await browser.send('POST', '/auth/enrol/options', { token })
    const form = { token, password, label: 'key', response: new SoftPasskey(origin).create(begun.body) }
    assert.equal((await browser.send('POST', '/auth/enrol', form)).body.code, refusal, password)
  }
  const member = await world().enrol(email, token)
  assert.equal(await me(member), '200')
  assert.match((await world().rows('select password from staff where email = $1', email))[0]!['password'], /^\$argon2id\$/)
})

test('STAFF-ENROL-003: a new enrolment replaces passkey, app and password, and ends sessions', async () => {
  const member = await withApp()
  const [ann, ben] = await world().administrators()
  const { body } = await ann.browser.send('POST', '/staff/proposals', { kind: 'enrolment', staff: member.id, reason: 'lost the key' })
  assert.equal((await ben.browser.send('POST', `/staff/proposals/${body.id}/approve`)).status, 200)
  const token = await world().tokenTo(member.email)
  assert.equal(await me(member), '401 UNAUTHENTICATED')
  const asked = (await member.browser.send('POST', '/auth/passkey/options')).body
  assert.equal(codeIn(await member.browser.send('POST', '/auth/passkey', { response: member.passkey.sign(asked) })), '400 PASSKEY_WRONG')
  const form = { email: member.email, password: secret, code: codeOf(member.key) }
  assert.equal(codeIn(await member.browser.send('POST', '/auth/login', form)), '401 CREDENTIALS_WRONG')
  const again = await world().enrol(member.email, token)
  assert.deepEqual([again.id, await me(again)], [member.id, '200'])
})

test('STAFF-LOGIN-001: a passkey logs in alone; that of a stranger, and one of another page, do not', async () => {
  const member = await world().member('treasury')
  const browser = world().browser()
  await world().logIn(member, browser)
  assert.equal(await me({ browser }), '200')
  const stranger = new SoftPasskey(origin)
  const ask = async () => (await browser.send('POST', '/auth/passkey/options')).body
  for (const response of [
    stranger.sign(await ask()),
    member.passkey.sign(await ask(), { origin: 'https://evil.example' }),
    member.passkey.sign(await ask(), { isVerified: false }),
    member.passkey.sign(await ask(), { isFramed: true }),
  ])
    assert.equal(codeIn(await browser.send('POST', '/auth/passkey', { response })), '400 PASSKEY_WRONG')
  // Neither side takes the other’s passkeys or challenges.
  const { identity } = world().papers.world
  const customers = await identity.factors.passkeys.ask(undefined, origin)
  await assert.rejects(identity.factors.passkeys.check(member.passkey.sign({ options: customers }), origin))
  const response = member.passkey.sign({ options: await identity.factors.passkeys.ask(undefined, origin) })
  assert.equal(codeIn(await browser.send('POST', '/auth/passkey', { response })), '400 PASSKEY_WRONG')
})

test('STAFF-LOGIN-002: a password needs a code beside it, and the answer never says what was wrong', async () => {
  const member = await withApp()
  const other = await world().member('support')
  const browser = world().browser()
  const log = (form: object) => browser.send('POST', '/auth/login', form).then((answer) => JSON.stringify([answer.status, answer.body]))
  const code = codeOf(member.key)
  const answers = [
    await log({ email: member.email, password: 'another password', code }),
    await log({ email: member.email, password: secret, code: code === '123456' ? '654321' : '123456' }),
    await log({ email: other.email, password: secret, code }),
    await log({ email: 'nobody@staff.example', password: secret, code }),
  ]
  assert.equal(new Set(answers).size, 1)
  assert.match(answers[0]!, /CREDENTIALS_WRONG/)
  assert.match(await log({ email: member.email, password: secret }), /FIELD_MISSING/)
  assert.equal(
    codeIn(await browser.send('POST', '/auth/login', { email: ` ${member.email.toUpperCase()}`, password: secret, code })),
    '200',
  )
  assert.equal(await me({ browser }), '200')
  assert.match(await log({ email: member.email, password: secret, code }), /CREDENTIALS_WRONG/, 'each code works once')
})

test('STAFF-LOGIN-003: wrong passwords make strangers wait and leave the passkey alone', async () => {
  const member = await withApp()
  const browser = world().browser()
  const answers: string[] = []
  for (let at = 0; at < 8; at++)
    answers.push(codeIn(await browser.send('POST', '/auth/login', { email: member.email, password: `wrong ${at}`, code: '000000' })))
  assert.equal(answers[0], '401 CREDENTIALS_WRONG')
  assert.equal(answers.at(-1), '429 TOO_MANY_TRIES')
  await world().logIn(member, browser)
  assert.equal(await me({ browser }), '200')
})

test('STAFF-LOGIN-004: an authenticator app needs a login of the last 15 minutes', async () => {
  const member = await world().hire('support')
  world().pass(15 * minute + 1)
  assert.equal(codeIn(await member.browser.send('POST', '/auth/authenticator')), '403 SESSION_NOT_FRESH')
  await world().logIn(member)
  const { secret: key } = (await member.browser.send('POST', '/auth/authenticator')).body
  const code = codeOf(key)
  world().pass(15 * minute + 1)
  assert.equal(codeIn(await member.browser.send('POST', '/auth/authenticator/confirm', { code })), '403 SESSION_NOT_FRESH')
  assert.equal((await member.browser.send('GET', '/auth/factors')).body.authenticatorSince, null)
  const stored = await world().rows('select next_secret from staff_authenticators where account = $1', member.id)
  assert.ok(!stored[0]!['next_secret'].includes(Buffer.from(key)))
})

test('STAFF-SESSION-001: a session ends after 8 hours, and after 30 minutes without a request', async () => {
  const member = await world().member('treasury')
  await world().logIn(member)
  for (let at = 0; at < 16; at++) {
    world().pass(29 * minute)
    assert.equal(await me(member), '200')
  }
  world().pass(16 * minute)
  assert.equal(await me(member), '401 UNAUTHENTICATED', 'after 8 hours')
  await world().logIn(member)
  world().pass(30 * minute)
  assert.equal(await me(member), '401 UNAUTHENTICATED', 'after 30 minutes')
})

test('STAFF-SESSION-002: a member sees and ends the own sessions, and none of others', async () => {
  const member = await world().member('treasury')
  const other = await world().member('support')
  await world().logIn(other)
  await world().logIn(member)
  const [second, third] = [world().browser(), world().browser()]
  await world().logIn(member, second)
  await world().logIn(member, third)
  const list = async () => (await member.browser.send('GET', '/auth/sessions')).body.sessions as { id: string; isCurrent: boolean }[]
  const own = await list()
  assert.deepEqual([own.length, own.filter(({ isCurrent }) => isCurrent).length], [3, 1])
  const others = (await other.browser.send('GET', '/auth/sessions')).body.sessions[0].id
  assert.equal(codeIn(await member.browser.send('DELETE', `/auth/sessions/${others}`)), '404 NOT_FOUND')
  assert.equal(await me(other), '200')
  const secondId = (await second.send('GET', '/auth/sessions')).body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id
  assert.equal((await member.browser.send('DELETE', `/auth/sessions/${secondId}`)).status, 204)
  assert.deepEqual([await me({ browser: second }), await me({ browser: third })], ['401 UNAUTHENTICATED', '200'])
  assert.equal((await member.browser.send('DELETE', '/auth/sessions')).status, 204)
  assert.deepEqual([await me({ browser: third }), await me(member)], ['401 UNAUTHENTICATED', '200'])
  const { cookie } = member.browser
  assert.equal((await member.browser.send('POST', '/auth/logout')).status, 204)
  assert.equal(member.browser.cookie, undefined)
  member.browser.cookie = cookie
  assert.equal(await me(member), '401 UNAUTHENTICATED', 'the token of an ended session')
})

test('STAFF-SESSION-004: the cookie is for this host and this site only; a login takes over no token', async () => {
  const member = await world().member('treasury')
  const browser = world().browser()
  browser.cookie = `candor-staff=${'x'.repeat(43)}`
  await world().logIn(member, browser)
  assert.match(browser.line, /^candor-staff=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
  assert.ok(!browser.cookie.includes('x'.repeat(43)))
  const first = browser.cookie
  await world().logIn(member, browser)
  assert.equal(await me({ browser }), '200')
  browser.cookie = first
  assert.equal(await me({ browser }), '401 UNAUTHENTICATED', 'the browser’s earlier session')
  const lines: string[] = []
  const reply = { header: (_: string, line: string) => lines.push(line) } as unknown as Parameters<StaffCookie['logIn']>[0]
  const secure = new StaffCookie(true)
  secure.logIn(reply, 'y'.repeat(43))
  assert.equal(lines[0], `__Host-candor-staff=${'y'.repeat(43)}; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure`)
  assert.equal(secure.tokenOf({ headers: { cookie: `candor-staff=${'y'.repeat(43)}; __Host-candor=${'y'.repeat(43)}` } }), undefined)
})
