/** Tests of the addresses of an account: adding, changing and removing them, and what others learn of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Channel } from '@candor/core/protocol/wire/user.ts'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { fresh, minute, phoneNumber } from '../../test/quick-world.ts'
import { good, otherThan, outcomes, refused } from '../../test/world.ts'

const { argon, world, rows, sent, log, customer, proveByCode, withApp, codeIn, tokenIn, ask, login, reset, sessionOf, made, provenUntil } =
  factorWorld()
const day = 86_400_000
type Customer = Awaited<ReturnType<typeof customer>>

async function proven(): Promise<Customer> {
  const one = await customer()
  await proveByCode(one)
  return one
}
const channelOf = (to: string): Channel => (to.trim().startsWith('+') ? 'phone' : 'email')
const request = ({ person }: Customer, to: string) => world().identity.sendAddressCode({ channel: channelOf(to), to }, person)
const set = ({ person }: Customer, to: string, code: string) => world().identity.contacts.set({ channel: channelOf(to), to, code }, person)
async function bind(one: Customer, to: string): Promise<void> {
  await request(one, to)
  await set(one, to, await codeIn(to))
}
const own = async ({ account }: Customer) => (await rows('select email, phone from accounts where id = $1', account))[0]
const closedUntil = async ({ account }: Customer) => (await world().identity.safety(account)).withdrawalsClosedUntil
const templates = async (to: string) => (await sent(to)).map(({ template }) => template)

test('USER-BIND-001: a phone number is added by a code sent to it, an email address is changed, and each logs in', async () => {
  const one = await proven()
  const phone = phoneNumber()
  assert.deepEqual(await request(one, phone), { resendAfter: 60, expiresIn: 600 })
  await set(one, ` ${phone} `, await codeIn(phone))
  assert.deepEqual(await own(one), { email: one.to, phone })
  const byPhone = await world().identity.login({ channel: 'phone', to: phone, password: good, lang: 'en' }, stranger())
  assert.equal(byPhone.session.account, one.account)
  const mail = world().address()
  await bind(one, mail)
  assert.deepEqual(await own(one), { email: mail, phone })
  assert.equal((await login(mail)).session.account, one.account)
  await assert.rejects(login(one.to), refused('CREDENTIALS_WRONG'))
  const lines = (await log(one.account)).filter((line) => (line as string[])[0] === 'address-set')
  assert.deepEqual(lines, [
    ['address-set', one.person.session.id, { channel: 'phone' }],
    ['address-set', one.person.session.id, { channel: 'email' }],
  ])
  const safety = await world().identity.safety(one.account)
  assert.deepEqual([safety.email?.includes('•••'), safety.phone?.includes('•••••')], [true, true])
})

test('USER-BIND-001: without a proof no address changes; a wrong code, a used one and one of ten minutes ago change nothing', async () => {
  const one = await customer()
  const phone = phoneNumber()
  await assert.rejects(request(one, phone), refused('PROOF_NEEDED'))
  await assert.rejects(set(one, phone, '000000'), refused('PROOF_NEEDED'))
  await proveByCode(one)
  await assert.rejects(set(one, phone, '000000'), refused('CODE_EXPIRED'))
  await request(one, phone)
  const code = await codeIn(phone)
  await assert.rejects(set(one, phone, otherThan(code)), refused('CODE_WRONG'))
  world().pass(10 * minute)
  await assert.rejects(set(one, phone, code), refused('CODE_EXPIRED'))
  await bind(one, phone)
  await assert.rejects(request(one, phone), refused('ADDRESS_SAME'))
  await assert.rejects(world().identity.sendAddressCode({ channel: 'email', to: 'nobody' }, one.person), refused('EMAIL_INVALID'))
  await assert.rejects(world().identity.sendAddressCode({ channel: 'phone', to: '612345678' }, one.person), refused('PHONE_INVALID'))
})

test('USER-BIND-001: a proof that ended while the code was compared changes nothing', async () => {
  const one = await proven()
  const phone = phoneNumber()
  await request(one, phone)
  const code = await codeIn(phone)
  argon.meanwhile = () => rows('update sessions set revoked_at = 1 where account = $1', one.account)
  await assert.rejects(set(one, phone, code), (error: { refusal?: string }) => error.refusal === 'PROOF_NEEDED')
  assert.deepEqual(await own(one), { email: one.to, phone: null })
})

test('USER-BIND-002: one of two addresses is removed after a proof, and never the last', async () => {
  const one = await proven()
  const { contacts } = world().identity
  await assert.rejects(contacts.remove('phone', one.person), refused('NOT_FOUND'))
  await assert.rejects(contacts.remove('email', one.person), refused('ADDRESS_LAST'))
  const phone = phoneNumber()
  await bind(one, phone)
  world().pass(15 * minute)
  await assert.rejects(contacts.remove('email', one.person), refused('PROOF_NEEDED'))
  await proveByCode(one)
  const both = await outcomes([contacts.remove('email', one.person), contacts.remove('phone', one.person)])
  assert.deepEqual([...both].sort(), ['ADDRESS_LAST', 'done'])
  const { email, phone: left } = (await own(one))!
  assert.equal([email, left].filter((address) => address !== null).length, 1)
})

test('USER-BIND-003: an address of another account gets the same answers, no code, and a note to its owner', async () => {
  const [one, other] = [await proven(), await customer()]
  const before = (await sent(other.to)).length
  assert.deepEqual(await request(one, other.to), { resendAfter: 60, expiresIn: 600 })
  const told = (await sent(other.to)).slice(before)
  assert.deepEqual(
    told.map(({ template, values }) => [template, values]),
    [['address-taken', {}]],
  )
  await assert.rejects(set(one, other.to, '000000'), refused('CODE_WRONG'))
  const free = world().address()
  await request(one, free)
  await assert.rejects(set(one, free, otherThan(await codeIn(free))), refused('CODE_WRONG'))
  for (const to of [other.to, free]) await assert.rejects(request(one, to), refused('CODE_TOO_SOON'))
  assert.deepEqual(await own(one), { email: one.to, phone: null })
})

test('USER-BIND-004: a code works for its account, its purpose and its address alone', async () => {
  const [one, other] = [await proven(), await proven()]
  const [to, elsewhere] = [world().address(), world().address()]
  await request(one, to)
  const code = await codeIn(to)
  await request(one, elsewhere)
  await assert.rejects(set(one, elsewhere, code), refused('CODE_WRONG'))
  await assert.rejects(set(other, to, code), refused('CODE_EXPIRED'))
  const { identity } = world()
  const form = {
    channel: 'email',
    to,
    code,
    password: good,
    passwordAgain: good,
    agreement: true,
    country: 'DE',
    isOfAge: true,
    lang: 'en',
  } as const
  await assert.rejects(identity.register(form, stranger()), refused('CODE_EXPIRED'))
  await set(one, to, code)
  await assert.rejects(set(one, to, code), refused('CODE_EXPIRED'))
})

test('USER-BIND-004: an account has ten codes a day for all addresses, and uses up nothing of anybody else', async () => {
  const [greedy, one] = [await proven(), await proven()]
  const to = world().address()
  for (let n = 0; n < 10; n++) {
    await request(greedy, n === 0 ? to : world().address())
    world().pass(1_000)
  }
  await assert.rejects(request(greedy, world().address()), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_390 })
  world().pass(minute)
  await assert.rejects(request(greedy, to), refused('TOO_MANY_TRIES'))
  await bind(one, to)
  assert.deepEqual(await own(one), { email: to, phone: null })
  assert.deepEqual(await ask(world().address(), 'register'), { resendAfter: 60, expiresIn: 600 })
})

test('USER-BIND-004: guesses at codes that went elsewhere have a monthly limit per account', async () => {
  const one = await proven()
  let compared = 0
  for (let code = 0; code < 12; code++) {
    world().pass(code === 9 ? day : minute)
    if ((await provenUntil(one.person)) === null) await proveByCode(one)
    const to = world().address()
    await request(one, to)
    const wrong = otherThan(await codeIn(to))
    for (const outcome of await outcomes([1, 2, 3, 4, 5].map(() => set(one, to, wrong)))) compared += outcome === 'CODE_WRONG' ? 1 : 0
  }
  assert.ok(compared >= 40 && compared <= 42, String(compared))
})

test('USER-BIND-005: of parallel wishes for one address exactly one succeeds, with the answer of an unknown code for the others', async () => {
  const people = [await proven(), await proven(), await proven()]
  const to = phoneNumber()
  const codes: string[] = []
  for (const one of people) {
    await request(one, to)
    codes.push(await codeIn(to))
  }
  const all = await outcomes(people.map((one, at) => set(one, to, codes[at]!)))
  assert.deepEqual([...all].sort(), ['CODE_EXPIRED', 'CODE_EXPIRED', 'done'])
  assert.equal((await rows('select 1 from accounts where phone = $1', to)).length, 1)
})

test('USER-BIND-005: an address that was free when the code was asked for, and is taken now, stays where it is', async () => {
  const one = await proven()
  const to = world().address()
  await request(one, to)
  const code = await codeIn(to)
  await ask(to, 'register')
  const form = {
    channel: 'email',
    to,
    code: await codeIn(to),
    password: good,
    passwordAgain: good,
    agreement: true,
    country: 'DE',
    isOfAge: true,
    lang: 'en',
  } as const
  await world().identity.register(form, stranger())
  await assert.rejects(set(one, to, code), refused('CODE_EXPIRED'))
  assert.deepEqual(await own(one), { email: one.to, phone: null })
})

test('USER-BIND-006: a change tells the old address, the new one and the other; so does every message about the protection', async () => {
  const one = await proven()
  const [phone, mail] = [phoneNumber(), world().address()]
  await bind(one, phone)
  await bind(one, mail)
  for (const to of [one.to, mail, phone]) assert.equal((await templates(to)).at(-1), 'address-set', to)
  const [told] = (await sent(mail)).slice(-1)
  assert.deepEqual([told!.values['address']?.includes('•••'), told!.closesWithdrawals], [true, true])
  assert.ok(!JSON.stringify(told!.values).includes(mail))
  await world().identity.contacts.remove('phone', one.person)
  for (const to of [mail, phone]) assert.equal((await templates(to)).at(-1), 'address-removed', to)
  await bind(one, phone)
  await login(mail, good, stranger())
  for (const to of [mail, phone]) assert.equal((await templates(to)).at(-1), 'new-device', to)
})

test('USER-BIND-007: codes and links of an address that is gone open nothing', async () => {
  const one = await proven()
  await bind(one, phoneNumber())
  await ask(one.to, 'reset')
  const [code, token] = [await codeIn(one.to), await tokenIn(one.to)]
  await world().identity.contacts.remove('email', one.person)
  await assert.rejects(reset(token), refused('TOKEN_EXPIRED'))
  const byCode = world().identity.resetCode({ channel: 'email', to: one.to, code }, stranger())
  await assert.rejects(byCode, refused('CODE_EXPIRED'))
})

test('USER-CLOSED-001: withdrawals are closed for a day after a change of the protection', async () => {
  const one = await proven()
  assert.equal(await closedUntil(one), null)
  await bind(one, phoneNumber())
  const until = world().clock() + day
  assert.equal(await closedUntil(one), until)
  world().pass(day - 1)
  assert.equal(await closedUntil(one), until)
  world().pass(1)
  assert.equal(await closedUntil(one), null)
  const app = await withApp()
  assert.equal(await closedUntil(app), world().clock() - minute + day)
  assert.equal((await sent(app.to)).findLast(({ template }) => template === 'factor-added')?.closesWithdrawals, true)
  world().pass(2 * minute)
  await world().identity.factors.renewRecoveryCodes(app.person)
  assert.equal(await closedUntil(app), world().clock() + day)
  const [renewed] = (await sent(app.to)).slice(-1)
  assert.deepEqual([renewed!.template, renewed!.closesWithdrawals], ['recovery-renewed', true])
  world().pass(minute)
  await world().identity.factors.removeAuthenticator(app.person)
  assert.equal(await closedUntil(app), world().clock() + day)
  const changing = await customer()
  const form = { current: good, password: fresh, passwordAgain: fresh }
  await world().identity.changePassword(form, changing.person.session, changing.token, changing.person.visitor)
  assert.equal(await closedUntil(changing), world().clock() + day)
  const forgetful = await customer()
  await ask(forgetful.to, 'reset')
  await reset(await tokenIn(forgetful.to))
  assert.equal(await closedUntil(forgetful), world().clock() + day)
  assert.equal((await sent(forgetful.to)).at(-1)?.closesWithdrawals, true)
})

test('USER-BIND-004: in production, codes for phones count in the limits of their country; a network has its own', async () => {
  const one = await proven()
  await using production = made({ phoneCountries: ['DE'] })
  await production.sendAddressCode({ channel: 'phone', to: phoneNumber() }, one.person)
  const counted = await rows("select subject from code_counts where subject like '%bind%' and subject like '%phones%' order by subject")
  assert.deepEqual(
    counted.map(({ subject }) => subject),
    ['all-phones:bind', 'phones:DE:bind'],
  )
  await assert.rejects(production.sendAddressCode({ channel: 'phone', to: '+34612345678' }, one.person), refused('PHONE_INVALID'))
  assert.notEqual(await sessionOf(one.token), undefined)
})

test('USER-BIND-008: many accounts together send 20 codes or notes a day to one address, whether another account has it or not', async () => {
  const owner = await customer()
  const accounts = await Promise.all([proven(), proven(), proven(), proven(), proven()])
  const requests = async (to: string): Promise<readonly unknown[]> => {
    const refusals: unknown[] = []
    for (let round = 0; round < 5; round++) {
      world().pass(minute)
      for (const one of accounts) await proveAgain(one)
      for (const one of accounts) await request(one, to).catch(({ refusal, retryAfter }) => refusals.push([refusal, retryAfter]))
    }
    return refusals
  }
  const [free, before] = [phoneNumber(), (await sent(owner.to)).length]
  const refusals = await requests(free)
  assert.deepEqual(
    refusals,
    Array.from({ length: 5 }, () => ['TOO_MANY_TRIES', 86_400]),
  )
  assert.equal((await sent(free)).length, 20)
  assert.deepEqual(await requests(owner.to), refusals)
  assert.equal((await sent(owner.to)).length, before + 20)
  world().pass(day)
  await proveAgain(accounts[0]!)
  await request(accounts[0]!, free)
})

/** Without another code: the proof itself is not what these tests are about. */
const proveAgain = ({ account }: Customer) => rows('update sessions set proven_at = $2 where account = $1', account, world().clock())
