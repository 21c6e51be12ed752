import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import Fastify from 'fastify'
import { Limits } from '../../http/limits.ts'
import { actions, changing, may, roles } from '../../staff/permissions.ts'
import { StaffCookie } from '../cookie.ts'
import { addConsoleGate } from '../gate.ts'
import { codeIn, consoleWorld, type Registered, type StaffBrowser } from './console-world.ts'

const world = consoleWorld()

/** Roles by letter: administrator, compliance, treasury, risk, support, auditor (u). `-`: before a login. */
const letters = { administrator: 'a', compliance: 'c', treasury: 't', risk: 'r', support: 's', auditor: 'u' } as const
const all = 'actrsu'

/** Written by hand, apart from the table of permissions: a slip in one of them shows. */
const cells: Readonly<Record<string, string>> = {
  'POST /auth/enrol/options': '-',
  'POST /auth/enrol': '-',
  'POST /auth/passkey/options': '-',
  'POST /auth/passkey': '-',
  'POST /auth/login': '-',
  'GET /auth/me': all,
  'GET /auth/factors': all,
  'GET /auth/sessions': all,
  'POST /auth/logout': all,
  'DELETE /auth/sessions/:id': all,
  'DELETE /auth/sessions': all,
  'POST /auth/authenticator': all,
  'POST /auth/authenticator/confirm': all,
  'POST /auth/password': all,
  'POST /auth/passkeys/options': all,
  'POST /auth/passkeys': all,
  'DELETE /auth/passkeys/:id': all,
  'GET /staff': 'au',
  'GET /staff/proposals': 'au',
  'POST /staff/proposals': 'a',
  'POST /staff/proposals/:id/approve': 'a',
  'POST /staff/proposals/:id/decline': 'a',
  'GET /papers': 'cu',
  'GET /papers/:id': 'cu',
  'GET /papers/:id/photos/:side': 'c',
  'POST /papers/:id/claim': 'c',
  'POST /papers/:id/release': 'c',
  'POST /papers/:id/certify': 'c',
  'POST /papers/:id/reject': 'c',
  'GET /revocations': 'cu',
  'POST /papers/:id/revocation': 'c',
  'POST /revocations/:id/approve': 'c',
  'POST /revocations/:id/decline': 'c',
  'GET /support/tickets': 'acsu',
  'GET /support/counts': 'acsu',
  'GET /support/tickets/:code': 'acsu',
  'GET /support/images/:id': 'acs',
  'POST /support/tickets/:code/answers': 'as',
  'POST /support/tickets/:code/notes': 'acs',
  'POST /support/tickets/:code/assignment': 'acs',
  'POST /support/tickets/:code/role': 'acs',
  'POST /support/tickets/:code/close': 'as',
  'POST /support/presence': 'as',
  'DELETE /support/presence': 'as',
  'GET /support/answers': 'acsu',
  'POST /support/answers': 'as',
  'POST /support/answers/:id': 'as',
  'DELETE /support/answers/:id': 'as',
  'GET /firms': 'acru',
  'GET /firms/:id': 'acru',
  'POST /firms/:id/accept': 'c',
  'POST /firms/:id/refuse': 'c',
  'POST /terms/firms': 'ac',
  'POST /terms/firms/:id/approve': 'ac',
  'POST /terms/firms/:id/decline': 'ac',
  'GET /freezes': 'crsu',
  'POST /freezes': 'crs',
  'POST /freezes/:id/lift': 'c',
  'POST /freezes/lifts/:id/approve': 'c',
  'POST /freezes/lifts/:id/decline': 'c',
  'GET /terms/markets': all,
  'GET /terms/fees': all,
  'GET /terms/countries': 'actru',
  'GET /terms/house': 'actru',
  'POST /terms/markets': 'ar',
  'POST /terms/markets/:id/approve': 'ar',
  'POST /terms/markets/:id/decline': 'ar',
  'POST /terms/markets/close': 'ar',
  'POST /terms/fees/close': 'ar',
  'POST /terms/fees': 'ar',
  'POST /terms/fees/:id/approve': 'ar',
  'POST /terms/fees/:id/decline': 'ar',
  'POST /terms/countries': 'ac',
  'POST /terms/countries/:id/approve': 'ac',
  'POST /terms/countries/:id/decline': 'ac',
  'POST /terms/countries/close': 'ac',
  'POST /terms/house': 'ar',
  'POST /terms/house/:id/approve': 'ar',
  'POST /terms/house/:id/decline': 'ar',
  'POST /terms/house/close': 'ar',
  'GET /terms/postings': 'actru',
  'POST /terms/postings': 'at',
  'POST /terms/postings/:id/approve': 'at',
  'POST /terms/postings/:id/decline': 'at',
  'GET /terms/networks': all,
  'POST /terms/networks': 'ar',
  'POST /terms/networks/:id/approve': 'ar',
  'POST /terms/networks/:id/decline': 'ar',
  'POST /terms/networks/close': 'ar',
  'POST /terms/presales': 'ar',
  'POST /terms/presales/:id/approve': 'ar',
  'POST /terms/presales/:id/decline': 'ar',
  'GET /presales': all,
  'GET /presales/details/:hash': all,
  'GET /presales/papers/:hash': all,
  'POST /presales/details': 'ar',
  'POST /presales/papers': 'ar',
  'GET /operations': 'actru',
  'GET /operations/:id': 'actru',
  'GET /operations.csv': 'actru',
  'GET /recoveries': 'cu',
  'GET /recoveries/:id': 'cu',
  'GET /recoveries/:id/photos/:which/:side': 'c',
  'POST /recoveries/:id/propose': 'c',
  'POST /recoveries/:id/approve': 'c',
  'POST /recoveries/:id/reject': 'c',
  'GET /announcements': all,
  'POST /announcements': 'as',
  'POST /announcements/:id/withdraw': 'as',
  'GET /customers': 'ctrsu',
  'GET /customers.csv': 'ctrsu',
  'GET /customers/search': 'ctrsu',
  'GET /customers/:uid': 'ctrsu',
  'GET /customers/:uid/money': 'ctrsu',
  'GET /customers/:uid/timeline': 'ctrsu',
  'POST /customers/:uid/contact': 'cs',
  'POST /customers/:uid/notes': 'crs',
  'GET /auth/account': all,
  'POST /auth/account': all,
  'GET /log': 'au',
  'GET /log.csv': 'au',
  'GET /overview': all,
  'GET /overview/state': 'aru',
  'GET /overview/exposure': 'atru',
  'GET /overview/figures': 'atru',
  'GET /overview/files/:table': 'atru',
  'GET /risk': 'atru',
  'GET /risk/files/:table': 'atru',
  'GET /surveillance': 'cru',
  'GET /surveillance/findings': 'cru',
  'GET /surveillance/findings/:id': 'cru',
  'POST /surveillance/findings/:id/settle': 'cr',
  'GET /surveillance/files/:table': 'cru',
  'GET /withdrawals': 'ctrsu',
  'GET /withdrawals/:id': 'ctrsu',
  'POST /withdrawals/:id/claim': 'ctr',
  'POST /withdrawals/:id/release': 'ctr',
  'POST /withdrawals/:id/approve': 'ctr',
  'POST /withdrawals/:id/reject': 'ctr',
  'POST /withdrawals/:id/sign/options': 'ctr',
  'POST /withdrawals/:id/sign': 'ctr',
  'POST /withdrawals/:id/end': 'ctr',
  'POST /withdrawals/endings/:id/approve': 'ctr',
  'POST /withdrawals/endings/:id/decline': 'ctr',
  'POST /treasury/findings/:id/explain': 'at',
  'POST /treasury/movements/:id/approve': 'at',
  'POST /treasury/movements/:id/decline': 'at',
  'GET /withdrawals/files/:table': 'ctrsu',
  'GET /deposits': 'ctsu',
  'POST /deposits/:id/propose': 'ct',
  'POST /deposits/decisions/:id/approve': 'ct',
  'POST /deposits/decisions/:id/decline': 'ct',
  'GET /deposits/files/:table': 'ctsu',
  'GET /treasury': 'atru',
  'GET /treasury/files/:table': 'atru',
  'GET /health': 'aru',
  'GET /health/files/:table': 'aru',
  'GET /journal': 'aru',
  'GET /journal/check': 'aru',
  'GET /journal/files/:table': 'aru',
  'GET /ledger': 'atu',
  'GET /ledger/account': 'atu',
  'GET /ledger/command': 'atu',
  'GET /ledger/files/:table': 'atu',
}

