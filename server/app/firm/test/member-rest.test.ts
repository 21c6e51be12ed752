import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { acceptFirm, trust } from './office.ts'

type Answer = { readonly status: number; readonly body: any }

/** Requests of users, for an account of a firm if its UID is named. */
function senders({ url }: TestExchange) {
  const send = async ({ cookie }: TestUser, method: string, path: string, body?: unknown, acting?: string): Promise<Answer> => {
    const headers: Record<string, string> = { cookie, origin: url, ...(acting === undefined ? {} : { 'x-candor-account': acting }) }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(`${url}/app/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const done = async (...request: Parameters<typeof send>): Promise<any> => {
    const answer = await send(...request)
    assert.ok(answer.status < 300, `${request[1]} ${request[2]}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { send, done }
}

const order = (clientId: string) => ({ clientId, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1000', quantity: '0.01' })

test('FIRM-ACT-008: during their own break members open nothing for a firm, and still close', async () => {
  await using exchange = await startExchange({ seed: 'member-rest', hasFeeds: false })
  const [owner, tired] = [await exchange.user({ isCertified: true }), await exchange.user({ isCertified: true })]
  for (const { uid } of [owner, tired]) await trust(exchange, uid)
  const { send, done } = senders(exchange)
  const refusal = async (...request: Parameters<typeof send>): Promise<string> => (await send(...request)).body?.code
  const { id } = await done(owner, 'POST', '/firms', { name: 'Acme', registration: 'HRB 1', country: 'DE', label: 'Olivia Owner' })
  await acceptFirm(exchange, id)
  await done(owner, 'POST', `/firms/${id}/members`, { uid: tired.uid, label: 'Tired', role: 'trader', accounts: null })
  await done(tired, 'POST', `/firms/${id}/accept`)
  const desk = (await done(owner, 'GET', `/firms/${id}`)).accounts[0].uid
  await done(tired, 'POST', '/sandbox/faucet', { clientId: 'funds', asset: 'USDT' }, desk)
  const { order: open } = await done(tired, 'POST', '/spot/orders', order('before'), desk)
  const { rows } = await exchange.store.pool.query('select core_user from accounts where uid = $1', [tired.uid])
  const until = (Date.now() + 3_600_000) as Millis
  await exchange.link.submit({ type: 'user.rest', user: rows[0].core_user, until })
  const closing = { clientId: 'perp', symbol: 'BTCUSDTPERP', side: 'sell', type: 'market', quantity: '0.01', reduceOnly: true }
  for (const [path, body] of [
    ['/spot/orders', order('during')],
    ['/perp/orders', { ...closing, reduceOnly: false }],
    ['/transfer', { clientId: 'to-perp', asset: 'USDT', from: 'spot', to: 'perp', amount: '10' }],
    ['/lend/supply', { clientId: 'lent', asset: 'USDT', amount: '10' }],
  ] as const)
    assert.equal(await refusal(tired, 'POST', path, body, desk), 'RESTING', path)
  assert.equal(
    await refusal(tired, 'PATCH', `/spot/orders/${open.id}`, { clientId: 'change', symbol: 'BTCUSDT', quantity: '0.02' }, desk),
    'RESTING',
  )
  // The break does not refuse what closes. The account has no BTC to sell and no position to reduce.
  assert.equal(await refusal(tired, 'POST', '/spot/orders', { ...order('sale'), side: 'sell' }, desk), 'INSUFFICIENT_BALANCE')
  assert.notEqual(await refusal(tired, 'POST', '/perp/orders', closing, desk), 'RESTING')
  await done(tired, 'DELETE', `/spot/orders/${open.id}?symbol=BTCUSDT`, undefined, desk)
  // The firm has no break: its other members go on.
  const { order: owners } = await done(owner, 'POST', '/spot/orders', order('owner'), desk)
  await done(owner, 'DELETE', `/spot/orders/${owners.id}?symbol=BTCUSDT`, undefined, desk)
})
