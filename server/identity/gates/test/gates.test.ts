import assert from 'node:assert/strict'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { after, before, test } from 'node:test'
import { agreementVersion } from '../agreement.ts'
import { Identity } from '../../identity.ts'
import { ServerKeys } from '../../server-keys.ts'
import { form, phone, refused, startWorld, type World } from '../../test/world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

/** An identity on the same tables that serves no residents of Switzerland. */
function picky(documents: Readonly<Record<string, string>> = {}): Identity {
  return new Identity({
    ...{ store: world.store, submit: world.core.submit, openOrders: world.core.openOrders, mode: 'sandbox', clock: world.clock },
    ...{ messages: { send: () => Promise.resolve() }, serverKeys: ServerKeys.of(Buffer.alloc(32, 7)) },
    unservedCountries: ['CH'],
    documentOf: (account) => Promise.resolve(documents[account]),
  })
}

async function registered(to: string, given = {}): Promise<{ readonly account: string; readonly user: number }> {
  await world.identity.sendCode({ purpose: 'register', channel: to.startsWith('+') ? 'phone' : 'email', to, lang: 'en' }, phone)
  const { session } = await world.identity.register(form(to, await world.codeOf(to), given), phone)
  return session
}

const rows = async (text: string, ...values: readonly unknown[]) => (await world.store.pool.query(text, [...values])).rows

test('USER-GATE-001: a registration declares country and age, and the core learns the country', async () => {
  const { account, user } = await registered(world.address(), { country: 'FR' })
  assert.equal(world.core.homes.get(user), 'FR')
  const stored = await rows('select residence, declared_at, is_home_due from accounts where id = $1', account)
  assert.deepEqual(stored, [{ residence: 'FR', declared_at: world.clock(), is_home_due: false }])
  assert.equal((await world.identity.profiles.get(account)).residence, 'FR')
})

test('USER-GATE-002: residents of a country that is not served, and children, are refused before anything is stored', async () => {
  await using identity = picky()
  const to = world.address()
  const register = (given: object) => identity.register(form(to, '000000', given), phone)
  await assert.rejects(register({ country: 'CH' }), refused('COUNTRY_NOT_SERVED'))
  await assert.rejects(register({ isOfAge: false }), refused('UNDER_AGE'))
  const swiss = { purpose: 'register', channel: 'phone', to: '+41791234567', lang: 'en' } as const
  await assert.rejects(identity.sendCode(swiss, phone), refused('COUNTRY_NOT_SERVED'))
  await assert.rejects(identity.register(form(swiss.to, '000000'), phone), refused('COUNTRY_NOT_SERVED'))
  assert.deepEqual(await rows('select target from codes where target in ($1, $2)', to, swiss.to), [])
  assert.deepEqual(await rows('select id from accounts where email = $1 or phone = $2', to, swiss.to), [])
})

test('USER-GATE-003: the core learns the countries of residence, phone number and document, each once', async () => {
  const { account, user } = await registered('+4915123456701', { country: 'FR' })
  assert.equal(world.core.homes.get(user), 'FR+DE')
  await using identity = picky({ [account]: 'IT' })
  await identity.residences.tell(account)
  assert.equal(world.core.homes.get(user), 'IT+FR+DE')
  assert.equal(await identity.residences.homeOf(user as UserId, 'DE'), 'DE+FR')
})

test('USER-GATE-004: what the core could not be told, it is told later', async () => {
  const { account, user } = await registered(world.address(), { country: 'PT' })
  await world.store.pool.query('update accounts set is_home_due = true where id = $1', [account])
  world.core.homes.clear()
  await world.identity.residences.finish()
  assert.equal(world.core.homes.get(user), 'PT')
  await world.identity.residences.finish()
  assert.deepEqual(await rows('select id from accounts where is_home_due'), [])
})

test('USER-GATE-005: an account without a country declares it once; another one later is refused', async () => {
  const email = world.address()
  const { account } = await world.identity.createUser({ email, password: 'river lamp forty-two' })
  const login = { channel: 'email', to: email, password: 'river lamp forty-two', lang: 'en' } as const
  const { session } = await world.identity.login(login, phone)
  await using identity = picky()
  const declare = (country: string, isOfAge = true) => identity.residences.declare({ country, isOfAge }, session, phone)
  await assert.rejects(declare('CH'), refused('COUNTRY_NOT_SERVED'))
  await assert.rejects(declare('FR', false), refused('UNDER_AGE'))
  await Promise.all([declare('FR'), declare('FR')])
  await assert.rejects(declare('DE'), refused('FORBIDDEN'))
  assert.equal(world.core.homes.get(session.user), 'FR')
  assert.equal((await rows(`select id from audit_log where account = $1 and action = 'residence-declared'`, account)).length, 1)
  await world.identity.logout(session, phone)
  await assert.rejects(declare('FR'), refused('UNAUTHENTICATED'))
})

test('USER-GATE-006: the consent to a version is recorded with time, session and network, and asked for again after a change', async () => {
  const { account } = await registered(world.address())
  const { agreements } = world.identity
  assert.equal(await agreements.isDue(account), false)
  await world.store.pool.query(`update agreements set version = '1' where account = $1`, [account])
  assert.equal(await agreements.isDue(account), true)
  const { to } = await world.customer()
  const { session } = await world.identity.login({ channel: 'email', to, password: 'river lamp forty-two', lang: 'en' }, phone)
  await world.store.pool.query(`update agreements set version = '1' where account = $1`, [session.account])
  await assert.rejects(agreements.accept('1', session, phone), refused('AGREEMENT_MISSING'))
  await Promise.all([1, 2].map(() => agreements.accept(agreementVersion, session, phone)))
  assert.equal(await agreements.isDue(session.account), false)
  const accepted = await rows(
    'select session, ip, device, accepted_at from agreements where account = $1 and version = $2',
    ...[session.account, agreementVersion],
  )
  assert.deepEqual(accepted, [{ session: session.id, ip: phone.ip, device: 'Chrome · Android', accepted_at: world.clock() }])
  assert.equal((await rows(`select id from audit_log where action = 'agreement-accepted'`)).length, 1)
})
