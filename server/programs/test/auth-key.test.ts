import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { stamped } from '../auth.ts'
import { OrderCounts } from '../order-counts.ts'
import { KeyWorld, boundKey, dayMs, edKey, endingKey, hmacKey, record, restless, signedQuery, vector } from './key-world.ts'

let world: KeyWorld
beforeEach(() => {
  world = new KeyWorld()
})

test('API-AUTH-009: a key used from an unlisted address, after its expiry, or without the permission is -2015', async () => {
  const query = `timestamp=${world.now}`
  const raw = (key: string, ip: string) => ({ key, query: signedQuery(query), body: undefined, ip })
  const refused = { code: -2015, status: 401 }
  assert.equal((await world.signed(raw(boundKey, '192.0.2.77'), { scope: 'read' })).keyId, 3)
  await assert.rejects(world.signed(raw(boundKey, '192.0.3.1'), { scope: 'read' }), refused)
  await assert.rejects(world.auth.known(boundKey, '192.0.3.1'), refused)
  await assert.rejects(world.signed(raw(boundKey, '192.0.2.77'), { scope: 'trade' }), refused)
  await assert.rejects(world.signed(raw(hmacKey, '::1'), { scope: 'withdraw' }), refused)
  await assert.rejects(world.auth.known(boundKey, '192.0.2.77', 'trade'), refused)
  assert.equal((await world.auth.known(endingKey, '::1')).keyId, 4)
  world.now += dayMs
  await assert.rejects(world.auth.known(endingKey, '::1'), refused)
})

test('API-AUTH-010: a changed or deleted key is no longer trusted, even if it was being looked up', async () => {
  const known = () => world.auth.known(hmacKey, '::1')
  const together = await Promise.all(Array.from({ length: 20 }, known))
  assert.equal(new Set(together).size, 1, 'requests that come together ask once, and get the same owner')
  assert.equal(world.lookups, 1)
  world.records.delete(hmacKey)
  await known()
  world.ring.forget(hmacKey)
  await assert.rejects(known(), { code: -2015 })

  world.records.set(hmacKey, record(hmacKey, 1))
  const { promise, resolve } = Promise.withResolvers<void>()
  world.gate = promise
  const late = known()
  world.records.delete(hmacKey)
  world.ring.forget(hmacKey)
  world.gate = undefined
  resolve()
  await late
  await assert.rejects(known(), { code: -2015 })
})

test('API-AUTH-011: made-up keys are not kept in memory and are looked up each time', async () => {
  for (let tries = 0; tries < 3; tries++) await assert.rejects(world.auth.known('u'.repeat(64), '::1'), { code: -2015 })
  assert.equal(world.lookups, 3)
})

test('API-AUTH-012: the last use is recorded once a minute from each address, and only with a correct signature', async () => {
  await assert.rejects(
    world.signed({ key: hmacKey, query: `timestamp=${world.now}&signature=x`, body: undefined, ip: '::1' }, { scope: 'read' }),
  )
  assert.deepEqual(world.uses, [])
  for (let call = 0; call < 5; call++) await world.auth.known(hmacKey, '192.0.2.9')
  await world.auth.known(hmacKey, '192.0.2.10')
  world.now += 60_000
  await world.auth.known(hmacKey, '192.0.2.10')
  assert.deepEqual(world.uses, [
    [1, vector.at, '192.0.2.9'],
    [1, vector.at, '192.0.2.10'],
    [1, vector.at + 60_000, '192.0.2.10'],
  ])
})

test('API-AUTH-014: a key’s command is stamped with its number', async () => {
  const stamps: (number | undefined)[] = []
  const submit = (_: Command, keyId?: number) => (stamps.push(keyId), Promise.resolve({} as Outcome))
  const orderCounts = { spot: new OrderCounts(), futures: new OrderCounts() }
  const context = { ...restless, submit, other: 1, now: () => Date.now() as Millis, orderCounts }
  const [one, two] = [await world.auth.known(hmacKey, '::1'), await world.auth.known(edKey, '::1')]
  const own = stamped(context, one)
  assert.equal(own.other, 1)
  assert.equal(stamped(context, one), own)
  await own.submit({ type: 'clock.tick' })
  await stamped(context, two).submit({ type: 'clock.tick' })
  await context.submit({ type: 'clock.tick' })
  assert.deepEqual(stamps, [1, 2, undefined])
})
