import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { good } from '../../identity/test/world.ts'
import * as schema from './schema.ts'
import { shaped, UserApi } from './test/user-api.ts'

let api: UserApi
before(async () => {
  api = await UserApi.start()
})
after(() => api[Symbol.asyncDispose]())

test('USER-COOKIE-001: on http the cookies are plain, on https they carry __Host- and Secure; both are HttpOnly and Lax', async () => {
  const plain = api.browser()
  const to = api.world.address()
  await plain.register(to)
  assert.deepEqual([...plain.jar.keys()], ['candor', 'candor-device'])
  for (const line of plain.lines) assert.match(line, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const hidden = api.browser(api.secure)
  assert.equal((await hidden.login(to)).status, 200)
  assert.deepEqual([...hidden.jar.keys()], ['__Host-candor', '__Host-candor-device'])
  for (const line of hidden.lines) assert.match(line, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  const swapped = await hidden.send('GET', '/me', undefined, { cookie: `candor=${hidden.jar.get('__Host-candor')}` })
  assert.equal(swapped.status, 401)
})

test('USER-COOKIE-002: a planted token is never taken over at login, and the session that was presented ends', async () => {
  const to = api.world.address()
  await api.browser().register(to)
  const victim = api.browser()
  const planted = 'A'.repeat(43)
  victim.jar.set('candor', planted)
  await victim.login(to)
  const first = victim.jar.get('candor')
  assert.notEqual(first, planted)
  await victim.login(to)
  const old = api.browser()
  old.jar.set('candor', first as string)
  assert.equal((await old.send('GET', '/me')).status, 401)
  assert.equal((await victim.send('GET', '/me')).status, 200)
})

test('USER-COOKIE-003: /me extends the cookie and changes its token once a day', async () => {
  const browser = api.browser()
  await browser.register(api.world.address())
  const token = browser.jar.get('candor')
  await browser.send('GET', '/me')
  assert.equal(browser.jar.get('candor'), token)
  assert.match(browser.lines[0] ?? '', /Max-Age=2592000/)
  api.world.pass(86_400_000)
  await browser.send('GET', '/me')
  assert.notEqual(browser.jar.get('candor'), token)
  assert.equal((await browser.send('GET', '/me')).status, 200)
})

test('USER-SESSION-002: sessions are listed, and ended one by one or all others at once; logout ends the current one', async () => {
  const to = api.world.address()
  const [phone, desk, tablet] = [api.browser(), api.browser(), api.browser()]
  await phone.register(to)
  await desk.login(to)
  await tablet.login(to)
  for (const browser of [phone, desk, tablet]) assert.equal((await browser.send('GET', '/me')).status, 200)
  const { sessions } = (await phone.send('GET', '/auth/sessions')).body as unknown as { sessions: { id: string; isCurrent: boolean }[] }
  assert.equal(sessions.length, 3)
  for (const session of sessions) shaped(schema.session, session)
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  assert.equal(others.length, 2)
  assert.equal((await phone.send('DELETE', `/auth/sessions/${others[0]?.id}`)).status, 204)
  assert.equal((await phone.send('DELETE', `/auth/sessions/${others[0]?.id}`)).body.code, 'NOT_FOUND')
  assert.equal((await phone.send('DELETE', '/auth/sessions/not-an-id')).body.code, 'NOT_FOUND')
  assert.equal((await phone.send('DELETE', '/auth/sessions')).status, 204)
  const ended = await Promise.all([desk, tablet].map((browser) => browser.send('GET', '/me')))
  assert.deepEqual(
    ended.map(({ status }) => status),
    [401, 401],
  )
  assert.equal((await phone.send('POST', '/auth/logout')).status, 204)
  assert.equal(phone.jar.has('candor'), false)
  assert.equal((await phone.send('GET', '/me')).body.code, 'UNAUTHENTICATED')
})

test('USER-PASSWORD-004: over the API a change of the password gives a new cookie and needs a recent login', async () => {
  const browser = api.browser()
  const to = api.world.address()
  await browser.register(to)
  const [token, device] = [browser.jar.get('candor'), browser.jar.get('candor-device')]
  const next = 'seventeen paper boats'
  api.world.pass(1_000)
  const wrong = await browser.send('POST', '/auth/password', { current: 'wrong password', password: next, passwordAgain: next })
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.field], [401, 'CREDENTIALS_WRONG', 'current'])
  assert.equal((await browser.send('POST', '/auth/password', { current: good, password: next, passwordAgain: next })).status, 204)
  assert.notEqual(browser.jar.get('candor'), token)
  // The same device, with the tag that only browsers share that know the new password.
  const [before, after] = [device, browser.jar.get('candor-device')].map((one) => api.world.identity.devices.verified(one ?? ''))
  assert.deepEqual([before?.key === after?.key, before?.account === after?.account], [true, false])
  assert.equal((await browser.send('GET', '/me')).status, 200)
  api.world.pass(901_000)
  const stale = await browser.send('POST', '/auth/password', { current: next, password: good, passwordAgain: good })
  assert.equal(stale.body.code, 'SESSION_NOT_FRESH')
})

