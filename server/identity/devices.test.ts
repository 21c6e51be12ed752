import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deviceKeyIn, Devices } from './devices.ts'
import { keyFor } from './seal.ts'
import { newToken } from './secret.ts'
import { serverKey, ServerKeys } from './server-keys.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]

test('USER-COOKIE-004: a device’s cookie proves its key and the tag of its account, and every changed bit shows', () => {
  const devices = new Devices(ServerKeys.of(first))
  const key = newToken(16)
  const cookie = devices.sign(key, 'account', 1)
  assert.match(cookie, /^[A-Za-z0-9_-]{54}$/)
  assert.equal(devices.verified(cookie)?.key, key)
  assert.equal(deviceKeyIn(cookie), key)
  assert.equal(deviceKeyIn(key), key)
  const bytes = Buffer.from(cookie, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.equal(devices.verified(changed.toString('base64url')), undefined, `bit ${bit}`)
  }
  for (const text of ['', key, cookie.slice(1), `${cookie}A`, `${cookie}\n`, '='.repeat(54)])
    assert.equal(devices.verified(text), undefined)
  for (const text of ['', 'x', cookie.slice(1), `${key}A`, `${key}\n`]) assert.equal(deviceKeyIn(text), undefined)
})

test('USER-COOKIE-004: the tag is one per account and password, and reveals neither', () => {
  const devices = new Devices(ServerKeys.of(first))
  const tagOf = (account: string, at: number, by = devices) => by.verified(by.sign(newToken(16), account, at))?.account
  assert.equal(tagOf('a', 1), tagOf('a', 1))
  const tags = [tagOf('a', 1), tagOf('a', 2), tagOf('b', 1), tagOf('a', 1, new Devices(ServerKeys.of(second)))]
  assert.equal(new Set(tags).size, tags.length)
})

test('USER-COOKIE-004: cookies stay valid while the server has the key that signed them, and a newer key is found', () => {
  let keys = [first]
  let now = 0
  const here = new Devices(new ServerKeys(() => keys), () => now)
  const old = here.sign(newToken(16), 'account', 1)
  const elsewhere = new Devices(ServerKeys.of(second, first)).sign(newToken(16), 'account', 1)
  assert.equal(here.verified(elsewhere), undefined)
  keys = [second, first]
  assert.equal(here.verified(elsewhere), undefined, 'made-up cookies do not make it read each time')
  now += 60_000
  assert.ok(here.verified(elsewhere))
  assert.ok(here.verified(old))
  keys = [third, second]
  now += 60_000
  assert.equal(here.verified('A'.repeat(54)), undefined)
  assert.equal(here.verified(old), undefined)
  assert.ok(here.verified(elsewhere))
})

test('USER-COOKIE-004: a cookie is the key, eight bytes for the account, and sixteen that sign both', () => {
  const signing = keyFor(serverKey(first), 'device-cookie')
  const hmac = (data: Buffer | string): Buffer => createHmac('sha256', signing).update(data).digest()
  const key = randomBytes(16)
  const signed = Buffer.concat([key, hmac('account me 5').subarray(0, 8)])
  const mac = hmac(Buffer.concat([Buffer.from('device '), signed])).subarray(0, 16)
  const cookie = new Devices(ServerKeys.of(first)).sign(key.toString('base64url'), 'me', 5)
  assert.equal(cookie, Buffer.concat([signed, mac]).toString('base64url'))
})

test('USER-COOKIE-004: made-up cookies make the keys be read once a minute at most', () => {
  let reads = 0
  const devices = new Devices(new ServerKeys(() => (reads++, [first])))
  assert.equal(devices.verified('A'.repeat(54)), undefined)
  const before = reads
  assert.equal(devices.verified('B'.repeat(54)), undefined)
  assert.equal(reads, before)
})
