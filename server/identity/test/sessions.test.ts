import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { hashOf, newToken } from '../secret.ts'
import { freshMs, requireFresh, type Revoked, sessionIdleMs, Sessions } from '../sessions.ts'
import { type People, startPeople, stranger } from './people.ts'
import { refused } from './world.ts'

let people: People
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())

const [minute, day] = [60_000, 86_400_000]
const since = (account: string) =>
  people.rows('select last_seen_at, previous_until, revoked_at from sessions where account = $1 order by created_at', account)

test('USER-SESSION-004: a session starts with what is known of its account, and is found as it started', async () => {
  const { db, clock, devices } = people
  const sessions = new Sessions(db, clock, devices)
  const person = await people.person()
  const visitor = stranger()
  const started = await sessions.start(person.id, visitor, person.password)
  assert.deepEqual(started.session, {
    ...{ id: started.session.id, account: person.id, user: person.core_user, uid: person.uid, lang: 'en', class: 'retail' },
    loggedInAt: people.clock(),
  })
  assert.deepEqual(await sessions.find(started.token), started.session)
  assert.match(started.deviceKey, /^[A-Za-z0-9_-]{22}$/)
  assert.equal(devices.verified(started.deviceCookie)?.key, started.deviceKey)
  assert.deepEqual(await sessions.list(person.id, 'another'), [
    {
      ...{ id: started.session.id, device: 'Firefox · Linux', ip: visitor.ip, createdAt: people.clock(), lastSeenAt: people.clock() },
      isCurrent: false,
    },
  ])
})

test('USER-LOGIN-006: no session starts for an account without a user, an unknown one, or after another password', async () => {
  const { sessions } = people
  const person = await people.person()
  const closed = await people.person(false)
  for (const start of [
    () => sessions.start(closed.id, stranger()),
    () => sessions.start('11111111-1111-4111-8111-111111111111', stranger()),
    () => sessions.start(person.id, stranger(), 'another'),
  ]) {
    await assert.rejects(start, refused('CREDENTIALS_WRONG'))
  }
  await sessions.start(person.id, stranger())
  assert.equal((await since(person.id)).length, 1)
  const { token } = await sessions.start(person.id, stranger())
  await people.rows('update accounts set core_user = null where id = $1', person.id)
  assert.equal(await sessions.find(token), undefined)
})

test('USER-LOGIN-008: a browser is known after its first login, to its account alone, by a name that hides its key', async () => {
  const { sessions } = people
  const [person, other] = [await people.person(), await people.person()]
  const visitor = { ...stranger(), deviceKey: newToken(16) }
  const known = (account: string | undefined) => sessions.knownDevice(account, visitor)
  assert.equal(await known(person.id), undefined)
  const first = await sessions.start(person.id, visitor)
  assert.deepEqual([first.deviceKey, first.isKnownDevice], [visitor.deviceKey, false])
  assert.equal((await sessions.start(person.id, visitor)).isKnownDevice, true)
  assert.equal(await known(person.id), hashOf(visitor.deviceKey).toString('hex').slice(0, 16))
  assert.equal(await known(other.id), undefined)
  assert.equal(await known(undefined), undefined)
  assert.equal(await sessions.knownDevice(person.id, stranger()), undefined)
})

test('USER-RESET-008: after a change of the password only the browser of the session that stays is known', async () => {
  const { sessions, db } = people
  const person = await people.person()
  const [own, other] = [stranger(), stranger()].map((visitor) => ({ ...visitor, deviceKey: newToken(16) }))
  const { session } = await sessions.start(person.id, own!)
  await sessions.start(person.id, other!)
  await sessions.forgetDevices(db, person.id, session.id)
  assert.ok(await sessions.knownDevice(person.id, own!))
  assert.equal(await sessions.knownDevice(person.id, other!), undefined)
  await sessions.forgetDevices(db, person.id)
  assert.equal(await sessions.knownDevice(person.id, own!), undefined)
})

test('USER-RESET-008: a browser that proved its owner is known by a new key, and gets no session', async () => {
  const { sessions, db, devices } = people
  const person = await people.person()
  const visitor = { ...stranger(), deviceKey: newToken(16) }
  const cookie = await sessions.recognize(db, person.id, visitor, 5)
  const device = devices.verified(cookie)!
  assert.notEqual(device.key, visitor.deviceKey)
  assert.equal(device.account, devices.verified(devices.sign(device.key, person.id, 5))!.account)
  assert.ok(await sessions.knownDevice(person.id, { ...visitor, deviceKey: device.key }))
  assert.equal(await sessions.knownDevice(person.id, visitor), undefined)
  assert.deepEqual(await sessions.list(person.id, ''), [])
  assert.deepEqual(await since(person.id), [{ last_seen_at: people.clock(), previous_until: null, revoked_at: people.clock() }])
})

test('USER-SESSION-001: a session lives to the last millisecond of its 30 days without use, and of its 180 days', async () => {
  const { sessions } = people
  const person = await people.person()
  const { token } = await sessions.start(person.id, stranger())
  people.pass(sessionIdleMs - 1)
  assert.ok(await sessions.find(token))
  people.pass(sessionIdleMs)
  assert.equal(await sessions.find(token), undefined)
  assert.deepEqual(await sessions.list(person.id, ''), [])

  const long = await sessions.start(person.id, stranger())
  for (let n = 0; n < 7; n++) {
    people.pass(25 * day)
    assert.ok(await sessions.find(long.token))
  }
  people.pass(5 * day - 1)
  assert.ok(await sessions.find(long.token))
  people.pass(1)
  assert.equal(await sessions.find(long.token), undefined)
})

