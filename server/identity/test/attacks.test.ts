/** Attacks on the limits of logins and registrations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newToken } from '../secret.ts'
import { stranger } from './people.ts'
import { phoneNumber, quickWorld } from './quick-world.ts'
import { form, good, refused } from './world.ts'

const { world, argon, rows, ask, codeIn } = quickWorld()

test('USER-LOGIN-011: a known device has one count for both addresses of the account', async () => {
  const device = { ...stranger(), deviceKey: newToken(16) }
  const { to, account } = await world().customer(device)
  const phone = phoneNumber()
  await rows('update accounts set phone = $2 where id = $1', account, phone)
  const login = (channel: 'email' | 'phone', address: string, password: string) =>
    world().identity.login({ channel, to: address, password, lang: 'en' }, device)
  for (let n = 0; n < 3; n++) await assert.rejects(login('email', to, 'a wrong one'), refused('CREDENTIALS_WRONG'))
  for (let n = 0; n < 2; n++) await assert.rejects(login('phone', phone, 'a wrong one'), refused('CREDENTIALS_WRONG'))
  for (const at of [login('email', to, good), login('phone', phone, good)]) await assert.rejects(at, refused('TOO_MANY_TRIES'))
  // A stranger must not learn from the limits that two addresses belong together.
  await world().identity.login({ channel: 'phone', to: phone, password: good, lang: 'en' }, stranger())
})

test('USER-REGISTER-008: registrations are hashed in the turns of their networks, so that no flood of logins takes the place of all', async () => {
  const visitor = stranger()
  const to = world().address()
  await ask(to, 'register', visitor)
  argon.turns.length = 0
  await world().identity.register(form(to, await codeIn(to)), visitor)
  assert.deepEqual(
    argon.turns,
    [0, 1].map(() => ({ lane: 'stranger', owner: visitor.ip })),
  )
})
