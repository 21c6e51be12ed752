import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import type { KeyRecord } from '../../identity/keys.ts'
import { Refused } from '../../refused.ts'
import { ApiAuth, type Need } from '../auth.ts'
import type { ApiError } from '../errors.ts'
import { KeyRing } from '../key-ring.ts'
import { sentOf } from '../params.ts'

const secret = 's'.repeat(64)
const [one, bound] = ['a'.repeat(64), 'b'.repeat(64)]
const record = (key: string, number: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ number, key, kind: 'hmac', material: secret, scopes: ['read', 'trade'], ips: [], createdAt: 5, expiresAt: null },
  ...{ account: `account-${number}`, user: 10 + number, uid: '123456789', class: 'maker', restUntil: 0 },
  ...more,
})

let now: number
let records: Map<string, KeyRecord>
let lookups: string[]
let uses: (readonly [keyId: number, at: number, ip: string])[]
let faults: unknown[]
/** If set, lookups and notes fail with this error. */
let failure: Error | undefined
/** If set, lookups wait for this. */
let gate: Promise<void> | undefined
let ring: KeyRing
let auth: ApiAuth
beforeEach(() => {
  now = Date.UTC(2026, 0, 5, 12)
  records = new Map([
    [one, record(one, 1)],
    [bound, record(bound, 2, { ips: ['192.0.2.1'], expiresAt: now + 86_400_000 })],
  ])
  lookups = []
  uses = []
  faults = []
  failure = undefined
  gate = undefined
  ring = new KeyRing({
    now: () => now,
    onFault: (cause) => void faults.push(cause),
    keys: {
      find: async (key) => {
        lookups.push(key)
        const found = records.get(key)
        await gate
        if (failure) throw failure
        return found
      },
      used: async (...use) => {
        uses.push(use)
        if (failure) throw failure
      },
    },
  })
  auth = new ApiAuth(ring, () => now)
})

const hmac = (message: string, encoding: 'utf8' | 'latin1' = 'utf8') => createHmac('sha256', secret).update(message, encoding).digest('hex')
const signed = (query: string, form = '', need: Need = { scope: 'trade' }, key = one) => {
  const body = form === '' ? undefined : Buffer.from(form, 'latin1')
  return auth.signed({ key, query, body, ip: '::1', sent: sentOf(query, form) }, need)
}
const says = (code: number, text: string) => (error: ApiError) => error.code === code && error.message.includes(text)
/** Runs `act` as if this many milliseconds had passed. */
async function later<T>(ms: number, act: () => T | Promise<T>): Promise<T> {
  const { now: real } = performance
  performance.now = () => real.call(performance) + ms
  try {
    return await act()
  } finally {
    performance.now = real
  }
}

test('API-AUTH-010: a key is trusted for five seconds and then looked up again', async () => {
  assert.equal(auth.isKnown(one), false)
  const owner = await auth.known(one, '::1')
  assert.deepEqual(
    { ...owner, scopes: [...owner.scopes] },
    {
      ...{ user: 11, account: 'account-1', uid: '123456789', class: 'maker', key: one, keyId: 1, kind: 'hmac', scopes: ['read', 'trade'] },
      ...{ isBound: false, createdAt: 5, expiresAt: null, restUntil: 0 },
    },
  )
  assert.equal(auth.isKnown(one), true)
  assert.equal(auth.isKnown(bound), false)
  assert.equal(auth.isKnown(undefined), false)
  assert.equal(await ring.find(one), ring.remembered(one))
  await later(4_500, () => assert.ok(auth.isKnown(one)))
  assert.deepEqual(lookups, [one])
  records.set(one, record(one, 1, { scopes: ['read'] }))
  await later(5_001, async () => {
    assert.equal(auth.isKnown(one), false)
    await assert.rejects(auth.known(one, '::1', 'trade'), { code: -2015 })
  })
  assert.deepEqual(lookups, [one, one])
  records.delete(one)
  await later(11_000, () => assert.rejects(auth.known(one, '::1'), { code: -2015 }))
  assert.equal(ring.remembered(one), undefined, 'a key that is gone leaves the memory')
})

test('API-AUTH-010: while a key is looked up, other requests wait for the same answer; after a change they look it up again', async () => {
  const [before, after] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate = before.promise
  const first = ring.find(one)
  assert.equal(ring.find(one), first)
  records.set(one, record(one, 1, { scopes: ['read'] }))
  ring.forget(one)
  gate = after.promise
  const second = ring.find(one)
  assert.notEqual(second, first)
  before.resolve()
  await first
  assert.equal(ring.find(one), second)
  assert.equal(ring.remembered(one), undefined)
  after.resolve()
  assert.equal(await second, ring.remembered(one))
  assert.ok(!ring.remembered(one)!.owner.scopes.has('trade'))
  assert.deepEqual(lookups, [one, one])
})

