/** Attacks on the routes of factors, each of which once worked. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import { good } from '../../identity/test/world.ts'
import { type Browser, UserApi } from './test/user-api.ts'

let api: UserApi
before(async () => {
  api = await UserApi.start()
})
after(() => api[Symbol.asyncDispose]())

/** A browser whose session has just proved itself. */
async function proven(): Promise<Browser> {
  const browser = api.browser()
  const to = api.world.address()
  await browser.register(to)
  api.world.pass(60_000)
  await browser.send('POST', '/auth/proof/code')
  const proof = { way: 'code', code: await api.world.codeOf(to), password: good }
  assert.equal((await browser.send('POST', '/auth/proof', proof)).status, 200)
  return browser
}

test('USER-INPUT-001: a page whose address is none gets a definite refusal', async () => {
  for (const host of ['[', 'a b', '%', 'x:99999', '<'])
    for (const path of ['/auth/passkey/options', '/auth/passkey']) {
      const body = path === '/auth/passkey' ? { response: { id: 'x' } } : undefined
      const answer = await api.browser().send('POST', path, body, { host, origin: `http://${host}` })
      assert.ok(['ORIGIN_REFUSED', 'PASSKEY_WRONG'].includes(answer.body.code), JSON.stringify([host, answer.body]))
    }
})

test('GATEWAY-LIMITS-007: changes of factors, which lock the account, have an allowance of their own', async () => {
  const browser = await proven()
  const { secret } = (await browser.send('POST', '/auth/authenticator')).body as unknown as { secret: string }
  const code = generateSync({ secret, epoch: Math.floor(api.world.clock() / 1_000) })
  assert.equal((await browser.send('POST', '/auth/authenticator/confirm', { code })).status, 200)
  const answers = await Promise.all(Array.from({ length: 90 }, () => browser.send('POST', '/auth/recovery-codes')))
  const refused = answers.filter(({ body }) => body.code === 'RATE_LIMITED').length
  assert.ok(refused >= 20, `${refused} refused`)
})
