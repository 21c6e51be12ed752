import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { codeIn, consoleWorld, type Member, origin, secret } from './console-world.ts'

const world = consoleWorld()
const minute = 60_000
const next = 'seven loud foghorns'
const me = async ({ browser }: Pick<Member, 'browser'>): Promise<string> => codeIn(await browser.send('GET', '/auth/me'))
const codeOf = (key: string): string => generateSync({ secret: key, epoch: Math.floor(world().clock() / 1_000) })

async function addPasskey({ browser }: Member, passkey: SoftPasskey, label = 'spare'): Promise<string> {
  const begun = await browser.send('POST', '/auth/passkeys/options')
  if (begun.status !== 200) return codeIn(begun)
  return codeIn(await browser.send('POST', '/auth/passkeys', { label, response: passkey.create(begun.body) }))
}

const passkeysOf = async ({ browser }: Member): Promise<readonly { id: string; label: string }[]> =>
  (await browser.send('GET', '/auth/factors')).body.passkeys

async function enters(passkey: SoftPasskey): Promise<boolean> {
  const browser = world().browser()
  const asked = (await browser.send('POST', '/auth/passkey/options')).body
  return (await browser.send('POST', '/auth/passkey', { response: passkey.sign(asked) })).status === 200
}

test('STAFF-LOGIN-007: a member adds and removes passkeys, never the last one, and a removal ends other sessions', async () => {
  const member = await world().hire('risk')
  const other = await world().hire('support')
  const spare = new SoftPasskey(origin)
  assert.equal(await addPasskey(member, spare), '204')
  assert.equal(await enters(spare), true)
  assert.equal(await addPasskey(other, spare), '400 PASSKEY_WRONG', 'a passkey of another member')
  // Options of one member are no use to another.
  const begun = (await member.browser.send('POST', '/auth/passkeys/options')).body
  const form = { label: 'mine', response: new SoftPasskey(origin).create(begun) }
  assert.equal(codeIn(await other.browser.send('POST', '/auth/passkeys', form)), '400 PASSKEY_WRONG')
  const [first, second] = await passkeysOf(member)
  assert.equal(codeIn(await other.browser.send('DELETE', `/auth/passkeys/${first!.id}`)), '404 NOT_FOUND')
  const tab = world().browser()
  await world().logIn(member, tab)
  assert.equal(codeIn(await member.browser.send('DELETE', `/auth/passkeys/${second!.id}`)), '204')
  assert.deepEqual([await me(member), await me({ browser: tab }), await enters(spare)], ['200', '401 UNAUTHENTICATED', false])
  assert.equal(codeIn(await member.browser.send('DELETE', `/auth/passkeys/${first!.id}`)), '400 FIELD_INVALID')
  // Both of two at the same moment: one stays.
  assert.equal(await addPasskey(member, new SoftPasskey(origin)), '204')
  const both = await passkeysOf(member)
  await Promise.all(both.map(({ id }) => member.browser.send('DELETE', `/auth/passkeys/${id}`)))
  assert.equal((await passkeysOf(member)).length, 1)
})

test('STAFF-LOGIN-007: a new password replaces the old one and ends other sessions; all of it needs a fresh login', async () => {
  const member = await world().hire('treasury')
  const { secret: key } = (await member.browser.send('POST', '/auth/authenticator')).body
  assert.equal((await member.browser.send('POST', '/auth/authenticator/confirm', { code: codeOf(key) })).status, 204)
  const tab = world().browser()
  await world().logIn(member, tab)
  for (const [password, refusal] of [
    ['fourteen chars', 'STAFF_PASSWORD_TOO_SHORT'],
    ['passwordpassword', 'PASSWORD_COMMON'],
  ])
    assert.equal((await member.browser.send('POST', '/auth/password', { password })).body.code, refusal)
  assert.equal((await member.browser.send('POST', '/auth/password', { password: next })).status, 204)
  assert.deepEqual([await me(member), await me({ browser: tab })], ['200', '401 UNAUTHENTICATED'])
  const enter = async (password: string): Promise<string> => {
    world().pass(minute)
    return codeIn(
      await world()
        .browser()
        .send('POST', '/auth/login', { email: member.email, password, code: codeOf(key) }),
    )
  }
  assert.deepEqual([await enter(secret), await enter(next)], ['401 CREDENTIALS_WRONG', '200'])

  const [passkey] = await passkeysOf(member)
  const begun = (await member.browser.send('POST', '/auth/passkeys/options')).body
  world().pass(15 * minute)
  const late = { label: 'late', response: new SoftPasskey(origin).create(begun) }
  assert.deepEqual(
    [
      await addPasskey(member, new SoftPasskey(origin)),
      codeIn(await member.browser.send('POST', '/auth/passkeys', late)),
      codeIn(await member.browser.send('DELETE', `/auth/passkeys/${passkey!.id}`)),
      codeIn(await member.browser.send('POST', '/auth/password', { password: secret })),
    ],
    Array.from({ length: 4 }, () => '403 SESSION_NOT_FRESH'),
  )
})

test('STAFF-LOGIN-008: each change of a login is in the log and told by mail, and a failed one is neither', async () => {
  const member = await world().hire('auditor')
  const before = await world().newest()
  const { secret: key } = (await member.browser.send('POST', '/auth/authenticator')).body
  await member.browser.send('POST', '/auth/authenticator/confirm', { code: codeOf(key) })
  await addPasskey(member, new SoftPasskey(origin))
  const [, spare] = await passkeysOf(member)
  await member.browser.send('DELETE', `/auth/passkeys/${spare!.id}`)
  await member.browser.send('POST', '/auth/password', { password: next })
  await member.browser.send('POST', '/auth/password', { password: 'short' })
  assert.deepEqual(
    (await world().log(before)).map(({ staff, action, subject, after }) => [staff, action, subject, after]),
    [
      [member.id, 'authenticator-begun', null, null],
      [member.id, 'authenticator-added', null, null],
      [member.id, 'passkey-added', null, { label: 'spare' }],
      [member.id, 'passkey-removed', spare!.id, null],
      [member.id, 'password-changed', null, null],
    ],
  )
  await world().staff.mail.settled()
  const told = world().sent.filter(({ to, template }) => to === member.email && template === 'staff-login')
  assert.equal(told.length, 4)
})

test('STAFF-SESSION-002: two browsers that end each other’s sessions at the same moment do not wait for each other', async () => {
  const member = await world().hire('risk')
  for (let round = 0; round < 5; round++) {
    const tabs = Array.from({ length: 4 }, () => world().browser())
    for (const tab of tabs) await world().logIn(member, tab)
    const answers = await Promise.all(tabs.map(async (tab) => codeIn(await tab.send('DELETE', '/auth/sessions'))))
    assert.deepEqual(answers.sort(), ['204', ...Array.from({ length: 3 }, () => '401 UNAUTHENTICATED')])
  }
})
