import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ipsMax } from '../../identity/key-terms.ts'
import { good } from '../../identity/test/world.ts'
import * as keys from './key-routes.ts'
import { shaped, UserApi } from './test/user-api.ts'

let api: UserApi
before(async () => {
  api = await UserApi.start()
})
after(() => api[Symbol.asyncDispose]())

test('API-KEY-013: over the app’s API a key is created with the password, listed without its secret, and changed and deleted by its owner alone', async () => {
  const [alice, bob] = [api.browser(), api.browser()]
  await alice.register(api.world.address())
  await bob.register(api.world.address())
  const form = { label: 'my bot', scopes: ['read', 'trade'], ips: ['192.0.2.1'] }
  assert.equal((await alice.send('POST', '/keys', form)).body.code, 'FIELD_MISSING')
  const wrong = await alice.send('POST', '/keys', { ...form, password: 'not this one' })
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.field], [401, 'CREDENTIALS_WRONG', 'password'])
  const made = await alice.send('POST', '/keys', { ...form, password: good })
  assert.equal(made.status, 201)
  const { key, secret } = shaped(keys.keyMade, made.body) as { key: { id: string; label: string }; secret: string }
  const list = await alice.send('GET', '/keys')
  shaped(keys.keyList, list.body)
  assert.deepEqual(list.body.keys, [key])
  assert.ok(!JSON.stringify(list.body).includes(secret))

  for (const [method, body] of [
    ['PATCH', { label: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await bob.send(method, `/keys/${key.id}`, body)).body.code, 'NOT_FOUND')
    assert.equal((await api.browser().send(method, `/keys/${key.id}`, body)).body.code, 'UNAUTHENTICATED')
    assert.equal((await alice.send(method, '/keys/not-an-id', body)).body.code, 'NOT_FOUND')
  }
  assert.deepEqual((await bob.send('GET', '/keys')).body.keys, [])

  const wider = { scopes: ['read', 'trade', 'withdraw'] }
  assert.deepEqual((await alice.send('PATCH', `/keys/${key.id}`, wider)).body.field, 'password')
  const changed = await alice.send('PATCH', `/keys/${key.id}`, { ...wider, password: good })
  assert.deepEqual(shaped(keys.key, changed.body), { ...key, ...wider })
  for (const bad of [
    { label: '' },
    { label: ' ' },
    { label: 'a\u202eb' },
    { scopes: ['all'] },
    { ips: 'any' },
    { expiresAt: '5' },
    { key: 'x' },
  ]) {
    assert.equal((await alice.send('PATCH', `/keys/${key.id}`, bad)).status, 400, JSON.stringify(bad))
  }
  // One address more than a list may have, even if all are the same.
  const ips = Array.from({ length: ipsMax + 1 }, () => '192.0.2.1')
  for (const answer of [
    await alice.send('POST', '/keys', { ...form, ips, password: good }),
    await alice.send('PATCH', `/keys/${key.id}`, { ips, password: good }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code, answer.body.field], [400, 'FIELD_INVALID', 'ips'])
  }
  assert.equal((await alice.send('PATCH', `/keys/${key.id}`, { ips: ips.slice(1), password: good })).status, 200)
  assert.equal((await alice.send('DELETE', `/keys/${key.id}`)).status, 204)
  assert.deepEqual((await alice.send('GET', '/keys')).body.keys, [])
})