const nameOf = ({ method, path }: Registered): string => `${method} ${path}`

/** Routes whose objects have numbers; all others have random ids. */
const numbered = [
  '/support/answers',
  '/staff/proposals/',
  '/revocations/',
  '/freezes/',
  '/terms/',
  '/operations/',
  '/announcements/',
  '/withdrawals/',
  '/deposits/',
  '/treasury/',
]
/** Values of other parameters. */
const examples = { hash: '0'.repeat(64), side: 'front', which: 'now', table: 'none', uid: '123456789', code: '2222-2222-2222' }

function send(browser: StaffBrowser, { method, path }: Registered) {
  const id = numbered.some((start) => path.startsWith(start)) ? '999999' : randomUUID()
  const filled = Object.entries({ id, ...examples }).reduce((text, [name, value]) => text.replace(`:${name}`, value), path)
  return browser.send(method as 'GET', filled)
}

test('CONSOLE-GATE-001: every route is open to exactly the roles of its cell, and every route has one', async () => {
  const { routes } = world()
  assert.deepEqual(routes.map(nameOf).sort(), Object.keys(cells).sort())
  const visitor = world().browser()
  for (const route of routes) {
    const answer = codeIn(await send(visitor, route))
    if (cells[nameOf(route)] === '-') assert.doesNotMatch(answer, /^40[13]/, nameOf(route))
    else assert.equal(answer, '401 UNAUTHENTICATED', nameOf(route))
  }
  await world().administrators()
  for (const role of roles) {
    const member = await world().member(role)
    for (const route of routes.filter(({ action }) => action !== 'open')) {
      world().pass(60_000)
      await world().logIn(member)
      const answer = codeIn(await send(member.browser, route))
      const isAllowed = cells[nameOf(route)]!.includes(letters[role])
      if (isAllowed) assert.doesNotMatch(answer, /^401|FORBIDDEN|^5/, `${role} at ${nameOf(route)}`)
      else assert.equal(answer, '403 FORBIDDEN', `${role} at ${nameOf(route)}`)
    }
  }
})

