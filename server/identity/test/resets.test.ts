/** Tests the steps of a reset and of a change of the password. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '../../refused.ts'
import type { Visitor } from '../device.ts'
import { newToken } from '../secret.ts'
import { stranger } from './people.ts'
import { fresh, minute, phoneNumber, quickWorld } from './quick-world.ts'
import { form, good, refused } from './world.ts'

const { argon, world, rows, sent, log, ask, login, reset, circumstances, codeIn, tokenIn, sessionOf, made, withoutLink } = quickWorld()

test('USER-RESET-001: a mail has code and link; the link lives as long as the code’s token and works without it', async () => {
  const { to, account, token: before } = await world().customer(stranger())
  const visitor = stranger()
  world().pass(minute)
  assert.deepEqual(await ask(to, 'reset', visitor, 'de'), { resendAfter: 60, expiresIn: 600 })
  const message = (await sent(to)).at(-1)!
  const token = await tokenIn(to)
  assert.match(token, /^[A-Za-z0-9_-]{22}$/)
  const { code } = message.values as { code: string }
  const values = { minutes: '10', link: `/#/password?token=${token}`, code }
  assert.deepEqual(message, { channel: 'email', to, lang: 'de', template: 'reset-code', values })
  await assert.rejects(reset(token, to), refused('PASSWORD_COMMON'))
  await assert.rejects(world().identity.reset({ token, password: fresh, passwordAgain: good }, visitor), {
    refusal: 'PASSWORDS_DIFFER',
    field: 'passwordAgain',
  })
  world().pass(15 * minute - 1)
  const { id: ended } = await sessionOf(before)
  const heard: unknown[] = []
  const stop = world().identity.sessions.onRevoked((revoked) => heard.push(revoked))
  const { deviceCookie } = await reset(token, fresh, visitor)
  stop()
  assert.deepEqual(heard, [{ account, sessions: [ended] }])
  assert.deepEqual(argon.turns.at(-1), { lane: 'known', owner: account })
  assert.deepEqual(withoutLink((await sent(to)).at(-1)!), {
    ...{ channel: 'email', to, lang: 'en', template: 'password-changed', values: circumstances(visitor), closesWithdrawals: true },
  })
  assert.equal(await world().identity.session(before), undefined)
  await assert.rejects(login(to), refused('CREDENTIALS_WRONG'))
  const { key } = world().identity.devices.verified(deviceCookie)!
  assert.equal((await login(to, fresh, { ...stranger(), deviceKey: key })).isKnownDevice, true)
  assert.deepEqual((await log(account)).slice(1, 2), [['password-reset', null, {}]])
  world().pass(minute)
  await ask(to, 'reset')
  const late = await tokenIn(to)
  world().pass(15 * minute)
  await assert.rejects(reset(late), { refusal: 'TOKEN_EXPIRED', field: 'token' })
})

test('USER-RESET-010: a message with the link alone says so, and its link lives for an hour', async () => {
  const { to } = await world().customer(stranger())
  await using identity = made({ publicUrl: 'https://candor.example' })
  const asked = () => identity.sendCode({ purpose: 'reset', channel: 'email', to, lang: 'en' }, stranger())
  argon.fault = new Refused('UNAVAILABLE')
  assert.deepEqual(await asked(), { resendAfter: 3_600, expiresIn: 3_600 })
  argon.fault = undefined
  await identity.settled()
  const token = await tokenIn(to)
  const values = { minutes: '60', link: `https://candor.example/#/password?token=${token}` }
  assert.deepEqual((await sent(to)).at(-1), { channel: 'email', to, lang: 'en', template: 'reset-link', values })
  world().pass(60 * minute - 1)
  await reset(token)
})

test('USER-RESET-002: a code is exchanged for one token of 15 minutes; its visitor’s wait and the older token end', async () => {
  const { to, account, deviceKey } = await world().customer(stranger())
  world().pass(minute)
  const visitor = stranger()
  const tokens: string[] = []
  for (let n = 0; n < 2; n++) {
    world().pass(minute)
    await ask(to, 'reset', { ...visitor, deviceKey })
    const bought = await world().identity.resetCode({ channel: 'email', to, code: await codeIn(to) }, { ...visitor, deviceKey })
    assert.equal(bought.expiresIn, 900)
    tokens.push(bought.token)
  }
  assert.deepEqual((await log(account)).slice(1), [
    ['reset-allowed', null, {}],
    ['reset-allowed', null, {}],
  ])
  for (let n = 0; n < 5; n++) await assert.rejects(login(to, 'wrong password', visitor), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(to, good, visitor), refused('TOO_MANY_TRIES'))
  let counted = 0
  await assert.rejects(reset(tokens[0]!, fresh, { ...visitor, asStranger: () => void counted++ }), refused('TOKEN_EXPIRED'))
  assert.equal(counted, 1)
  const twice = await Promise.allSettled([reset(tokens[1]!, fresh, visitor), reset(tokens[1]!, fresh, visitor)])
  assert.deepEqual(twice.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const { refusal, field } = twice.find((one) => one.status === 'rejected')!.reason as Refused
  assert.deepEqual([refusal, field], ['TOKEN_EXPIRED', 'token'])
  await login(to, fresh, visitor)
})

test('USER-RESET-002: a code of an address that has lost its account opens nothing', async () => {
  const { to, account } = await world().customer(stranger())
  world().pass(minute)
  await ask(to, 'reset')
  await rows('update accounts set email = $1 where id = $2', world().address(), account)
  await assert.rejects(world().identity.resetCode({ channel: 'email', to, code: await codeIn(to) }, stranger()), {
    ...{ refusal: 'CODE_WRONG', field: 'code' },
  })
})

test('USER-PASSWORD-004: a change gives the session a new token and the browser a new cookie, and tells the owner', async () => {
  const { to, account, token, deviceKey } = await world().customer(stranger())
  const own = await sessionOf(token)
  const visitor = { ...stranger(), deviceKey }
  const other = await login(to)
  const change = (current: string, password: string, more: Partial<{ again: string; token: string; visitor: Visitor }> = {}) =>
    world().identity.changePassword(
      { current, password, passwordAgain: more.again ?? password },
      own,
      more.token ?? token,
      more.visitor ?? visitor,
    )
  await assert.rejects(change(good, to), refused('PASSWORD_COMMON'))
  await assert.rejects(change(good, fresh, { again: good }), refused('PASSWORDS_DIFFER'))
  await assert.rejects(change('wrong password', fresh), { refusal: 'CREDENTIALS_WRONG', field: 'current' })
  const heard: unknown[] = []
  const stop = world().identity.sessions.onRevoked((revoked) => heard.push(revoked))
  const changed = await change(good, fresh)
  stop()
  assert.deepEqual(heard, [{ account, sessions: [other.session.id] }])
  assert.equal(await world().identity.session(token), undefined)
  assert.equal((await sessionOf(changed.token)).id, own.id)
  const { devices } = world().identity
  const expected = devices.verified(devices.sign(deviceKey, account, world().clock()))
  assert.deepEqual(devices.verified(changed.deviceCookie!), expected)
  assert.deepEqual((await sent(to)).at(-1)?.template, 'password-changed')
  assert.deepEqual((await log(account)).at(-1), ['password-changed', own.id, {}])
  // A browser without a key gets no cookie; a token that is not the session’s changes nothing but the password.
  const without = await change(fresh, good, { token: changed.token, visitor: stranger() })
  assert.equal(without.deviceCookie, undefined)
  await assert.rejects(change(good, fresh, { token: newToken() }), refused('UNAUTHENTICATED'))
  world().pass(15 * minute + 1)
  await assert.rejects(change(fresh, good), refused('SESSION_NOT_FRESH'))
})

test('USER-RESET-010: a text message has the code alone, and no link is kept for it', async () => {
  const to = phoneNumber()
  await ask(to, 'register')
  const { session } = await world().identity.register(form(to, await codeIn(to)), stranger())
  world().pass(minute)
  await using identity = made({})
  await identity.sendCode({ purpose: 'reset', channel: 'phone', to, lang: 'en' }, stranger())
  await identity.settled()
  const { template, values } = (await sent(to)).at(-1)!
  assert.deepEqual([template, Object.keys(values).sort()], ['reset-code', ['code', 'link', 'minutes']])
  assert.match(values['link']!, /^\/#\/password\?token=/)
  assert.deepEqual(await rows('select from reset_tokens where account = $1', session.account), [])
  argon.fault = new Refused('UNAVAILABLE')
  world().pass(minute)
  await ask(to, 'reset')
  argon.fault = undefined
  await reset(await tokenIn(to))
})