test('when keys cannot be looked up, a request is refused as unavailable, and the fault is reported', async () => {
  failure = new Error('the database is gone')
  await assert.rejects(auth.known(one, '::1'), (error: unknown) => error instanceof Refused && error.refusal === 'UNAVAILABLE')
  assert.deepEqual(faults, [failure])
  failure = undefined
  assert.equal((await auth.known(one, '::1')).keyId, 1)
})

test('a use that cannot be recorded is reported, and the request continues', async () => {
  await auth.known(one, '::1')
  failure = new Error('the database is gone')
  assert.equal((await auth.known(one, '::2')).keyId, 1)
  await new Promise(setImmediate)
  assert.deepEqual(faults, [failure])
})

test('API-AUTH-012: a signed request records its use; a minute counts from the last record, even after the key is looked up again', async () => {
  const query = () => `timestamp=${now}`
  await signed(`${query()}&signature=${hmac(query())}`)
  assert.deepEqual(uses, [[1, now, '::1']])
  now += 59_999
  await signed(`${query()}&signature=${hmac(query())}`)
  await later(5_001, () => signed(`${query()}&signature=${hmac(query())}`))
  assert.equal(lookups.length, 2)
  assert.equal(uses.length, 1)
  now += 1
  await auth.known(one, '::1')
  assert.equal(uses.length, 2)
})

test('API-AUTH-012: the last fifty addresses of a key are remembered', async () => {
  for (let i = 0; i < 50; i++) await auth.known(one, `192.0.2.${i}`)
  await auth.known(one, '192.0.2.0')
  assert.equal(uses.length, 50)
  await auth.known(one, '192.0.2.50')
  await auth.known(one, '192.0.2.1')
  assert.equal(uses.length, 51, 'the second is still remembered')
  await auth.known(one, '192.0.2.0')
  assert.equal(uses.length, 52, 'the first had to go')
})

test('API-KEY-014: a key’s permissions show whether it has a list of addresses, and its expiry', async () => {
  await auth.known(one, '::1')
  const { isBound, expiresAt, keyId } = await auth.known(bound, '192.0.2.1')
  assert.deepEqual([isBound, expiresAt, keyId], [true, now + 86_400_000, 2])
  assert.ok(auth.isKnown(one) && auth.isKnown(bound), 'one key does not push out another')
})

test('API-AUTH-002: a request with a key in memory is decided at once; the bytes of a body are signed unchanged', async () => {
  const form = `note=\xe9\xff&timestamp=${now}`
  const asked = () => signed('a=1', `${form}&signature=${hmac(`a=1${form}`, 'latin1')}`, { scope: 'trade', mandatory: ['note'] })
  assert.ok(asked() instanceof Promise)
  await asked()
  assert.equal((asked() as { keyId: number }).keyId, 1)
  assert.throws(() => signed('a=1', `${form}&signature=${hmac(form, 'latin1')}`), { code: -1022 })
})

test('API-AUTH-006: a signature without a value counts as a signature', async () => {
  await assert.rejects(async () => signed(`timestamp=${now}&a=1&signature`), says(-1102, "'signature'"))
  const form = 'b=1'
  const query = `signature&timestamp=${now}`
  await assert.rejects(async () => signed(query, `${form}&signature=${hmac(query + form)}`), says(-1101, "'signature'"))
})

test('API-AUTH-007: a window may have three decimals; an invalid window or timestamp is reported with the legal range', async () => {
  const at = async (timestamp: number | string, recvWindow: string) => {
    const query = `timestamp=${timestamp}&recvWindow=${recvWindow}`
    return signed(`${query}&signature=${hmac(query)}`)
  }
  assert.equal((await at(now, '5000.125')).keyId, 1)
  await assert.rejects(at(now, 'x'), says(-1100, "'recvWindow'; legal range is '^[0-9]{1,10}(\\.[0-9]{1,3})?$'"))
  await assert.rejects(at(now, '0'), says(-1100, "'recvWindow'; legal range is 'above zero'"))
  await assert.rejects(at('x', '5'), says(-1100, "'timestamp'; legal range is '^[0-9]{1,16}$'"))
})

test('API-AUTH-013: on a socket a key is text, and undefined or inherited fields count as not sent', async () => {
  const need = { scope: 'trade' } as const
  const params = { apiKey: one, timestamp: now }
  const signature = hmac(`apiKey=${one}&timestamp=${now}`)
  assert.equal((await auth.signedParams({ ...params, signature }, '::1', need)).keyId, 1)
  await assert.rejects(auth.signedParams({ ...params, signature, apiKey: [one] }, '::1', need), { code: -2014 })
  await assert.rejects(auth.signedParams({ ...params, signature, timestamp: undefined }, '::1', need), says(-1102, "'timestamp'"))
  await assert.rejects(async () => auth.loggedOn(one, Object.create({ timestamp: now }), '::1', need), says(-1102, "'timestamp'"))
})
