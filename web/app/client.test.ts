import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { signedIn, signedOut } from './session.ts'

let now = 0
mock.method(performance, 'now', () => now)
const { http } = await import('./client.ts')

/** URLs that were asked for after the code had come. */
let asked: string[] = []
const json = (body: unknown): Response => Response.json(body)

beforeEach(() => {
  now = 0
  asked = []
  mock.method(globalThis, 'fetch', (url: string) => {
    asked.push(url)
    return Promise.resolve(json({ by: 'later' }))
  })
  globalThis.early = { '/app/v1/config': Promise.resolve(json({ by: 'early' })) }
})
afterEach(() => {
  globalThis.early = undefined
})

const config = async (): Promise<unknown> => (await http('GET', '/config')) as unknown

test('UI-FIRST-003: an early answer is taken once, and the next request asks again', async () => {
  assert.deepEqual(await config(), { by: 'early' })
  assert.deepEqual(asked, [])
  assert.deepEqual(await config(), { by: 'later' })
})

test('UI-FIRST-003: an early request that failed is sent again', async () => {
  globalThis.early = { '/app/v1/config': Promise.reject(new TypeError('network')) }
  assert.deepEqual(await config(), { by: 'later' })
})

test('UI-FIRST-003: an early answer that is no longer fresh is not taken', async () => {
  now = 5_000
  assert.deepEqual(await config(), { by: 'later' })
})

test('UI-FIRST-003: after a login or logout, no early answer is taken', async () => {
  signedIn({ uid: '1' } as WireMe)
  assert.deepEqual(await config(), { by: 'later' })
  signedOut()
  assert.deepEqual(await config(), { by: 'later' })
})

test('UI-FIRST-003: an early answer is not that of a request that changes something', async () => {
  assert.deepEqual(await http('POST', '/config', { body: {} }), { by: 'later' })
})
