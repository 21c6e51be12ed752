import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnerAction, Session } from '../../../ports.ts'
import { hashOf, newToken } from '../../secret.ts'
import { identityDb } from '../../tables.ts'
import { good, phone, refused, startWorld, type World } from '../../test/world.ts'
import { deletionWaitMs, Deletions, type Holdings } from '../deletions.ts'

const nothing: Holdings = {
  funds: 0,
  openOrders: 0,
  algos: 0,
  positions: 0,
  loans: 0,
  claims: 0,
  options: 0,
  debts: 0,
  withdrawals: 0,
  presales: 0,
}
let world: World
let held: Holdings = nothing
let deletions: Deletions
before(async () => {
  world = await startWorld()
  const { factors, sessions, keys, coreFreezes: core, owners } = world.identity
  deletions = new Deletions({
    ...{ db: identityDb(world.store), clock: world.clock, mode: 'sandbox', factors, sessions, keys, core, owners },
    holdingsOf: () => Promise.resolve(held),
    onFault: (cause) => {
      throw cause
    },
  })
})
after(async () => {
  deletions[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const rows = async (text: string, ...values: readonly unknown[]) => (await world.store.pool.query(text, [...values])).rows

/** A customer whose session has proved itself. */
async function proven(): Promise<{ readonly to: string; readonly token: string; readonly session: Session }> {
  const { to, token } = await world.customer()
  const session = (await world.identity.session(token))!
  await world.store.pool.query('update sessions set proven_at = $1 where id = $2', [world.clock(), session.id])
  return { to, token, session }
}

test('USER-DELETE-001: a deletion needs a proof and an empty account; practice funds alone may be given up', async () => {
  const { token } = await world.customer()
  const unproven = (await world.identity.session(token))!
  await assert.rejects(deletions.ask(false, { session: unproven, visitor: phone }), refused('PROOF_NEEDED'))
  const { session } = await proven()
  const ask = (givesUp: boolean) => deletions.ask(givesUp, { session, visitor: phone })
  for (const name of ['openOrders', 'algos', 'positions', 'loans', 'claims', 'options', 'debts', 'withdrawals', 'presales'] as const) {
    held = { ...nothing, [name]: 1 }
    await assert.rejects(ask(true), refused('ACCOUNT_NOT_EMPTY'))
  }
  held = { ...nothing, funds: 2 }
  await assert.rejects(ask(false), refused('ACCOUNT_NOT_EMPTY'))
  assert.equal(await deletions.dueAt(session.account), undefined)
  assert.equal(await ask(true), world.clock() + deletionWaitMs)
  held = nothing
})

test('USER-DELETE-002: sessions and keys end at once, every address is told, and a login within 14 days cancels the deletion', async () => {
  const { to, token, session } = await proven()
  const { key } = await world.identity.keys.grant({ label: 'bot', scopes: ['read'], ips: [] }, { account: session.account, visitor: phone })
  await deletions.ask(false, { session, visitor: phone })
  assert.equal(await world.identity.session(token), undefined)
  assert.equal(await world.identity.keys.find(key.key), undefined)
  await world.identity.settled()
  const mail = (await world.inbox.list(to))[0]!
  assert.match(mail.subject, /Your account will be deleted on 2026-/)
  world.pass(deletionWaitMs - 1)
  await deletions.finish()
  await world.identity.login({ channel: 'email', to, password: good, lang: 'en' }, phone)
  assert.equal(await deletions.dueAt(session.account), undefined)
  world.pass(2)
  await deletions.finish()
  assert.equal((await rows('select erased_at from accounts where id = $1', session.account))[0].erased_at, null)
  const actions = (await rows('select action from audit_log where account = $1 order by id', session.account)).map(({ action }) => action)
  assert.deepEqual(actions.slice(-4), ['key-created', 'deletion-asked', 'deletion-cancelled', 'login'])
})

test('USER-DELETE-003: after 14 days addresses, devices, factors and settings are erased, the core freezes, and the address is free', async () => {
  const { to, session } = await proven()
  const { account, user } = session
  await world.store.pool.query(
    `insert into preferences (account, name, revision, value) values ($1, 'favourites', 1, '{"symbols":["BTCUSDT"]}')`,
    [account],
  )
  await deletions.ask(false, { session, visitor: phone })
  await world.identity.settled()
  world.pass(deletionWaitMs)
  await deletions.finish()
  const [row] = await rows('select email, phone, phrase, frozen_at, erased_at, uid from accounts where id = $1', account)
  assert.deepEqual(
    { ...row, uid: undefined },
    { email: null, phone: null, phrase: null, frozen_at: world.clock(), erased_at: world.clock(), uid: undefined },
  )
  for (const table of ['sessions', 'preferences', 'notices', 'passkeys', 'payment_passwords'])
    assert.deepEqual(await rows(`select 1 from ${table} where account = $1`, account), [], table)
  assert.deepEqual(await rows('select 1 from inbox where recipient = $1', to), [])
  assert.ok(world.core.told.some((command) => command.type === 'user.set' && command.user === user && command.isFrozen === true))
  assert.ok((await rows('select 1 from audit_log where account = $1', account)).length > 0)
  await assert.rejects(
    world.identity.login({ channel: 'email', to, password: good, lang: 'en' }, { ...phone, ip: '203.0.113.99' }),
    refused('CREDENTIALS_WRONG'),
  )
  await world.identity.sendCode({ purpose: 'register', channel: 'email', to, lang: 'en' }, phone)
  assert.match(await world.codeOf(to), /^\d{6}$/)
})

test('ADDRESS-ERASE-001: withdrawal addresses that were never used are erased; of used ones the name goes', async () => {
  const { session } = await proven()
  const { account } = session
  const add = (address: string, uses: number) =>
    rows(
      `insert into withdrawal_addresses (id, account, network, address, label, owner, exchange, beneficiary, added_at, usable_at, uses, last_used_at)
       values (gen_random_uuid(), $1, 'tron', $2, 'my wallet', 'exchange', 'Example', '\\x01', 0, 86400000, $3, $4)`,
      ...[account, address, uses, uses === 0 ? null : 86_400_000],
    )
  await add('never used', 0)
  await add('used', 3)
  await deletions.ask(false, { session, visitor: phone })
  world.pass(deletionWaitMs)
  await deletions.finish()
  assert.deepEqual(
    await rows(
      'select address, label, exchange, beneficiary is null as is_nameless, removed_at from withdrawal_addresses where account = $1',
      account,
    ),
    [{ address: 'used', label: '', exchange: 'Example', is_nameless: false, removed_at: world.clock() }],
  )
})

test('USER-DELETE-004: an account that is no longer empty on the day is kept, and the request ends', async () => {
  const { to, session } = await proven()
  await deletions.ask(false, { session, visitor: phone })
  world.pass(deletionWaitMs)
  held = { ...nothing, funds: 1 }
  await deletions.finish()
  held = nothing
  assert.equal(await deletions.dueAt(session.account), undefined)
  await deletions.finish()
  await world.identity.login({ channel: 'email', to, password: good, lang: 'en' }, phone)
})

test('USER-DELETE-008: nobody else’s wrong passwords are forgotten, also where the erased address is a part of theirs', async () => {
  const { to, session } = await proven()
  const login = (email: string) =>
    world.identity.login({ channel: 'email', to: email, password: 'not the right one', lang: 'en' }, { ...phone, ip: '203.0.113.50' })
  const others = [`victim.${to}`, `${to}m`]
  for (const address of [to, ...others]) await assert.rejects(login(address), refused('CREDENTIALS_WRONG'))
  const tries = async (email: string) =>
    (await rows('select subject from login_tries where position($1 in subject) > 0', `:${email}@`)).length
  await deletions.ask(false, { session, visitor: phone })
  world.pass(deletionWaitMs)
  await deletions.finish()
  assert.equal(await tries(to), 0)
  for (const address of others) assert.ok((await tries(address)) > 0, address)
})

test('USER-DELETE-007: a freeze ends the request: whoever stops a thief keeps the account, although nobody can log in', async () => {
  const { to, session } = await proven()
  const link = newToken(16)
  await rows('insert into freeze_links values ($1, $2, $3)', hashOf(link), session.account, world.clock() + 60_000)
  await deletions.ask(false, { session, visitor: phone })
  await world.identity.freezes.byLink(link, phone)
  await assert.rejects(world.identity.login({ channel: 'email', to, password: good, lang: 'en' }, phone), refused('USER_FROZEN'))
  assert.equal(await deletions.dueAt(session.account), undefined)
  world.pass(deletionWaitMs)
  await deletions.finish()
  assert.equal((await rows('select email from accounts where id = $1', session.account))[0].email, to)
})

test('USER-DELETE-005: the owner gets what is stored about them in one file, after a proof', async () => {
  const { token } = await world.customer()
  const unproven = (await world.identity.session(token))!
  await assert.rejects(deletions.dataOf({ session: unproven, visitor: phone }), refused('PROOF_NEEDED'))
  const { to, session } = await proven()
  const data = JSON.parse(JSON.stringify(await deletions.dataOf({ session, visitor: phone })))
  assert.equal(data.account.email, to)
  assert.deepEqual(
    data.sessions.map(({ id }: { id: string }) => id),
    [session.id],
  )
  assert.doesNotMatch(JSON.stringify(data), /argon2id/)
})

test('USER-DELETE-006: an account that is frozen on that day is kept, because its owner can not log in to cancel', async () => {
  const { to, token, session } = await proven()
  const second = await world.identity.login({ channel: 'email', to, password: good, lang: 'en' }, phone)
  await deletions.ask(false, { session, visitor: phone })
  assert.equal(await world.identity.session(token), undefined)
  assert.equal(await world.identity.session(second.token), undefined)
  await world.identity.settled()
  const warning = world.sent.findLast((message) => message.to === to && message.template === 'deletion-asked')!
  await world.identity.freezes.byLink(warning.freezeLink!.split('token=')[1]!, phone)
  await assert.rejects(world.identity.login({ channel: 'email', to, password: good, lang: 'en' }, phone), refused('USER_FROZEN'))
  world.pass(deletionWaitMs)
  await deletions.finish()
  const [row] = await rows('select email, erased_at from accounts where id = $1', session.account)
  assert.deepEqual(row, { email: to, erased_at: null })
  assert.equal(await deletions.dueAt(session.account), undefined)
})

test('USER-DELETE-005: the file has nothing of the members of the staff who decided about the owner', async () => {
  const { session } = await proven()
  const visitor = { ip: '192.0.2.77', userAgent: 'Staff/1.0' }
  const actions = [
    'papers-seen',
    'certified',
    'papers-rejected',
    'certificate-revoked',
    'regain-seen',
    'regain-approved',
    'regain-rejected',
  ]
  for (const action of actions as readonly OwnerAction[])
    await world.identity.owners.log(identityDb(world.store), {
      ...{ account: session.account, visitor, action, detail: { by: 'anna@staff.example' } },
    })
  const data = JSON.stringify(await deletions.dataOf({ session, visitor: phone }))
  for (const secret of ['anna@staff.example', '192.0.2.77', 'Staff/1.0']) assert.ok(!data.includes(secret), secret)
})

test('USER-DELETE-003: the counts of tries at other addresses, whose text has the erased one in it, stay', async () => {
  const { to, session } = await proven()
  const [own, other] = [`login:email:${to}`, `login:email:another.${to}`]
  for (const name of [own, other])
    for (const subject of [name, `${name}@198.51.100.0/24`, `line ${name}@198.51.100.0/24`, `${name}#0123456789abcdef`])
      await rows('insert into login_tries (subject, tries, last_at, blocked_until) values ($1, 9, $2, $2)', subject, world.clock())
  await deletions.ask(false, { session, visitor: phone })
  world.pass(deletionWaitMs)
  await deletions.finish()
  const count = async (name: string) => (await rows('select 1 from login_tries where position($1 in subject) > 0', name)).length
  assert.deepEqual([await count(own), await count(other)], [0, 4])
})

test('USER-DELETE-003: an open request for access ends with the account, and its network and device are erased', async () => {
  const { session } = await proven()
  await deletions.ask(false, { session, visitor: phone })
  world.pass(deletionWaitMs)
  const now = world.clock()
  await rows(
    `insert into regains (id, account, state, has_papers, token, ip, device, created_at, told_at, due_at)
     values (gen_random_uuid(), $1, 'waiting', false, decode(repeat('dd', 32), 'hex'), '198.51.100.4', 'Chrome · Android', $2, $2, $3)`,
    ...[session.account, now, now + 1],
  )
  await deletions.finish()
  const [row] = await rows('select state, ip, device from regains where account = $1', session.account)
  assert.deepEqual(row, { state: 'stopped', ip: '—', device: '—' })
})
