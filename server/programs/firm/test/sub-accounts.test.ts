import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import { acceptFirm, prove, type Requests, requestsTo, trust } from '../../../app/firm/test/office.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { Program } from '../../test/program.ts'

const list = '/sapi/v1/sub-account/list'
const assets = '/sapi/v4/sub-account/assets'
const moves = '/sapi/v1/sub-account/universalTransfer'
const ofSub = '/sapi/v1/sub-account/transfer'
const history = `${ofSub}/subUserHistory`

let exchange: TestExchange
let done: Requests['done']
let owner: TestUser
let stranger: TestUser
let firm: WireFirm
let other: WireFirm
let main: Program

before(async () => {
  exchange = await startExchange({ seed: 'sub-accounts', hasFeeds: false })
  ;({ done } = requestsTo(exchange))
  owner = await person()
  stranger = await person()
  firm = await founded(owner, 'Acme Capital', 'HRB 1')
  other = await founded(stranger, 'Other Capital', 'HRB 2')
  for (const label of ['Desk A', 'Desk B']) firm = await done(owner, 'POST', `/firms/${firm.id}/accounts`, { label })
  other = await done(stranger, 'POST', `/firms/${other.id}/accounts`, { label: 'Desk C' })
  await done(owner, 'POST', '/sandbox/faucet', { clientId: 'desk', asset: 'USDT' }, uidOf('Desk A'))
  main = await keyOf(owner, uidOf('Acme Capital'))
})
after(() => exchange[Symbol.asyncDispose]())

async function person(): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true })
  await trust(exchange, user.uid)
  return user
}

async function founded(by: TestUser, name: string, registration: string): Promise<WireFirm> {
  const { id } = await done(by, 'POST', '/firms', { name, registration, country: 'DE' })
  await acceptFirm(exchange, id)
  return done(by, 'GET', `/firms/${id}`)
}

const uidOf = (label: string, of = firm): string => of.accounts.find((one) => one.label === label)!.uid
const emailOf = (label: string, of = firm): string => `${uidOf(label, of)}_virtual@sub.invalid`

/** A key with which a user reads, or also trades for, their own account or the account of a firm that is named. */
async function keyOf(user: TestUser, uid?: string, scopes: readonly string[] = ['read', 'trade']): Promise<Program> {
  await prove(exchange, user.uid)
  const { key, secret } = await done(user, 'POST', '/keys', { label: 'bot', scopes, ips: [], password: user.password }, uid)
  return new Program(exchange.url, key.key, secret)
}

const labels = async (fields = {}, by = main): Promise<readonly string[]> =>
  (await described(by, 'GET', list, fields)).subAccounts.map(({ remark }: any) => remark)

async function refusedBy(program: Program): Promise<readonly unknown[]> {
  const answers = await Promise.all([program.signed('GET', list), program.signed('GET', assets, { email: emailOf('Desk A') })])
  return answers.map(({ status, body }) => [status, body.code])
}

test('API-SUB-001: a key of the main account lists the sub-accounts by addresses that no new name changes', async () => {
  const { subAccounts } = await described(main, 'GET', list)
  assert.deepEqual(
    subAccounts.map(({ email, remark, isFreeze }: any) => [email, remark, isFreeze]),
    [
      [emailOf('Desk A'), 'Desk A', false],
      [emailOf('Desk B'), 'Desk B', false],
    ],
  )
  assert.equal(String(subAccounts[0].subUserId), uidOf('Desk A'))
  assert.deepEqual(await labels({ page: 2, limit: 1 }), ['Desk B'])
  assert.deepEqual(await labels({ page: 3, limit: 1 }), [])
  assert.deepEqual(await labels({ email: emailOf('Desk B') }), ['Desk B'])
  assert.deepEqual(await labels({ email: emailOf('Desk C', other) }), [])

  const { id } = firm.accounts.find(({ label }) => label === 'Desk B')!
  await done(owner, 'PATCH', `/firms/${firm.id}/accounts/${id}`, { label: 'Desk X', isArchived: true })
  const { subAccounts: archived } = await described(main, 'GET', list, { isFreeze: 'true' })
  assert.deepEqual([archived.length, archived[0].email, archived[0].remark], [1, emailOf('Desk B'), 'Desk X'])
  assert.deepEqual(await labels({ isFreeze: 'false' }), ['Desk A'])
})

