import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let alice: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'keys', hasFeeds: false })
  alice = await exchange.user()
})
after(() => exchange[Symbol.asyncDispose]())

const make = async (
  given: { readonly scopes?: readonly KeyScope[]; readonly ips?: readonly string[]; readonly publicKey?: string } = {},
) => {
  const { status, body } = await alice.call('POST', '/keys', {
    label: 'bot',
    scopes: ['read'],
    ips: [],
    password: alice.password,
    ...given,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body as { key: { id: string; key: string; createdAt: number }; secret: string }
}
const restrictions = async (key: string, signature: (query: string) => string) => {
  const query = `recvWindow=60000&timestamp=${Date.now()}`
  const url = `${exchange.url}/sapi/v1/account/apiRestrictions?${query}&signature=${encodeURIComponent(signature(query))}`
  const response = await fetch(url, { headers: { 'X-MBX-APIKEY': key } })
  return { status: response.status, body: (await response.json()) as any }
}
const hmac = (secret: string) => (query: string) => createHmac('sha256', secret).update(query).digest('hex')

test('API-KEY-014: a program can ask for its key’s permissions, by HMAC or Ed25519', async () => {
  const { key, secret } = await make({ scopes: ['trade'] })
  const answer = await restrictions(key.key, hmac(secret))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { ipRestrict, createTime, enableReading, enableSpotAndMarginTrading, enableFutures, enableWithdrawals } = answer.body
  assert.deepEqual(
    [ipRestrict, createTime, enableReading, enableSpotAndMarginTrading, enableFutures, enableWithdrawals],
    [false, key.createdAt, true, true, true, false],
  )
  const pair = generateKeyPairSync('ed25519')
  const mine = await make({ ips: ['127.0.0.1'], publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString() })
  const signed = await restrictions(mine.key.key, (query) => sign(null, Buffer.from(query), pair.privateKey).toString('base64'))
  assert.equal(signed.status, 200, JSON.stringify(signed.body))
  assert.deepEqual([signed.body.ipRestrict, signed.body.enableSpotAndMarginTrading], [true, false])
})

test('API-KEY-015: a deleted or narrowed key is refused from the next request on, and its owner sees its last use', async () => {
  const { key, secret } = await make()
  assert.equal((await restrictions(key.key, hmac(secret))).status, 200)
  const seen = async () => (await alice.call('GET', '/keys')).body.keys.find(({ id }: { id: string }) => id === key.id)
  for (let attempt = 0; attempt < 1_500 && (await seen()).lastUsedAt === undefined; attempt++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await seen()).lastIp, '127.0.0.1')
  assert.ok(Math.abs((await seen()).lastUsedAt - Date.now()) < 60_000)

  assert.equal((await alice.call('PATCH', `/keys/${key.id}`, { ips: ['192.0.2.1'] })).status, 200)
  const elsewhere = await restrictions(key.key, hmac(secret))
  assert.deepEqual(elsewhere, { status: 401, body: { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' } })
  assert.equal((await alice.call('PATCH', `/keys/${key.id}`, { ips: [], password: alice.password })).status, 200)
  assert.equal((await restrictions(key.key, hmac(secret))).status, 200)
  assert.equal((await alice.call('DELETE', `/keys/${key.id}`)).status, 204)
  assert.equal((await restrictions(key.key, hmac(secret))).body.code, -2015)
})

test('API-KEY-016: a cookie gives no access to the programs’ API, and a key none to the app’s', async () => {
  const { key, secret } = await make()
  const url = `${exchange.url}/sapi/v1/account/apiRestrictions?timestamp=${Date.now()}&signature=x`
  const byCookie = await fetch(url, { headers: { cookie: alice.cookie } })
  assert.deepEqual([byCookie.status, ((await byCookie.json()) as { code: number }).code], [401, -2014])
  const query = `timestamp=${Date.now()}`
  const byKey = await fetch(`${exchange.url}/app/v1/keys?${query}&signature=${hmac(secret)(query)}`, {
    headers: { 'X-MBX-APIKEY': key.key },
  })
  assert.ok([400, 401].includes(byKey.status))
  assert.equal((await fetch(`${exchange.url}/app/v1/keys`, { headers: { 'X-MBX-APIKEY': key.key } })).status, 401)
})
