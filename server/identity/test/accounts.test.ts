import type { Outcome } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, mock, test } from 'node:test'
import { type Account, Accounts, addressesOf, addressOf } from '../accounts.ts'
import { record } from '../audit.ts'
import { Profiles } from '../profiles.ts'
import { type People, startPeople, stranger } from './people.ts'
import { refused } from './world.ts'

let people: People
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())

const given = () =>
  ({ address: { channel: 'email', value: people.address() }, password: 'phc', lang: 'de', class: 'retail', now: 5 }) as const
const insert = async (more: object = {}): Promise<Account | undefined> => people.accounts.insert(people.db, { ...given(), ...more })
let numbers = 0
const phone = () => ({ channel: 'phone', value: `+4915${100_000_000 + ++numbers}` }) as const

test('USER-REGISTER-001: an account is stored as it was asked for, with a UID and an invitation code of its own', async () => {
  const address = { channel: 'email', value: people.address() } as const
  const inviter = await people.person()
  const account = (await insert({ address, inviter: { id: inviter.id, coreUser: 77 }, class: 'maker', isCertified: true }))!
  assert.match(account.uid, /^[1-9][0-9]{8}$/)
  assert.match(account.invitation_code, /^[2-9A-Z]{8}$/)
  assert.deepEqual(account, {
    ...{ id: account.id, uid: account.uid, core_user: null, email: address.value, phone: null, password: 'phc', password_changed_at: 5 },
    ...{ lang: 'de', invitation_code: account.invitation_code, referrer: inviter.id, referrer_user: 77, class: 'maker' },
    ...{ certification: 'certified', created_at: 5, phrase: null, withdrawals_closed_until: 0, frozen_at: null },
    ...{ residence: null, declared_at: null, is_home_due: false, erased_at: null, firm: null },
  })
  assert.deepEqual(await people.accounts.find(address), account)
  assert.deepEqual(await people.accounts.get(account.id), account)
  const to = phone()
  const second = (await insert({ address: to }))!
  const { email, referrer, referrer_user: user, certification } = second
  assert.deepEqual([email, second.phone, referrer, user, certification], [null, to.value, null, 0, 'none'])
  assert.deepEqual(await people.accounts.find(to), second)
  assert.equal(await people.accounts.find({ channel: 'email', value: 'nobody@example.com' }), undefined)
})

test('USER-REGISTER-002: an address has one account; a UID or an invitation code that is taken is drawn again', async () => {
  const address = { channel: 'email', value: people.address() } as const
  const first = (await insert({ address }))!
  assert.equal(await insert({ address }), undefined)
  const draw = crypto.randomInt
  let draws = 0
  // The first draws are those of the first account.
  const again = (min: number, max?: number): number => {
    if (max !== undefined) return draws++ === 0 ? Number(first.uid) : draw(min, max)
    return draw(min)
  }
  const drawn = mock.method(crypto, 'randomInt', again as unknown as typeof crypto.randomInt)
  syncBuiltinESMExports()
  try {
    const second = (await insert())!
    assert.notEqual(second.uid, first.uid)
    assert.equal(draws, 2)
  } finally {
    drawn.mock.restore()
    syncBuiltinESMExports()
  }
})

test('USER-REGISTER-006: an inviter is found by code, in any case, once the core has its user', async () => {
  const [person, closed] = [await people.person(), await people.person(false)]
  assert.deepEqual(await people.accounts.inviter(person.invitation_code.toLowerCase()), {
    ...{ id: person.id, core_user: person.core_user, coreUser: person.core_user, email: person.email, phone: null },
    invitation_code: person.invitation_code,
  })
  assert.equal(await people.accounts.inviter(closed.invitation_code), undefined)
  assert.equal(await people.accounts.inviter('NOBODYS1'), undefined)
})

test('USER-REGISTER-007: an account is opened in the core once, as its class and with its inviter’s user', async () => {
  const { accounts, core } = people
  const account = (await insert({ inviter: { id: (await people.person()).id, coreUser: 33 }, class: 'bench' }))!
  const opened = await Promise.all([accounts.open(account), accounts.open(account)])
  const { user, command } = core.opened.get(account.id)!
  assert.deepEqual(opened, [user, user])
  assert.deepEqual(command, { type: 'user.open', requestId: account.id, class: 'bench', referrer: 33 })
  const stored = await accounts.get(account.id)
  assert.equal(stored.core_user, user)
  core.failures = [{ isLost: false }]
  assert.equal(await accounts.open(stored), user, 'the core is not asked again')
  core.failures = []
  const submit = async () => ({ refusal: 'USER_UNKNOWN' }) as unknown as Outcome
  await assert.rejects(new Accounts(people.db, submit).open((await insert())!), refused('USER_UNKNOWN'))
})

