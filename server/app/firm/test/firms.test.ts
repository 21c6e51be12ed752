import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireStatement } from '@candor/core/protocol/wire/days/daily.ts'
import type { WireNotices } from '@candor/core/protocol/wire/notices.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { textsIn } from '../../daily/pdf/test/texts-in.ts'
import { acceptFirm, follow as followAt, patiently, prove as proveAt, type Requests, requestsTo, trust } from './office.ts'

let exchange: TestExchange
let send: Requests['send']
let done: Requests['done']
let refusal: Requests['refusal']
let owner: TestUser
let trader: TestUser
let viewer: TestUser
let stranger: TestUser
let firm: WireFirm
let other: WireFirm

before(async () => {
  exchange = await startExchange({ seed: 'firms', hasFeeds: false })
  ;({ send, done, refusal } = requestsTo(exchange))
  owner = await person()
  trader = await person()
  viewer = await person()
  stranger = await person()
  firm = await founded(owner, 'Acme Capital', 'HRB 1')
  other = await founded(stranger, 'Other Capital', 'HRB 2')
  firm = await done(owner, 'POST', `/firms/${firm.id}/accounts`, { label: 'Desk A' })
  firm = await done(owner, 'POST', `/firms/${firm.id}/accounts`, { label: 'Desk B' })
  await joined(trader, 'trader', [account('Desk A').id])
  await joined(viewer, 'viewer', null)
  await done(owner, 'POST', '/sandbox/faucet', { clientId: 'main', asset: 'USDT' }, account('Acme Capital').uid)
  await done(trader, 'POST', '/sandbox/faucet', { clientId: 'desk', asset: 'USDT' }, account('Desk A').uid)
})
after(() => exchange[Symbol.asyncDispose]())

const prove = (user: TestUser) => proveAt(exchange, user.uid)
const follow = (user: TestUser, uid: string) => followAt(exchange, user, uid)

async function person(): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true })
  await trust(exchange, user.uid)
  return user
}

async function founded(by: TestUser, name: string, registration: string): Promise<WireFirm> {
  const { id } = (await done(by, 'POST', '/firms', { name, registration, country: 'DE', label: 'Olivia Owner' })) as WireFirm
  await acceptFirm(exchange, id)
  return done(by, 'GET', `/firms/${id}`)
}

const account = (label: string) => firm.accounts.find((one) => one.label === label)!

async function joined(user: TestUser, role: string, accounts: readonly string[] | null): Promise<string> {
  firm = await done(owner, 'POST', `/firms/${firm.id}/members`, { uid: user.uid, label: role, role, accounts })
  await done(user, 'POST', `/firms/${firm.id}/accept`)
  firm = await done(owner, 'GET', `/firms/${firm.id}`)
  return memberOf(user)
}

const memberOf = (user: TestUser): string => firm.members.find(({ uid, state }) => uid === user.uid && state === 'active')!.id

