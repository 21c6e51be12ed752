import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { createStaff, proposeStaffEnrolment, proposeStaffRole } from '../../main/commands/staff.ts'
import { readSettings } from '../../main/settings.ts'
import { logIn, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { picture } from '../../papers/test/pictures.ts'
import { roleUrls } from '../../store/roles.ts'
import { secret } from './console-world.ts'

let exchange: TestExchange
let customer: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'console', hasFeeds: false })
  customer = await exchange.user()
  const { json } = await run(createStaff, 'ann@staff.example', { name: 'ann', role: 'administrator' })
  const [, token] = linkForm.exec(json['link'] as string)!
  ann = await enrol('ann@staff.example', token!)
  ben = await invited('ben', 'administrator', [ann])
})
after(() => exchange[Symbol.asyncDispose]())

type Member = { readonly email: string; readonly cookie: string }
type Options = Readonly<Record<string, string>>

const run = (command: typeof createStaff, email: string, options: Options) =>
  command.run({ settings: readSettings({ CANDOR_DATA: exchange.dataFolder }, exchange.dataFolder), operands: [email], options })

async function send(method: string, path: string, cookie?: string, body?: unknown): Promise<Response> {
  return fetch(`${exchange.url}${path}`, {
    method,
    headers: {
      ...{ origin: exchange.url, ...(cookie === undefined ? {} : { cookie }) },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
const codeOf = async (response: Response): Promise<string> =>
  `${response.status} ${((await response.json().catch(() => ({}))) as { code?: string }).code ?? ''}`.trim()

let ann: Member
let ben: Member
const linkForm = /\/console\/enrol#token=([\w-]{22})\b/

/** The token in the newest mail to an address, once it has arrived in the inbox of the sandbox. */
async function tokenTo(email: string): Promise<string> {
  for (;;) {
    const { messages } = (await (await fetch(`${exchange.url}/inbox.json?to=${email}`)).json()) as { messages: { text: string }[] }
    const [, token] = linkForm.exec(messages[0]?.text ?? '') ?? []
    if (token !== undefined) return token
    await sleep(50)
  }
}

/** Proposed by the command line, approved by these administrators. */
async function invited(name: string, role: string, approvers: readonly Member[]): Promise<Member> {
  const email = `${name}@staff.example`
  const { json, lines } = await run(createStaff, email, { name, role })
  assert.doesNotMatch(lines.join() + JSON.stringify(json), /token|http/)
  for (const { cookie } of approvers)
    assert.equal((await send('POST', `/console/v1/staff/proposals/${json['proposal']}/approve`, cookie)).status, 200)
  return enrol(email, await tokenTo(email))
}

/** Over the network, on the page's real address. */
async function enrol(email: string, token: string): Promise<Member> {
  const page = exchange.url.replace('127.0.0.1', 'localhost')
  const headers = { origin: page, 'content-type': 'application/json' }
  const post = (path: string, body: object) => fetch(`${page}/console/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const begun = (await (await post('/auth/enrol/options', { token })).json()) as { options: Record<string, unknown> }
  const response = new SoftPasskey(page).create(begun)
  const done = await post('/auth/enrol', { token, password: secret, label: 'key', response })
  assert.equal(done.status, 200, await done.clone().text())
  return { email, cookie: done.headers.getSetCookie()[0]!.split(';', 1)[0]! }
}

test('CONSOLE-GATE-007: customers and staff are strangers to each other', async () => {
  const anna = await invited('anna', 'compliance', [ann, ben])
  assert.equal((await send('GET', '/console/v1/auth/me', anna.cookie)).status, 200)
  const [, token = ''] = anna.cookie.split('=')
  for (const cookie of [customer.cookie, customer.cookie.replace(/(^|; )candor=/g, '$1candor-staff=')])
    assert.equal(await codeOf(await send('GET', '/console/v1/auth/me', cookie)), '401 UNAUTHENTICATED')
  for (const cookie of [anna.cookie, `candor=${token}`])
    for (const path of ['/app/v1/me', '/app/v1/balances', '/app/v1/papers'])
      assert.equal(await codeOf(await send('GET', path, cookie)), '401 UNAUTHENTICATED')
  // The same address and password open nothing on the other side.
  await assert.rejects(logIn(exchange.url, anna.email, secret), /401/)
  const form = { email: customer.email, password: customer.password, code: '000000' }
  assert.equal(await codeOf(await send('POST', '/console/v1/auth/login', undefined, form)), '401 CREDENTIALS_WRONG')

  const photo = await picture(900, 700)
  const draft = { kind: 'passport', country: 'DE', name: 'Erika Mustermann', born: '1984-02-29', number: 'C01X00T47' }
  await customer.call('PATCH', '/papers', draft)
  const put = { method: 'PUT', headers: { cookie: customer.cookie, 'content-type': 'image/jpeg' }, body: photo }
  assert.equal((await fetch(`${exchange.url}/app/v1/papers/photos/front`, put)).status, 200)
  assert.equal((await customer.call('POST', '/papers/send')).status, 200)
  const { waiting } = (await (await send('GET', '/console/v1/papers', anna.cookie)).json()) as { waiting: { id: string; uid: string }[] }
  assert.deepEqual([waiting.length, waiting[0]!.uid], [1, customer.uid])
  const path = `/console/v1/papers/${waiting[0]!.id}`
  assert.equal((await send('POST', `${path}/claim`, anna.cookie)).status, 204)
  const seen = await send('GET', `${path}/photos/front`, anna.cookie)
  assert.deepEqual([seen.status, seen.headers.get('content-type')], [200, 'image/jpeg'])
  assert.equal((await send('POST', `${path}/certify`, anna.cookie)).status, 204)
  assert.equal((await customer.call('GET', '/me')).body.certification, 'certified')
})

test('CONSOLE-REVOKE-001: a revocation by two reviewers reaches the core and the customer', async () => {
  const [rita, rolf] = [await invited('rita', 'compliance', [ann, ben]), await invited('rolf', 'compliance', [ann, ben])]
  const { rows } = await exchange.store.pool.query("select id from papers where state = 'certified'")
  const isCertified = async (): Promise<boolean> =>
    (await exchange.store.pool.query('select is_certified from core_users where user_id = $1', [customer.id])).rows[0].is_certified
  while (!(await isCertified())) await sleep(50)
  const proposed = await send('POST', `/console/v1/papers/${rows[0].id}/revocation`, rita.cookie, { reason: 'a forged document' })
  const { id } = (await proposed.json()) as { id: number }
  assert.equal(await codeOf(await send('POST', `/console/v1/revocations/${id}/approve`, rita.cookie)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await send('POST', `/console/v1/revocations/${id}/approve`, rolf.cookie)).status, 204)
  assert.equal((await customer.call('GET', '/me')).body.certification, 'none')
  while (await isCertified()) await sleep(50)
  assert.equal((await customer.call('GET', '/papers')).body.state, 'none')
})

test('STAFF-FOUR-002: the command line only proposes while two administrators are active', async () => {
  const invitation = await run(createStaff, 'eve@staff.example', { name: 'Eve', role: 'administrator' })
  const enrolment = await run(proposeStaffEnrolment, 'ben@staff.example', { reason: 'by the shell' })
  const decide = (id: unknown, what: string, body?: object) => send('POST', `/console/v1/staff/proposals/${id}/${what}`, ann.cookie, body)
  assert.deepEqual(await (await decide(invitation.json['proposal'], 'approve')).json(), { state: 'waits' })
  assert.equal((await decide(enrolment.json['proposal'], 'decline', { reason: 'nobody asked' })).status, 204)
  const { rows } = await exchange.store.pool.query("select email from staff where email = 'eve@staff.example'")
  assert.deepEqual(rows, [])
  const { json } = await run(proposeStaffRole, 'anna@staff.example', { role: 'administrator', reason: 'by the shell' })
  const role = async () => (await exchange.store.pool.query("select role from staff where email = 'anna@staff.example'")).rows[0].role
  const approve = async ({ cookie }: Member) =>
    (await send('POST', `/console/v1/staff/proposals/${json['proposal']}/approve`, cookie)).json()
  assert.deepEqual([await approve(ann), await role()], [{ state: 'waits' }, 'compliance'])
  assert.equal(((await approve(ann)) as { code: string }).code, 'SECOND_PERSON_NEEDED')
  assert.equal(await role(), 'compliance')
  assert.deepEqual([await approve(ben), await role()], [{ state: 'approved' }, 'administrator'])
})

test('STAFF-LOG-002: the gateway’s user of the database appends to the log and can’t change or delete entries', async () => {
  const client = new pg.Client(roleUrls(exchange.store.url).gateway)
  await client.connect()
  try {
    await client.query("insert into staff_log (at, ip, device, action) values (1, '', '', 'test')")
    const between = "insert into staff_log (id, at, ip, device, action) overriding system value values (-1, 1, '', '', 'test')"
    for (const text of [
      between,
      "update staff_log set action = 'x'",
      'delete from staff_log',
      'truncate staff_log',
      'drop trigger staff_log_only_grows on staff_log',
    ])
      await assert.rejects(client.query(text), { code: '42501' }, text)
    await assert.rejects(client.query("update staff set role = 'auditor' where email = 'ann@staff.example'"), /needs an approved proposal/)
    await assert.rejects(client.query('alter table staff disable trigger all'), { code: '42501' })
  } finally {
    await client.end()
  }
})

// Last in this file: nobody is active afterwards.
test('STAFF-FOUR-005: the gateway’s user of the database can’t be the machine’s owner, nor decide late, nor rename anybody', async () => {
  const { pool } = exchange.store
  const client = new pg.Client(roleUrls(exchange.store.url).gateway)
  await client.connect()
  try {
    const { rows } = await pool.query(
      "select id, email from staff where email in ('ann@staff.example', 'ben@staff.example') order by email",
    )
    const [{ id: annId }, { id: benId }] = rows
    await assert.rejects(client.query("update staff set name = 'Ben' where id = $1", [annId]), /needs a proposal/)
    const insert = (by: string | null, expires: number) =>
      client.query(
        `insert into staff_proposals (kind, subject, email, name, role, reason, proposed_by, proposed_at, expires_at)
          values ('invitation', gen_random_uuid(), 'fay@staff.example', 'Fay', 'risk', 'why', $1, 1, $2) returning id`,
        [by, expires],
      )
    await assert.rejects(insert(null, 10), /needs a proposer/)
    const late = (await insert(annId, 10)).rows[0].id
    const decide = "update staff_proposals set state = 'approved', decided_by = $2, decided_at = 10 where id = $1"
    await assert.rejects(client.query(decide, [late, benId]), /has expired/)
    await pool.query("alter table staff disable trigger all; update staff set state = 'deactivated'; alter table staff enable trigger all")
    const first = `insert into staff (id, email, name, role, state, created_at)
      values (gen_random_uuid(), 'eve@staff.example', 'Eve', 'administrator', 'invited', 1)`
    await assert.rejects(client.query(first), /needs an approved proposal/)
  } finally {
    await client.end()
  }
})
