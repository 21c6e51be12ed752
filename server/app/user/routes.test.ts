import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import { wireError } from '../../http/schema.ts'
import { agreementVersion } from '../../identity/gates/agreement.ts'
import { good } from '../../identity/test/world.ts'
import { Cookies } from './cookies.ts'
import * as schema from './schema.ts'
import { shaped, UserApi } from './test/user-api.ts'

let api: UserApi
before(async () => {
  api = await UserApi.start()
})
after(() => api[Symbol.asyncDispose]())

test('USER-ME-001: registration logs in; /me shows the masked address, tier and volume', async () => {
  const browser = api.browser()
  const to = api.world.address()
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
    perpFeeTier: 1,
    perpVolume30d: '5',
    turnover: { limit: '10000', used: '12.5', open: '2' },
    residence: 'DE',
    due: [],
    agreementVersion,
  })
  const german = await browser.send('PATCH', '/me', { lang: 'de' })
  assert.equal((german.body as unknown as { lang: string }).lang, 'de')
  assert.equal((await browser.send('PATCH', '/me', { lang: 'xx' })).body.code, 'FIELD_INVALID')
  const invited = await browser.send('GET', `/auth/invitation?code=${invitationCode}`)
  assert.equal((shaped(schema.invitation, invited.body) as { code: string }).code, invitationCode)
})

test('USER-CERTIFY-001: in the sandbox one request verifies the user, in the core and in the profile; production has no such route', async () => {
  const browser = api.browser()
  assert.equal((await browser.send('POST', '/sandbox/certify')).body.code, 'UNAUTHENTICATED')
  const { uid } = (await browser.register(api.world.address())).body as unknown as { uid: string }
  const user = [...api.world.core.opened.values()].at(-1)?.user
  for (let time = 0; time < 2; time++) {
    const answer = await browser.send('POST', '/sandbox/certify')
    assert.equal(answer.status, 200)
    const me = shaped(schema.me, answer.body) as { uid: string; certification: string }
    assert.deepEqual([me.uid, me.certification], [uid, 'certified'])
    assert.deepEqual(api.submitted.at(-1), { type: 'user.certify', user, isCertified: true })
  }
  assert.equal(((await browser.send('GET', '/me')).body as unknown as { certification: string }).certification, 'certified')
  const { rows } = await api.world.store.pool.query(`select count(*) as n from audit_log where action = 'certified'`)
  assert.equal(Number(rows[0].n), 1)
  assert.ok((await api.world.identity.profiles.certified()).includes(user as UserId))

  await using real = await api.startApp(new Cookies(false), 'production')
  const elsewhere = api.browser(real)
  for (const [name, value] of browser.jar) elsewhere.jar.set(name, value)
  const count = api.submitted.length
  assert.equal((await elsewhere.send('POST', '/sandbox/certify')).body.code, 'SANDBOX_ONLY')
  assert.equal(api.submitted.length, count)
})

test('USER-FAVOURITE-001: favourites are one ordered list of listed markets, without repeats', async () => {
  const browser = api.browser()
  await browser.register(api.world.address())
  const path = '/preferences/favourites'
  const set = async (symbols: unknown, revision = 1) => (await browser.send('PUT', path, { revision, value: { symbols } })).body
  assert.deepEqual((await browser.send('GET', path)).body, { revision: 0 })
  const kept = { revision: 1, value: { symbols: ['BTCUSDT'] } }
  assert.deepEqual(await set(['BTCUSDT'], 0), kept)
  assert.deepEqual((await browser.send('GET', path)).body, kept)
  const wrong = [
    [['NOSUCH'], 'MARKET_UNKNOWN'],
    [['BTCUSDT', 'BTCUSDT'], 'FIELD_INVALID'],
    [['btcusdt'], 'FIELD_INVALID'],
    [Array.from({ length: 201 }, (_, n) => `M${n}`), 'FIELD_INVALID'],
    ['BTCUSDT', 'FIELD_INVALID'],
  ] as const
  for (const [symbols, refusal] of wrong) assert.equal((await set(symbols)).code, refusal)
  assert.deepEqual((await browser.send('GET', path)).body, kept)
})

test('USER-PREFERENCE-001: a setting keeps its strict shape, and a change from an old revision is refused', async () => {
  const browser = api.browser()
  await browser.register(api.world.address())
  const path = '/preferences/home'
  const put = async (revision: unknown, value: unknown) => (await browser.send('PUT', path, { revision, value })).body
  const first = { cards: ['markets', 'quick'], actions: ['convert'] }
  const second = { cards: ['quick'], actions: [] }
  assert.deepEqual(await put(0, first), { revision: 1, value: first })
  assert.equal((await put(0, second)).code, 'PREFERENCE_STALE')
  assert.deepEqual((await browser.send('GET', path)).body, { revision: 1, value: first })
  assert.deepEqual(await put(1, second), { revision: 2, value: second })
  assert.equal((await put(3, first)).code, 'PREFERENCE_STALE', 'of a revision that there never was')
  for (const value of [
    { ...first, more: 1 },
    { cards: ['casino'], actions: [] },
    { cards: ['quick', 'quick'], actions: [] },
    { cards: [] },
  ])
    assert.match(String((await put(2, value)).code), /^FIELD_/)
  assert.deepEqual((await browser.send('GET', path)).body, { revision: 2, value: second })
  assert.equal((await browser.send('GET', '/preferences/casino')).body.code, 'NOT_FOUND')
  const both = await Promise.all([put(2, first), put(2, second)])
  assert.equal(both.filter((answer) => answer.code === 'PREFERENCE_STALE').length, 1, 'of two at once, one is refused')
})

