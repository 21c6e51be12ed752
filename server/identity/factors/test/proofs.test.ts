/** Tests proofs before sensitive changes, what the owner learns, and the phrase of their mails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireProof } from '@candor/core/protocol/wire/factors.ts'
import { stranger } from '../../test/people.ts'
import { fresh, minute } from '../../test/quick-world.ts'
import { good, refused } from '../../test/world.ts'
import { Seal, SealFault } from '../../seal.ts'
import { ServerKeys } from '../../server-keys.ts'
import { Phrases } from '../phrases.ts'
import { factorWorld, origin } from './factor-world.ts'

const {
  world,
  rows,
  sent,
  log,
  login,
  codeIn,
  ask,
  factors,
  customer,
  proveByCode,
  codeOf,
  withApp,
  withPasskey,
  waiting,
  byCode,
  loggedIn,
  provenUntil,
} = factorWorld()

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

test('USER-PROOF-002: wrong codes of a proof have a monthly limit, which a right one forgives', async () => {
  const one = await customer()
  const { to, person } = one
  const proof = (code: string) => factors().prove({ way: 'code', code, password: good }, person)
  const subject = `guesses:proof:email:${to}`
  const spent = () => rows('select sent from code_counts where subject = $1', subject)
  world().pass(minute)
  await world().identity.sendProofCode(person)
  const code = await codeIn(to)
  const wrong = code === '000000' ? '000001' : '000000'
  await assert.rejects(proof(wrong), refused('CODE_WRONG'))
  assert.deepEqual(await spent(), [{ sent: 1 }])
  await rows('update code_counts set sent = 40, since = $2 where subject = $1', subject, world().clock())
  await assert.rejects(proof(code), { refusal: 'TOO_MANY_TRIES', retryAfter: 64_800 })
  world().pass(64_800_000)
  await proveByCode(one)
  assert.deepEqual(await spent(), [])
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
  assert.equal(await provenUntil(await loggedIn(await login(plain.to))), null)
})

test('USER-PROOF-004: the owner gets a message when a factor comes or goes', async () => {
  const { to, person } = await withApp()
  assert.equal((await sent(to)).at(-1)!.template, 'factor-added')
  await factors().removeAuthenticator(person)
  assert.equal((await sent(to)).at(-1)!.template, 'factor-removed')
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

test('USER-PHRASE-001: a mail leaves without the phrase when no server key opens it, and this is reported', () => {
  const faults: unknown[] = []
  const made = (key: number) => {
    const seal = new Seal(ServerKeys.of(Buffer.alloc(32, key)), 'phrase')
    return { seal, phrases: new Phrases({ factors: factors(), seal, onFault: (cause) => faults.push(cause) }) }
  }
  const [own, other] = [made(1), made(2)]
  const row = { id: 'an account', phrase: own.seal.close('green bottles', 'an account') }
  assert.deepEqual([own.phrases.of(row), own.phrases.of({ ...row, phrase: null }), faults], [{ phrase: 'green bottles' }, {}, []])
  assert.deepEqual(other.phrases.of(row), {})
  assert.ok(faults.length === 1 && faults[0] instanceof SealFault)
  own.seal.open = () => {
    throw new TypeError('a bug')
  }
  assert.throws(() => own.phrases.of(row), TypeError)
  assert.equal(faults.length, 1)
})

test('USER-ACCESS-001: the log has the session and the way of each login, and every change of the phrase', async () => {
  const { to, secret, account, person } = await withApp()
  const last = async (count: number) => (await log(account)).slice(-count)
  const started = await byCode(await waiting(to), codeOf(secret))
  assert.deepEqual(await last(2), [
    ['second-factor-asked', null, {}],
    ['login', started.session.id, { way: 'code', isNewDevice: true }],
  ])
  await assert.rejects(byCode(await waiting(to), '000000'), refused('CODE_WRONG'))
  assert.deepEqual((await last(1))[0], ['second-factor-failed', null, {}])
  await world().identity.phrases.set('words', person)
  await world().identity.phrases.set(null, person)
  const session = person.session.id
  assert.deepEqual(await last(2), [
    ['phrase-set', session, {}],
    ['phrase-removed', session, {}],
  ])
  world().pass(minute)
  await factors().prove({ way: 'authenticator', code: codeOf(secret) }, person)
  assert.deepEqual(await last(1), [['proven', session, { way: 'authenticator' }]])
  const key = await withPasskey()
  const response = key.passkey.sign({ options: await factors().passkeys.ask(undefined, origin) })
  const entered = await world().identity.logins.byPasskey(response, origin, stranger())
  assert.deepEqual((await log(key.account)).at(-1), ['login', entered.session.id, { way: 'passkey', isNewDevice: true }])
  const plain = await customer()
  const logged = await login(plain.to)
  assert.deepEqual((await log(plain.account)).at(-1), ['login', logged.session.id, { way: 'password', isNewDevice: true }])
})
