import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import { acceptFirm, trust } from '../../../app/firm/test/office.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { Program } from '../../test/program.ts'

const list = '/sapi/v1/sub-account/list'
const assets = '/sapi/v4/sub-account/assets'

let exchange: TestExchange
let owner: TestUser
let stranger: TestUser
let firm: WireFirm
let other: WireFirm
let main: Program

before(async () => {
  exchange = await startExchange({ seed: 'sub-accounts', hasFeeds: false })
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

/** A request of a user in the app, for an account of a firm if it is named. */
async function done(user: TestUser, method: string, path: string, body?: unknown, acting?: string): Promise<any> {
  const response = await fetch(`${exchange.url}/app/v1${path}`, {
    method,
    headers: {
      ...{ cookie: user.cookie, origin: exchange.url },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(acting === undefined ? {} : { 'x-candor-account': acting }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** A key with which a user reads their own account, or the account of a firm that is named. */
async function keyOf(user: TestUser, uid?: string): Promise<Program> {
  const proven = 'update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)'
  await exchange.store.pool.query(proven, [user.uid, Date.now()])
  const { key, secret } = await done(user, 'POST', '/keys', { label: 'bot', scopes: ['read'], ips: [], password: user.password }, uid)
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

test('API-SUB-003: keys of persons and sub-accounts are refused alike, and keys see what their maker sees', async () => {
  const forbidden = [403, -2015]
  for (const program of [await keyOf(stranger), await keyOf(owner), await keyOf(owner, uidOf('Desk A'))])
    assert.deepEqual(await refusedBy(program), [forbidden, forbidden])
  assert.deepEqual(await labels({}, await keyOf(stranger, uidOf('Other Capital', other))), ['Desk C'])

  const { pool } = exchange.store
  const desk = firm.accounts.find(({ label }) => label === 'Desk A')!.id
  await pool.query('update accounts set frozen_at = 1 where id = $1', [desk])
  assert.deepEqual(await labels({ isFreeze: 'false' }), [])
  await pool.query(`update firms set state = 'refused' where id = $1`, [firm.id])
  assert.deepEqual(await refusedBy(main), [forbidden, forbidden])
})
