import assert from 'node:assert/strict'
import { test } from 'node:test'
import { good } from '../../identity/test/world.ts'
import type { Role } from '../../staff/permissions.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const minute = 60_000

async function memberOf(role: Role): Promise<Member> {
  const member = await world().member(role)
  world().pass(30_000)
  await world().logIn(member)
  return member
}

async function customer(): Promise<{ readonly to: string; readonly account: string; readonly uid: string }> {
  const { to, account } = await world().papers.world.customer()
  const [row] = await world().rows('select uid from accounts where id = $1', account)
  return { to, account, uid: row!['uid'] as string }
}

const written = async (after: number) =>
  (await world().log(after)).map(({ staff, action, subject, why, after: detail }) => ({ staff, action, subject, why, detail }))

test('CONSOLE-CUSTOMER-001: a customer is found by exact UID, address or order number, and by no part of them', async () => {
  const sam = await memberOf('support')
  const { to, uid } = await customer()
  const search = async (q: string): Promise<readonly string[]> => {
    const { status, body } = await sam.browser.send('GET', `/customers/search?q=${encodeURIComponent(q)}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.found.map((one: { uid: string; by: string }) => `${one.by} ${one.uid}`)
  }
  await world().rows("update accounts set phone = '+4915112345678' where uid = $1", uid)
  assert.deepEqual(await search(uid), [`uid ${uid}`])
  assert.deepEqual(await search(` ${to.toUpperCase()} `), [`email ${uid}`])
  assert.deepEqual(await search('+49 151 12345678'), [`phone ${uid}`])
  for (const part of [uid.slice(0, 8), to.slice(1), to.split('@')[0]!, '+4915112345', '%', "' or true", '@'])
    assert.deepEqual(await search(part), [], part)
  const [{ core_user: user }] = (await world().rows('select core_user from accounts where uid = $1', uid)) as [{ core_user: number }]
  await world().rows(
    `insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, executed, executed_quote, post_only,
       placed_at_ms, updated_at_ms) values (4242, $1, '', 'BTCUSDT', 'buy', 'limit', 'GTC', 'open', 0, 0, false, 1, 1)`,
    user,
  )
  assert.deepEqual(await search('4242'), [`order ${uid}`])
})

test('CONSOLE-CUSTOMER-002: a search by an address is in the log, without the address', async () => {
  const sam = await memberOf('support')
  const { to, uid } = await customer()
  const before = await world().newest()
  for (const q of [to, 'nobody@example.com', uid]) await sam.browser.send('GET', `/customers/search?q=${encodeURIComponent(q)}`)
  const entries = await written(before)
  assert.deepEqual(entries, [
    { staff: sam.id, action: 'customer-searched', subject: uid, why: null, detail: { by: 'email' } },
    { staff: sam.id, action: 'customer-searched', subject: null, why: null, detail: { by: 'email' } },
  ])
})

test('CONSOLE-CUSTOMER-002: a search by an order’s number, which tells whose order it is, is in the log', async () => {
  const sam = await memberOf('support')
  const { uid } = await customer()
  const [{ core_user: user }] = (await world().rows('select core_user from accounts where uid = $1', uid)) as [{ core_user: number }]
  await world().rows(
    `insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, executed, executed_quote, post_only,
       placed_at_ms, updated_at_ms) select id, $1, '', 'BTCUSDT', 'buy', 'limit', 'GTC', 'open', 0, 0, false, 1, 1
     from unnest(array[4343, $2::bigint]) id`,
    ...[user, uid],
  )
  const before = await world().newest()
  for (const q of ['4343', '4344', uid]) await sam.browser.send('GET', `/customers/search?q=${q}`)
  const found = { staff: sam.id, action: 'customer-searched', subject: uid, why: null, detail: { by: 'order' } }
  assert.deepEqual(await written(before), [found, { ...found, subject: null }, found])
})

test('CONSOLE-CUSTOMER-003: the list is newest first, page by page, and is filtered by state, certification, country and class', async () => {
  const rita = await memberOf('risk')
  const made: string[] = []
  for (let at = 0; at < 3; at++) made.unshift((await customer()).uid)
  const { uid: maker } = await world().papers.world.identity.createUser({ email: 'quotes@candor.invalid', password: good, class: 'maker' })
  const list = async (query = ''): Promise<{ readonly uids: readonly string[]; readonly next: string }> => {
    const { status, body } = await rita.browser.send('GET', `/customers${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return { uids: body.customers.map((row: { uid: string }) => row.uid), next: body.next }
  }
  const { uids } = await list()
  assert.deepEqual(uids.filter((uid) => made.includes(uid)).length, 3)
  const sorted = await world().rows('select uid from accounts order by created_at desc, uid desc limit 100')
  assert.deepEqual(
    uids,
    sorted.map(({ uid }) => uid),
  )
  const [{ created_at: at }] = (await world().rows('select created_at from accounts where uid = $1', uids[0])) as [{ created_at: number }]
  assert.deepEqual((await list(`?before=${at}:${uids[0]}`)).uids, uids.slice(1))
  assert.deepEqual((await list('?class=maker')).uids, [maker])
  await rita.browser.send('POST', '/freezes', { uid: made[1], reason: 'a call from the owner' })
  assert.deepEqual((await list('?state=frozen')).uids, [made[1]])
  assert.deepEqual((await list('?state=frozen&class=maker')).uids, [])
  assert.deepEqual((await list('?certification=in-progress')).uids, [])
  await world().rows("update accounts set residence = 'MT', declared_at = 0 where uid = $1", made[2])
  assert.deepEqual((await list('?region=MT')).uids, [made[2]])
  assert.match(codeIn(await rita.browser.send('GET', '/customers?region=Malta')), /^400/)
  for (const query of ['?before=1', '?before=1:2', '?state=other', '?before=-1:123456789', '?order=uid'])
    assert.match(codeIn(await rita.browser.send('GET', `/customers${query}`)), /^400/, query)
})

