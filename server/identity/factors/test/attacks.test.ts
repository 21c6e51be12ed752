/** Attacks on second factors and proofs, each of which once worked. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { stranger } from '../../test/people.ts'
import { fresh, minute } from '../../test/quick-world.ts'
import { good, outcomes, refused } from '../../test/world.ts'
import type { Person } from '../factors.ts'
import type { FactorNeeded } from '../logins.ts'
import { factorWorld, origin } from './factor-world.ts'
import { withRevocationAt } from './hostile-attestation.ts'
import { SoftPasskey } from './soft-passkey.ts'

const { world, rows, sent, sessionOf, codeIn, ask, tokenIn, reset, factors, customer, proveByCode, codeOf, withApp, withPasskey } =
  factorWorld()

/** A customer whose session has just proved itself. */
async function proven() {
  const one = await customer()
  await proveByCode(one)
  return one
}

/** Waits until this many statements wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const [row] = await rows(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (row!['n'] === count) return
    await sleep(20)
  }
}

test('USER-FACTOR-006: a passkey with a certificate of its own makes the server send no request', async () => {
  let asked = 0
  const inside = createServer((_request, response) => {
    asked++
    response.end('secret')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  try {
    const { person } = await proven()
    const { port } = inside.address() as AddressInfo
    const made = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
    await assert.rejects(
      factors().addPasskey('x', withRevocationAt(`http://127.0.0.1:${port}/metadata`, made), person),
      refused('PASSKEY_WRONG'),
    )
    assert.equal(asked, 0)
  } finally {
    inside.close()
  }
})

test('USER-INPUT-001: odd ways to reach a device, ids and keys of a passkey get a definite refusal or are ignored', async () => {
  const { person, account } = await proven()
  const add = async (passkey: SoftPasskey, transports: unknown) => {
    const made = passkey.create({ options: await factors().beginPasskey(person) })
    return factors().addPasskey('x', { ...made, response: { ...(made['response'] as object), transports } }, person)
  }
  await assert.rejects(add(new SoftPasskey(origin, randomBytes(1_024)), []), refused('PASSKEY_WRONG'))
  await assert.rejects(add(new SoftPasskey(origin, randomBytes(8_000)), []), refused('PASSKEY_WRONG'))
  await add(new SoftPasskey(origin, randomBytes(1_023)), [['usb'], ['usb', 'nfc']])
  for (const odd of ['usb', 7, { length: 3 }, null, [{ usb: 1 }, null, 'usb', 'usb'], Array.from({ length: 9_000 }, () => 'x'.repeat(20))])
    await add(new SoftPasskey(origin), odd)
  const stored = await rows('select transports from passkeys where account = $1 order by created_at', account)
  assert.deepEqual(new Set(stored.flatMap(({ transports }) => transports as string[])), new Set(['usb']))
  assert.ok(stored.every(({ transports }) => (transports as string[]).length <= 7))
})

test('USER-FACTOR-008: of parallel signatures with one count, one is accepted, and the count never falls', async () => {
  const { account, passkey, person } = await withPasskey()
  const signed = async (counter: number) => passkey.sign({ options: await factors().passkeys.ask(account, origin) }, { counter })
  const same = await Promise.all(Array.from({ length: 6 }, () => signed(50)))
  const answers = await outcomes(same.map((response) => factors().prove({ way: 'passkey', response }, person)))
  assert.equal(answers.filter((answer) => answer === 'done').length, 1, answers.join())
  const mixed = await Promise.all([60, 61, 62, 63, 64, 65].toReversed().map(signed))
  await outcomes(mixed.map((response) => factors().prove({ way: 'passkey', response }, person)))
  const [row] = await rows('select counter from passkeys where account = $1', account)
  assert.equal(row!['counter'], 65)
})

test('USER-FACTOR-005: parallel renewals leave the ten recovery codes of one of them', async () => {
  const { person, account } = await withApp()
  const renewed = await Promise.all(Array.from({ length: 6 }, () => factors().renewRecoveryCodes(person)))
  const [row] = await rows('select count(*)::int as left from recovery_codes where account = $1', account)
  assert.equal(row!['left'], 10)
  const last = await Promise.all(renewed.map(({ recoveryCodes }) => factors().takesCode(account, recoveryCodes[0]!, stranger())))
  assert.equal(last.filter(Boolean).length, 1)
})

test('USER-PROOF-003: a factor whose proof a reset ends meanwhile is not added', async () => {
  const { to, account, person } = await proven()
  const made = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
  await ask(to, 'reset')
  const token = await tokenIn(to)
  const other = await world().store.pool.connect()
  try {
    // Both changes wait for the account's row, the reset first.
    await other.query('begin')
    await other.query('select id from accounts where id = $1 for update', [account])
    const ended = reset(token, fresh)
    await waiting(1)
    const added = factors().addPasskey('late', made, person)
    const refusal = assert.rejects(added, refused('PROOF_NEEDED'))
    await waiting(2)
    await other.query('commit')
    await Promise.all([ended, refusal])
  } finally {
    other.release()
  }
  assert.deepEqual(await rows('select label from passkeys where account = $1', account), [])
})

test('USER-PROOF-001: an ended session has no proof', async () => {
  const { account, person } = await proven()
  await world().identity.sessions.revoke(account, person.session.id)
  await assert.rejects(factors().beginAuthenticator(person), refused('PROOF_NEEDED'))
})

test('USER-PROOF-004: an account adds at most twenty factors a day, so messages about them are limited', async () => {
  const one = await proven()
  const { to, person } = one
  const app = await factors().beginAuthenticator(person)
  await factors().confirmAuthenticator(codeOf(app.secret), person)
  await factors().removeAuthenticator(person)
  world().pass(minute)
  for (let n = 1; n < 20; n++) {
    await factors().addPasskey('again', new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) }), person)
    const { passkeys } = await factors().of(person.session)
    await factors().removePasskey(passkeys[0]!.id, person)
  }
  const more = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
  await assert.rejects(factors().addPasskey('again', more, person), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_340 })
  const { secret } = await factors().beginAuthenticator(person)
  await assert.rejects(factors().confirmAuthenticator(codeOf(secret), person), refused('TOO_MANY_TRIES'))
  assert.equal((await sent(to)).filter(({ template }) => template === 'factor-added').length, 20)
  world().pass(86_340_000)
  await proveByCode(one)
  await factors().addPasskey('again', new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) }), person)
})

test('USER-LOGIN-008: the cookie of another account makes no login by passkey or code count for its device alone', async () => {
  const { passkey } = await withPasskey()
  const own = await world().customer(stranger())
  let counted = 0
  const visitor = { ...stranger(), deviceKey: own.deviceKey, asStranger: () => void counted++ }
  const enter = async () => {
    const response = passkey.sign({ options: await factors().passkeys.ask(undefined, origin) })
    return world().identity.logins.byPasskey(response, origin, visitor)
  }
  await enter()
  assert.equal(counted, 1)
  await assert.rejects(world().identity.logins.byPasskey({}, origin, visitor), refused('PASSKEY_WRONG'))
  assert.equal(counted, 2)
  await assert.rejects(world().identity.logins.byCode('A'.repeat(43), '000000', visitor), refused('TOKEN_EXPIRED'))
  assert.equal(counted, 3)
  // The account knows this browser now.
  await enter()
  assert.equal(counted, 3)
})

test('USER-CODE-007: a stolen session replaces no code for a proof that the own device asked for, and uses up none of its day', async () => {
  const visitor = stranger()
  const { to, token, deviceKey } = await world().customer(visitor)
  const owner: Person = { session: await sessionOf(token), visitor: { ...visitor, deviceKey }, origin }
  const thief = { ...owner, visitor: stranger() }
  world().pass(minute)
  await world().identity.sendProofCode(owner)
  const code = await codeIn(to)
  for (let n = 0; n < 5; n++) {
    world().pass(minute)
    await world().identity.sendProofCode(thief)
  }
  await factors().prove({ way: 'code', code, password: good }, owner)
  for (let n = 0; n < 5; n++) {
    world().pass(minute)
    await world().identity.sendProofCode(thief)
  }
  world().pass(minute)
  await assert.rejects(world().identity.sendProofCode(thief), refused('TOO_MANY_TRIES'))
  await world().identity.sendProofCode(owner)
})

test('USER-PHRASE-001: a phrase that waits for a reset is not set with the proof that the reset ended', async () => {
  const { to, account, person } = await proven()
  world().pass(minute)
  await ask(to, 'reset')
  const token = await tokenIn(to)
  await Promise.allSettled([reset(token), ...Array.from({ length: 8 }, () => world().identity.phrases.set('words of a thief', person))])
  await assert.rejects(world().identity.phrases.set('words of a thief', person), refused('PROOF_NEEDED'))
  const logged = await rows(
    `select action from audit_log where account = $1 and action in ('password-reset', 'phrase-set') order by id`,
    account,
  )
  // Whatever was set came before the reset.
  assert.equal(logged.at(-1)!['action'], 'password-reset')
})

test('USER-FACTOR-011: no number of parallel codes passes the month’s limit', async () => {
  const { to, account } = await withApp()
  const subject = `guesses:factor:${account}`
  await rows('insert into code_counts (subject, since, sent) values ($1, $2, 47)', subject, world().clock())
  const steps = await Promise.all(
    Array.from({ length: 10 }, () =>
      world()
        .identity.login({ channel: 'email', to, password: good, lang: 'en' }, stranger())
        .catch((error: FactorNeeded) => error.step),
    ),
  )
  const tried = await outcomes(steps.map((step) => world().identity.logins.byCode(step as string, '000000', stranger())))
  assert.equal(tried.filter((name) => name === 'CODE_WRONG').length, 3)
  assert.deepEqual(await rows('select sent from code_counts where subject = $1', subject), [{ sent: 50 }])
})