test('USER-SESSION-001: a use is noted once a minute at most', async () => {
  const { sessions } = people
  const person = await people.person()
  const { token } = await sessions.start(person.id, stranger())
  const began = people.clock()
  people.pass(minute - 1)
  await sessions.find(token)
  assert.deepEqual(await since(person.id), [{ last_seen_at: began, previous_until: null, revoked_at: null }])
  people.pass(1)
  await sessions.find(token)
  assert.deepEqual(await since(person.id), [{ last_seen_at: began + minute, previous_until: null, revoked_at: null }])
})

test('USER-SESSION-003: a token changes a day after the last change, and the old one ends a minute after the first use of the new one', async () => {
  const { sessions } = people
  const person = await people.person()
  const { token } = await sessions.start(person.id, stranger())
  people.pass(day - 1)
  assert.equal(await sessions.rotate(token), undefined)
  people.pass(1)
  const next = (await sessions.rotate(token))!
  for (let n = 0; n < 3; n++) {
    people.pass(minute)
    assert.ok(await sessions.find(token), 'the new token may have got lost')
  }
  assert.ok(await sessions.find(next))
  people.pass(minute - 1)
  assert.ok(await sessions.find(next))
  assert.ok(await sessions.find(token))
  people.pass(1)
  assert.equal(await sessions.find(token), undefined)
  assert.ok(await sessions.find(next))
  assert.equal(await sessions.rotate(newToken()), undefined)
})

test('USER-PASSWORD-004: a token that is changed by force ends the old one at once, however young it is', async () => {
  const { sessions } = people
  const person = await people.person()
  const { token, session } = await sessions.start(person.id, stranger())
  const next = (await sessions.rotate(token, true))!
  assert.equal(await sessions.find(token), undefined)
  assert.deepEqual(await sessions.find(next), session)
  await sessions.revokeToken(next)
  assert.equal(await sessions.rotate(next, true), undefined, 'an ended session gets no token')
})

test('USER-SESSION-005: text that does not look like a token is not looked up, an unknown token finds nothing', async () => {
  const { sessions, store } = people
  const person = await people.person()
  const { token } = await sessions.start(person.id, stranger())
  const looked = mock.method(store.pool, 'connect')
  try {
    for (const text of ['', 'x', `${token}x`, `x${token}`, token.slice(1), `${token.slice(1)}!`, `${token}\n`])
      assert.equal(await sessions.find(text), undefined)
    assert.equal(looked.mock.callCount(), 0)
    assert.equal(await sessions.find(newToken()), undefined)
    assert.ok(looked.mock.callCount() > 0)
  } finally {
    looked.mock.restore()
  }
})

test('USER-SESSION-002: sessions are listed by their last use, and ended one by one, all others, or by token', async () => {
  const { sessions } = people
  const [person, other] = [await people.person(), await people.person()]
  const started = []
  for (let n = 0; n < 4; n++) {
    started.push(await sessions.start(person.id, stranger()))
    people.pass(minute)
  }
  const ids = started.map(({ session }) => session.id)
  await sessions.find(started[1]!.token)
  const listed = await sessions.list(person.id, ids[0]!)
  assert.deepEqual(
    listed.map(({ id, isCurrent }) => [id, isCurrent]),
    [1, 3, 2, 0].map((n) => [ids[n], n === 0]),
  )
  const heard: Revoked[] = []
  const stop = sessions.onRevoked((revoked) => heard.push(revoked))
  assert.equal(await sessions.revoke(other.id, ids[3]!), false)
  assert.equal(await sessions.revoke(person.id, ids[3]!), true)
  assert.equal(await sessions.revoke(person.id, ids[3]!), false)
  await sessions.revokeToken(newToken())
  await sessions.revokeToken(started[2]!.token)
  await sessions.revokeOthers(person.id, ids[0]!)
  assert.deepEqual(
    (await sessions.list(person.id, '')).map(({ id }) => id),
    [ids[0]],
  )
  stop()
  await sessions.revoke(person.id, ids[0]!)
  assert.deepEqual(heard, [
    { account: other.id, sessions: [] },
    { account: person.id, sessions: [ids[3]] },
    { account: person.id, sessions: [] },
    { account: person.id, sessions: [ids[2]] },
    { account: person.id, sessions: [ids[1]] },
  ])
})

test('USER-RESET-001: sessions that a change of the password ends are told after its commit', async () => {
  const { sessions, db } = people
  const person = await people.person()
  const started = [await sessions.start(person.id, stranger()), await sessions.start(person.id, stranger())]
  const ids = started.map(({ session }) => session.id)
  const heard: Revoked[] = []
  const stop = sessions.onRevoked((revoked) => heard.push(revoked))
  const ended = await sessions.revokeWithin(db, person.id, ids[0])
  assert.equal(await sessions.find(started[1]!.token), undefined)
  assert.ok(await sessions.find(started[0]!.token))
  assert.deepEqual(heard, [])
  ended.announce()
  ;(await sessions.revokeWithin(db, person.id)).announce()
  assert.equal(await sessions.find(started[0]!.token), undefined)
  stop()
  assert.deepEqual(heard, [
    { account: person.id, sessions: [ids[1]] },
    { account: person.id, sessions: [ids[0]] },
  ])
})

test('USER-PASSWORD-004: a login counts as fresh for 15 minutes', async () => {
  const { session } = await people.sessions.start((await people.person()).id, stranger())
  assert.equal(freshMs, 900_000)
  requireFresh(session, session.loggedInAt + 900_000)
  assert.throws(() => requireFresh(session, session.loggedInAt + 900_001), refused('SESSION_NOT_FRESH'))
})