test('CONSOLE-WATCH-010: a file of more than 10,000 rows has the newest ones, and its last line and a header say so', async () => {
  const rita = await memberOf('risk')
  const registered = (count: number): Promise<unknown> =>
    world().rows(
      `insert into accounts (id, uid, email, password, password_changed_at, lang, invitation_code, class, created_at, referrer_user)
       select gen_random_uuid(), (900000000 + n)::text, 'f' || n || '@example.com', '', 0, 'en', 900000000 + n, 'bench', n, 0
       from generate_series((select count(*) + 1 from accounts where class = 'bench'), $1) n`,
      count,
    )
  const file = () => rita.browser.send('GET', '/customers.csv?class=bench')
  await registered(10_000)
  const whole = await file()
  assert.deepEqual([whole.headers['candor-rows-cut'], whole.raw.toString().split('\r\n').length], [undefined, 10_002])
  await registered(10_001)
  const cut = await file()
  const lines = cut.raw.toString().split('\r\n')
  assert.equal(cut.headers['candor-rows-cut'], '10000')
  assert.equal(lines.length, 10_003)
  assert.match(lines[1]!, /^900010001,/)
  assert.match(lines.at(-2)!, /Cut: only the newest 10000 rows are here/)
  await world().rows("delete from accounts where class = 'bench'")
})

test('CONSOLE-CUSTOMER-004: the list is saved as a file with masked addresses, and the log says so', async () => {
  const rita = await memberOf('risk')
  const { to, uid } = await customer()
  const before = await world().newest()
  const { raw, headers } = await rita.browser.send('GET', '/customers.csv?class=retail')
  const line = raw
    .toString()
    .split('\r\n')
    .find((row) => row.startsWith(uid))!
  assert.match(String(headers['content-disposition']), /customers\.csv/)
  assert.ok(!line.includes(to))
  assert.match(line, /•/)
  assert.deepEqual(
    (await written(before)).map(({ action, detail }) => [action, detail]),
    [['customers-exported', { class: 'retail' }]],
  )
})

