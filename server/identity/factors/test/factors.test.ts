/** Tests second factors and proofs with a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { WireProof } from '@candor/core/protocol/wire/factors.ts'
import type { Session } from '../../../ports.ts'
import { FactorNeeded } from '../logins.ts'
import { stranger } from '../../test/people.ts'
import { fresh, minute, quickWorld } from '../../test/quick-world.ts'
import { good, refused } from '../../test/world.ts'
import type { Person } from '../factors.ts'
import { SoftPasskey } from './soft-passkey.ts'

const { world, rows, sent, log, login, sessionOf, codeIn, ask, tokenIn, reset } = quickWorld()
const origin = 'https://candor.example'
const factors = () => world().identity.factors

/** A customer with a session, and one more browser. */
async function customer(): Promise<{ readonly to: string; readonly person: Person; readonly account: string }> {
  const { to, token, account } = await world().customer(stranger())
  return { to, account, person: { session: await sessionOf(token), visitor: stranger(), origin } }
}

async function proveByCode({ to, person }: { readonly to: string; readonly person: Person }): Promise<number> {
  world().pass(minute)
  await world().identity.sendProofCode(person)
  return factors().prove({ way: 'code', code: await codeIn(to), password: good }, person)
}

/** The code of the half-minute that is `later` half-minutes from now. */
const codeOf = (secret: string, later = 0): string => generateSync({ secret, epoch: Math.floor(world().clock() / 1_000) + later * 30 })

async function withApp() {
  const one = await customer()
  await proveByCode(one)
  const { secret } = await factors().beginAuthenticator(one.person)
  const { recoveryCodes } = await factors().confirmAuthenticator(codeOf(secret), one.person)
  world().pass(minute)
  return { ...one, secret, recoveryCodes: recoveryCodes! }
}

async function withPasskey() {
  const one = await customer()
  await proveByCode(one)
  const passkey = new SoftPasskey(origin)
  const made = passkey.create({ options: await factors().beginPasskey(one.person) })
  const { recoveryCodes } = await factors().addPasskey('my phone', made, one.person)
  return { ...one, passkey, recoveryCodes: recoveryCodes! }
}

/** The token of a login whose password is right. */
async function waiting(to: string, needs: 'SECOND_FACTOR_NEEDED' | 'PASSKEY_NEEDED' = 'SECOND_FACTOR_NEEDED', password = good) {
  const error: unknown = await login(to, password).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  assert.ok(error instanceof FactorNeeded)
  assert.equal(error.refusal, needs)
  return error.step
}

const byCode = (step: string | undefined, code: string) => world().identity.logins.byCode(step, code, stranger())
const loggedIn = async (started: { readonly session: Session }): Promise<Person> => ({
  ...{ session: started.session, visitor: stranger(), origin },
})
const provenUntil = async (person: Person) => (await factors().of(person.session)).provenUntil

test('USER-FACTOR-001: a login needs the password and a code of the app, within ten minutes', async () => {
  const { to, secret, account } = await withApp()
  await assert.rejects(login(to, 'a wrong password'), refused('CREDENTIALS_WRONG'))
  const step = await waiting(to)
  world().pass(10 * minute - 1)
  const started = await byCode(step, codeOf(secret))
  assert.equal(started.session.account, account)
  // A step works once.
  await assert.rejects(byCode(step, codeOf(secret, 1)), refused('TOKEN_EXPIRED'))
  await assert.rejects(byCode(undefined, codeOf(secret, 1)), refused('TOKEN_EXPIRED'))
  await assert.rejects(byCode('A'.repeat(43), codeOf(secret, 1)), refused('TOKEN_EXPIRED'))
  const late = await waiting(to)
  world().pass(10 * minute)
  await assert.rejects(byCode(late, codeOf(secret)), refused('TOKEN_EXPIRED'))
  const lines = (await log(account)).map((line) => (line as readonly unknown[])[0])
  assert.deepEqual(lines.slice(-4), ['login-failed', 'second-factor-asked', 'login', 'second-factor-asked'])
})

