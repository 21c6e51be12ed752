import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agreementHash, agreementVersion } from '../gates/agreement.ts'
import { Argon } from '../argon.ts'
import { Codes } from '../codes.ts'
import { identityDb } from '../tables.ts'
import { cheapArgon } from './cheap-argon.ts'
import { form, good, otherThan, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const ask = (to: string, purpose: 'register' | 'reset' = 'register', visitor = phone) =>
  world.identity.sendCode({ purpose, channel: to.startsWith('+') ? 'phone' : 'email', to, lang: 'de' }, visitor)

test('USER-REGISTER-001: a code sent by mail opens one account with a UID, an invitation code and a session', async () => {
  const to = world.address()
  assert.deepEqual(await ask(to), { resendAfter: 60, expiresIn: 600 })
  const started = await world.identity.register(form(to, await world.codeOf(to)), phone)
  const profile = await world.identity.profiles.get(started.session.account)
  assert.match(profile.uid, /^[1-9][0-9]{8}$/)
  assert.match(profile.invitationCode, /^[2-9A-HJKMNP-Z]{8}$/)
  assert.equal(profile.email, `c•••1@example.com`)
  assert.equal((await world.identity.session(started.token))?.account, started.session.account)
  assert.equal(world.core.opened.get(started.session.account)?.user, started.session.user)
  const mail = (await world.inbox.list(to))[0]
  assert.match(mail?.subject ?? '', /^\d{6} ist Ihr Candor-Code$/)
  assert.equal(mail?.from, 'no-reply@candor.invalid')
})

test('USER-REGISTER-001: a code sent by short message opens one account, whatever way the number is written', async () => {
  await ask('+49 (1512) 3456789')
  const code = await world.codeOf('+4915123456789')
  const { session } = await world.identity.register(form('+49 1512 345 6789', code), phone)
  assert.equal((await world.identity.profiles.get(session.account)).phone, '+49•••••89')
  const login = { channel: 'phone', to: '+4915123456789', password: good, lang: 'en' } as const
  assert.equal((await world.identity.login(login, phone)).session.account, session.account)
})

test('USER-REGISTER-002: of many registrations of one address at the same moment one opens an account', async () => {
  const to = world.address()
  await ask(to)
  const code = await world.codeOf(to)
  const came = await outcomes(Array.from({ length: 5 }, () => world.identity.register(form(to, code), phone)))
  assert.equal(came.filter((one) => one === 'done').length, 1)
  assert.deepEqual(new Set(came), new Set(['done', 'CODE_EXPIRED']))
  const { rows } = await world.store.pool.query('select count(*) as n from accounts where email = $1', [to])
  assert.equal(rows[0].n, 1)
})

test('USER-REGISTER-003: an address with an account gets the same answer and a note to its owner, and no code matches', async () => {
  const { to } = await world.customer()
  world.pass(61_000)
  const answer = await ask(to.toUpperCase())
  assert.deepEqual(answer, await ask(world.address()))
  await world.identity.settled()
  const mail = (await world.inbox.list(to))[0]
  assert.equal(mail?.subject, 'Sie haben bereits ein Konto')
  assert.doesNotMatch(mail?.text ?? '', /\d{6}/)
  await assert.rejects(world.identity.register(form(to, '123456'), phone), refused('CODE_WRONG'))
})

test('USER-REGISTER-003: the code generated for an address with an account is refused even when guessed', async () => {
  const codes = new Codes(identityDb(world.store), cheapArgon(), Date.now, { perIp: 100, perCountry: 100, allPhones: 100 })
  const address = { channel: 'email', value: world.address() } as const
  const { code } = await codes.issue('register', address, false, {})
  await assert.rejects(codes.redeem('register', address, code as string), refused('CODE_WRONG'))
})

test('USER-REGISTER-004: the agreement must be accepted, and is kept with its version and time', async () => {
  const to = world.address()
  await ask(to)
  const code = await world.codeOf(to)
  await assert.rejects(world.identity.register(form(to, code, { agreement: false }), phone), refused('AGREEMENT_MISSING'))
  const { session } = await world.identity.register(form(to, code), phone)
  const { rows } = await world.store.pool.query('select version, accepted_at from agreements where account = $1', [session.account])
  assert.deepEqual(rows, [{ version: agreementVersion, accepted_at: session.loggedInAt }])
})

test('USER-REGISTER-004: a changed text of the agreement, in any language, is a new version', () => {
  const locales = new URL('../../../web/locales/', import.meta.url)
  const hash = createHash('sha256')
  for (const locale of readdirSync(locales).sort()) {
    const path = new URL(`${locale}/agreement.json`, locales)
    if (existsSync(path)) hash.update(`${locale}\0${readFileSync(path, 'utf8')}\0`)
  }
  assert.equal(hash.digest('hex'), agreementHash, 'raise agreementVersion and store the new hash beside it')
})

test('USER-REGISTER-005: an error in the form is reported before the code is tried, and uses up no try', async () => {
  const to = world.address()
  await ask(to)
  const code = await world.codeOf(to)
  const wrong = [
    [{ password: 'seven77' }, 'PASSWORD_TOO_SHORT'],
    [{ password: 'x'.repeat(60) + 'yz'.repeat(40) }, 'PASSWORD_TOO_LONG'],
    [{ password: 'Summer2026!' }, 'PASSWORD_COMMON'],
    [{ password: to }, 'PASSWORD_COMMON'],
    [{ again: 'something else entirely' }, 'PASSWORDS_DIFFER'],
    [{ invitation: 'NOBODYS1' }, 'INVITATION_UNKNOWN'],
  ] as const
  for (const [given, refusal] of wrong) await assert.rejects(world.identity.register(form(to, code, given), phone), refused(refusal))
  await world.identity.register(form(to, code), phone)
})

test('USER-REGISTER-006: an invitation code records the inviter, in the core too', async () => {
  const inviter = await world.customer()
  const { invitationCode } = await world.identity.profiles.get(inviter.account)
  assert.deepEqual(await world.identity.invitations.named(invitationCode.toLowerCase()), {
    code: invitationCode,
    inviter: `c•••${inviter.to.split('@')[0]?.slice(-1)}`,
  })
  const to = world.address()
  await ask(to)
  const { session } = await world.identity.register(form(to, await world.codeOf(to), { invitation: invitationCode }), phone)
  const command = world.core.opened.get(session.account)?.command as { referrer: number }
  assert.equal(command.referrer, world.core.opened.get(inviter.account)?.user)
  const { rows } = await world.store.pool.query('select referrer from accounts where id = $1', [session.account])
  assert.equal(rows[0].referrer, inviter.account)
  await assert.rejects(world.identity.invitations.named("' or 1=1"), refused('INVITATION_UNKNOWN'))
})

for (const isLost of [false, true]) {
  test(`USER-REGISTER-007: a registration interrupted ${isLost ? 'after' : 'before'} the core opened the account is completed by the next login`, async () => {
    const to = world.address()
    await ask(to)
    const code = await world.codeOf(to)
    const users = world.core.opened.size
    world.core.failures = [{ isLost }]
    await assert.rejects(world.identity.register(form(to, code), phone), /not taken|outcome unknown/)
    const login = { channel: 'email', to, password: good, lang: 'en' } as const
    const both = await Promise.all([world.identity.login(login, phone), world.identity.login(login, phone)])
    assert.equal(world.core.opened.size, users + 1)
    assert.equal(both[0].session.user, both[1].session.user)
    assert.equal((await world.identity.session(both[0].token))?.user, users + 1)
  })
}

test('USER-CODE-001: a code is valid for ten minutes and works once', async () => {
  const late = world.address()
  await ask(late)
  const old = await world.codeOf(late)
  world.pass(600_000)
  await assert.rejects(world.identity.register(form(late, old), phone), refused('CODE_EXPIRED'))
  await ask(late)
  const code = await world.codeOf(late)
  world.pass(599_999)
  await world.identity.register(form(late, code), phone)
  await assert.rejects(world.identity.register(form(late, code), phone), refused('CODE_EXPIRED'))
})

test('USER-CODE-002: a code allows five tries; of 50 guesses at the same moment at most five are compared', async () => {
  const to = world.address()
  await ask(to)
  const code = await world.codeOf(to)
  const came = await outcomes(Array.from({ length: 50 }, () => world.identity.register(form(to, otherThan(code)), phone)))
  assert.equal(came.filter((one) => one === 'CODE_WRONG').length, 5)
  assert.equal(came.filter((one) => one === 'TOO_MANY_TRIES').length, 45)
  await assert.rejects(world.identity.register(form(to, code), phone), refused('TOO_MANY_TRIES'))
  const { rows } = await world.store.pool.query('select tries from codes where target = $1', [to])
  assert.equal(rows[0].tries, 5)
  world.pass(61_000)
  await ask(to)
  await world.identity.register(form(to, await world.codeOf(to)), phone)
})

test('USER-CODE-003: one code is sent a minute, even for ten requests at once, and ten a day', async () => {
  const to = world.address()
  const came = await outcomes(Array.from({ length: 10 }, () => ask(to)))
  assert.deepEqual([...came].sort(), [...Array.from({ length: 9 }, () => 'CODE_TOO_SOON'), 'done'])
  await world.identity.settled()
  assert.equal((await world.inbox.list(to)).length, 1)
  world.pass(20_000)
  // Always a minute: the exact time would tell a stranger when to come before the owner of the address.
  await assert.rejects(ask(to), { refusal: 'CODE_TOO_SOON', retryAfter: 60 })
  world.pass(-20_000)
  for (let sent = 1; sent < 10; sent++) {
    world.pass(60_000)
    await ask(to)
  }
  world.pass(60_000)
  await assert.rejects(ask(to), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  // The codes of one purpose are used up; those of the other are left.
  await ask(to, 'reset')
  world.pass((86_400 - 600) * 1_000)
  await ask(to)
})

test('USER-CODE-004: a code works only for the purpose and the address that it was sent for', async () => {
  const { to } = await world.customer()
  const other = world.address()
  await ask(to, 'reset')
  const code = await world.codeOf(to)
  await ask(other)
  if ((await world.codeOf(other)) !== code) await assert.rejects(world.identity.register(form(other, code), phone), refused('CODE_WRONG'))
  await assert.rejects(world.identity.register(form(to, code), phone), refused('CODE_EXPIRED'))
  await world.identity.resetCode({ channel: 'email', to, code }, phone)
})

test('USER-CODE-005: one address of the network gets a hundred codes a day; this machine itself is not counted in a sandbox', async () => {
  const visitor = { ip: '192.0.2.44', userAgent: '' }
  await world.store.pool.query('insert into code_counts (subject, since, sent) select $1, max(sent_at), 99 from codes', [
    `ip:${visitor.ip}`,
  ])
  await ask(world.address(), 'register', visitor)
  await assert.rejects(ask(world.address(), 'register', visitor), refused('TOO_MANY_TRIES'))
  const loopback = { ip: '127.0.0.1', userAgent: '' }
  await ask(world.address(), 'register', loopback)
  const { rows } = await world.store.pool.query("select subject from code_counts where subject = 'ip:127.0.0.1'")
  assert.deepEqual(rows, [])
  await world.production.sendCode({ purpose: 'register', channel: 'email', to: world.address(), lang: 'en' }, loopback)
  assert.equal((await world.store.pool.query("select sent from code_counts where subject = 'ip:127.0.0.1'")).rows[0].sent, 1)
})

test('USER-CODE-006: codes and tokens are in the database as hashes only', async () => {
  await using own = await startWorld(new Argon())
  const { to, token, account } = await own.customer()
  await own.identity.sendCode({ purpose: 'reset', channel: 'email', to, lang: 'en' }, phone)
  const code = await own.codeOf(to)
  const { token: resetToken } = await own.identity.resetCode({ channel: 'email', to, code }, phone)
  const tables = ['codes', 'sessions', 'reset_tokens', 'accounts', 'audit_log']
  for (const table of tables) {
    const { rows } = await own.store.pool.query(`select t::text as row from ${table} t where t::text like '%' || $1 || '%'`, [
      table === 'codes' ? to : account,
    ])
    for (const secret of [token, resetToken, good])
      assert.ok(
        rows.every(({ row }) => !row.includes(secret)),
        `${table} shows a secret`,
      )
    if (table === 'codes') assert.ok(rows.every(({ row }) => !row.split(',').includes(code)))
  }
  const { rows } = await own.store.pool.query('select password from accounts where id = $1', [account])
  assert.match(rows[0].password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('USER-CREATE-001: the command line creates users without a code, of any class, and finds them again', async () => {
  const email = world.address()
  const made = await world.identity.createUser({ email, password: good, class: 'maker' })
  assert.equal(made.isNew, true)
  const again = await world.identity.createUser({ email, password: 'another long enough', class: 'maker' })
  assert.deepEqual(again, { ...made, isNew: false })
  const login = { channel: 'email', to: email, lang: 'en' } as const
  assert.equal((await world.identity.login({ ...login, password: good }, phone)).session.class, 'maker')
  const { account } = await world.identity.createUser({ email: world.address(), password: good, isCertified: true })
  assert.equal((await world.identity.profiles.get(account)).certification, 'certified')
  assert.equal((await world.identity.profiles.get(made.account)).certification, 'none')
  await world.identity.createUser({ email, password: 'another long enough', replacesPassword: true })
  await assert.rejects(world.identity.login({ ...login, password: good }, phone), refused('CREDENTIALS_WRONG'))
  await world.identity.login({ ...login, password: 'another long enough' }, phone)
})
