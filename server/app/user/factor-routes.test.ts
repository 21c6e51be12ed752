import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { good } from '../../identity/test/world.ts'
import * as schema from './factor-schema.ts'
import { me } from './schema.ts'
import { type Browser, shaped, UserApi } from './test/user-api.ts'

const origin = 'http://localhost:80'
const page = { origin, host: 'localhost:80' }

let api: UserApi
before(async () => {
  api = await UserApi.start()
})
after(() => api[Symbol.asyncDispose]())

const codeOf = (secret: string): string => generateSync({ secret, epoch: Math.floor(api.world.clock() / 1_000) })

async function proven(to: string, browser: Browser): Promise<void> {
  api.world.pass(60_000)
  const sent = await browser.send('POST', '/auth/proof/code')
  assert.equal(sent.status, 202)
  const proof = { way: 'code', code: await api.world.codeOf(to), password: good }
  const answer = await browser.send('POST', '/auth/proof', proof)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  shaped(schema.proven, answer.body)
}

test('USER-FACTOR-001: a login with a second factor takes two requests of one browser', async () => {
  const browser = api.browser()
  const to = api.world.address()
  await browser.register(to)
  assert.equal((await browser.send('POST', '/auth/authenticator')).body.code, 'PROOF_NEEDED')
  await proven(to, browser)
  const made = await browser.send('POST', '/auth/authenticator')
  assert.equal(made.status, 201)
  const { secret } = shaped(schema.authenticator, made.body) as { secret: string }
  const confirmed = await browser.send('POST', '/auth/authenticator/confirm', { code: codeOf(secret) })
  const { recoveryCodes } = shaped(schema.factorAdded, confirmed.body) as { recoveryCodes: readonly string[] }
  assert.equal(recoveryCodes.length, 10)
  const factors = shaped(schema.factors, (await browser.send('GET', '/auth/factors')).body) as { ways: readonly string[] }
  assert.deepEqual(factors.ways, ['authenticator', 'recovery'])
  const renewed = await browser.send('POST', '/auth/recovery-codes')
  assert.equal(renewed.status, 201)
  shaped(schema.recoveryCodes, renewed.body)
  const accesses = shaped(schema.accesses, (await browser.send('GET', '/auth/accesses')).body) as { entries: readonly { action: string }[] }
  assert.equal(accesses.entries[0]!.action, 'recovery-codes-renewed')

  for (const phrase of ['abc', ' a b ', 'x'.repeat(33), 'two\nlines', 7])
    assert.equal((await browser.send('PUT', '/auth/phrase', { phrase })).status, 400)
  assert.equal((await browser.send('PUT', '/auth/phrase', { phrase: ' seven green bottles ' })).status, 204)
  assert.equal(((await browser.send('GET', '/auth/factors')).body as unknown as { hasPhrase: boolean }).hasPhrase, true)
  assert.equal((await browser.send('DELETE', '/auth/phrase')).status, 204)

  api.world.pass(60_000)
  const phone = api.browser()
  const first = await phone.login(to)
  assert.deepEqual([first.status, first.body.code], [401, 'SECOND_FACTOR_NEEDED'])
  assert.match(phone.lines.join(), /^candor-step=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  assert.equal((await phone.send('GET', '/me')).status, 401)
  // Another browser with the same code.
  assert.equal((await api.browser().send('POST', '/auth/login/code', { code: codeOf(secret) })).body.code, 'TOKEN_EXPIRED')
  for (const code of ['', '12345', '1234567', 'ABCD', 7]) assert.equal((await phone.send('POST', '/auth/login/code', { code })).status, 400)
  const second = await phone.send('POST', '/auth/login/code', { code: codeOf(secret) })
  assert.equal(second.status, 200)
  assert.equal(
    (shaped(me, second.body) as { email: string }).email,
    (shaped(me, (await phone.send('GET', '/me')).body) as { email: string }).email,
  )
  assert.equal((await phone.send('DELETE', '/auth/authenticator')).status, 204)
})

test('USER-FACTOR-006: a passkey is added and logs in from a page of this exchange', async () => {
  const browser = api.browser()
  const to = api.world.address()
  await browser.register(to)
  await proven(to, browser)
  const passkey = new SoftPasskey(origin)
  assert.equal((await browser.send('POST', '/auth/passkeys/options')).body.code, 'ORIGIN_REFUSED')
  const options = (await browser.send('POST', '/auth/passkeys/options', undefined, page)).body as unknown as {
    options: Record<string, unknown>
  }
  shaped(schema.passkeyOptions, options)
  const response = passkey.create(options)
  for (const label of ['', ' ', 'x'.repeat(41), 'a\nb'])
    assert.equal((await browser.send('POST', '/auth/passkeys', { label, response }, page)).body.code, 'FIELD_INVALID')
  const added = await browser.send('POST', '/auth/passkeys', { label: 'my phone', response }, page)
  assert.equal(added.status, 201, JSON.stringify(added.body))

  const phone = api.browser()
  assert.equal((await phone.login(to)).body.code, 'PASSKEY_NEEDED')
  const asked = (await phone.send('POST', '/auth/passkey/options', undefined, page)).body as unknown as { options: Record<string, unknown> }
  const entered = await phone.send('POST', '/auth/passkey', { response: passkey.sign(asked) }, page)
  assert.equal(entered.status, 200, JSON.stringify(entered.body))
  shaped(me, entered.body)
  const own = (await phone.send('POST', '/auth/proof/passkey', undefined, page)).body as unknown as { options: Record<string, unknown> }
  const proof = { way: 'passkey', response: passkey.sign(own) }
  assert.equal((await phone.send('POST', '/auth/proof', proof, page)).status, 200)
  const { passkeys } = (await phone.send('GET', '/auth/factors')).body as unknown as { passkeys: readonly { id: string }[] }
  assert.equal((await phone.send('DELETE', '/auth/passkeys/not-an-id')).status, 404)
  assert.equal((await phone.send('DELETE', `/auth/passkeys/${passkeys[0]!.id}`)).status, 204)
})

test('USER-FACTOR-001: a visitor reads and changes no factors', async () => {
  const visitor = api.browser()
  for (const path of ['/auth/factors', '/auth/accesses']) assert.equal((await visitor.send('GET', path)).status, 401)
  for (const path of ['/auth/authenticator', '/auth/recovery-codes', '/auth/passkeys/options', '/auth/proof/code', '/auth/proof/passkey'])
    assert.equal((await visitor.send('POST', path)).status, 401)
})
