/** Tests second factors: logins with an app, with recovery codes, with passkeys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '../../secret.ts'
import { stranger } from '../../test/people.ts'
import { fresh, minute } from '../../test/quick-world.ts'
import { good, refused } from '../../test/world.ts'
import { FactorNeeded } from '../logins.ts'
import { factorWorld, origin } from './factor-world.ts'
import { SoftPasskey } from './soft-passkey.ts'

const {
  world,
  rows,
  sent,
  log,
  login,
  ask,
  tokenIn,
  reset,
  factors,
  customer,
  proveByCode,
  codeOf,
  withApp,
  withPasskey,
  waiting,
  byCode,
  loggedIn,
  made,
} = factorWorld()

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

test('USER-FACTOR-001: a login that waits is finished by any process of the exchange', async () => {
  const [app, key] = [await withApp(), await withPasskey()]
  await using other = made({})
  const step = await waiting(app.to)
  assert.equal((await other.logins.byCode(step, codeOf(app.secret), stranger())).session.account, app.account)
  const again = await other.login({ channel: 'email', to: key.to, password: good, lang: 'en' }, stranger()).catch((error: unknown) => error)
  assert.ok(again instanceof FactorNeeded)
  assert.equal((await other.logins.byCode(again.step, key.recoveryCodes[0]!, stranger())).session.account, key.account)
  const response = key.passkey.sign({ options: await other.factors.passkeys.ask(undefined, origin) })
  assert.equal((await other.logins.byPasskey(response, origin, stranger())).session.account, key.account)
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

test('USER-FACTOR-004: a code without a secret that waits for one, and a wrong code, are refused at their field', async () => {
  const one = await customer()
  await proveByCode(one)
  const { to, person } = one
  const confirm = (code: string) => factors().confirmAuthenticator(code, person)
  await assert.rejects(confirm('000000'), { refusal: 'CODE_EXPIRED', field: 'code' })
  const { secret } = await factors().beginAuthenticator(person)
  const wrong = codeOf(secret, 9)
  await assert.rejects(confirm(wrong), { refusal: 'CODE_WRONG', field: 'code' })
  await confirm(codeOf(secret))
  await assert.rejects(byCode(await waiting(to), wrong), { refusal: 'CODE_WRONG', field: 'code' })
  await assert.rejects(factors().prove({ way: 'authenticator', code: wrong }, person), { refusal: 'CODE_WRONG', field: 'code' })
})

test('USER-FACTOR-005: recovery codes come with the first factor, work once each, and go with the last', async () => {
  const { to, secret, recoveryCodes, account, person } = await withApp()
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^(?:[2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/)
  // Codes on paper must stay valid, so the stored form stays the same.
  const stored = await rows(`select encode(hash, 'hex') as hash from recovery_codes where account = $1`, account)
  const hashes = recoveryCodes.map((code) => hashOf(code.replaceAll('-', '')).toString('hex'))
  assert.deepEqual(stored.map(({ hash }) => hash).sort(), hashes.sort())
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

test('USER-FACTOR-010: the secret of an app is encrypted in the database', async () => {
  const { account, secret } = await withApp()
  const [row] = await rows('select secret from authenticators where account = $1', account)
  const stored = row!['secret'] as Buffer
  assert.ok(!stored.includes(Buffer.from(secret)))
  assert.equal(stored[0], 2)
})

test('USER-FACTOR-004: a secret that no code has confirmed is no app: it proves nothing, asks for nothing and can’t be removed', async () => {
  const one = await customer()
  await proveByCode(one)
  const { to, person, account } = one
  const { secret, uri } = await factors().beginAuthenticator(person)
  assert.equal(uri, `otpauth://totp/Candor:${encodeURIComponent(to)}?secret=${secret}&issuer=Candor`)
  const since = async () => (await factors().of(person.session)).authenticatorSince
  assert.equal(await since(), null)
  await assert.rejects(factors().prove({ way: 'authenticator', code: codeOf(secret) }, person), refused('CODE_WRONG'))
  await assert.rejects(factors().removeAuthenticator(person), refused('NOT_FOUND'))
  assert.equal((await login(to)).session.account, account)
  await factors().confirmAuthenticator(codeOf(secret), person)
  assert.equal(await since(), world().clock())
})

test('USER-LOGIN-007: a login from a new device is told to its owner, one from a known device or of a program is not', async () => {
  const { to, secret, account } = await withApp()
  const told = async () => (await sent(to)).filter(({ template }) => template === 'new-device').length
  const started = await byCode(await waiting(to), codeOf(secret))
  assert.equal(await told(), 1)
  world().pass(minute)
  const known = { ...stranger(), deviceKey: started.deviceKey }
  const again = await world().identity.logins.byCode(await waiting(to), codeOf(secret), known, started.token)
  assert.equal(await told(), 1)
  // The session before it ends.
  const ended = await rows('select id from sessions where id = $1 and revoked_at is not null', started.session.id)
  assert.deepEqual([ended.length, again.session.id === started.session.id], [1, false])
  world().pass(minute)
  await rows(`update accounts set class = 'maker' where id = $1`, account)
  await byCode(await waiting(to), codeOf(secret))
  assert.equal(await told(), 1)
})