test('API-SUB-002: it reads the spot account of a sub-account, and of no other account', async () => {
  const { balances } = await described(main, 'GET', assets, { email: emailOf('Desk A') })
  assert.equal(balances.length, 1)
  const { asset, free, locked } = balances[0]
  const app = await done(owner, 'GET', '/balances', undefined, uidOf('Desk A'))
  assert.ok(JSON.stringify(app).includes(`"${free}"`), JSON.stringify([free, app]))
  assert.deepEqual([asset, locked], ['USDT', '0'])
  assert.deepEqual((await described(main, 'GET', assets, { email: emailOf('Desk B') })).balances, [])
  const strange = [emailOf('Desk C', other), emailOf('Acme Capital'), 'nobody@sub.invalid']
  const answers = await Promise.all(strange.map((email) => main.signed('GET', assets, { email })))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    strange.map(() => [400, { code: -1130, msg: "Data sent for parameter 'email' is not valid." }]),
  )
})

const spot = { fromAccountType: 'SPOT', toAccountType: 'SPOT' }
const usdt = async (label: string): Promise<string> =>
  (await main.done('GET', assets, { email: emailOf(label) })).balances.find(({ asset }: any) => asset === 'USDT')?.free ?? '0'

test('API-SUB-004: a key of the main account moves coins of any account, once for each client id, and histories and log show it', async () => {
  const wish = { fromEmail: emailOf('Desk A'), ...spot, asset: 'USDT', amount: '300.5', clientTranId: 'first' }
  const before = Number(await usdt('Desk A'))
  const first = await described(main, 'POST', moves, wish)
  assert.equal(first.clientTranId, 'first')
  assert.deepEqual(await main.done('POST', moves, wish), first)
  const changed = await main.signed('POST', moves, { ...wish, amount: '300.6' })
  assert.equal(changed.status, 400, JSON.stringify(changed.body))
  assert.equal(Number(await usdt('Desk A')), before - 300.5)
  const back = await described(main, 'POST', moves, { ...spot, toEmail: emailOf('Desk A'), asset: 'USDT', amount: '100' })
  assert.equal(Number(await usdt('Desk A')), before - 200.5)

  const { result, totalCount } = await described(main, 'GET', moves)
  assert.deepEqual(
    result.map(({ tranId, fromEmail, toEmail, asset, amount }: any) => [tranId, fromEmail, toEmail, asset, amount]),
    [[back.tranId, emailOf('Acme Capital'), emailOf('Desk A'), 'USDT', '100']],
  )
  assert.equal(totalCount, 1)
  const sent = await main.done('GET', moves, { fromEmail: emailOf('Desk A') })
  assert.deepEqual([sent.result[0].tranId, sent.result[0].toEmail, sent.totalCount], [first.tranId, emailOf('Acme Capital'), 1])
  assert.equal((await main.done('GET', moves, { toEmail: emailOf('Desk A'), page: 2, limit: 1 })).result.length, 0)
  const { items } = await done(owner, 'GET', `/firms/${firm.id}/log`)
  assert.equal(items.filter(({ action }: any) => action === 'coins-moved').length, 2)
})

test('API-SUB-005: a key of a sub-account moves its own coins within the firm, and lists its moves', async () => {
  firm = await done(owner, 'POST', `/firms/${firm.id}/accounts`, { label: 'Desk D' })
  const desk = await keyOf(owner, uidOf('Desk A'))
  const { txnId: up } = await described(desk, 'POST', `${ofSub}/subToMaster`, { asset: 'USDT', amount: '7' })
  const { txnId: over } = await described(desk, 'POST', `${ofSub}/subToSub`, { toEmail: emailOf('Desk D'), asset: 'USDT', amount: '8' })
  assert.equal(await usdt('Desk D'), '8')
  const lines = await described(desk, 'GET', history, { type: 2, limit: 2 })
  assert.deepEqual(
    lines.map(({ tranId, counterParty, email, type, qty }: any) => [tranId, counterParty, email, type, qty]),
    [
      [over, 'subAccount', emailOf('Desk D'), 2, '8'],
      [up, 'master', emailOf('Acme Capital'), 2, '7'],
    ],
  )
  assert.deepEqual(
    (await desk.done('GET', history, { type: 1, asset: 'USDT' })).map(({ qty }: any) => qty),
    ['100'],
  )
  assert.deepEqual(await desk.done('GET', history, { asset: 'BTC' }), [])
})

