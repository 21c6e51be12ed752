/** Tests that a member can't act for a firm during their own break, nor by a request that began before they lost the right to. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import { Keys } from '../../../identity/keys.ts'
import { keyPolicies } from '../../../identity/key-terms.ts'
import { Seal } from '../../../identity/seal.ts'
import { ServerKeys } from '../../../identity/server-keys.ts'
import { identityDb } from '../../../identity/tables.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { Program } from '../../../programs/test/program.ts'
import { acceptFirm, prove, type Requests, requestsTo, trust } from './office.ts'

let exchange: TestExchange
let { done, refusal } = {} as Requests
let owner: TestUser
let admin: TestUser
let firm: WireFirm
/** UID of the main account. */
let desk: string

before(async () => {
  exchange = await startExchange({ seed: 'members', hasFeeds: false })
  ;({ done, refusal } = requestsTo(exchange))
  ;[owner, admin] = [await person(), await person()]
  const { id } = await done(owner, 'POST', '/firms', { name: 'Acme', registration: 'HRB 1', country: 'DE', label: 'Olivia Owner' })
  await acceptFirm(exchange, id)
  firm = await done(owner, 'GET', `/firms/${id}`)
  desk = firm.accounts[0]!.uid
  await asked({ uid: admin.uid, label: 'Adam', role: 'admin', accounts: null })
  await done(admin, 'POST', `/firms/${id}/accept`)
  firm = await done(owner, 'POST', `/firms/${id}/accounts`, { label: 'Desk A' })
  await done(owner, 'POST', '/sandbox/faucet', { clientId: 'funds', asset: 'USDT' }, desk)
})
after(() => exchange[Symbol.asyncDispose]())

async function person(): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true })
  await trust(exchange, user.uid)
  await prove(exchange, user.uid)
  return user
}

/** The owner asks for something about a member, which is done at once: the rule asks for one person. */
async function asked(member: object): Promise<void> {
  const { state } = await done(owner, 'POST', `/firms/${firm.id}/requests`, { clientId: randomUUID(), kind: 'member', member })
  assert.equal(state, 'done')
}

