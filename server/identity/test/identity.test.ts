/** Tests the steps of registration and login: their messages, their lines of the log, and what each leaves behind. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mock, test } from 'node:test'
import type { Tables } from '../../store/tables.ts'
import { agreementVersion } from '../gates/agreement.ts'
import { Argon } from '../argon.ts'
import { Identity } from '../identity.ts'
import { Seal } from '../seal.ts'
import { newToken } from '../secret.ts'
import { ServerKeys } from '../server-keys.ts'
import { stranger } from './people.ts'
import { fresh, minute, phoneNumber, quickWorld } from './quick-world.ts'
import { form, good, refused } from './world.ts'

const { argon, world, rows, sent, log, ask, login, circumstances, codeIn, sessionOf, made, withoutLink } = quickWorld()

test('USER-REGISTER-001: a code is sent to a new address, and a note to one with an account; the log has the request', async () => {
  const [to, visitor] = [world().address(), stranger()]
  const began = (await rows('select coalesce(max(id), 0) as id from audit_log'))[0]!['id']
  assert.deepEqual(await ask(to, 'register', visitor, 'de'), { resendAfter: 60, expiresIn: 600 })
  const [message] = await sent(to)
  const { code } = message!.values as { code: string }
  assert.deepEqual(message, { channel: 'email', to, lang: 'de', template: 'register-code', values: { code, minutes: '10' } })
  assert.deepEqual(await rows('select account, action, ip, detail from audit_log where id > $1', began), [
    { account: null, action: 'code-asked', ip: visitor.ip, detail: { purpose: 'register', channel: 'email' } },
  ])
  assert.deepEqual(argon.turns.at(-1), { lane: 'stranger', owner: visitor.ip })
  await world().identity.register(form(to, code), visitor)
  world().pass(minute)
  assert.deepEqual(await ask(to, 'register'), { resendAfter: 60, expiresIn: 600 })
  assert.deepEqual((await sent(to)).at(-1), { channel: 'email', to, lang: 'en', template: 'account-exists', values: {} })
  const nobody = world().address()
  assert.deepEqual(await ask(nobody, 'reset'), { resendAfter: 60, expiresIn: 600 })
  assert.deepEqual(await sent(nobody), [])
})

test('USER-LOGIN-008: a code for a registration counts for the network even from a device that is known', async () => {
  const { to, deviceKey } = await world().customer(stranger())
  let counted = 0
  const visitor = { ...stranger(), deviceKey, asStranger: () => void counted++ }
  await ask(world().address(), 'register', visitor)
  world().pass(minute)
  await ask(to, 'register', visitor)
  assert.equal(counted, 2)
  assert.equal(argon.turns.at(-1)?.lane, 'stranger')
  await ask(to, 'reset', visitor)
  assert.equal(counted, 2)
  assert.equal(argon.turns.at(-1)?.lane, 'known')
})

test('USER-REGISTER-004: a registration is logged with the version of the agreement, and starts a session', async () => {
  const { to, account } = await world().customer(stranger())
  assert.deepEqual(await log(account), [['register', null, { agreement: agreementVersion, country: 'DE' }]])
  assert.deepEqual(await rows('select version, accepted_at from agreements where account = $1', account), [
    { version: agreementVersion, accepted_at: world().clock() },
  ])
  const [stored] = await rows('select lang, class, certification, created_at from accounts where id = $1', account)
  assert.deepEqual(stored, { lang: 'en', class: 'retail', certification: 'none', created_at: world().clock() })
  assert.equal((await login(to)).session.account, account)
})

test('USER-REGISTER-005: each fault of the form has its own refusal and field', async () => {
  const to = world().address()
  await ask(to, 'register')
  const code = await codeIn(to)
  let counted = 0
  const visitor = { ...stranger(), asStranger: () => void counted++ }
  for (const [given, refusal, field] of [
    [{ password: 'seven77' }, 'PASSWORD_TOO_SHORT', 'password'],
    [{ password: to }, 'PASSWORD_COMMON', 'password'],
    [{ again: `${good}!` }, 'PASSWORDS_DIFFER', 'passwordAgain'],
    [{ agreement: false }, 'AGREEMENT_MISSING', 'agreement'],
    [{ invitation: 'NOBODYS1' }, 'INVITATION_UNKNOWN', 'invitation'],
    [{ invitation: "' or 1=1" }, 'INVITATION_UNKNOWN', 'invitation'],
  ] as const)
    await assert.rejects(world().identity.register(form(to, code, given), visitor), { refusal, field })
  assert.equal(counted, 6)
  await world().identity.register(form(to, code, { invitation: '' }), stranger())
})

test('USER-REGISTER-002: a code opens no second account for an address that got one meanwhile', async () => {
  const to = world().address()
  await ask(to, 'register')
  const code = await codeIn(to)
  await world().identity.createUser({ email: to, password: good })
  await assert.rejects(world().identity.register(form(to, code), stranger()), { refusal: 'CODE_EXPIRED', field: 'code' })
})

test('USER-REGISTER-006: an inviter is shown masked, and stored with the account and in the core', async () => {
  const inviter = await world().customer(stranger())
  const { invitationCode } = await world().identity.profiles.get(inviter.account)
  const shown = await world().identity.invitations.named(invitationCode)
  assert.deepEqual(shown, { code: invitationCode, inviter: `c•••${inviter.to.split('@')[0]!.slice(-1)}` })
  for (const code of ['NOBODYS1', `${invitationCode}1`, '', `${invitationCode}\0`, `\0${invitationCode}`])
    await assert.rejects(world().identity.invitations.named(code), { refusal: 'INVITATION_UNKNOWN', field: 'invitation' })
  const to = world().address()
  await ask(to, 'register')
  const { session } = await world().identity.register(form(to, await codeIn(to), { invitation: invitationCode }), stranger())
  const [stored] = await rows('select referrer from accounts where id = $1', session.account)
  assert.equal(stored!['referrer'], inviter.account)
})

test('USER-AUDIT-001: logins, failures, ended sessions and logouts are logged with their session', async () => {
  const { to, account, token } = await world().customer(stranger())
  const own = await sessionOf(token)
  await assert.rejects(login(to, 'wrong password'), refused('CREDENTIALS_WRONG'))
  const second = await login(to)
  const third = await login(to)
  const visitor = stranger()
  await assert.rejects(world().identity.endSession(own, newSessionId, visitor), refused('NOT_FOUND'))
  await world().identity.endSession(own, second.session.id, visitor)
  await world().identity.endOtherSessions(own, visitor)
  assert.deepEqual(await Promise.all([second, third].map((one) => world().identity.session(one.token))), [undefined, undefined])
  await world().identity.logout(own, visitor)
  assert.equal(await world().identity.session(token), undefined)
  assert.deepEqual((await log(account)).slice(1), [
    ['login-failed', null, {}],
    ['login', second.session.id, { way: 'password', isNewDevice: true }],
    ['login', third.session.id, { way: 'password', isNewDevice: true }],
    ['session-ended', own.id, { ended: second.session.id }],
    ['other-sessions-ended', own.id, {}],
    ['logout', own.id, {}],
  ])
})
const newSessionId = '11111111-1111-4111-8111-111111111111'

test('USER-LOGIN-001: an address without an account is refused like a wrong password, and logged without one', async () => {
  const visitor = stranger()
  await assert.rejects(login(world().address(), good, visitor), refused('CREDENTIALS_WRONG'))
  assert.deepEqual(await rows('select account, action, session, detail from audit_log where ip = $1', visitor.ip), [
    { account: null, action: 'login-failed', session: null, detail: {} },
  ])
})

test('USER-LOGIN-003: wrong passwords for one account delay nobody at another', async () => {
  const [one, other] = [await world().customer(stranger()), await world().customer(stranger())]
  const visitor = stranger()
  for (let n = 0; n < 5; n++) await assert.rejects(login(one.to, 'a wrong password', visitor), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(one.to, good, visitor), { refusal: 'TOO_MANY_TRIES', retryAfter: 1 })
  assert.equal((await login(other.to, good, visitor)).session.account, other.account)
})

test('USER-REGISTER-007: a login opens the user in the core if the registration did not get that far', async () => {
  const { to, account } = await world().customer(stranger())
  const [before] = await rows('select core_user from accounts where id = $1', account)
  await rows('update accounts set core_user = null where id = $1', account)
  assert.equal((await login(to)).session.user, before!['core_user'])
  assert.deepEqual(await rows('select core_user from accounts where id = $1', account), [before])
})

test('USER-CODE-005: a network gets a hundred codes a day, phones of one country a thousand, and all phones five thousand', async () => {
  const visitor = stranger()
  const used = (subject: string, sent: number) =>
    rows(
      'insert into code_counts (subject, since, sent) values ($1, $2, $3) on conflict (subject) do update set since = $2, sent = $3',
      ...[subject, world().clock(), sent],
    )
  let numbers = 0
  for (const [subject, max, to] of [
    [`ip:${visitor.ip}`, 100, () => world().address()],
    ['phones:AT:register', 1_000, () => `+43664${10_000_000 + ++numbers}`],
    ['all-phones:register', 5_000, phoneNumber],
  ] as const) {
    await used(subject, max - 1)
    await ask(to(), 'register', visitor)
    await assert.rejects(ask(to(), 'register', visitor), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 }, subject)
    await used(subject, 0)
  }
})

test('USER-LOGIN-007: a login from a new device is told in the language that the account had, to people alone', async () => {
  const { to, account, deviceKey } = await world().customer(stranger())
  await login(to, good, { ...stranger(), deviceKey })
  const visitor = stranger()
  assert.equal((await sent(to)).length, 1)
  await login(to, good, visitor, undefined, 'fr')
  const told = { channel: 'email', to, lang: 'en', template: 'new-device', values: circumstances(visitor) }
  assert.deepEqual((await sent(to)).slice(1).map(withoutLink), [told])
  assert.equal((await world().identity.profiles.get(account)).lang, 'fr')
  const maker = world().address()
  await world().identity.createUser({ email: maker, password: good, class: 'maker' })
  await login(maker)
  assert.deepEqual(await sent(maker), [])
})

test('USER-LOGIN-006: a session that the visitor brought ends, and none without one', async () => {
  const { to, token } = await world().customer(stranger())
  const next = await login(to, good, stranger(), token)
  assert.equal(await world().identity.session(token), undefined)
  await login(to)
  assert.ok(await world().identity.session(next.token))
  await login(to, good, stranger(), newToken())
})

test('USER-PASSWORD-003: a login renews a password of an earlier cost, and no other', async () => {
  const { to, account } = await world().customer(stranger())
  const stored = async (): Promise<string> => String((await rows('select password from accounts where id = $1', account))[0]!['password'])
  const today = await stored()
  await login(to)
  assert.equal(await stored(), today)
  await rows('update accounts set password = $1 where id = $2', today.replace('m=19456', 'm=1024'), account)
  const { token } = await login(to)
  assert.match(await stored(), /^\$argon2id\$v=19\$m=19456,/)
  assert.ok(await world().identity.session(token))
  await login(to)
})

test('USER-CREATE-001: the command line creates what it is asked for, and changes only a password that it is told to', async () => {
  const email = world().address()
  const { account, user, uid, isNew } = await world().identity.createUser({ email, password: good, class: 'bench', lang: 'fr' })
  assert.equal(isNew, true)
  const [stored] = await rows('select uid, core_user, class, lang, certification from accounts where id = $1', account)
  assert.deepEqual(stored, { uid, core_user: user, class: 'bench', lang: 'fr', certification: 'none' })
  const again = (more: object) => world().identity.createUser({ email, password: fresh, ...more })
  assert.deepEqual(await again({}), { account, user, uid, isNew: false })
  const { token, session } = await login(email)
  const heard: unknown[] = []
  const stop = world().identity.sessions.onRevoked((revoked) => heard.push(revoked))
  await again({ replacesPassword: true })
  stop()
  assert.deepEqual(heard, [{ account, sessions: [session.id] }])
  assert.equal(await world().identity.session(token), undefined)
  await login(email, fresh)
  assert.deepEqual(
    (await log(account)).map((line) => (line as [string])[0]),
    ['account-created', 'login', 'password-reset', 'login'],
  )
  assert.deepEqual((await log(account))[0], ['account-created', null, { class: 'bench' }])
  assert.deepEqual(await rows('select distinct ip, device from audit_log where account = $1 and session is null', account), [
    { ip: 'local', device: 'candor' },
  ])
  const plain = await world().identity.createUser({ email: world().address(), password: good, replacesPassword: true })
  const [second] = await rows('select class, lang from accounts where id = $1', plain.account)
  assert.deepEqual(second, { class: 'retail', lang: 'en' })
  assert.deepEqual(await log(plain.account), [['account-created', null, { class: 'retail' }]])
  await assert.rejects(world().identity.createUser({ email, password: email }), refused('PASSWORD_COMMON'))
})

test('USER-PASSWORD-005: other rooms ask for the password, tell the owner and write to the log as this one does', async () => {
  const { to, account, token } = await world().customer(stranger())
  await using identity = made({})
  const { owners } = identity
  const visitor = stranger()
  const { id: session } = await sessionOf(token)
  const who = { account, session, visitor }
  await owners.confirm(who, good, 'webhook-create')
  await assert.rejects(owners.confirm(who, 'wrong password', 'webhook-create'), { refusal: 'CREDENTIALS_WRONG', field: 'password' })
  await owners.tell(account, 'key-widened', circumstances(visitor))
  await identity.settled()
  assert.deepEqual((await sent(to)).at(-1), { channel: 'email', to, lang: 'en', template: 'key-widened', values: circumstances(visitor) })
  await owners.warn(account, 'webhook-created', visitor, { url: 'https://hooks.example.com/' })
  await identity.settled()
  const warned = withoutLink((await sent(to)).at(-1)!)
  const values = { ...circumstances(visitor), url: 'https://hooks.example.com/' }
  assert.deepEqual(warned, { channel: 'email', to, lang: 'en', template: 'webhook-created', values })
  await world()
    .store.db.transaction()
    .execute((db) => owners.log<Tables>(db, { account, session, visitor, action: 'webhook-created', detail: { id: 5 } }))
  assert.deepEqual((await log(account)).at(-1), ['webhook-created', session, { id: 5 }])
})

test('API-KEY-004: a key needs the owner’s password, is told to the owner, and its secret opens with the server key', async () => {
  const { to, account } = await world().customer(stranger())
  const visitor = stranger()
  await using identity = made({ mode: 'sandbox' })
  const create = (password: string) => identity.keys.create({ label: 'bot', scopes: ['read'], ips: [], password }, { account, visitor })
  await assert.rejects(create('wrong password'), { refusal: 'CREDENTIALS_WRONG', field: 'password' })
  const before = await sent(to)
  const { key, secret } = await create(good)
  await identity.settled()
  assert.deepEqual((await sent(to)).slice(before.length).map(withoutLink), [
    { channel: 'email', to, lang: 'en', template: 'key-widened', values: circumstances(visitor) },
  ])
  const [stored] = await rows('select secret from api_keys where key = $1', key.key)
  const seal = new Seal(ServerKeys.of(Buffer.alloc(32, 7)), 'api-key')
  assert.equal(seal.open(stored!['secret'] as Buffer, key.key), secret)
})

test('USER-PRUNE-001: what has expired is deleted every hour, until the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const identity = made({})
  const token = randomBytes(32)
  const left = async (): Promise<unknown> => (await rows('select count(*) as n from reset_tokens where token = $1', token))[0]!['n']
  const { account } = await world().customer(stranger())
  const keep = () => rows('insert into reset_tokens (token, account, expires_at) values ($1, $2, $3)', token, account, world().clock())
  await keep()
  t.mock.timers.tick(3_599_999)
  assert.equal(await left(), 1)
  t.mock.timers.tick(1)
  while ((await left()) !== 0);
  await identity[Symbol.asyncDispose]()
  await keep()
  t.mock.timers.tick(7_200_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(await left(), 1)
})

test('USER-MESSAGE-004: a message that can not be sent is told, or nobody is', async () => {
  const told: unknown[] = []
  const cause = Object.assign(new Error('no mail server'), { isRetryable: false })
  const messages = { send: () => Promise.reject(cause) }
  const code = { purpose: 'register', channel: 'email', lang: 'en' } as const
  await using loud = made({ messages, onFault: (fault) => told.push(fault) })
  await loud.sendCode({ ...code, to: world().address() }, stranger())
  await loud.settled()
  assert.deepEqual(told, [cause])
  await using silent = made({ messages })
  await silent.sendCode({ ...code, to: world().address() }, stranger())
  await silent.settled()
})

test('USER-MESSAGE-004: an end waits until what is pending was sent', async () => {
  let tries = 0
  const send = () => (++tries === 1 ? Promise.reject(new Error('busy')) : Promise.resolve())
  const identity = made({ messages: { send } })
  await identity.sendCode({ purpose: 'register', channel: 'email', to: world().address(), lang: 'en' }, stranger())
  await identity[Symbol.asyncDispose]()
  assert.equal(tries, 2)
})

test('USER-ADDRESS-002: phones of countries that are not listed are refused', async () => {
  await using identity = made({ phoneCountries: ['DE'] })
  const ask = (to: string) => identity.sendCode({ purpose: 'register', channel: 'phone', to, lang: 'en' }, stranger())
  await assert.rejects(ask('+43664 12345601'), refused('PHONE_INVALID'))
  await ask(phoneNumber())
})

test('USER-PASSWORD-003: without other hashing and another clock, passwords are really hashed, and the time is the machine’s', async () => {
  const hash = mock.method(Argon.prototype, 'hash', () => argon.hash(good))
  try {
    const { store, core } = world()
    const serverKeys = ServerKeys.of(Buffer.alloc(32, 7))
    const options = {
      store,
      submit: core.submit,
      openOrders: core.openOrders,
      messages: { send: () => Promise.resolve() },
      mode: 'sandbox',
      serverKeys,
    } as const
    await using identity = new Identity(options)
    const before = Date.now()
    const { account } = await identity.createUser({ email: world().address(), password: good })
    const [stored] = await rows('select created_at from accounts where id = $1', account)
    assert.ok(Number(stored!['created_at']) >= before && Number(stored!['created_at']) <= Date.now())
    assert.equal(hash.mock.callCount(), 1)
  } finally {
    hash.mock.restore()
  }
})