test('USER-MESSAGE-003: messages go to the mail address, without one to the phone', () => {
  assert.deepEqual(addressOf({ email: 'a@example.com', phone: '+491' }), { channel: 'email', value: 'a@example.com' })
  assert.deepEqual(addressOf({ email: null, phone: '+491' }), { channel: 'phone', value: '+491' })
  assert.deepEqual(addressesOf({ email: 'a@example.com', phone: '+491' }), [
    { channel: 'email', value: 'a@example.com' },
    { channel: 'phone', value: '+491' },
  ])
  assert.deepEqual(addressesOf({ email: null, phone: null }), [])
})

/** The log of an account, oldest first. */
const log = (account: string) =>
  people.rows('select action, at, ip, device, session, detail from audit_log where account = $1 order by id', account)

test('USER-ME-001: a profile shows masked addresses; its language and verification change, and the log says so', async () => {
  const profiles = new Profiles(people.db, people.clock)
  const person = await people.person()
  const visitor = stranger()
  const { session } = await people.sessions.start(person.id, visitor)
  const { uid, invitation_code: invitationCode } = person
  const shown = { uid, lang: 'en', invitationCode, certification: 'none', createdAt: people.clock(), residence: null, email: 'p•••' }
  const profile = await profiles.get(person.id)
  assert.deepEqual({ ...profile, email: profile.email?.slice(0, 4) }, shown)
  const to = phone()
  const { id } = (await insert({ address: to }))!
  assert.deepEqual(Object.keys(await profiles.get(id)), [
    'uid',
    'phone',
    'lang',
    'invitationCode',
    'certification',
    'createdAt',
    'residence',
  ])
  assert.equal((await profiles.get(id)).phone, `+49•••••${to.value.slice(-2)}`)
  await assert.rejects(profiles.get('11111111-1111-4111-8111-111111111111'), refused('USER_UNKNOWN'))

  await profiles.changeLang(session, 'fr', visitor)
  assert.equal((await profiles.get(person.id)).lang, 'fr')
  const isCertified = async (): Promise<boolean> => (await profiles.certified()).some((user) => user === person.core_user)
  assert.equal(await isCertified(), false)
  await profiles.setCertified(person.id, visitor, session)
  await profiles.setCertified(person.id, visitor, session)
  assert.equal((await profiles.get(person.id)).certification, 'certified')
  const certified = await profiles.certified()
  assert.equal(await isCertified(), true)
  await insert({ isCertified: true })
  assert.deepEqual(await profiles.certified(), certified, 'an account without a user is left out')
  const line = { at: people.clock(), ip: visitor.ip, device: 'Firefox · Linux', session: session.id }
  assert.deepEqual(await log(person.id), [
    { ...line, action: 'lang-changed', detail: { lang: 'fr' } },
    { ...line, action: 'certified', detail: {} },
  ])
  await profiles.setCertified(id, visitor)
  assert.deepEqual(
    (await log(id)).map(({ session: by }) => by),
    [null],
  )
})

test('USER-RESET-009: the last reset of an account is known while it is younger than asked', async () => {
  const profiles = new Profiles(people.db, people.clock)
  const { id } = await people.person()
  assert.equal(await profiles.lastReset(id, 1_000), undefined)
  const visitor = stranger()
  const write = (action: 'password-reset' | 'password-changed') => record(people.db, people.clock, { account: id, action, visitor })
  const first = await write('password-reset')
  people.pass(400)
  const at = people.clock()
  assert.ok((await write('password-reset')) > first)
  people.pass(400)
  await write('password-changed')
  assert.equal(await profiles.lastReset(id, 1_000), at)
  people.pass(599)
  assert.equal(await profiles.lastReset(id, 1_000), at)
  people.pass(1)
  assert.equal(await profiles.lastReset(id, 1_000), undefined)
})

test('USER-AUDIT-001: an entry without account, session or details is kept as such', async () => {
  const id = await record(people.db, people.clock, {
    account: undefined,
    action: 'login-failed',
    visitor: { ip: '192.0.2.1', userAgent: '' },
  })
  assert.deepEqual(await people.rows('select account, session, detail, device from audit_log where id = $1', id), [
    { account: null, session: null, detail: {}, device: '—' },
  ])
})