test('USER-CHART-001: the layout of a chart is kept by market, in its strict shape, and changed from a known revision only', async () => {
  const browser = api.browser()
  await browser.register(api.world.address())
  const path = '/charts/BTCUSDT'
  const put = async (revision: number, value: unknown, to = path) => (await browser.send('PUT', to, { revision, value })).body
  const drawings = [{ name: 'segment', points: [{ timestamp: 1, value: 104_000.5 }] }]
  const value = { version: 1, indicators: ['EMA'], parameters: { EMA: [7] }, lines: ['orders'], axis: 'normal', drawings }
  assert.deepEqual((await browser.send('GET', path)).body, { revision: 0 })
  assert.deepEqual(await put(0, value), { revision: 1, value })
  assert.equal((await put(0, value)).code, 'PREFERENCE_STALE')
  assert.equal((await put(7, value)).code, 'PREFERENCE_STALE')
  assert.deepEqual(await put(1, { ...value, axis: 'logarithm' }), { revision: 2, value: { ...value, axis: 'logarithm' } })
  const compared = { ...value, compared: ['ETHUSDT', 'SOLUSDT', 'ETHBTC'] }
  assert.deepEqual(await put(0, compared, '/charts/ETHUSDT'), { revision: 1, value: compared })
  assert.equal((await browser.send('GET', '/charts/NOSUCH')).body.code, 'MARKET_UNKNOWN')
  assert.equal((await put(0, value, '/charts/NOSUCH')).code, 'MARKET_UNKNOWN')
  const long = { ...value, drawings: Array.from({ length: 401 }, () => drawings[0]) }
  for (const wrong of [
    { ...value, version: 2 },
    { ...value, more: 1 },
    { ...value, lines: ['secrets'] },
    { ...value, compared: Array(4).fill('ETHUSDT') },
    long,
  ])
    assert.match(String((await put(2, wrong)).code), /^FIELD_/)
  const wide = { name: 'segment', points: Array.from({ length: 8 }, () => ({ timestamp: 1_700_000_000_000, value: 0.123456789012345 })) }
  assert.equal((await put(2, { ...value, drawings: Array.from({ length: 300 }, () => wide) })).code, 'BODY_TOO_LARGE')
  assert.deepEqual((await browser.send('GET', path)).body, { revision: 2, value: { ...value, axis: 'logarithm' } })
})

test('USER-PREFERENCE-001: a layout holds known desks, kinds of orders and sizes, each once', async () => {
  const browser = api.browser()
  await browser.register(api.world.address())
  const put = async (revision: number, value: unknown) => (await browser.send('PUT', '/preferences/layout', { revision, value })).body
  const value = { book: 'left', charts: ['spot', 'perp'], unasked: ['limit', 'option'], desk: 'margin', textSize: 'extra' }
  assert.deepEqual(await put(0, value), { revision: 1, value })
  assert.deepEqual(await put(1, { ...value, desk: null }), { revision: 2, value: { ...value, desk: null } })
  for (const wrong of [
    { book: 'top' },
    { charts: ['option'] },
    { charts: ['spot', 'spot'] },
    { unasked: ['withdrawal'] },
    { desk: '/spot' },
    { textSize: 125 },
    { theme: 'dark' },
  ])
    assert.match(String((await put(2, { ...value, ...wrong })).code), /^FIELD_/, JSON.stringify(wrong))
  assert.deepEqual((await browser.send('GET', '/preferences/layout')).body, { revision: 2, value: { ...value, desk: null } })
})

test('USER-INPUT-001: any input to these routes gets a definite refusal, and logs nobody in', async () => {
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
      {
        channel: 'email',
        to: 'bad-input@example.com',
        code: '123456',
        password: good,
        passwordAgain: good,
        agreement: true,
        country: 'DE',
        isOfAge: true,
        lang: 'en',
      },
    ],
    ['/auth/login', { channel: 'email', to: 'bad-input@example.com', password: good, lang: 'en' }],
    ['/auth/reset/code', { channel: 'email', to: 'bad-input@example.com', code: '123456' }],
    ['/auth/reset', { token: 'A'.repeat(22), password: good, passwordAgain: good }],
    ['/auth/password', { current: good, password: good, passwordAgain: good }],
  ]
  const browser = api.browser()
  const accounts = async () => (await api.world.store.pool.query('select count(*) as n from accounts')).rows[0].n as number
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

test('USER-INBOX-001: in the app itself the inbox is served beside the API, with its own policy', async () => {
  const to = api.world.address()
  await api.browser().register(to)
  const page = await api.app.inject(`/inbox?to=${encodeURIComponent(to)}`)
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'; style-src 'sha256-/)
  assert.match(page.body, /<p class="code">\d{6}<\/p>/)
  const { messages } = (await api.app.inject(`/inbox.json?to=${encodeURIComponent(to)}`)).json() as { messages: { subject: string }[] }
  assert.match(messages[0]?.subject ?? '', /^\d{6} is your Candor code$/)
})
