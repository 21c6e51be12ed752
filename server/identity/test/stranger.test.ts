import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Argon } from '../argon.ts'
import { Codes } from '../codes.ts'
import { Identity } from '../identity.ts'
import { ServerKeys } from '../server-keys.ts'
import { identityDb } from '../tables.ts'
import { openMessages } from '../../messages/messages.ts'
import type { Visitor } from '../device.ts'
import { cheapArgon } from './cheap-argon.ts'
import { desk, good, otherThan, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const minute = 60_000
const login = (to: string, password: string, visitor: Visitor) =>
  world.production.login({ channel: 'email', to, password, lang: 'en' }, visitor)
const askReset = (to: string, visitor: Visitor) =>
  world.production.sendCode({ purpose: 'reset', channel: 'email', to, lang: 'en' }, visitor)
const isRefused = async (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => error as { refusal: string; retryAfter?: number },
  )

test('USER-LOGIN-008: whatever strangers try, a device that the owner has used before is never kept waiting', async () => {
  const { to, deviceKey } = await world.customer()
  const stranger = (i: number): Visitor => ({ ip: `198.51.${i % 250}.${i}`, userAgent: '' })
  for (let i = 0; i < 60; i++) await login(to, 'wrong password', stranger(i)).catch(() => undefined)
  // Even from the owner's own network.
  for (let i = 0; i < 40; i++) await login(to, 'wrong password', { ip: phone.ip, userAgent: '' }).catch(() => undefined)
  assert.equal((await isRefused(login(to, good, stranger(99))))?.refusal, 'TOO_MANY_TRIES')
  await login(to, good, { ...phone, deviceKey })
  // A device key that the account does not know counts for nothing.
  const made = { ...phone, deviceKey: 'A'.repeat(22) }
  assert.equal((await isRefused(login(to, good, made)))?.refusal, 'TOO_MANY_TRIES')
  // The device itself guesses no faster than anybody else.
  for (let i = 0; i < 5; i++) await login(to, 'wrong password', { ...phone, deviceKey }).catch(() => undefined)
  assert.equal((await isRefused(login(to, good, { ...phone, deviceKey })))?.refusal, 'TOO_MANY_TRIES')
})

test('USER-LOGIN-010: tries are counted for networks: 64 bits and 48 bits of IPv6, 24 bits of IPv4', async () => {
  const guess = (ip: string) => isRefused(login(world.address(), 'wrong password', { ip, userAgent: '' }))
  for (let i = 1; i <= 30; i++) assert.equal((await guess(`2001:db8:1:1::${i.toString(16)}`))?.refusal, 'CREDENTIALS_WRONG')
  assert.equal((await guess('2001:db8:1:1:ffff::1'))?.refusal, 'TOO_MANY_TRIES')
  // Each of the other networks of the same 48 bits is new, but all together have the limit of the 48 bits.
  let refusals = 0
  for (let i = 0; i < 300 && refusals === 0; i++) {
    refusals += (await guess(`2001:db8:1:${(i + 2).toString(16)}::1`))?.refusal === 'TOO_MANY_TRIES' ? 1 : 0
  }
  assert.equal(refusals, 1)
  assert.equal((await guess('2001:db8:2:1::1'))?.refusal, 'CREDENTIALS_WRONG')
})

test('USER-PASSWORD-008: a link or code that proves the owner sets the password while strangers fill their queue', async () => {
  const { store, core, inbox } = world
  await using messages = await openMessages({ inbox })
  const serverKeys = ServerKeys.of(Buffer.alloc(32, 7))
  const argon = new Argon({ waitingMax: 10 })
  await using identity = new Identity({
    store,
    submit: core.submit,
    openOrders: core.openOrders,
    messages,
    mode: 'production',
    serverKeys,
    argon,
  })
  const { to } = await world.customer()
  await identity.sendCode({ purpose: 'reset', channel: 'email', to, lang: 'en' }, desk)
  await identity.settled()
  const { token } = await identity.resetCode({ channel: 'email', to, code: await world.codeOf(to) }, desk)
  // Each of ten strangers asks again as soon as it is answered, so that the queue is full all the time.
  let isOver = false
  const crowd = Array.from({ length: 10 }, async (_, i) => {
    while (!isOver) await argon.verify('wrong password', undefined, { lane: 'stranger', owner: `100.64.${i}.0/24` })
  })
  const another = () =>
    isRefused(identity.login({ channel: 'email', to, password: good, lang: 'en' }, { ip: '100.64.99.1', userAgent: '' }))
  assert.equal((await another())?.refusal, 'UNAVAILABLE')
  await identity.reset({ token, password: 'a third good password', passwordAgain: 'a third good password' }, desk)
  assert.equal((await another())?.refusal, 'UNAVAILABLE')
  isOver = true
  await Promise.all(crowd)
})

test('USER-CODE-007: codes that strangers request or try do not affect those of a known device', async () => {
  const { to, deviceKey } = await world.customer()
  const owner = { ...phone, deviceKey }
  await askReset(to, desk)
  // The wait after the stranger's request does not apply to the owner.
  await askReset(to, owner)
  const code = await world.codeOf(to)
  for (let i = 0; i < 8; i++) await world.production.resetCode({ channel: 'email', to, code: otherThan(code) }, desk).catch(() => undefined)
  assert.match((await world.production.resetCode({ channel: 'email', to, code }, owner)).token, /^[A-Za-z0-9_-]{22}$/)
  // Ten of the stranger's requests a day do not use up the owner's.
  for (let i = 0; i < 11; i++) {
    world.pass(minute)
    await askReset(to, { ip: `198.51.100.${i}`, userAgent: '' }).catch(() => undefined)
  }
  assert.equal((await isRefused(askReset(to, desk)))?.refusal, 'TOO_MANY_TRIES')
  await askReset(to, owner)
})

test('USER-RESET-008: after a reset no earlier browser is a known device; a change of the password keeps the one that made it', async () => {
  const { to, deviceKey, token } = await world.customer()
  const thief = await login(to, good, desk)
  const thiefs = { ...desk, deviceKey: thief.deviceKey }
  assert.equal((await login(to, good, thiefs)).isKnownDevice, true)
  const session = await world.production.session((await login(to, good, { ...phone, deviceKey })).token)
  assert.ok(session && token)
  const changed = { current: good, password: 'a second good password', passwordAgain: 'a second good password' }
  const mine = await login(to, good, { ...phone, deviceKey })
  await world.production.changePassword(changed, mine.session, mine.token, { ...phone, deviceKey })
  assert.equal((await login(to, changed.password, { ...phone, deviceKey })).isKnownDevice, true)
  assert.equal((await login(to, changed.password, thiefs)).isKnownDevice, false)

  await askReset(to, { ...phone, deviceKey })
  const { token: bought } = await world.production.resetCode(
    { channel: 'email', to, code: await world.codeOf(to) },
    { ...phone, deviceKey },
  )
  await world.production.reset({ token: bought, password: good, passwordAgain: good }, { ...phone, deviceKey })
  assert.equal((await login(to, good, thiefs)).isKnownDevice, false)
})

test('USER-CODE-008: phones of one country get a limited number of codes of one purpose a day, and only listed countries get any', async () => {
  const ask = (to: string, ip: string) =>
    world.production.sendCode({ purpose: 'register', channel: 'phone', to, lang: 'en' }, { ip, userAgent: '' })
  await world.store.pool.query("insert into code_counts (subject, since, sent) values ('phones:DE:register', $1, 999)", [
    Date.UTC(2026, 0, 1),
  ])
  // The count of an earlier day no longer applies.
  await ask('+4915112345601', '198.51.7.1')
  await world.store.pool.query("update code_counts set sent = 999 where subject = 'phones:DE:register'")
  const came = await outcomes([ask('+4915112345602', '198.51.8.1'), ask('+4915112345603', '198.51.9.1')])
  assert.deepEqual([...came].sort(), ['TOO_MANY_TRIES', 'done'])
  await ask('+33612345678', '198.51.10.1')
})

test('USER-CODE-008: codes of one purpose leave those of the other, and none of them those of a known device', async () => {
  const codes = new Codes(identityDb(world.store), cheapArgon(), Date.now, { perIp: 100, perCountry: 100, allPhones: 1 })
  await world.store.pool.query("delete from code_counts where subject like 'all-phones:%'")
  const issue = (purpose: 'register' | 'reset', value: string, device?: string) =>
    codes.issue(purpose, { channel: 'phone', value }, true, { device })
  await issue('register', '+4366412345601')
  await assert.rejects(issue('register', '+4366412345602'), refused('TOO_MANY_TRIES'))
  await issue('reset', '+4366412345603')
  await assert.rejects(issue('reset', '+4366412345604'), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  await issue('reset', '+4366412345605', 'a known device')
  await issue('reset', '+4366412345606', 'a known device')
})