test('CONSOLE-GATE-002: a route without an action of the table can’t be registered', async () => {
  const app = Fastify()
  using limits = Object.assign(new Limits(), { [Symbol.dispose]: () => limits.close() })
  const staff = { sessions: { find: async () => undefined }, refused: async () => undefined }
  addConsoleGate(app, { mode: 'sandbox', publicUrls: [], limits, cookie: new StaffCookie(false), staff })
  assert.throws(() => app.get('/anything', () => ''), /names no action/)
})

test('CONSOLE-GATE-003: an auditor reads and changes nothing but the own login', () => {
  for (const action of Object.keys(changing) as (keyof typeof changing)[]) assert.equal(may('auditor', action), false)
  for (const { method, path } of world().routes) {
    const isOwn = path.startsWith('/auth/')
    if (method !== 'GET' && !isOwn) assert.doesNotMatch(cells[`${method} ${path}`]!, /u/)
  }
})

test('CONSOLE-GATE-004: no route and no role is about pending orders of Second, prices or outcomes', () => {
  for (const word of ['option', 'second', 'direction', 'price', 'outcome', 'strike']) {
    const named = new RegExp(`\\b${word}s?\\b`, 'i')
    // What a device needs to sign is called its options.
    const paths = world().routes.map(({ path }) => path.replace(/\/options$/, ''))
    assert.deepEqual(
      [...paths, ...actions].filter((text) => named.test(text)),
      [],
    )
  }
})

test('CONSOLE-GATE-005: a write without the origin of our page is refused before anything else', async () => {
  const { browser } = (await world().administrators())[0]
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: 'http://localhost:81' }])
    assert.equal(codeIn(await browser.send('POST', '/auth/logout', undefined, headers)), '403 ORIGIN_REFUSED')
  const bare = await world().app.inject({
    method: 'POST',
    url: '/console/v1/auth/logout',
    headers: { host: 'localhost:80', cookie: browser.cookie! },
  })
  assert.deepEqual([bare.statusCode, bare.json().code], [403, 'ORIGIN_REFUSED'])
  assert.equal((await browser.send('GET', '/auth/me')).status, 200)
})

test('CONSOLE-GATE-006: a network gets forty requests to the doors, then one in two seconds; members have limits of their own', async () => {
  const stranger = world().browser({ 'x-forwarded-for': '203.0.113.50' })
  const answers: string[] = []
  for (let at = 0; at < 42; at++) answers.push(codeIn(await stranger.send('POST', '/auth/enrol/options', { token: 'a'.repeat(22) })))
  assert.deepEqual(answers.slice(38), ['400 TOKEN_EXPIRED', '400 TOKEN_EXPIRED', '429 RATE_LIMITED', '429 RATE_LIMITED'])
  world().pass(2_000)
  assert.equal(codeIn(await stranger.send('POST', '/auth/enrol/options', { token: 'a'.repeat(22) })), '400 TOKEN_EXPIRED')
  const [ann, ben] = await world().administrators()
  const writes = await Promise.all(Array.from({ length: 60 }, () => ann.browser.send('POST', '/staff/proposals', {})))
  assert.ok(writes.some(({ status }) => status === 429))
  assert.equal(codeIn(await ben.browser.send('POST', '/staff/proposals', {})), '400 FIELD_MISSING')
})

test('CONSOLE-INPUT-001: unknown fields, wrong types and stray queries are refused', async () => {
  world().pass(600_000)
  const { browser } = (await world().administrators())[0]
  const wish = { kind: 'role', staff: randomUUID(), role: 'risk', reason: 'a reason' }
  for (const body of [
    { ...wish, extra: 1 },
    { ...wish, role: 'god' },
    { ...wish, staff: 'x' },
    { ...wish, reason: ' ' },
    [],
    7,
    { kind: 'x' },
  ])
    assert.equal((await browser.send('POST', '/staff/proposals', body)).status, 400, JSON.stringify(body))
  assert.equal((await browser.send('POST', '/auth/logout', { all: true })).status, 400)
  assert.equal(codeIn(await browser.send('GET', '/staff?role=risk')), '400 FIELD_UNKNOWN')
  assert.equal(codeIn(await browser.send('GET', '/nothing')), '404 NOT_FOUND')
  const answer = await browser.send('GET', '/auth/me')
  assert.match(String(answer.headers['cache-control']), /no-store/)
})