const order = (clientId: string) => ({ clientId, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1000', quantity: '0.01' })

test('FIRM-APPLY-001: only a certified person with a second factor applies, for one firm at a time', async () => {
  const form = { name: 'Third Capital', registration: 'HRB 3', country: 'DE' }
  const plain = await exchange.user({ isCertified: true })
  assert.equal(await refusal(plain, 'POST', '/firms', form), 'FIRM_NEEDS_TRUST')
  const uncertified = await exchange.user()
  await trust(exchange, uncertified.uid)
  assert.equal(await refusal(uncertified, 'POST', '/firms', form), 'FIRM_NEEDS_TRUST')
  const applicant = await person()
  const answers = await Promise.all([send(applicant, 'POST', '/firms', form), send(applicant, 'POST', '/firms', form)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  const { firms } = await done(applicant, 'GET', '/firms')
  assert.deepEqual(
    firms.map(({ state, role, accounts }: any) => [state, role, accounts]),
    [['applied', 'owner', []]],
  )
  const { members } = (await done(applicant, 'GET', `/firms/${firms[0].id}`)) as WireFirm
  assert.deepEqual([members.length, members[0]!.label], [1, members[0]!.contact])
  assert.equal((await done(owner, 'GET', `/firms/${firm.id}`)).members[0].label, 'Olivia Owner')
  assert.equal(await refusal(applicant, 'POST', `/firms/${firms[0].id}/accounts`, { label: 'Too early' }), 'NOT_FOUND')
})

test('FIRM-ACCOUNT-001: an accepted firm has a main account and sub-accounts of its own, and nobody logs in to them', async () => {
  assert.deepEqual(
    firm.accounts.map(({ kind, label }) => [kind, label]),
    [
      ['main', 'Acme Capital'],
      ['sub', 'Desk A'],
      ['sub', 'Desk B'],
    ],
  )
  const { rows } = await exchange.store.pool.query('select distinct email, phone, password, certification from accounts where firm = $1', [
    firm.id,
  ])
  assert.deepEqual(rows, [{ email: null, phone: null, password: '', certification: 'certified' }])
})

test('FIRM-ACT-001: members use an account by their role, and nobody else does', async () => {
  const [desk, second, main] = [account('Desk A').uid, account('Desk B').uid, account('Acme Capital').uid]
  await done(trader, 'POST', '/spot/orders', order('desk-1'), desk)
  assert.equal((await done(viewer, 'GET', '/spot/orders/open', undefined, desk)).orders.length, 1)
  assert.equal((await done(trader, 'GET', '/spot/orders/open')).orders.length, 0)
  assert.equal(await refusal(viewer, 'POST', '/spot/orders', order('viewer'), desk), 'FIRM_RIGHT_MISSING')
  assert.equal(await refusal(trader, 'GET', '/deposits/address?asset=USDT&network=tron', undefined, desk), 'FIRM_RIGHT_MISSING')
  assert.equal(await refusal(trader, 'GET', '/keys', undefined, desk), 'FIRM_RIGHT_MISSING')
  for (const uid of [second, main, other.accounts[0]!.uid, owner.uid, trader.uid, '100000000', '', 'x', ' ', `${desk},${desk}`])
    for (const path of ['/balances', '/spot/orders/open'])
      assert.equal(await refusal(trader, 'GET', path, undefined, uid), 'FIRM_NOT_MEMBER', `${path} for ${uid}`)
  for (const uid of firm.accounts.map((one) => one.uid))
    assert.equal(await refusal(stranger, 'GET', '/balances', undefined, uid), 'FIRM_NOT_MEMBER')
  assert.equal(await refusal(trader, 'GET', '/balances', undefined, [desk, desk]), 'FIRM_NOT_MEMBER')
  assert.equal(await refusal(trader, 'GET', '/balances', undefined, [desk, main]), 'FIRM_NOT_MEMBER')
})

test('FIRM-ACT-002: no route for people’s own accounts is used for a firm', async () => {
  const uid = account('Acme Capital').uid
  for (const [method, path, body] of [
    ['GET', '/me'],
    ['PATCH', '/me', { lang: 'de' }],
    ['GET', '/auth/sessions'],
    ['GET', '/auth/factors'],
    ['PUT', '/auth/payment-password', {}],
    ['POST', '/auth/logout', {}],
    ['POST', '/withdrawals', {}],
    ['POST', '/withdrawal-addresses', {}],
    ['POST', '/option/orders', {}],
    ['GET', '/referral'],
    ['GET', '/firms'],
    ['GET', `/firms/${firm.id}`],
    ['POST', '/deletion', {}],
    ['GET', '/notices'],
    ['POST', '/webhooks', {}],
  ] as const)
    assert.equal(await refusal(owner, method, path, body, uid), 'FIRM_NOT_HERE', `${method} ${path}`)
})

test('FIRM-MEMBER-001: roles that approve are neither given nor taken directly, and the owner stays', async () => {
  const path = `/firms/${firm.id}/members`
  const invited = await person()
  for (const role of ['admin', 'treasurer'])
    assert.equal(await refusal(owner, 'POST', path, { uid: invited.uid, label: 'x', role, accounts: null }), 'FIRM_NEEDS_REQUEST')
  assert.equal(await refusal(owner, 'POST', path, { uid: invited.uid, label: 'x', role: 'owner', accounts: null }), 'FIELD_INVALID')
  assert.equal(await refusal(owner, 'PATCH', `${path}/${memberOf(trader)}`, { role: 'admin' }), 'FIRM_NEEDS_REQUEST')
  assert.equal(await refusal(owner, 'PATCH', `${path}/${memberOf(owner)}`, { role: 'trader' }), 'FIRM_OWNER_STAYS')
  assert.equal(await refusal(owner, 'PATCH', `${path}/${memberOf(owner)}`, { accounts: [] }), 'FIRM_OWNER_STAYS')
  assert.equal(await refusal(owner, 'DELETE', `${path}/${memberOf(owner)}`), 'FIRM_OWNER_STAYS')
  assert.equal(await refusal(trader, 'POST', path, { uid: invited.uid, label: 'x', role: 'viewer', accounts: null }), 'FIRM_RIGHT_MISSING')
  assert.equal(await refusal(trader, 'PATCH', `${path}/${memberOf(trader)}`, { accounts: null }), 'FIRM_RIGHT_MISSING')
  assert.equal(await refusal(stranger, 'PATCH', `${path}/${memberOf(trader)}`, { accounts: null }), 'NOT_FOUND')
  const theirs = { uid: invited.uid, label: 'x', role: 'viewer', accounts: [other.accounts[0]!.id] }
  assert.equal(await refusal(owner, 'POST', path, theirs), 'FIRM_ACCOUNT_UNKNOWN')
  for (const uid of ['999999999', account('Desk A').uid])
    assert.equal(await refusal(owner, 'POST', path, { uid, label: 'x', role: 'viewer', accounts: null }), 'USER_UNKNOWN')
})

test('FIRM-MEMBER-002: an invitation is accepted once, by the invited person alone', async () => {
  const path = `/firms/${firm.id}`
  const invited = await person()
  firm = await done(owner, 'POST', `${path}/members`, { uid: invited.uid, label: 'New', role: 'viewer', accounts: [] })
  assert.equal(firm.members.find(({ uid }) => uid === invited.uid)!.contact, '')
  assert.equal(await refusal(invited, 'GET', path), 'NOT_FOUND')
  assert.equal(await refusal(stranger, 'POST', `${path}/accept`), 'NOT_FOUND')
  assert.equal(
    await refusal(owner, 'POST', `${path}/members`, { uid: invited.uid, label: 'x', role: 'viewer', accounts: null }),
    'FIRM_MEMBER_EXISTS',
  )
  const answers = await Promise.all([send(invited, 'POST', `${path}/accept`), send(invited, 'POST', `${path}/accept`)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  firm = await done(owner, 'GET', path)
  await done(owner, 'DELETE', `${path}/members/${memberOf(invited)}`)
  assert.equal(await refusal(invited, 'GET', path), 'NOT_FOUND')
  assert.equal(await refusal(invited, 'POST', `${path}/accept`), 'NOT_FOUND')
  firm = await done(owner, 'POST', `${path}/members`, { uid: invited.uid, label: 'Again', role: 'viewer', accounts: [] })
  await done(invited, 'POST', `${path}/decline`)
  firm = await done(owner, 'GET', path)
  assert.equal(firm.members.filter(({ uid, state }) => uid === invited.uid && state !== 'ended').length, 0)
})

test('FIRM-MEMBER-004: an invitation, another role or other accounts, and the end each make one notice, and leaving makes none', async () => {
  const path = `/firms/${firm.id}/members`
  const member = await person()
  const told = async () => {
    const { notices } = (await done(member, 'GET', '/notices')) as WireNotices
    for (const { kind, values } of notices)
      if (kind.startsWith('firm-')) assert.deepEqual(values, { firm: 'Acme Capital', id: firm.id }, kind)
    return notices.map(({ kind }) => kind).filter((kind) => kind.startsWith('firm-'))
  }
  firm = await done(owner, 'POST', path, { uid: member.uid, label: 'Told', role: 'viewer', accounts: [] })
  assert.deepEqual(await told(), ['firm-invited'])
  await done(owner, 'PATCH', `${path}/${firm.members.find(({ label }) => label === 'Told')!.id}`, { role: 'trader' })
  await done(owner, 'PATCH', `${path}/${firm.members.find(({ label }) => label === 'Told')!.id}`, { role: 'viewer' })
  assert.deepEqual(await told(), ['firm-invited'])
  await done(member, 'POST', `/firms/${firm.id}/accept`)
  firm = await done(owner, 'GET', `/firms/${firm.id}`)
  const id = memberOf(member)
  await done(owner, 'PATCH', `${path}/${id}`, { label: 'Renamed', role: 'viewer', accounts: [] })
  assert.deepEqual(await told(), ['firm-invited'])
  for (let n = 0; n < 6; n++)
    await done(owner, 'PATCH', `${path}/${id}`, n % 2 === 0 ? { role: 'trader' } : { role: 'viewer', accounts: null })
  // At most one in each hour of the clock.
  const changes = (await told()).filter((kind) => kind === 'firm-changed').length
  assert.ok(changes === 1 || changes === 2, String(changes))
  await done(owner, 'DELETE', `${path}/${id}`)
  assert.deepEqual((await told())[0], 'firm-ended')
  await joined(member, 'viewer', null)
  await done(member, 'DELETE', `${path}/${memberOf(member)}`)
  assert.deepEqual((await told()).slice(0, 2), ['firm-invited', 'firm-ended'])
})

test('FIRM-MEMBER-003: a member’s own account is not deleted', async () => {
  await prove(trader)
  assert.equal(await refusal(trader, 'POST', '/deletion', { givesUp: true }), 'ACCOUNT_NOT_EMPTY')
})

test('FIRM-TREASURY-001: coins move between accounts of one firm, once for each client id, by those who keep the treasury', async () => {
  const [main, desk] = [account('Acme Capital'), account('Desk B')]
  const move = { clientId: randomUUID(), from: main.id, to: desk.id, asset: 'USDT', amount: '12.5' }
  const path = `/firms/${firm.id}/moves`
  await done(owner, 'POST', path, move)
  await done(owner, 'POST', path, move)
  const spot = (await done(owner, 'GET', '/balances', undefined, desk.uid)).accounts.find(({ kind }: any) => kind === 'spot')
  assert.equal(spot.balances.find(({ asset }: any) => asset === 'USDT').available, '12.5')
  assert.equal(await refusal(trader, 'POST', path, { ...move, clientId: randomUUID() }), 'FIRM_RIGHT_MISSING')
  assert.equal(await refusal(stranger, 'POST', path, { ...move, clientId: randomUUID() }), 'NOT_FOUND')
  const away = { ...move, clientId: randomUUID(), to: other.accounts[0]!.id }
  assert.equal(await refusal(owner, 'POST', path, away), 'FIRM_ACCOUNT_UNKNOWN')
  const { accounts, totalUsdt } = await done(owner, 'GET', `/firms/${firm.id}/balances`)
  assert.equal(accounts.length, 3)
  assert.equal(totalUsdt, String(accounts.reduce((sum: number, one: any) => sum + Number(one.totalUsdt), 0)))
  const seen = (await done(trader, 'GET', `/firms/${firm.id}/balances`)).accounts
  assert.deepEqual(
    seen.map(({ id }: any) => id),
    [account('Desk A').id],
  )
})

test('FIRM-ACT-006: statements through a firm’s account are those of the account, and not of the member', async () => {
  const desk = account('Desk A').uid
  const day = new Date().toISOString().slice(0, 10)
  const { totalUsdt, accounts } = (await done(owner, 'GET', `/firms/${firm.id}/balances`)).accounts.find(
    ({ id }: any) => id === account('Desk A').id,
  )
  const coin = accounts.find(({ kind }: any) => kind === 'spot').balances.find(({ asset }: any) => asset === 'USDT')
  const closing = String(Number(coin.available) + Number(coin.held))
  assert.ok(Number(closing) > 0)
  const closings = ({ accounts: of }: WireStatement) => of.flatMap(({ coins }) => coins.map((one) => [one.asset, one.closing]))
  for (const member of [owner, viewer, trader]) {
    const statement = (await done(member, 'GET', `/daily/statement?day=${day}`, undefined, desk)) as WireStatement
    assert.deepEqual(closings(statement), [['USDT', closing]])
    assert.deepEqual((await done(member, 'GET', `/daily/statement?day=${day}`)).accounts, [])
  }
  // A file costs many reads, so each member saves few.
  const file = async (member: TestUser, format: string, acting?: string): Promise<Buffer> => {
    const headers = { cookie: member.cookie, ...(acting === undefined ? {} : { 'x-candor-account': acting }) }
    const answer = await fetch(`${exchange.url}/app/v1/daily/statement/file?day=${day}&format=${format}`, { headers })
    assert.equal(answer.status, 200)
    return Buffer.from(await answer.arrayBuffer())
  }
  assert.match(String(await file(owner, 'csv', desk)), new RegExp(`,coin,spot,,USDT,.*,${RegExp.escape(closing)},1,`))
  assert.doesNotMatch(String(await file(owner, 'csv')), /,coin,/)
  const [printed, own] = [textsIn(await file(trader, 'pdf', desk)).join('\n'), textsIn(await file(trader, 'pdf')).join('\n')]
  assert.deepEqual([printed.includes(desk), printed.includes(trader.uid)], [true, false])
  assert.deepEqual([own.includes(desk), own.includes(trader.uid)], [false, true])
  const { days } = await done(viewer, 'GET', '/daily/profit', undefined, desk)
  assert.equal(days.at(-1).totalUsdt, totalUsdt)
  assert.deepEqual((await done(viewer, 'GET', '/daily/profit')).days, [])
  assert.equal(await refusal(stranger, 'GET', `/daily/statement?day=${day}`, undefined, desk), 'FIRM_NOT_MEMBER')
})

test('FIRM-KEY-001: a key of a firm is made by a member, never withdraws, and ends with the member’s right', async () => {
  const desk = account('Desk A')
  const { password } = owner
  const form = { label: 'bot', scopes: ['read', 'trade'], ips: [], password }
  await prove(owner)
  assert.equal(await refusal(owner, 'POST', '/keys', { ...form, scopes: ['withdraw'], ips: ['127.0.0.1'] }, desk.uid), 'FIRM_KEY_SCOPE')
  assert.equal(await refusal(owner, 'POST', '/keys', { ...form, password: 'not the password of anybody' }, desk.uid), 'CREDENTIALS_WRONG')
  const { key } = await done(owner, 'POST', '/keys', form, desk.uid)
  const { keys } = await done(owner, 'GET', '/keys', undefined, desk.uid)
  assert.deepEqual(
    keys.map(({ id, madeBy }: any) => [id, madeBy]),
    [[key.id, 'Olivia Owner']],
  )
  assert.deepEqual((await done(owner, 'GET', '/keys')).keys, [])
  assert.equal(
    await refusal(owner, 'PATCH', `/keys/${key.id}`, { scopes: ['read', 'withdraw'], ips: ['127.0.0.1'], password }, desk.uid),
    'FIRM_KEY_SCOPE',
  )
  const { pool } = exchange.store
  const withdrawing = pool.query(`update api_keys set scopes = '{read,withdraw}' where id = $1`, [key.id])
  await assert.rejects(withdrawing, /no key withdraws/)
  await assert.rejects(pool.query('update api_keys set member = null where id = $1', [key.id]), /stays that of its member/)
})

test('SIGNAL-RIGHTS-003: only the member who made a key makes its signal address, which ends with the member', async () => {
  const { uid } = account('Desk A')
  const admin = await person()
  const member = await joined(admin, 'trader', null)
  // Administrators need a request and its approvals otherwise.
  const [free, bound] = ['disable', 'enable'].map((how) => `alter table firm_members ${how} trigger user`)
  const becomes = (role: string) =>
    exchange.store.pool.query(`${free}; update firm_members set role = '${role}' where id = '${member}'; ${bound}`)
  await becomes('admin')
  const terms = { symbols: ['BTCUSDT'], maxQuote: '100', perMinute: 10, perDay: 10, maxAgeSeconds: 60, ips: [] }
  const made = async (by: TestUser): Promise<string> => {
    await prove(by)
    const form = { label: 'charts', scopes: ['read', 'trade'], ips: [], password: by.password }
    return (await done(by, 'POST', '/keys', form, uid)).key.id
  }
  const [ofOwner, ofAdmin] = [await made(owner), await made(admin)]
  const signal = { terms, password: admin.password }
  assert.equal(await refusal(admin, 'POST', `/keys/${ofOwner}/signal`, signal, uid), 'FIRM_RIGHT_MISSING')
  const { path } = await done(admin, 'POST', `/keys/${ofAdmin}/signal`, signal, uid)
  const sent = async (): Promise<number> => (await fetch(`${exchange.url}${path}`, { method: 'POST', body: '{}' })).status
  assert.equal(await sent(), 400)
  await becomes('trader')
  await done(owner, 'DELETE', `/firms/${firm.id}/members/${member}`)
  assert.equal(await sent(), 404)
})

test('FIRM-ACT-003: a member who ends, changes or is frozen loses sockets and remembered sessions at once', async () => {
  const path = `/firms/${firm.id}/members`
  const desk = account('Desk B')
  const member = await person()
  const id = await joined(member, 'trader', [desk.id])
  await assert.rejects(follow(stranger, desk.uid), /403/)
  const first = await follow(member, desk.uid)
  await done(member, 'GET', '/balances', undefined, desk.uid)
  firm = await done(owner, 'PATCH', `${path}/${id}`, { accounts: [account('Desk A').id] })
  assert.equal(await first.closed, 4001)
  assert.equal(await refusal(member, 'GET', '/balances', undefined, desk.uid), 'FIRM_NOT_MEMBER')
  const second = await follow(member, account('Desk A').uid)
  firm = await done(owner, 'PATCH', `${path}/${id}`, { role: 'viewer' })
  assert.equal(await second.closed, 4001)
  assert.equal(await refusal(member, 'POST', '/spot/orders', order('late'), account('Desk A').uid), 'FIRM_RIGHT_MISSING')
  const third = await follow(member, account('Desk A').uid)
  await done(owner, 'DELETE', `${path}/${id}`)
  assert.equal(await third.closed, 4001)
  assert.equal(await refusal(member, 'GET', '/balances', undefined, account('Desk A').uid), 'FIRM_NOT_MEMBER')
  assert.equal((await send(member, 'GET', '/me')).status, 200)

  await joined(member, 'trader', null)
  const fourth = await follow(member, desk.uid)
  await done(member, 'POST', '/auth/freeze', {})
  assert.equal(await fourth.closed, 4001)
  assert.equal(await refusal(member, 'GET', '/balances', undefined, desk.uid), 'UNAUTHENTICATED')
  await done(owner, 'GET', '/balances', undefined, desk.uid)
})

test('FIRM-ACCOUNT-002: an archived account is empty, can only be read, and has no keys', async () => {
  const path = `/firms/${firm.id}/accounts`
  const main = account('Acme Capital')
  assert.equal(await refusal(owner, 'PATCH', `${path}/${main.id}`, { isArchived: true }), 'FIRM_MAIN_STAYS')
  assert.equal(await refusal(owner, 'PATCH', `${path}/${account('Desk A').id}`, { isArchived: true }), 'ACCOUNT_NOT_EMPTY')
  firm = await done(owner, 'POST', path, { label: 'Desk C' })
  const empty = account('Desk C')
  await prove(owner)
  await done(owner, 'POST', '/keys', { label: 'bot', scopes: ['read'], ips: [], password: owner.password }, empty.uid)
  firm = await done(owner, 'PATCH', `${path}/${empty.id}`, { isArchived: true, label: 'Old desk' })
  assert.deepEqual([account('Old desk').isArchived, await refusal(owner, 'GET', '/balances', undefined, empty.uid)], [true, '200'])
  assert.equal(await refusal(owner, 'POST', '/sandbox/faucet', { clientId: 'x', asset: 'USDT' }, empty.uid), 'ACCOUNT_CLOSED')
  const { rows } = await exchange.store.pool.query('select 1 from api_keys where account = $1 and deleted_at is null', [empty.id])
  assert.deepEqual(rows, [])
  firm = await done(owner, 'PATCH', `${path}/${empty.id}`, { isArchived: false })
  await done(owner, 'POST', '/sandbox/faucet', { clientId: 'x', asset: 'USDT' }, empty.uid)
})

test('FIRM-LOG-001: the log says which member did what, in the firm and in its accounts', async () => {
  const path = `/firms/${firm.id}/log`
  const entries: any[] = []
  for (let before = ''; ; ) {
    const { items, next } = await done(owner, 'GET', `${path}?limit=20${before}`)
    entries.push(...items)
    if (next === undefined) break
    before = `&before=${next}`
  }
  const has = (action: string, who: string | undefined, account?: string) =>
    entries.some((one) => one.action === action && one.who === who && (account === undefined || one.account === account))
  for (const [action, who, of] of [
    ['firm-applied', 'Olivia Owner'],
    ['firm-accepted', undefined],
    ['member-invited', 'Olivia Owner'],
    ['member-joined', 'trader'],
    ['coins-moved', 'Olivia Owner', 'Acme Capital'],
    ['key-created', 'Olivia Owner', 'Desk A'],
    ['spot.place', 'trader', 'Desk A'],
  ] as const)
    assert.ok(has(action, who, of), `${action} by ${who}: ${JSON.stringify(entries)}`)
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length)
  for (const user of [trader, viewer]) assert.equal(await refusal(user, 'GET', path), 'FIRM_RIGHT_MISSING')
  assert.equal(await refusal(stranger, 'GET', path), 'NOT_FOUND')
  const file = await patiently(() => fetch(`${exchange.url}/app/v1${path}/file`, { headers: { cookie: owner.cookie } }))
  assert.match(await file.text(), /^time,action,who,account,detail,device,ip\r\n[^]+,Olivia Owner,/)
})