test('CONSOLE-CUSTOMER-005: each look at a customer is in the log, once per member, customer and 15 minutes, however many parts it reads', async () => {
  const sam = await memberOf('support')
  const rita = await memberOf('risk')
  const { uid } = await customer()
  const before = await world().newest()
  const look = ({ browser }: Member) =>
    Promise.all(['', '/money', '/timeline'].map((part) => browser.send('GET', `/customers/${uid}${part}`)))
  const seen = async (): Promise<number> => (await written(before)).filter(({ action }) => action === 'customer-seen').length
  for (const { status } of await look(sam)) assert.equal(status, 200)
  assert.equal(await seen(), 1)
  await look(sam)
  assert.equal(await seen(), 1)
  await look(rita)
  assert.equal(await seen(), 2)
  world().pass(16 * minute)
  await look(sam)
  assert.equal(await seen(), 3)
  assert.equal(codeIn(await sam.browser.send('GET', '/customers/999999999')), '404 USER_UNKNOWN')
  assert.match(codeIn(await sam.browser.send('GET', '/customers/1')), /^400/)
})

test('CONSOLE-CUSTOMER-010: a customer’s page has the limits and the pause that the customer set, and no route of the console changes them', async () => {
  const sam = await memberOf('support')
  const { uid } = await customer()
  const own = async () => (await sam.browser.send('GET', `/customers/${uid}`)).body.own
  assert.deepEqual(await own(), { limits: [], minutesToday: 0, rest: null })
  const [{ id }] = (await world().rows('select id from accounts where uid = $1', uid)) as [{ id: string }]
  const now = world().clock()
  await world().rows("insert into own_limits (account, kind, value) values ($1, 'deposit-day', 500), ($1, 'session-day', 90)", id)
  await world().rows(
    "insert into own_limits (account, kind, value, has_next, next_value, next_at) values ($1, 'loss-week', 40.5, true, null, $2)",
    id,
    now + 60_000,
  )
  const day = now - (now % 86_400_000)
  await world().rows('insert into deposit_days (account, day_ms, amount) values ($1, $2, 120.25)', id, day)
  await world().rows('insert into own_time (account, day_ms, seconds) values ($1, $2, 1830)', id, day)
  await world().rows("insert into own_rests (account, cause, at, until) values ($1, 'cool-off', $2, $3)", id, now, now + 86_400_000)
  assert.deepEqual(await own(), {
    limits: [
      { kind: 'loss-week', value: '40.5', used: null, next: { value: null, at: now + 60_000 } },
      { kind: 'session-day', value: '90', used: '30', next: null },
      { kind: 'deposit-day', value: '500', used: '120.25', next: null },
    ],
    ...{ minutesToday: 30, rest: { until: now + 86_400_000, cause: 'cool-off' } },
  })
  assert.deepEqual(
    world().routes.filter(({ method, path }) => method !== 'GET' && /limit|rest\b/.test(path)),
    [],
  )
})

test('CONSOLE-CUSTOMER-006: addresses are masked; each reveal needs a reason and is in the log', async () => {
  const sam = await memberOf('support')
  const { to, uid } = await customer()
  const { body, raw } = await sam.browser.send('GET', `/customers/${uid}`)
  assert.ok(!raw.toString().includes(to))
  assert.match(body.email, /•••/)
  const before = await world().newest()
  assert.equal(codeIn(await sam.browser.send('POST', `/customers/${uid}/contact`, {})), '400 FIELD_MISSING')
  for (const reason of ['a call back', 'a second call']) {
    const answer = await sam.browser.send('POST', `/customers/${uid}/contact`, { reason })
    assert.deepEqual([answer.status, answer.body], [200, { email: to, phone: null }])
  }
  const entries = await written(before)
  assert.deepEqual(
    entries.map(({ action, subject, why, detail }) => [action, subject, why, detail]),
    ['a call back', 'a second call'].map((reason) => ['contact-revealed', uid, reason, null]),
  )
  assert.equal(codeIn(await sam.browser.send('POST', '/customers/999999999/contact', { reason: 'x' })), '404 USER_UNKNOWN')
})

