/** Attacks on the routes of factors, each of which once worked. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UserApi } from './test/user-api.ts'

let api: UserApi
before(async () => {
  api = await UserApi.start()
})
after(() => api[Symbol.asyncDispose]())

test('USER-INPUT-001: a page whose address is none gets a definite refusal', async () => {
  for (const host of ['[', 'a b', '%', 'x:99999', '<'])
    for (const path of ['/auth/passkey/options', '/auth/passkey']) {
      const body = path === '/auth/passkey' ? { response: { id: 'x' } } : undefined
      const answer = await api.browser().send('POST', path, body, { host, origin: `http://${host}` })
      assert.ok(['ORIGIN_REFUSED', 'PASSKEY_WRONG'].includes(answer.body.code), JSON.stringify([host, answer.body]))
    }
})
