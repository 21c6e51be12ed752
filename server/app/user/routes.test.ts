import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import type { AssetId, MarketId } from '@candor/core/protocol/ids.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import type { InjectOptions } from 'fastify'
import pino from 'pino'
import type { z } from 'zod'
import { good, startWorld, type World } from '../../identity/test/world.ts'
import { inboxRoutes } from '../../messages/inbox-routes.ts'
import { type App, buildApp } from '../app.ts'
import { wireError } from '../../http/schema.ts'
import type { Freshness } from '../../live/freshness.ts'
import { gateOf } from '../../http/gate.ts'
import { Limits } from '../../http/limits.ts'
import { Proxies } from '../../http/proxies.ts'
import { Sessions } from '../../http/sessions.ts'
import { Listing } from '../../live/listing.ts'
import { Cookies } from './cookies.ts'
import { userRoutes } from './routes.ts'
import * as keys from './key-routes.ts'
import * as schema from './schema.ts'

const terms = {
  makerFeePpm: 1000 as Ppm,
  takerFeePpm: 1000 as Ppm,
  notionalMin: 1 as Units,
  lotsMin: 1,
  lotsMax: 9,
  bandPpm: 1,
  slippagePpm: 1,
  openOrdersMax: 9,
  isTrading: true,
}
const btcusdt = {
  id: 1 as MarketId,
  symbol: 'BTCUSDT',
  base: 2 as AssetId,
  quote: 1 as AssetId,
  tick: '0.1',
  lot: '0.00001',
  basePerLot: 1000,
  quotePerTickLot: 1,
  terms,
}
const ask = {
  listing: async () => ({
    assets: [
      { id: 1 as AssetId, symbol: 'USDT', scale: 6 },
      { id: 2 as AssetId, symbol: 'BTC', scale: 8 },
    ],
    markets: [btcusdt as unknown as Market],
    fees: [],
  }),
  tier: async () => ({ volume: 1_234_500_000 as Units, tier: 2 }),
  marginTerms: async () => undefined,
} as unknown as Ask

let world: World
let app: App
let secure: App
before(async () => {
  world = await startWorld()
  app = await start(new Cookies(false))
  secure = await start(new Cookies(true))
})
after(async () => {
  await app.close()
  await secure.close()
  await world[Symbol.asyncDispose]()
})

/** Commands that the routes sent, and the context that they see; registration has its own way to the core. */
const submitted: Command[] = []
const context = (mode: 'sandbox' | 'production', listing: Listing) => ({
  mode,
  ask,
  listing,
  submit: (async (command) => {
    submitted.push(command)
    return { seq: submitted.length, events: [] } as unknown as Outcome
  }) as Submit,
  freshness: { wrote: () => undefined } as unknown as Freshness,
})

async function start(cookies: Cookies, mode: 'sandbox' | 'production' = 'sandbox'): Promise<App> {
  const listing = new Listing()
  await listing.load(ask)
  const sessions = new Sessions((token) => world.identity.session(token))
  world.identity.sessions.onRevoked(({ account }) => sessions.forgetAccount(account))
  const { tokenOf } = cookies
  const gate = gateOf({ mode: 'sandbox', publicUrls: [], sessions, limits: new Limits(), tokenOf })
  const built = buildApp({ gate, proxies: new Proxies([]), tokenOf, requestId: () => 'one', logger: pino({ level: 'silent' }) })
  await built.register(async (api) => userRoutes(api as unknown as App, context(mode, listing), world.identity, cookies), {
    prefix: '/app/v1',
  })
  await built.register(inboxRoutes(world.inbox))
  return built
}