test('USER-FACTOR-002: a code counts half a minute early and late, and works once', async () => {
  const { to, secret } = await withApp()
  for (const later of [-2, 2]) await assert.rejects(byCode(await waiting(to), codeOf(secret, later)), refused('CODE_WRONG'))
  await byCode(await waiting(to), codeOf(secret, -1))
  await byCode(await waiting(to), codeOf(secret, 1))
  // An earlier one than the last is used up with it.
  await assert.rejects(byCode(await waiting(to), codeOf(secret)), refused('CODE_WRONG'))
  world().pass(2 * minute)
  const steps = await Promise.all(Array.from({ length: 4 }, () => waiting(to)))
  const outcomes = await Promise.allSettled(steps.map((step) => byCode(step, codeOf(secret))))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('USER-FACTOR-003: a waiting login allows five codes, and wrong codes slow the account down', async () => {
  const { to, secret, account } = await withApp()
  const step = await waiting(to)
  const wrong = ['000000', '000001', '000002', '000003', '000004', '000005', '000006'].filter((code) => code !== codeOf(secret))
  const visitor = stranger()
  const tried = await Promise.allSettled(wrong.map((code) => world().identity.logins.byCode(step, code, visitor)))
  const refusals = tried.map((one) => (one.status === 'rejected' ? (one.reason as { refusal: string }).refusal : 'in'))
  assert.equal(refusals.filter((name) => name === 'TOKEN_EXPIRED').length, wrong.length - 5)
  await assert.rejects(byCode(step, codeOf(secret)), refused('TOKEN_EXPIRED'))
  // The same network has to wait now, whatever login it begins.
  const next = await waiting(to)
  await assert.rejects(async () => {
    for (let n = 0; n < 5; n++)
      await world()
        .identity.logins.byCode(next, '000000', visitor)
        .catch((error: { refusal: string }) => {
          if (error.refusal !== 'CODE_WRONG') throw error
        })
  }, refused('TOO_MANY_TRIES'))
  world().pass(20 * minute)
  const before = await waiting(to)
  await rows('update accounts set password_changed_at = password_changed_at + 1 where id = $1', account)
  await assert.rejects(byCode(before, codeOf(secret)), refused('TOKEN_EXPIRED'))
})

test('USER-FACTOR-011: strangers and known devices each have fifty wrong codes a month; passkeys and recovery codes still work', async () => {
  const { to, secret, recoveryCodes, account } = await withApp()
  const subject = `guesses:factor:${account}`
  const spend = (sent: number, name = subject) =>
    rows(
      'insert into code_counts (subject, since, sent) values ($1, $2, $3) on conflict (subject) do update set sent = $3',
      name,
      world().clock(),
      sent,
    )
  await spend(49)
  await assert.rejects(byCode(await waiting(to), '000000'), refused('CODE_WRONG'))
  await assert.rejects(byCode(await waiting(to), codeOf(secret)), { refusal: 'TOO_MANY_TRIES', retryAfter: 51_840 })
  const started = await byCode(await waiting(to), recoveryCodes[0]!)
  // A browser that the account knows has its own, and a right code forgives them.
  const known = { ...stranger(), deviceKey: started.deviceKey }
  await spend(49, `guesses:factor#devices:${account}`)
  await world().identity.logins.byCode(await waiting(to), codeOf(secret), known)
  assert.deepEqual(await rows('select sent from code_counts where subject = $1', `guesses:factor#devices:${account}`), [])
  world().pass(51_840_000)
  await byCode(await waiting(to), codeOf(secret))
})

test('USER-FACTOR-012: the owner learns of a wrong code after the right password, once an hour', async () => {
  const { to } = await withApp()
  const told = async () => (await sent(to)).filter(({ template }) => template === 'factor-failed').length
  const fail = async () => assert.rejects(byCode(await waiting(to), '000000'), refused('CODE_WRONG'))
  await fail()
  await fail()
  assert.equal(await told(), 1)
  world().pass(60 * minute)
  await fail()
  assert.equal(await told(), 2)
  await assert.rejects(login(to, 'a wrong password'), refused('CREDENTIALS_WRONG'))
  assert.equal(await told(), 2)
})

test('USER-FACTOR-004: a new secret counts once confirmed, within 30 minutes; until then the one before does', async () => {
  const one = await withApp()
  const { to, secret, person, account } = one
  const next = await factors().beginAuthenticator(person)
  assert.match(next.uri, /^otpauth:\/\/totp\/Candor:/)
  await byCode(await waiting(to), codeOf(secret))
  await assert.rejects(factors().confirmAuthenticator('000000', person), refused('CODE_WRONG'))
  await assert.rejects(byCode(await waiting(to), codeOf(next.secret)), refused('CODE_WRONG'))
  world().pass(minute)
  assert.deepEqual(await factors().confirmAuthenticator(codeOf(next.secret), person), {})
  await assert.rejects(factors().confirmAuthenticator(codeOf(next.secret), person), refused('CODE_EXPIRED'))
  world().pass(minute)
  await assert.rejects(byCode(await waiting(to), codeOf(secret)), refused('CODE_WRONG'))
  const started = await byCode(await waiting(to), codeOf(next.secret))
  const late = await factors().beginAuthenticator(await loggedIn(started))
  await rows('update authenticators set next_at = next_at - 1800000 where account = $1', account)
  await assert.rejects(factors().confirmAuthenticator(codeOf(late.secret), await loggedIn(started)), refused('CODE_EXPIRED'))
})

test('USER-FACTOR-005: recovery codes come with the first factor, work once each, and go with the last', async () => {
  const { to, secret, recoveryCodes, account, person } = await withApp()
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^(?:[2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/)
  const stored = await rows('select hash from recovery_codes where account = $1', account)
  assert.ok(!JSON.stringify(stored).includes(recoveryCodes[0]!))
  await byCode(await waiting(to), recoveryCodes[0]!)
  await assert.rejects(byCode(await waiting(to), recoveryCodes[0]!), refused('CODE_WRONG'))
  // As people type them.
  await byCode(await waiting(to), recoveryCodes[1]!.toLowerCase().replaceAll('-', ' '))
  assert.equal((await factors().of(person.session)).recoveryCodesLeft, 8)
  const renewed = (await factors().renewRecoveryCodes(person)).recoveryCodes
  await assert.rejects(byCode(await waiting(to), recoveryCodes[2]!), refused('CODE_WRONG'))
  const again = await loggedIn(await byCode(await waiting(to), renewed[0]!))
  // Nobody else's.
  const other = await withApp()
  await assert.rejects(byCode(await waiting(other.to), renewed[1]!), refused('CODE_WRONG'))
  world().pass(minute)
  await factors().prove({ way: 'authenticator', code: codeOf(secret) }, again)
  await factors().removeAuthenticator(again)
  assert.deepEqual(await rows('select 1 from recovery_codes where account = $1', account), [])
  await assert.rejects(factors().removeAuthenticator(again), refused('NOT_FOUND'))
  await assert.rejects(factors().renewRecoveryCodes(again), refused('NOT_FOUND'))
  assert.equal((await login(to)).session.account, account)
})

test('USER-FACTOR-003: of several right codes for one waiting login one logs in', async () => {
  const { to, recoveryCodes, account } = await withApp()
  const step = await waiting(to)
  const before = await rows('select id from sessions where account = $1 and revoked_at is null', account)
  const outcomes = await Promise.allSettled(recoveryCodes.slice(0, 4).map((code) => byCode(step, code)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const after = await rows('select id from sessions where account = $1 and revoked_at is null', account)
  assert.equal(after.length, before.length + 1)
})

test('USER-FACTOR-001: the password alone changes no setting of an account with a second factor', async () => {
  const { to, account } = await withApp()
  await assert.rejects(login(to, good, stranger(), undefined, 'fr'), refused('SECOND_FACTOR_NEEDED'))
  assert.deepEqual(await rows('select lang from accounts where id = $1', account), [{ lang: 'en' }])
})

test('USER-FACTOR-009: a reset of the password does not replace the second factor', async () => {
  const { to, secret } = await withApp()
  await ask(to, 'reset')
  await reset(await tokenIn(to))
  await byCode(await waiting(to, 'SECOND_FACTOR_NEEDED', fresh), codeOf(secret))
})

test('USER-FACTOR-006: a passkey logs in alone, for this page, checked, once', async () => {
  const { passkey, account } = await withPasskey()
  const asked = async () => ({ options: await factors().passkeys.ask(undefined, origin) })
  const enter = (response: Readonly<Record<string, unknown>>, page = origin) =>
    world().identity.logins.byPasskey(response, page, stranger())
  const signed = passkey.sign(await asked())
  assert.equal((await enter(signed)).session.account, account)
  await assert.rejects(enter(signed), refused('PASSKEY_WRONG'))
  await assert.rejects(enter(passkey.sign(await asked(), { isVerified: false })), refused('PASSKEY_WRONG'))
  await assert.rejects(enter(passkey.sign(await asked(), { origin: 'https://candor.example.evil' })), refused('PASSKEY_WRONG'))
  await assert.rejects(enter(passkey.sign(await asked()), 'https://other.example'), refused('PASSKEY_WRONG'))
  await assert.rejects(enter(passkey.sign(await asked(), { isFramed: true })), refused('PASSKEY_WRONG'))
  // One that knows the id, but has another key.
  const forged = new SoftPasskey(origin).sign(await asked())
  await assert.rejects(
    enter({ ...forged, id: passkey.id.toString('base64url'), rawId: passkey.id.toString('base64url') }),
    refused('PASSKEY_WRONG'),
  )
  for (const odd of [{}, { id: 'x' }, { ...signed, response: {} }, { ...signed, response: { clientDataJSON: 'e30' } }, { id: 7 }])
    await assert.rejects(enter(odd as Readonly<Record<string, unknown>>), refused('PASSKEY_WRONG'))
  const late = await asked()
  world().pass(5 * minute)
  await assert.rejects(enter(passkey.sign(late)), refused('PASSKEY_WRONG'))
  // A challenge of somebody's proof is none for a login.
  const proof = { options: await factors().passkeys.ask(account, origin) }
  await assert.rejects(enter(passkey.sign(proof)), refused('PASSKEY_WRONG'))
  await enter(passkey.sign(await asked()))
})

test('USER-FACTOR-007: an account with passkeys alone refuses its password; a recovery code finishes that login', async () => {
  const { to, recoveryCodes, account } = await withPasskey()
  const step = await waiting(to, 'PASSKEY_NEEDED')
  await assert.rejects(byCode(step, '000000'), refused('CODE_WRONG'))
  assert.equal((await byCode(step, recoveryCodes[3]!)).session.account, account)
})

test('USER-FACTOR-008: ten passkeys an account, each in one account, and none that counts backwards', async () => {
  const { person, passkey, to, account } = await withPasskey()
  const again = { options: await factors().beginPasskey(person) }
  assert.deepEqual(
    (again.options['excludeCredentials'] as readonly { id: string }[]).map(({ id }) => id),
    [passkey.id.toString('base64url')],
  )
  await assert.rejects(factors().addPasskey('twice', passkey.create(again), person), refused('PASSKEY_WRONG'))
  const other = await customer()
  await proveByCode(other)
  await assert.rejects(
    factors().addPasskey('stolen', passkey.create({ options: await factors().beginPasskey(other.person) }), other.person),
    refused('PASSKEY_WRONG'),
  )
  const asked = async () => ({ options: await factors().passkeys.ask(account, origin) })
  await factors().prove({ way: 'passkey', response: passkey.sign(await asked(), { counter: 50 }) }, person)
  await assert.rejects(
    factors().prove({ way: 'passkey', response: passkey.sign(await asked(), { counter: 50 }) }, person),
    refused('PASSKEY_WRONG'),
  )
  const nine = await Promise.all(
    Array.from({ length: 12 }, async () => new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })),
  )
  const added = await Promise.allSettled(nine.map((made) => factors().addPasskey('more', made, person)))
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 9)
  await assert.rejects(factors().beginPasskey(person), refused('PASSKEY_LIMIT'))
  const { passkeys } = await factors().of(person.session)
  assert.deepEqual([passkeys.length, passkeys[0]!.label, passkeys[0]!.isSynced], [10, 'my phone', false])
  await assert.rejects(factors().removePasskey(passkeys[0]!.id, other.person), refused('NOT_FOUND'))
  await factors().removePasskey(passkeys[0]!.id, person)
  assert.equal((await factors().of(person.session)).passkeys.length, 9)
  assert.equal((await sent(to)).filter(({ template }) => template === 'factor-removed').length, 1)
})

test('USER-PROOF-001: changes of factors need a proof of this session and the last 15 minutes', async () => {
  const one = await withApp()
  const { person, to, secret, account } = one
  world().pass(15 * minute)
  const all = [
    () => factors().beginAuthenticator(person),
    () => factors().confirmAuthenticator(codeOf(secret), person),
    () => factors().removeAuthenticator(person),
    () => factors().beginPasskey(person),
    () => factors().addPasskey('new', {}, person),
    () => factors().removePasskey('11111111-1111-4111-8111-111111111111', person),
    () => factors().renewRecoveryCodes(person),
    () => world().identity.owners.confirm({ account, session: person.session.id, visitor: person.visitor }, good, 'webhook-create'),
    () => world().identity.owners.confirm({ account, session: person.session.id, visitor: person.visitor }, good, 'key-create'),
    () => world().identity.owners.confirm({ account, visitor: person.visitor }, good, 'key-widen'),
  ]
  for (const change of all) await assert.rejects(change(), refused('PROOF_NEEDED'))
  const other = await loggedIn(await byCode(await waiting(to), codeOf(secret)))
  await assert.rejects(factors().removeAuthenticator(person), refused('PROOF_NEEDED'))
  await factors().removeAuthenticator(other)
})

test('USER-PROOF-002: an account proves itself by its own ways and no weaker one', async () => {
  const plain = await customer()
  assert.deepEqual((await factors().of(plain.person.session)).ways, ['code'])
  world().pass(minute)
  await world().identity.sendProofCode(plain.person)
  const code = await codeIn(plain.to)
  const prove = (proof: WireProof, person = plain.person) => factors().prove(proof, person)
  await assert.rejects(prove({ way: 'code', code, password: 'a wrong password' }), refused('CREDENTIALS_WRONG'))
  await assert.rejects(prove({ way: 'authenticator', code: '000000' }), refused('CODE_WRONG'))
  await assert.rejects(prove({ way: 'recovery', code: 'ABCD-EFGH-JKMN-PQRS' }), refused('CODE_WRONG'))
  const until = await prove({ way: 'code', code, password: good })
  assert.equal(until, world().clock() + 15 * minute)
  assert.equal(await provenUntil(plain.person), until)
  await assert.rejects(prove({ way: 'code', code, password: good }), refused('CODE_EXPIRED'))

  const { person, secret, recoveryCodes, to } = await withApp()
  assert.deepEqual((await factors().of(person.session)).ways, ['authenticator', 'recovery'])
  await assert.rejects(world().identity.sendProofCode(person), refused('PROOF_NEEDED'))
  await assert.rejects(prove({ way: 'code', code: '000000', password: good }, person), refused('PROOF_NEEDED'))
  await prove({ way: 'authenticator', code: codeOf(secret) }, person)
  await assert.rejects(prove({ way: 'authenticator', code: codeOf(secret) }, person), refused('CODE_WRONG'))
  await prove({ way: 'recovery', code: recoveryCodes[9]! }, person)
  assert.ok(!(await sent(to)).some(({ template, values }) => template === 'proof-code' && values['code'] === '000000'))

  const key = await withPasskey()
  assert.deepEqual((await factors().of(key.person.session)).ways, ['passkey', 'recovery'])
  const stranger = await withPasskey()
  const asked = async (account: string) => ({ options: await factors().passkeys.ask(account, origin) })
  await assert.rejects(
    prove({ way: 'passkey', response: stranger.passkey.sign(await asked(key.account)) }, key.person),
    refused('PASSKEY_WRONG'),
  )
  await prove({ way: 'passkey', response: key.passkey.sign(await asked(key.account)) }, key.person)
})

test('USER-PROOF-003: a login with a second factor is a proof; a changed password ends all proofs', async () => {
  const { to, secret, person } = await withApp()
  const started = await byCode(await waiting(to), codeOf(secret))
  const other = await loggedIn(started)
  assert.equal(await provenUntil(other), world().clock() + 15 * minute)
  assert.notEqual(await provenUntil(person), null)
  const form = { current: good, password: fresh, passwordAgain: fresh }
  await world().identity.changePassword(form, started.session, started.token, stranger())
  assert.equal(await provenUntil(other), null)
  await assert.rejects(factors().removeAuthenticator(other), refused('PROOF_NEEDED'))
  // A plain login is none.
  const plain = await customer()
  assert.equal(await provenUntil(plain.person), null)
})

test('USER-PROOF-004: the owner gets a message when a factor comes or goes', async () => {
  const { to, person } = await withApp()
  assert.equal((await sent(to)).at(-1)!.template, 'factor-added')
  await factors().removeAuthenticator(person)
  assert.equal((await sent(to)).at(-1)!.template, 'factor-removed')
})

test('USER-FACTOR-010: the secret of an app is encrypted in the database', async () => {
  const { account, secret } = await withApp()
  const [row] = await rows('select secret from authenticators where account = $1', account)
  const stored = row!['secret'] as Buffer
  assert.ok(!stored.includes(Buffer.from(secret)))
  assert.equal(stored[0], 2)
})

test('USER-ACCESS-001: the owner reads logins and changes, newest first, 50 a page', async () => {
  const { person, account, to } = await withApp()
  await assert.rejects(login(to, 'a wrong password'), refused('CREDENTIALS_WRONG'))
  await rows(
    `insert into audit_log (account, action, at, ip, device) select account, action, at, ip, device
     from audit_log, generate_series(1, 50) where account = $1 and action = 'login-failed'`,
    account,
  )
  // Settings are no security changes.
  await world().identity.profiles.changeLang(person.session, 'de', person.visitor)
  const first = await world().identity.profiles.accesses(account)
  assert.equal(first.entries.length, 50)
  assert.equal(first.entries[0]!.action, 'login-failed')
  assert.deepEqual(Object.keys(first.entries[0]!).sort(), ['action', 'at', 'device', 'id', 'ip'])
  const rest = await world().identity.profiles.accesses(account, first.next)
  assert.equal(rest.next, undefined)
  assert.deepEqual(rest.entries.map(({ action }) => action).slice(-3), ['authenticator-added', 'proven', 'register'])
  assert.ok([...first.entries, ...rest.entries].every(({ id }, n, all) => n === 0 || id < all[n - 1]!.id))
  const other = await customer()
  assert.deepEqual(
    (await world().identity.profiles.accesses(other.account)).entries.map(({ action }) => action),
    ['register'],
  )
  assert.ok(person.session.account !== other.account)
})

test('USER-PHRASE-001: every mail to the owner begins with the owner’s words, and nobody else’s does', async () => {
  const one = await customer()
  const { to, person, account } = one
  await assert.rejects(world().identity.phrases.set('seven green bottles', person), refused('PROOF_NEEDED'))
  assert.equal((await factors().of(person.session)).hasPhrase, false)
  await proveByCode(one)
  await world().identity.phrases.set('seven {code} <b>bottles', person)
  assert.equal((await factors().of(person.session)).hasPhrase, true)
  const [row] = await rows('select phrase from accounts where id = $1', account)
  assert.ok(!(row!['phrase'] as Buffer).includes('bottles'))
  world().pass(minute)
  await ask(to, 'reset')
  world().pass(minute)
  await ask(to, 'register')
  await login(to)
  const own = (await sent(to)).slice(-3)
  assert.deepEqual(
    own.map(({ template, phrase }) => [template, phrase]),
    ['reset-code', 'account-exists', 'new-device'].map((template) => [template, 'seven {code} <b>bottles']),
  )
  const [mail] = await world().inbox.list(to)
  assert.match(mail!.text, /^Your phrase: seven \{code\} <b>bottles\n/)
  const stranger = world().address()
  await ask(stranger, 'register')
  assert.ok((await sent(stranger)).every(({ phrase }) => phrase === undefined))
  await world().identity.phrases.set(null, person)
  world().pass(minute)
  await ask(to, 'reset')
  assert.equal((await sent(to)).at(-1)!.phrase, undefined)
})
