import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Passwords, turnOf, turnOfVisitor } from '../passwords.ts'
import { newToken } from '../secret.ts'
import { loginLimits, Tries } from '../tries.ts'
import { type People, QuickArgon, startPeople, stranger } from './people.ts'
import { refused } from './world.ts'

let people: People
let argon: QuickArgon
let passwords: Passwords
const made = (mode: 'sandbox' | 'production'): Passwords => {
  const { db, clock, accounts, sessions } = people
  return new Passwords({ db, clock, mode, accounts, sessions, argon, tries: new Tries(db, clock) })
}
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())
beforeEach(() => {
  argon = new QuickArgon()
  passwords = made('production')
})

/** An account with this password, and a browser that it knows. */
async function owner(password: string) {
  const { id } = await people.person()
  await people.rows('update accounts set password = $1 where id = $2', await argon.hash(password), id)
  const visitor = { ...stranger(), deviceKey: newToken(16) }
  const started = await people.sessions.start(id, visitor)
  return { id, visitor, started, account: await people.accounts.get(id) }
}

test('USER-LOGIN-008: a request counts for the network unless the account knows the device', async () => {
  const { id, visitor } = await owner('a')
  let counted = 0
  const asStranger = (): number => ++counted
  assert.match((await passwords.deviceOf({ id }, { ...visitor, asStranger }))!, /^[0-9a-f]{16}$/)
  assert.equal(counted, 0)
  assert.equal(await passwords.deviceOf(undefined, { ...visitor, asStranger }), undefined)
  assert.equal(await passwords.deviceOf({ id }, { ...stranger(), asStranger }), undefined)
  assert.equal(counted, 2)
  assert.equal(await passwords.deviceOf({ id }, stranger()), undefined)
})

test('USER-LOGIN-005: a sandbox does not count its own machine, production does', () => {
  const sandbox = made('sandbox')
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    assert.deepEqual([sandbox.countedIp({ ip, userAgent: '' }), passwords.countedIp({ ip, userAgent: '' })], [undefined, ip])
    assert.deepEqual(sandbox.limits('me', { ip, userAgent: '' }), loginLimits('me', { ip, isIpCounted: false }))
    assert.deepEqual(passwords.limits('me', { ip, userAgent: '' }), loginLimits('me', { ip, isIpCounted: true }))
  }
  const visitor = stranger()
  assert.equal(sandbox.countedIp(visitor), visitor.ip)
  assert.deepEqual(sandbox.limits('me', visitor, 'phone'), loginLimits('me', { device: 'phone' }))
})

test('USER-PASSWORD-008: the password is asked for in the turn of its owner, and a wrong one names its field', async () => {
  const { id, visitor } = await owner('right')
  await passwords.confirm(id, 'right', visitor)
  assert.deepEqual(argon.turns.at(-1), { lane: 'known', owner: id })
  await assert.rejects(passwords.confirm(id, 'wrong', visitor), { refusal: 'CREDENTIALS_WRONG', field: 'password' })
  await assert.rejects(passwords.confirm(id, 'wrong', stranger(), 'current'), { refusal: 'CREDENTIALS_WRONG', field: 'current' })
})

test('USER-PASSWORD-005: wrong passwords of a stranger with a session slow the stranger down, and not the owner’s device', async () => {
  const { id, visitor } = await owner('right')
  const other = stranger()
  for (let n = 0; n < 5; n++) await assert.rejects(passwords.confirm(id, 'wrong', other), refused('CREDENTIALS_WRONG'))
  await assert.rejects(passwords.confirm(id, 'right', other), { refusal: 'TOO_MANY_TRIES', retryAfter: 1 })
  await passwords.confirm((await owner('another')).id, 'another', other)
  await passwords.confirm(id, 'right', visitor)
})

test('USER-RESET-008: a new password ends links, sessions and devices but those of the session that stays, and is logged', async () => {
  const { id, visitor, started, account } = await owner('old')
  const other = { ...stranger(), deviceKey: newToken(16) }
  const ends = await people.sessions.start(id, other)
  const token = Buffer.from(newToken(), 'base64url')
  await people.db
    .insertInto('reset_tokens')
    .values({ token, account: id, expires_at: people.clock() + 1_000 })
    .execute()
  people.pass(1_000)
  const heard: unknown[] = []
  const stop = people.sessions.onRevoked((revoked) => heard.push(revoked))
  const set = await passwords.set(people.db, account, 'new', { action: 'password-changed', visitor, stays: started.session.id })
  assert.deepEqual([set.changedAt, heard], [people.clock(), []])
  set.announce()
  stop()
  assert.deepEqual(heard, [{ account: id, sessions: [ends.session.id] }])
  const after = await people.accounts.get(id)
  assert.deepEqual([after.password, after.password_changed_at], ['new', people.clock()])
  assert.deepEqual(await people.rows('select from reset_tokens where account = $1', id), [])
  assert.ok(await people.sessions.knownDevice(id, visitor))
  assert.equal(await people.sessions.knownDevice(id, other), undefined)
  assert.deepEqual(await people.rows('select action, ip, session from audit_log where account = $1', id), [
    { action: 'password-changed', ip: visitor.ip, session: started.session.id },
  ])
  await assert.rejects(passwords.set(people.db, account, 'third', { action: 'password-reset', visitor }), refused('CREDENTIALS_WRONG'))
  assert.equal((await people.accounts.get(id)).password, 'new', 'a change that was overtaken changes nothing')
})

test('USER-PASSWORD-003: a password is stored under today’s cost, unless it was changed meanwhile', async () => {
  const { id, account } = await owner('same')
  const turn = turnOf({ id })
  const renewed = await passwords.rehash(account, 'same', turn)
  assert.notEqual(renewed.password, account.password)
  assert.deepEqual(await people.accounts.get(id), renewed)
  assert.deepEqual(argon.turns.at(-1), turn)
  assert.equal(await argon.verify('same', renewed.password), true)
  assert.equal(await passwords.rehash(account, 'same', turn), account)
  assert.deepEqual(await people.accounts.get(id), renewed)
})

test('USER-PASSWORD-007: a visitor has the turn of the account that knows the device, and otherwise that of the network', () => {
  const visitor = { ip: '2001:db8:1:2:3::4', userAgent: '' }
  assert.deepEqual(turnOfVisitor(visitor, { id: 'me' }, 'phone'), { lane: 'known', owner: 'me' })
  const other = { lane: 'stranger', owner: '2001:db8:1:2::/64' }
  assert.deepEqual(turnOfVisitor(visitor, undefined, 'phone'), other)
  assert.deepEqual(turnOfVisitor(visitor, { id: 'me' }, undefined), other)
})