/** A browser with its cookies. */
class Browser {
  readonly #app: App
  readonly jar = new Map<string, string>()
  lines: readonly string[] = []
  constructor(which = app) {
    this.#app = which
  }

  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers: Record<string, string> = {}) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request: InjectOptions = { method, url: `/app/v1${path}`, headers: { ...(cookie === '' ? {} : { cookie }), ...headers } }
    if (body !== undefined)
      Object.assign(request, { payload: JSON.stringify(body), headers: { ...request.headers, 'content-type': 'application/json' } })
    const answer = await this.#app.inject(request)
    this.lines = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of this.lines) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (line.includes('Max-Age=0;')) this.jar.delete(pair.slice(0, at))
      else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const json = answer.body === '' ? undefined : (answer.json() as Record<string, unknown>)
    return { status: answer.statusCode, body: json as Record<string, never>, headers: answer.headers }
  }

  async register(to: string) {
    const sent = await this.send('POST', '/auth/code', { purpose: 'register', channel: 'email', to, lang: 'en' })
    assert.equal(sent.status, 202)
    assert.deepEqual(shaped(schema.codeSent, sent.body), { resendAfter: 60, expiresIn: 600 })
    const code = await world.codeOf(to)
    return this.send('POST', '/auth/register', {
      channel: 'email',
      to,
      code,
      password: good,
      passwordAgain: good,
      agreement: true,
      lang: 'en',
    })
  }

  login(to: string, password = good) {
    return this.send('POST', '/auth/login', { channel: 'email', to, password, lang: 'en' })
  }
}

/** The answer, if it is exactly what the schema promises. */
function shaped(shape: z.ZodType, body: unknown): unknown {
  return shape.parse(body)
}

test('USER-ME-001: registration logs in; /me shows the person masked with tier and volume', async () => {
  const browser = new Browser()
  const to = world.address()
  const registered = await browser.register(to)
  assert.equal(registered.status, 201)
  const me = await browser.send('GET', '/me')
  assert.equal(me.status, 200)
  assert.deepEqual(shaped(schema.me, me.body), registered.body)
  const { uid, invitationCode, createdAt, ...rest } = me.body as unknown as { uid: string; invitationCode: string; createdAt: Millis }
  assert.match(uid, /^\d{9}$/)
  assert.match(invitationCode, /^[A-Z0-9]{8}$/)
  assert.ok(createdAt > 0)
  assert.deepEqual(rest, {
    email: `c•••${to.split('@')[0]?.slice(-1)}@example.com`,
    lang: 'en',
    certification: 'none',
    feeTier: 2,
    volume30d: '1234.5',
  })
  const german = await browser.send('PATCH', '/me', { lang: 'de' })
  assert.equal((german.body as unknown as { lang: string }).lang, 'de')
  assert.equal((await browser.send('PATCH', '/me', { lang: 'xx' })).body.code, 'FIELD_INVALID')
  const invited = await browser.send('GET', `/auth/invitation?code=${invitationCode}`)
  assert.equal((shaped(schema.invitation, invited.body) as { code: string }).code, invitationCode)
})

test('USER-CERTIFY-001: in the sandbox a press of a button certifies, in the core and on the own page; elsewhere it does not exist', async () => {
  const browser = new Browser()
  assert.equal((await browser.send('POST', '/sandbox/certify')).body.code, 'UNAUTHENTICATED')
  const { uid } = (await browser.register(world.address())).body as unknown as { uid: string }
  const user = [...world.core.opened.values()].at(-1)?.user
  for (let time = 0; time < 2; time++) {
    const answer = await browser.send('POST', '/sandbox/certify')
    assert.equal(answer.status, 200)
    const me = shaped(schema.me, answer.body) as { uid: string; certification: string }
    assert.deepEqual([me.uid, me.certification], [uid, 'certified'])
    assert.deepEqual(submitted.at(-1), { type: 'user.certify', user, isCertified: true })
  }
  assert.equal(((await browser.send('GET', '/me')).body as unknown as { certification: string }).certification, 'certified')
  const { rows } = await world.store.pool.query(`select count(*) as n from audit_log where action = 'certified'`)
  assert.equal(Number(rows[0].n), 1)
  assert.ok((await world.identity.profiles.certified()).includes(user as never))

  await using real = await start(new Cookies(false), 'production')
  const elsewhere = new Browser(real)
  for (const [name, value] of browser.jar) elsewhere.jar.set(name, value)
  const count = submitted.length
  assert.equal((await elsewhere.send('POST', '/sandbox/certify')).body.code, 'SANDBOX_ONLY')
  assert.equal(submitted.length, count)
})