test('USER-RESET-001: over the API a code is exchanged for a token, and the token sets the password', async () => {
  const browser = api.browser()
  const to = api.world.address()
  await browser.register(to)
  await browser.send('POST', '/auth/code', { purpose: 'reset', channel: 'email', to, lang: 'en' })
  const bought = await browser.send('POST', '/auth/reset/code', { channel: 'email', to, code: await api.world.codeOf(to) })
  const { token } = shaped(schema.resetToken, bought.body) as { token: string }
  const next = 'seventeen paper boats'
  assert.equal((await browser.send('POST', '/auth/reset', { token, password: next, passwordAgain: next })).status, 204)
  assert.equal((await browser.send('GET', '/me')).status, 401)
  assert.equal((await browser.send('POST', '/auth/reset', { token, password: next, passwordAgain: next })).body.code, 'TOKEN_EXPIRED')
  assert.equal((await browser.login(to, next)).status, 200)
})

test('USER-INPUT-002: a write from a foreign page is refused, even with a valid cookie', async () => {
  const browser = api.browser()
  await browser.register(api.world.address())
  const foreign = { origin: 'https://evil.example', host: 'exchange.example' }
  assert.equal((await browser.send('POST', '/auth/logout', undefined, foreign)).body.code, 'ORIGIN_REFUSED')
  assert.equal((await browser.send('PATCH', '/me', { lang: 'de' }, foreign)).body.code, 'ORIGIN_REFUSED')
  assert.equal((await browser.send('GET', '/me')).status, 200)
})

test('GATEWAY-LIMITS-012: a thief who uses up all allowances of the user keeps the owner from no freeze and no end of sessions', async () => {
  const to = api.world.address()
  const [owner, thief] = [api.browser(), api.browser()]
  await owner.register(to)
  await thief.login(to)
  /** The owner's request comes behind the thief's, in the same moment. */
  const behind = async (path: string, count: number, send: () => Promise<{ readonly status: number }>): Promise<number> => {
    const flood = Array.from({ length: count }, () => thief.send('DELETE', path))
    const own = send()
    assert.ok((await Promise.all(flood)).some(({ status }) => status === 429))
    return (await own).status
  }
  assert.equal(await behind('/auth/sessions/nobody', 300, () => owner.send('DELETE', '/auth/sessions')), 204)
  await thief.login(to)
  assert.equal(await behind('/auth/addresses/email', 140, () => owner.send('POST', '/auth/freeze')), 204)

  const one = api.browser()
  await one.register(api.world.address())
  const ends = await Promise.all(Array.from({ length: 8 }, () => one.send('DELETE', '/auth/sessions')))
  assert.deepEqual(ends.map(({ status }) => status).sort(), [204, 204, 204, 204, 204, 429, 429, 429])
})
