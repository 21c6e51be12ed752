import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Need } from '../auth.ts'
import type { ApiError } from '../errors.ts'
import { KeyWorld, boundKey, ed25519, edKey, endingKey, hmac, hmacKey, record } from './key-world.ts'

let world: KeyWorld
beforeEach(() => {
  world = new KeyWorld()
})

test('API-AUTH-009: on a logged-on socket, a key’s permissions, addresses and expiry apply as usual', async () => {
  const ask = async (key: string, ip: string, scope: Need['scope']) => world.auth.loggedOn(key, { timestamp: world.now }, ip, { scope })
  const refused = { code: -2015, status: 401 }
  await assert.rejects(ask(boundKey, '192.0.2.77', 'trade'), refused, 'while the key is looked up')
  await assert.rejects(ask(boundKey, '192.0.2.77', 'trade'), refused, 'while it is remembered')
  assert.deepEqual(world.uses, [])
  assert.equal((await ask(boundKey, '192.0.2.77', 'read')).keyId, 3)
  assert.deepEqual(world.uses, [[3, world.now, '192.0.2.77']])
  await assert.rejects(ask(boundKey, '192.0.3.1', 'read'), refused)
  world.records.set(endingKey, record(endingKey, 4, { expiresAt: world.now + 1_000 }))
  assert.equal((await ask(endingKey, '::1', 'trade')).keyId, 4)
  world.now += 1_000
  await assert.rejects(ask(endingKey, '::1', 'trade'), refused)
  await assert.rejects(ask('u'.repeat(64), '::1', 'read'), refused)
})

test('API-AUTH-008: on a logged-on socket, missing parameters are reported before the time, and the time before the permission', async () => {
  const ask = async (params: object, need: Partial<Need> = {}) =>
    world.auth.loggedOn(boundKey, params as Record<string, unknown>, '192.0.2.77', { scope: 'trade', ...need })
  const wrong = [
    [{}, -1102, "'symbol'"],
    [{ symbol: '', timestamp: world.now }, -1102, "'symbol'"],
    [{ symbol: 'BTCUSDT' }, -1102, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: null }, -1102, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: 1.5 }, -1100, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: -5 }, -1100, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: 2 ** 53 }, -1021, 'ahead'],
    [{ symbol: 'BTCUSDT', timestamp: world.now - 5_001 }, -1021, 'recvWindow'],
    [{ symbol: 'BTCUSDT', timestamp: world.now - 101, recvWindow: 100 }, -1021, 'recvWindow'],
    [{ symbol: 'BTCUSDT', timestamp: world.now, recvWindow: 60_001 }, -1131, 'recvWindow'],
    [{ symbol: 'BTCUSDT', timestamp: world.now }, -2015, 'permissions'],
  ] as const
  for (const [params, code, says] of wrong) {
    const asked = ask(params, { mandatory: ['symbol'] })
    await assert.rejects(asked, (error: ApiError) => error.code === code && error.message.includes(says), JSON.stringify(params))
  }
  await assert.rejects(ask({ timestamp: 0 }, { scope: 'read' }), { code: -1021 }, 'expired long ago, not missing')
  for (const timestamp of [world.now, String(world.now), world.now - 5_000]) {
    for (const recvWindow of [undefined, null, '', 5_000, '5000']) {
      assert.equal((await ask({ timestamp, recvWindow }, { scope: 'read' })).keyId, 3)
    }
  }
})

test('API-AUTH-013: on a socket all parameters but the signature are signed by name, with numbers and booleans as text', async () => {
  const params = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    price: '52000.00',
    quantity: 0.01,
    reduceOnly: true,
    recvWindow: 100,
    timestamp: world.now,
    apiKey: hmacKey,
  }
  const message = `apiKey=${hmacKey}&price=52000.00&quantity=0.01&recvWindow=100&reduceOnly=true&side=SELL&symbol=BTCUSDT&timestamp=${world.now}`
  const need = { scope: 'trade' } as const
  assert.equal((await world.auth.signedParams({ ...params, signature: hmac(message) }, '::1', need)).keyId, 1)
  const ed = { ...params, apiKey: edKey, signature: ed25519(message.replace(hmacKey, edKey)) }
  assert.equal((await world.auth.signedParams(ed, '::1', need)).keyId, 2)
  const wrong = [
    [{ ...params, side: 'BUY', signature: hmac(message) }, -1022],
    [{ ...params, signature: hmac(message), extra: 1 }, -1022],
    [{ ...params }, -1102],
    [{ ...params, timestamp: null, signature: 'x' }, -1102],
    [{ ...params, apiKey: 5, signature: 'x' }, -2014],
    [{ ...params, apiKey: 'u'.repeat(64), signature: 'x' }, -2015],
    [{ ...params, timestamp: world.now - 101, signature: 'x' }, -1021],
    [{ ...params, timestamp: [world.now], signature: 'x' }, -1100],
    [{ ...params, signature: ['x'] }, -1022],
    [{ ...params, recvWindow: 70_000, signature: 'x' }, -1131],
  ] as const
  for (const [bad, code] of wrong) await assert.rejects(world.auth.signedParams(bad, '::1', need), { code }, JSON.stringify(bad))
})