test('API-SUB-006: no move leaves the firm, exceeds the balance, or is made without the right to it', async () => {
  const [A, D] = ['Desk A', 'Desk D'].map((label) => emailOf(label))
  const amounts = async () => [await usdt('Desk A'), await usdt('Desk D')]
  const before = await amounts()
  const wish = { ...spot, fromEmail: A, asset: 'USDT', amount: '1' }
  const desk = await keyOf(owner, uidOf('Desk A'))
  const reader = await keyOf(owner, uidOf('Acme Capital'), ['read'])
  const strange = await keyOf(stranger, uidOf('Other Capital', other))
  const refused = [
    [main, 'POST', moves, { ...wish, toEmail: emailOf('Desk C', other) }, 400, -1130],
    [main, 'POST', moves, { ...wish, toEmail: 'nobody@sub.invalid' }, 400, -1130],
    [main, 'POST', moves, { ...wish, toEmail: emailOf('Desk X') }, 400, -5011],
    [main, 'POST', moves, { ...wish, toEmail: A }, 400, -5012],
    [main, 'POST', moves, { ...spot, asset: 'USDT', amount: '1' }, 400, -5012],
    [main, 'POST', moves, { ...wish, amount: '100000000' }, 400, -5013],
    [main, 'POST', moves, { ...wish, amount: '0' }, 400, -1013],
    [main, 'POST', moves, { ...wish, amount: '0.0000001' }, 400, -1111],
    [main, 'POST', moves, { ...wish, asset: 'NONE' }, 400, -1108],
    [main, 'POST', moves, { ...wish, toAccountType: 'USDT_FUTURE' }, 400, -1130],
    [main, 'GET', moves, { fromEmail: A, toEmail: D }, 400, -1130],
    [main, 'POST', `${ofSub}/subToMaster`, { asset: 'USDT', amount: '1' }, 403, -2015],
    [main, 'GET', history, {}, 403, -2015],
    [desk, 'POST', moves, wish, 403, -2015],
    [desk, 'GET', moves, {}, 403, -2015],
    [desk, 'POST', `${ofSub}/subToSub`, { toEmail: emailOf('Acme Capital'), asset: 'USDT', amount: '1' }, 400, -1130],
    [reader, 'POST', moves, wish, 401, -2015],
    [strange, 'POST', moves, wish, 400, -1130],
    [await keyOf(stranger), 'POST', moves, wish, 403, -2015],
  ] as const
  const answers = await Promise.all(refused.map(([by, method, path, fields]) => by.signed(method, path, fields)))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    refused.map(([, , , , status, code]) => [status, code]),
  )
  assert.deepEqual(await amounts(), before)

  // An administrator makes keys, but does not move coins; accounts that a member doesn't use don't exist for their keys.
  const { pool } = exchange.store
  const { account } = (await pool.query('select account from firm_members where firm = $1', [firm.id])).rows[0]
  const set = (what: string) =>
    pool.query(`begin; set local session_replication_role = replica; update firm_members set ${what} where account = '${account}'; commit`)
  await set(`role = 'admin'`)
  const byAdmin = await Promise.all([
    main.signed('POST', moves, wish),
    desk.signed('POST', `${ofSub}/subToMaster`, { asset: 'USDT', amount: '1' }),
  ])
  assert.deepEqual(
    byAdmin.map(({ status, body }) => [status, body.code]),
    [
      [403, -2015],
      [403, -2015],
    ],
  )
  const ids = ['Acme Capital', 'Desk A'].map((label) => firm.accounts.find((one) => one.label === label)!.id)
  await set(`role = 'admin', accounts = '{${ids.join()}}'`)
  assert.deepEqual(await labels(), ['Desk A'])
  assert.equal((await main.signed('GET', assets, { email: D })).body.code, -1130)
  assert.equal((await main.signed('GET', moves, { fromEmail: D })).body.code, -1130)
  await set(`role = 'admin', accounts = null`)
  assert.deepEqual(await amounts(), before)
})

test('API-SUB-003: keys of persons and sub-accounts are refused alike, and so are keys of a firm that is not active', async () => {
  const forbidden = [403, -2015]
  for (const program of [await keyOf(stranger), await keyOf(owner), await keyOf(owner, uidOf('Desk A'))])
    assert.deepEqual(await refusedBy(program), [forbidden, forbidden])
  assert.deepEqual(await labels({}, await keyOf(stranger, uidOf('Other Capital', other))), ['Desk C'])

  const { pool } = exchange.store
  const desk = firm.accounts.find(({ label }) => label === 'Desk A')!.id
  await pool.query('update accounts set frozen_at = 1 where id = $1', [desk])
  assert.deepEqual(await labels({ isFreeze: 'false' }), ['Desk D'])
  // Before the core knows of it.
  const wish = { ...spot, asset: 'USDT', amount: '1' }
  for (const ends of [{ fromEmail: emailOf('Desk A') }, { fromEmail: emailOf('Desk D'), toEmail: emailOf('Desk A') }])
    assert.equal((await main.signed('POST', moves, { ...wish, ...ends })).body.code, -2015)
  const freeze = (at: number | null) =>
    pool.query(
      `begin; set local session_replication_role = replica; update accounts set frozen_at = ${at} where uid = '${owner.uid}'; commit`,
    )
  await freeze(1)
  assert.deepEqual(await refusedBy(main), [forbidden, forbidden])
  await freeze(null)
  await pool.query(`update firms set state = 'refused', why = 'x' where id = $1`, [firm.id])
  assert.deepEqual(await refusedBy(main), [forbidden, forbidden])
})
