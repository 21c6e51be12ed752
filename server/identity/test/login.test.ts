import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Argon } from '../argon.ts'
import type { Visitor } from '../device.ts'
import { prune } from '../prune.ts'
import { newToken } from '../secret.ts'
import type { Revoked } from '../sessions.ts'
import { identityDb } from '../tables.ts'
import { desk, elsewhere, good, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const day = 86_400_000
const login = (to: string, password = good, visitor: Visitor = elsewhere(), presented?: string) =>
  world.identity.login({ channel: 'email', to, password, lang: 'en' }, visitor, presented)

test('USER-LOGIN-001: the right password logs in; a wrong one and an unknown account get the same answer', async () => {
  const { to, account } = await world.customer()
  const { session } = await login(` ${to.toUpperCase()} `)
  assert.equal(session.account, account)
  await assert.rejects(login(to, `${good} `), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(world.address()), refused('CREDENTIALS_WRONG'))
})

test('USER-LOGIN-002: a wrong password takes as long as an unknown account', async () => {
  await using own = await startWorld(new Argon())
  const { to } = await own.customer()
  const times: [number[], number[]] = [[], []]
  const here = elsewhere()
  const timed = async (address: string, into: number[]) => {
    const began = performance.now()
    const form = { channel: 'email', to: address, password: 'certainly not this one', lang: 'en' } as const
    await assert.rejects(own.identity.login(form, here), refused('CREDENTIALS_WRONG'))
    into.push(performance.now() - began)
  }
  for (let round = 0; round < 14; round++) {
    own.pass(1_000_000)
    await timed(to, times[0])
    await timed(`nobody-${round}@example.com`, times[1])
  }
  const [known, unknown] = times.map((list) => list.sort((a, b) => a - b)[list.length / 2] as number) as [number, number]
  assert.ok(
    Math.abs(known - unknown) < 0.5 * Math.max(known, unknown),
    `median ${known.toFixed(1)} ms known, ${unknown.toFixed(1)} ms unknown`,
  )
})

test('USER-LOGIN-003: after five wrong passwords each try waits twice as long, up to 15 minutes, and never for ever', async () => {
  const { to } = await world.customer()
  const here = elsewhere()
  for (let wrong = 0; wrong < 5; wrong++) await assert.rejects(login(to, 'wrong password', here), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(to, good, here), { refusal: 'TOO_MANY_TRIES', retryAfter: 1 })
  world.pass(1_000)
  await assert.rejects(login(to, 'wrong password', here), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(to, good, here), { refusal: 'TOO_MANY_TRIES', retryAfter: 2 })
  for (let wrong = 0; wrong < 14; wrong++) {
    world.pass(900_000)
    await assert.rejects(login(to, 'wrong password', here), refused('CREDENTIALS_WRONG'))
  }
  await assert.rejects(login(to, good, here), { refusal: 'TOO_MANY_TRIES', retryAfter: 900 })
  world.pass(900_000)
  await login(to, good, here)
  await assert.rejects(login(to, 'wrong password', here), refused('CREDENTIALS_WRONG'))
  await login(to, good, here)
})

test('USER-LOGIN-003: of 50 wrong passwords at the same moment five are compared, for an unknown account too', async () => {
  const { to } = await world.customer()
  for (const address of [to, world.address()]) {
    const here = elsewhere()
    const came = await outcomes(Array.from({ length: 50 }, () => login(address, 'wrong password', here)))
    assert.equal(came.filter((one) => one === 'CREDENTIALS_WRONG').length, 5)
    assert.equal(came.filter((one) => one === 'TOO_MANY_TRIES').length, 45)
  }
})

test('USER-LOGIN-004: a minute after the last guess of a stranger from everywhere, the owner can log in from a new device', async () => {
  const { to } = await world.customer()
  for (let place = 0; place < 40; place++) {
    const stranger = { ip: `192.0.2.${place}`, userAgent: '' }
    await assert.rejects(login(to, 'wrong password', stranger), refused('CREDENTIALS_WRONG'))
    world.pass(60_000)
  }
  await login(to)
})

test('USER-LOGIN-005: a network address that guesses at many accounts must wait too; a sandbox does not count its own machine', async () => {
  const guess = (ip: string, identity = world.identity) =>
    identity.login({ channel: 'email', to: world.address(), password: 'wrong password', lang: 'en' }, { ip, userAgent: '' })
  for (let wrong = 0; wrong < 30; wrong++) await assert.rejects(guess('192.0.2.200'), refused('CREDENTIALS_WRONG'))
  await assert.rejects(guess('192.0.2.200'), refused('TOO_MANY_TRIES'))
  await assert.rejects(guess('192.0.2.201'), refused('CREDENTIALS_WRONG'))
  world.pass(120_000)
  await assert.rejects(guess('192.0.2.200'), refused('CREDENTIALS_WRONG'))
  for (let wrong = 0; wrong < 32; wrong++) await assert.rejects(guess('127.0.0.1'), refused('CREDENTIALS_WRONG'))
  for (let wrong = 0; wrong < 30; wrong++) await assert.rejects(guess('127.0.0.1', world.production), refused('CREDENTIALS_WRONG'))
  await assert.rejects(guess('127.0.0.1', world.production), refused('TOO_MANY_TRIES'))
})

test('USER-LOGIN-006: each login has a new token; a session that the visitor brought ends', async () => {
  const { to, token } = await world.customer()
  const planted = newToken()
  const first = await login(to, good, phone, planted)
  assert.notEqual(first.token, planted)
  assert.equal(await world.identity.session(planted), undefined)
  const second = await login(to, good, phone, first.token)
  assert.equal(await world.identity.session(first.token), undefined)
  assert.equal((await world.identity.session(second.token))?.id, second.session.id)
  assert.ok(await world.identity.session(token), 'a session that was not presented stays')
})

test('USER-LOGIN-007: a login from a device not seen before is told to the owner, in the language that the account had; a known one is not', async () => {
  const { to, deviceKey } = await world.customer()
  await login(to, good, { ...phone, deviceKey })
  await world.identity.settled()
  assert.equal((await world.inbox.list(to)).length, 1)
  const stranger = await world.identity.login({ channel: 'email', to, password: good, lang: 'fr' }, desk)
  await world.identity.settled()
  const mail = (await world.inbox.list(to))[0]
  assert.equal(mail?.subject, 'New login to your account')
  assert.match(mail?.text ?? '', /Device: Firefox · Windows\nIP address: 198\.51\.100\.9\nTime: .*2026.* UTC/)
  await login(to, good, { ...desk, deviceKey: stranger.deviceKey })
  await world.identity.settled()
  assert.equal((await world.inbox.list(to)).length, 2)
})

test('USER-SESSION-001: a session ends 30 days after its last use and 180 days after its login', async () => {
  const { token } = await world.customer()
  world.pass(29 * day)
  assert.ok(await world.identity.session(token))
  world.pass(30 * day - 1)
  assert.ok(await world.identity.session(token), 'its expiry was extended')
  world.pass(30 * day)
  assert.equal(await world.identity.session(token), undefined)

  const other = await world.customer()
  for (let week = 0; week < 25; week++) {
    world.pass(7 * day)
    assert.ok(await world.identity.session(other.token))
  }
  world.pass(5 * day)
  assert.equal(await world.identity.session(other.token), undefined)
})

test('USER-SESSION-002: an ended session is refused from then on, and caches of sessions are notified', async () => {
  const { to, account, token } = await world.customer()
  const other = await login(to, good, desk)
  const heard: Revoked[] = []
  const stop = world.identity.sessions.onRevoked((revoked) => heard.push(revoked))
  const session = await world.identity.session(token)
  assert.ok(session)
  await world.identity.endSession(session, other.session.id, phone)
  assert.equal(await world.identity.session(other.token), undefined)
  const [third, fourth] = [await login(to, good, desk), await login(to, good, desk)]
  await world.identity.endOtherSessions(session, phone)
  assert.deepEqual(await Promise.all([third, fourth].map((one) => world.identity.session(one.token))), [undefined, undefined])
  await world.identity.logout(session, phone)
  assert.equal(await world.identity.session(token), undefined)
  stop()
  assert.deepEqual(
    heard.map((one) => ({ account: one.account, sessions: [...one.sessions].sort() })),
    [
      { account, sessions: [other.session.id] },
      { account, sessions: [third.session.id, fourth.session.id].sort() },
      { account, sessions: [session.id] },
    ],
  )
})

test('USER-SESSION-003: the token changes once a day; the old one is valid until the new one is used, and a minute more', async () => {
  const { sessions } = world.identity
  const { token } = await world.customer()
  assert.equal(await sessions.rotate(token), undefined)
  world.pass(day)
  const lost = (await sessions.rotate(token)) as string
  assert.match(lost, /^[A-Za-z0-9_-]{43}$/)
  assert.ok(await sessions.find(token), 'the answer with the new token may have got lost')
  world.pass(day)
  const next = (await sessions.rotate(token)) as string
  assert.equal(await sessions.find(lost), undefined)
  assert.ok(await sessions.find(next))
  world.pass(59_999)
  assert.ok(await sessions.find(token))
  world.pass(1)
  assert.equal(await sessions.find(token), undefined)
  assert.ok(await sessions.find(next))
})

test('USER-SESSION-004: a customer sees and ends own sessions only', async () => {
  const mine = await world.customer(phone)
  const theirs = await world.customer(desk)
  const session = await world.identity.session(mine.token)
  const foreign = await world.identity.session(theirs.token)
  assert.ok(session && foreign)
  const list = await world.identity.sessions.list(mine.account, session.id)
  assert.deepEqual(
    list.map(({ id, device, ip, isCurrent }) => ({ id, device, ip, isCurrent })),
    [{ id: session.id, device: 'Chrome · Android', ip: phone.ip, isCurrent: true }],
  )
  await assert.rejects(world.identity.endSession(session, foreign.id, phone), refused('NOT_FOUND'))
  assert.ok(await world.identity.session(theirs.token))
})

test('USER-SESSION-005: only the hash of a token is stored, and text that does not look like a token is not looked up', async () => {
  const { token, account } = await world.customer()
  const { rows } = await world.store.pool.query('select token from sessions where account = $1', [account])
  assert.deepEqual(rows[0].token, createHash('sha256').update(token).digest())
  for (const text of ['', 'x', `${token}x`, token.slice(1), '\0'.repeat(43), "' or true --"]) {
    assert.equal(await world.identity.session(text), undefined)
  }
})

test('USER-AUDIT-001: logins, failures and endings are in the log, which can only grow', async () => {
  const { to, account } = await world.customer()
  const { session } = await login(to, good, desk)
  await assert.rejects(login(to, 'wrong password', desk), refused('CREDENTIALS_WRONG'))
  await world.identity.logout(session, desk)
  const { rows } = await world.store.pool.query('select action, ip, device, session from audit_log where account = $1 order by id', [
    account,
  ])
  assert.deepEqual(rows, [
    { action: 'register', ip: phone.ip, device: 'Chrome · Android', session: null },
    { action: 'login', ip: desk.ip, device: 'Firefox · Windows', session: session.id },
    { action: 'login-failed', ip: desk.ip, device: 'Firefox · Windows', session: null },
    { action: 'logout', ip: desk.ip, device: 'Firefox · Windows', session: session.id },
  ])
  for (const statement of ["update audit_log set ip = ''", 'delete from audit_log', 'truncate audit_log']) {
    await assert.rejects(world.store.pool.query(statement), /the audit log only grows/)
  }
})

test('USER-PRUNE-001: expired data without further effect is deleted; live sessions, codes and waits stay', async () => {
  const own = await startWorld()
  try {
    const { to } = await own.customer()
    const ask = { purpose: 'reset', channel: 'email', to, lang: 'en' } as const
    await own.identity.sendCode(ask, phone)
    await own.identity.resetCode({ channel: 'email', to, code: await own.codeOf(to) }, phone)
    const wrong = { channel: 'email', to, password: 'wrong password', lang: 'en' } as const
    await assert.rejects(own.identity.login(wrong, phone), refused('CREDENTIALS_WRONG'))
    const db = identityDb(own.store)
    const left = async (): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {}
      for (const table of ['codes', 'code_counts', 'reset_tokens', 'login_tries', 'sessions']) {
        counts[table] = (await own.store.pool.query(`select count(*) as n from ${table}`)).rows[0].n
      }
      return counts
    }
    const before = await left()
    const now = Date.UTC(2026, 0, 15, 12)
    await prune(db, now)
    assert.deepEqual(await left(), before)
    await prune(db, now + 2 * day)
    assert.deepEqual(await left(), { ...before, codes: 0, code_counts: 1, reset_tokens: 0 })
    await prune(db, now + 31 * day)
    assert.deepEqual(await left(), { codes: 0, code_counts: 0, reset_tokens: 0, login_tries: 0, sessions: 1 })
    await prune(db, now + 400 * day)
    assert.equal((await left()).sessions, 0)
  } finally {
    await own[Symbol.asyncDispose]()
  }
})