test('USER-COOKIE-001: on http the cookies are plain, on https they carry __Host- and Secure; both are HttpOnly and Lax', async () => {
  const plain = new Browser()
  const to = world.address()
  await plain.register(to)
  assert.deepEqual([...plain.jar.keys()], ['candor', 'candor-device'])
  for (const line of plain.lines) assert.match(line, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const hidden = new Browser(secure)
  assert.equal((await hidden.login(to)).status, 200)
  assert.deepEqual([...hidden.jar.keys()], ['__Host-candor', '__Host-candor-device'])
  for (const line of hidden.lines) assert.match(line, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  const swapped = await hidden.send('GET', '/me', undefined, { cookie: `candor=${hidden.jar.get('__Host-candor')}` })
  assert.equal(swapped.status, 401)
})

test('USER-COOKIE-002: a planted token is never taken over at login, and the session that was presented ends', async () => {
  const to = world.address()
  await new Browser().register(to)
  const victim = new Browser()
  const planted = 'A'.repeat(43)
  victim.jar.set('candor', planted)
  await victim.login(to)
  const first = victim.jar.get('candor')
  assert.notEqual(first, planted)
  await victim.login(to)
  const old = new Browser()
  old.jar.set('candor', first as string)
  assert.equal((await old.send('GET', '/me')).status, 401)
  assert.equal((await victim.send('GET', '/me')).status, 200)
})

test('USER-COOKIE-003: /me slides the cookie along and changes its token once a day', async () => {
  const browser = new Browser()
  await browser.register(world.address())
  const token = browser.jar.get('candor')
  await browser.send('GET', '/me')
  assert.equal(browser.jar.get('candor'), token)
  assert.match(browser.lines[0] ?? '', /Max-Age=2592000/)
  world.pass(86_400_000)
  await browser.send('GET', '/me')
  assert.notEqual(browser.jar.get('candor'), token)
  assert.equal((await browser.send('GET', '/me')).status, 200)
})

test('USER-SESSION-002: sessions are listed, ended one by one or all others, and logout ends the own one', async () => {
  const to = world.address()
  const [phone, desk, tablet] = [new Browser(), new Browser(), new Browser()]
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

test('USER-PASSWORD-004: over the API the change gives a new cookie and refuses a stale login', async () => {
  const browser = new Browser()
  const to = world.address()
  await browser.register(to)
  const token = browser.jar.get('candor')
  const next = 'seventeen paper boats'
  const wrong = await browser.send('POST', '/auth/password', { current: 'wrong password', password: next, passwordAgain: next })
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.field], [401, 'CREDENTIALS_WRONG', 'current'])
  assert.equal((await browser.send('POST', '/auth/password', { current: good, password: next, passwordAgain: next })).status, 204)
  assert.notEqual(browser.jar.get('candor'), token)
  assert.equal((await browser.send('GET', '/me')).status, 200)
  world.pass(901_000)
  const stale = await browser.send('POST', '/auth/password', { current: next, password: good, passwordAgain: good })
  assert.equal(stale.body.code, 'SESSION_NOT_FRESH')
})

test('USER-RESET-001: over the API a code buys a token, the token sets the password', async () => {
  const browser = new Browser()
  const to = world.address()
  await browser.register(to)
  await browser.send('POST', '/auth/code', { purpose: 'reset', channel: 'email', to, lang: 'en' })
  const bought = await browser.send('POST', '/auth/reset/code', { channel: 'email', to, code: await world.codeOf(to) })
  const { token } = shaped(schema.resetToken, bought.body) as { token: string }
  const next = 'seventeen paper boats'
  assert.equal((await browser.send('POST', '/auth/reset', { token, password: next, passwordAgain: next })).status, 204)
  assert.equal((await browser.send('GET', '/me')).status, 401)
  assert.equal((await browser.send('POST', '/auth/reset', { token, password: next, passwordAgain: next })).body.code, 'TOKEN_EXPIRED')
  assert.equal((await browser.login(to, next)).status, 200)
})

test('USER-FAVOURITE-001: favourites are one ordered list of listed markets, each once', async () => {
  const browser = new Browser()
  await browser.register(world.address())
  assert.deepEqual((await browser.send('GET', '/favourites')).body, { symbols: [] })
  assert.deepEqual((await browser.send('PUT', '/favourites', { symbols: ['BTCUSDT'] })).body, { symbols: ['BTCUSDT'] })
  assert.deepEqual((await browser.send('GET', '/favourites')).body, { symbols: ['BTCUSDT'] })
  const wrong = [
    [['NOSUCH'], 'MARKET_UNKNOWN'],
    [['BTCUSDT', 'BTCUSDT'], 'FIELD_INVALID'],
    [['btcusdt'], 'FIELD_INVALID'],
    [Array.from({ length: 201 }, (_, n) => `M${n}`), 'FIELD_INVALID'],
    ['BTCUSDT', 'FIELD_INVALID'],
  ] as const
  for (const [symbols, refusal] of wrong) assert.equal((await browser.send('PUT', '/favourites', { symbols })).body.code, refusal)
  assert.deepEqual((await browser.send('GET', '/favourites')).body, { symbols: ['BTCUSDT'] })
})

test('USER-INPUT-001: whatever is sent to these addresses gets a definite refusal, and nobody is let in', async () => {
  const texts = [
    '',
    ' ',
    'x'.repeat(5_000),
    "' or 1=1 --",
    '<script>',
    '\u202e',
    '𝟎𝟏𝟐𝟑𝟒𝟓',
    '%00',
    'a@b.de\r\nBcc: c@d.ef',
    '-1',
    '1e400',
    'NaN',
    'null',
    '__proto__',
  ]
  const others = [null, 0, -1, 1.5, true, [], {}, [['a']], { $ne: 1 }]
  const bodies: readonly (readonly [string, Record<string, unknown>])[] = [
    ['/auth/code', { purpose: 'register', channel: 'email', to: 'bad-input@example.com', lang: 'en' }],
    [
      '/auth/register',
      { channel: 'email', to: 'bad-input@example.com', code: '123456', password: good, passwordAgain: good, agreement: true, lang: 'en' },
    ],
    ['/auth/login', { channel: 'email', to: 'bad-input@example.com', password: good, lang: 'en' }],
    ['/auth/reset/code', { channel: 'email', to: 'bad-input@example.com', code: '123456' }],
    ['/auth/reset', { token: 'A'.repeat(22), password: good, passwordAgain: good }],
    ['/auth/password', { current: good, password: good, passwordAgain: good }],
  ]
  const browser = new Browser()
  const accounts = async () => (await world.store.pool.query('select count(*) as n from accounts')).rows[0].n as number
  const before = await accounts()
  let tried = 0
  for (const [path, valid] of bodies) {
    const variants: unknown[] = [null, [], 'text', 7, { ...valid, extra: 1 }, { ...valid, isAdmin: true }]
    for (const field of Object.keys(valid)) {
      variants.push(Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field)))
      for (const value of [...texts, ...others]) variants.push({ ...valid, [field]: value })
    }
    for (const body of variants) {
      const answer = await browser.send('POST', path, body)
      if (path === '/auth/code' && answer.status === 202) continue
      const { code } = shaped(wireError, answer.body) as { code: keyof typeof refusals }
      assert.equal(answer.status, refusals[code].http)
      assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${JSON.stringify(body)}: ${answer.status}`)
      assert.deepEqual(browser.lines, [])
      tried++
    }
  }
  assert.ok(tried > 500)
  assert.equal(await accounts(), before)
})

test('USER-INBOX-001: in the app itself the inbox stands beside the API, with its own policy', async () => {
  const to = world.address()
  await new Browser().register(to)
  const page = await app.inject(`/inbox?to=${encodeURIComponent(to)}`)
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'; style-src 'sha256-/)
  assert.match(page.body, /<p class="code">\d{6}<\/p>/)
  const { messages } = (await app.inject(`/inbox.json?to=${encodeURIComponent(to)}`)).json() as { messages: { subject: string }[] }
  assert.match(messages[0]?.subject ?? '', /^\d{6} is your Candor code$/)
})

test('USER-INPUT-002: a write from a foreign page is refused, also with a valid cookie', async () => {
  const browser = new Browser()
  await browser.register(world.address())
  const foreign = { origin: 'https://evil.example', host: 'exchange.example' }
  assert.equal((await browser.send('POST', '/auth/logout', undefined, foreign)).body.code, 'ORIGIN_REFUSED')
  assert.equal((await browser.send('PATCH', '/me', { lang: 'de' }, foreign)).body.code, 'ORIGIN_REFUSED')
  assert.equal((await browser.send('GET', '/me')).status, 200)
})

test('API-KEY-013: over the app’s API a key is made with the password, listed without its secret, changed and deleted by its owner alone', async () => {
  const [alice, bob] = [new Browser(), new Browser()]
  await alice.register(world.address())
  await bob.register(world.address())
  const form = { label: 'my bot', scopes: ['read', 'trade'], ips: ['192.0.2.1'] }
  assert.equal((await alice.send('POST', '/keys', form)).body.code, 'FIELD_MISSING')
  const wrong = await alice.send('POST', '/keys', { ...form, password: 'not this one' })
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.field], [401, 'CREDENTIALS_WRONG', 'password'])
  const made = await alice.send('POST', '/keys', { ...form, password: good })
  assert.equal(made.status, 201)
  const { key, secret } = shaped(keys.keyMade, made.body) as { key: { id: string; label: string }; secret: string }
  const list = await alice.send('GET', '/keys')
  shaped(keys.keyList, list.body)
  assert.deepEqual(list.body.keys, [key])
  assert.ok(!JSON.stringify(list.body).includes(secret))

  for (const [method, body] of [
    ['PATCH', { label: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await bob.send(method, `/keys/${key.id}`, body)).body.code, 'NOT_FOUND')
    assert.equal((await new Browser().send(method, `/keys/${key.id}`, body)).body.code, 'UNAUTHENTICATED')
    assert.equal((await alice.send(method, '/keys/not-an-id', body)).body.code, 'NOT_FOUND')
  }
  assert.deepEqual((await bob.send('GET', '/keys')).body.keys, [])

  const wider = { scopes: ['read', 'trade', 'withdraw'] }
  assert.deepEqual((await alice.send('PATCH', `/keys/${key.id}`, wider)).body.field, 'password')
  const changed = await alice.send('PATCH', `/keys/${key.id}`, { ...wider, password: good })
  assert.deepEqual(shaped(keys.key, changed.body), { ...key, ...wider })
  for (const bad of [
    { label: '' },
    { label: ' ' },
    { label: 'a\u202eb' },
    { scopes: ['all'] },
    { ips: 'any' },
    { expiresAt: '5' },
    { key: 'x' },
  ]) {
    assert.equal((await alice.send('PATCH', `/keys/${key.id}`, bad)).status, 400, JSON.stringify(bad))
  }
  assert.equal((await alice.send('DELETE', `/keys/${key.id}`)).status, 204)
  assert.deepEqual((await alice.send('GET', '/keys')).body.keys, [])
})