const memberOf = ({ uid }: TestUser): string => firm.members.find((member) => member.uid === uid && member.state !== 'ended')!.id
const order = (clientId: string) => ({ clientId, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1000', quantity: '0.02' })
const ofProgram = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '1000', quantity: '0.02' }
const newKey = ({ password }: TestUser) => ({ label: 'bot', scopes: ['read', 'trade'] as const, ips: [], password })

async function keyOf(user: TestUser, uid = desk): Promise<Program> {
  const { key, secret } = await done(user, 'POST', '/keys', newKey(user), uid)
  return new Program(exchange.url, key.key, secret)
}

/**
 * Sends the headers of a request and waits until the server has admitted them. Returns a function that sends the body and resolves to
 * the code of the answer.
 */
async function begun({ cookie }: TestUser, path: string, body: object, uid: string): Promise<() => Promise<string>> {
  const text = JSON.stringify(body)
  const headers = { cookie, origin: exchange.url, 'x-candor-account': uid, 'content-type': 'application/json', expect: '100-continue' }
  const request = httpRequest(`${exchange.url}/app/v1${path}`, { method: 'POST', headers: { ...headers, 'content-length': text.length } })
  const answer = new Promise<string>((resolve, reject) => {
    request.once('error', reject).once('response', async (response) => {
      resolve(JSON.parse(Buffer.concat(await response.toArray()).toString()).code ?? String(response.statusCode))
    })
  })
  request.flushHeaders()
  await new Promise((resolve) => request.once('continue', resolve))
  return () => (request.end(text), answer)
}

test('FIRM-ACT-008: during their own break members open nothing for a firm, in the app or by a key, and still close', async () => {
  const [own, others] = [await keyOf(admin), await keyOf(owner)]
  const { order: open } = await done(admin, 'POST', '/spot/orders', order('before'), desk)
  const placed = await own.done('POST', '/api/v3/order', ofProgram)
  await done(admin, 'POST', '/limits/rest', { cause: 'cool-off', hours: 24 })

  const closing = { clientId: 'perp', symbol: 'BTCUSDTPERP', side: 'sell', type: 'market', quantity: '0.01', reduceOnly: true }
  for (const [path, body] of [
    ['/spot/orders', order('during')],
    ['/perp/orders', { ...closing, reduceOnly: false }],
    ['/transfer', { clientId: 'to-perp', asset: 'USDT', from: 'spot', to: 'perp', amount: '10' }],
    ['/lend/supply', { clientId: 'lent', asset: 'USDT', amount: '10' }],
    ['/convert/quotes', { clientId: 'quote', from: 'USDT', to: 'BTC', give: '10' }],
  ] as const)
    assert.equal(await refusal(admin, 'POST', path, body, desk), 'RESTING', path)
  const change = (fields: object) =>
    refusal(admin, 'PATCH', `/spot/orders/${open.id}`, { clientId: randomUUID(), symbol: 'BTCUSDT', ...fields }, desk)
  assert.equal(await change({ quantity: '0.03' }), 'RESTING')
  assert.equal(await change({ price: '1001', quantity: '0.01' }), 'RESTING')
  assert.equal(await change({ price: '1000', quantity: '0.015' }), '200')
  // The break does not refuse what closes. The account has no BTC to sell and no position to reduce.
  assert.equal(await refusal(admin, 'POST', '/spot/orders', { ...order('sale'), side: 'sell' }, desk), 'INSUFFICIENT_BALANCE')
  assert.equal(await refusal(admin, 'POST', '/perp/orders', closing, desk), 'NO_LIQUIDITY')
  assert.equal(
    await refusal(admin, 'POST', '/convert/quotes', { clientId: 'back', from: 'BTC', to: 'USDT', give: '0.01' }, desk),
    'NO_INDEX_PRICE',
  )

  const refused = async (method: string, path: string, fields: Parameters<Program['signed']>[2]): Promise<boolean> => {
    const { status, body } = await own.signed(method, path, fields)
    return status !== 200 && /break has not ended/.test(body.msg)
  }
  const smaller = { symbol: 'BTCUSDT', orderId: placed.orderId, newQty: '0.01' }
  const perp = { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.01' }
  assert.equal(await refused('POST', '/api/v3/order', ofProgram), true)
  assert.equal(await refused('POST', '/fapi/v1/order', perp), true)
  assert.equal(await refused('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '10' }), true)
  assert.equal(await refused('POST', '/fapi/v1/order', { ...perp, reduceOnly: 'true' }), false)
  assert.equal(await refused('POST', '/api/v3/order', { ...ofProgram, side: 'SELL' }), false)
  await own.done('PUT', '/api/v3/order/amend/keepPriority', smaller)
  const replaced = await own.signed('POST', '/api/v3/order/cancelReplace', {
    ...{ ...ofProgram, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: placed.orderId },
  })
  assert.deepEqual([replaced.body.data?.cancelResult, replaced.body.data?.newOrderResult], ['SUCCESS', 'FAILURE'])
  await done(admin, 'DELETE', `/spot/orders/${open.id}?symbol=BTCUSDT`, undefined, desk)

  // The firm has no break: its other members go on, and so do their programs.
  const { order: owners } = await done(owner, 'POST', '/spot/orders', order('owner'), desk)
  await done(owner, 'DELETE', `/spot/orders/${owners.id}?symbol=BTCUSDT`, undefined, desk)
  const { orderId } = await others.done('POST', '/api/v3/order', ofProgram)
  await others.done('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId })
})

test('FIRM-ACT-003: a request that began before the member ended is refused when its body comes', async () => {
  const trader = await person()
  firm = await done(owner, 'POST', `/firms/${firm.id}/members`, { uid: trader.uid, label: 'Tess', role: 'trader', accounts: null })
  await done(trader, 'POST', `/firms/${firm.id}/accept`)
  await done(trader, 'GET', '/balances', undefined, desk)
  const late = await begun(trader, '/spot/orders', order('late'), desk)
  const timely = await begun(trader, '/spot/orders', order('timely'), desk)
  assert.equal(await timely(), '200')
  await done(owner, 'DELETE', `/firms/${firm.id}/members/${memberOf(trader)}`)
  assert.equal(await late(), 'FIRM_NOT_MEMBER')
})

test('FIRM-REQUEST-016: a request about a member tells who that is, whatever name it gives them', async () => {
  const bob = await person()
  await done(owner, 'POST', `/firms/${firm.id}/members`, { uid: bob.uid, label: 'Bob', role: 'viewer', accounts: null })
  await done(bob, 'POST', `/firms/${firm.id}/accept`)
  firm = await done(owner, 'GET', `/firms/${firm.id}`)
  await asked({ member: memberOf(bob), role: 'trader', label: 'Adam', accounts: null })
  const { items } = await done(owner, 'GET', `/firms/${firm.id}/requests?limit=1`)
  assert.deepEqual(items[0].shown, { name: 'Bob', uid: bob.uid, before: 'viewer', label: 'Adam' })
})

test('FIRM-JOIN-003: the account of a firm invites nobody', async () => {
  const codeOf = async (uid: string): Promise<string> =>
    (await exchange.store.pool.query('select invitation_code from accounts where uid = $1', [uid])).rows[0].invitation_code
  const [own, ofFirm] = [await codeOf(owner.uid), await codeOf(desk)]
  assert.equal((await done(owner, 'GET', `/auth/invitation?code=${own}`)).code, own)
  assert.equal(await refusal(owner, 'GET', `/auth/invitation?code=${ofFirm}`), 'INVITATION_UNKNOWN')
})

test('FIRM-KEY-003: nobody has a key who lost the right to it while the key was made', async () => {
  const { id, uid } = firm.accounts.find(({ kind }) => kind === 'sub')!
  await done(owner, 'GET', '/balances', undefined, uid)
  const late = await begun(owner, '/keys', newKey(owner), uid)
  await done(owner, 'PATCH', `/firms/${firm.id}/accounts/${id}`, { isArchived: true })
  assert.equal(await late(), 'ACCOUNT_CLOSED')
  await done(owner, 'PATCH', `/firms/${firm.id}/accounts/${id}`, { isArchived: false })

  // While the password is compared, which takes its time.
  const { pool } = exchange.store
  const { rows } = await pool.query('select account from firm_members where id = $1', [memberOf(admin)])
  const visitor = { ip: '127.0.0.1', userAgent: '' }
  const who = { account: firm.accounts[0]!.id, visitor, member: { id: memberOf(admin), account: String(rows[0].account) } }
  const made = (meanwhile: () => Promise<unknown>) =>
    new Keys({
      ...{ db: identityDb(exchange.store), clock: Date.now, policy: keyPolicies.sandbox },
      seal: new Seal(ServerKeys.of(Buffer.alloc(32, 1)), 'api-key'),
      confirm: async () => void (await meanwhile()),
      tell: async () => undefined,
      onFault: (cause) => assert.fail(String(cause)),
    }).create(newKey(admin), who)
  await made(async () => undefined)
  const early = await keyOf(admin)
  const { secret } = (await pool.query('select secret from api_keys where key = $1', [early.key])).rows[0]
  await assert.rejects(
    made(() => asked({ member: memberOf(admin), role: 'viewer', accounts: null })),
    { refusal: 'FIRM_NOT_MEMBER' },
  )
  // A key that an earlier version gave out wrongly stops with the member's other keys.
  assert.equal((await early.signed('GET', '/api/v3/account')).status, 401)
  await pool.query('update api_keys set deleted_at = null, secret = $2 where key = $1', [early.key, secret])
  assert.equal((await early.signed('GET', '/api/v3/account')).status, 401)
})
