import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '../../../refused.ts'
import type { SignalAddress, SignalCalls } from '../../../signals/calls.ts'
import type { Context } from '../../context.ts'
import { Taken } from '../taken.ts'

test('SIGNAL-LIMIT-005: of all addresses of an account, 600 calls per minute are looked at, and another account goes on', async () => {
  let logged = 0
  const calls = { unplaced: async () => (logged++, false) } as unknown as SignalCalls
  const context = { now: () => 1_000_000 } as unknown as Context
  const taken = new Taken({ context, calls, ring: { find: async () => undefined, used: () => undefined } })
  const call = (account: string, key: number): Promise<void> => {
    const address = { account, key, apiKey: String(key), ips: [] } as unknown as SignalAddress
    return assert.rejects(taken.take(address, { ip: '192.0.2.1', text: '{}' }), Refused)
  }
  for (let n = 0; n < 30; n++) for (let key = 0; key < 30; key++) await call('alice', key)
  assert.equal(logged, 600)
  await call('bob', 100)
  assert.equal(logged, 601)
})

test('SIGNAL-LIMIT-005: calls of ten thousand other addresses let nobody begin a minute again', async () => {
  let logged = 0
  const calls = { unplaced: async () => (logged++, false) } as unknown as SignalCalls
  const context = { now: () => 1_000_000 } as unknown as Context
  const taken = new Taken({ context, calls, ring: { find: async () => undefined, used: () => undefined } })
  const call = (key: number): Promise<void> => {
    const address = { account: `a${key}`, key, apiKey: String(key), ips: [] } as unknown as SignalAddress
    return assert.rejects(taken.take(address, { ip: '192.0.2.1', text: '{}' }), Refused)
  }
  for (let n = 0; n < 130; n++) await call(0)
  assert.equal(logged, 121)
  for (let key = 1; key <= 10_100; key++) await call(key)
  await call(0)
  assert.equal(logged, 121 + 10_100)
})