test('CONSOLE-CUSTOMER-009: one member reveals addresses at most 100 times in 24 hours, also in parallel', async () => {
  const sam = await world().hire('support')
  const { to, uid } = await customer()
  await world().rows(
    `insert into staff_log (at, staff, ip, device, action, subject, why)
     select $2, $1, '', '', 'contact-revealed', '100000000', 'a call' from generate_series(1, 98)`,
    ...[sam.id, world().clock()],
  )
  const reveal = async ({ browser }: Member) => codeIn(await browser.send('POST', `/customers/${uid}/contact`, { reason: 'a call back' }))
  const answers = await Promise.all([sam, sam, sam, sam].map(reveal))
  assert.deepEqual(answers.toSorted(), ['200', '200', '429 RATE_LIMITED', '429 RATE_LIMITED'])
  const tina = await world().hire('support')
  assert.deepEqual((await tina.browser.send('POST', `/customers/${uid}/contact`, { reason: 'hers' })).body, { email: to, phone: null })
  world().pass(24 * 60 * minute)
  await world().logIn(sam)
  assert.equal(await reveal(sam), '200')
})

test('CONSOLE-CUSTOMER-007: notes are added and never changed, not by the database’s users either', async () => {
  const clara = await memberOf('compliance')
  const { uid } = await customer()
  for (const text of ['Called about a transfer', 'Answered'])
    assert.equal(codeIn(await clara.browser.send('POST', `/customers/${uid}/notes`, { text })), '204')
  for (const text of ['', ' ', 'a\nb', 'x'.repeat(2_001)])
    assert.match(codeIn(await clara.browser.send('POST', `/customers/${uid}/notes`, { text })), /^400/)
  const { body } = await clara.browser.send('GET', `/customers/${uid}`)
  assert.deepEqual(
    body.notes.map(({ text, author }: { text: string; author: string }) => [text, author]),
    [
      ['Answered', clara.email],
      ['Called about a transfer', clara.email],
    ],
  )
  for (const change of ["update customer_notes set text = 'other'", 'delete from customer_notes', 'truncate customer_notes'])
    await assert.rejects(world().rows(change), /only grow/)
})

test('CONSOLE-CUSTOMER-008: the timeline has what the customer did and what the staff decided, newest first, page by page, and no looks', async () => {
  const clara = await memberOf('compliance')
  const { uid, account } = await customer()
  await clara.browser.send('GET', `/customers/${uid}`)
  world().pass(1_000)
  await clara.browser.send('POST', '/freezes', { uid, reason: 'a call from the owner' })
  const [shown] = (await clara.browser.send('GET', '/freezes')).body.freezes
  world().pass(1_000)
  await clara.browser.send('POST', `/freezes/${shown.id}/lift`, { reason: 'the owner came by' })
  const { body } = await clara.browser.send('GET', `/customers/${uid}/timeline`)
  const [lift, ...rest] = body.moments as { action: string; of: string; by: string; why: string; about: string }[]
  assert.deepEqual(
    [lift!.action, lift!.of, lift!.by, lift!.why, lift!.about],
    ['lift-proposed', 'staff', clara.email, 'the owner came by', String(shown.id)],
  )
  assert.deepEqual(
    rest
      .slice(0, 2)
      .map(({ action, of }) => [action, of])
      .toSorted(),
    [
      ['account-frozen', 'own'],
      ['customer-frozen', 'staff'],
    ],
  )
  assert.ok(!body.moments.some(({ action }: { action: string }) => action === 'customer-seen'))
  await world().rows(
    `insert into audit_log (account, action, at, ip, device) select $1, 'login', $2::bigint + n / 3, '-', '-' from generate_series(1, 100) n`,
    account,
    world().clock(),
  )
  const ids: string[] = []
  let next: string | undefined
  do {
    const page = await clara.browser.send('GET', `/customers/${uid}/timeline${next === undefined ? '' : `?before=${next}`}`)
    ids.push(...page.body.moments.map(({ id }: { id: string }) => id))
    next = page.body.next
  } while (next !== undefined)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(ids.length, body.moments.length + 100)
})
