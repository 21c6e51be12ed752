import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Refused } from '../../refused.ts'
import type { Address } from '../address.ts'
import { type CodeAsker, Codes, codeTriesMax, secondsUntil } from '../codes.ts'
import { type People, QuickArgon, startPeople } from './people.ts'
import { otherThan, outcomes, refused } from './world.ts'

let people: People
let argon: QuickArgon
let codes: Codes
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())
beforeEach(() => {
  argon = new QuickArgon()
  codes = new Codes(people.db, argon, people.clock, { perIp: 3, perCountry: 5, allPhones: 7 })
  // No count of an earlier test applies.
  people.pass(31 * day)
})

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const mail = (): Address => ({ channel: 'email', value: people.address() })
let numbers = 0
/** A German, or an Austrian, phone. */
const phone = (country = '+49151'): Address => ({ channel: 'phone', value: `${country}${20_000_000 + ++numbers}` })
const device: CodeAsker = { device: 'a known device' }
const counted = async (address: Address): Promise<unknown> =>
  (await people.rows("select subject, sent from code_counts where subject like '%' || $1 order by subject", address.value)).map(
    ({ subject, sent }) => [subject, sent],
  )
async function issued(purpose: 'register' | 'reset', address: Address, asker: CodeAsker = {}): Promise<string> {
  const { code, resendAfterMs } = await codes.issue(purpose, address, true, asker)
  assert.equal(resendAfterMs, minute)
  assert.match(code ?? '', /^[0-9]{6}$/)
  return code!
}

test('USER-CODE-001: a code is valid for less than ten minutes, works once, and is replaced by the next one', async () => {
  const address = mail()
  const first = await issued('register', address)
  people.pass(10 * minute)
  await assert.rejects(codes.redeem('register', address, first), { refusal: 'CODE_EXPIRED', field: 'code' })
  let second = await issued('register', address)
  people.pass(minute)
  const third = await issued('register', address)
  if (second === third) second = otherThan(third)
  await assert.rejects(codes.redeem('register', address, second), { refusal: 'CODE_WRONG', field: 'code' })
  people.pass(10 * minute - 1)
  assert.deepEqual(
    await outcomes([codes.redeem('register', address, third), codes.redeem('register', address, third)]).then((came) => [...came].sort()),
    ['CODE_EXPIRED', 'done'],
  )
  await assert.rejects(codes.redeem('register', address, third), { refusal: 'CODE_EXPIRED', field: 'code' })
  await assert.rejects(codes.redeem('register', mail(), third), { refusal: 'CODE_EXPIRED', field: 'code' })
})

test('USER-CODE-001: a code that is used or replaced while it is compared has expired', async () => {
  const late = new QuickArgon()
  const slow = new Codes(people.db, late, people.clock, { perIp: 3, perCountry: 5, allPhones: 7 })
  const address = mail()
  const expired = { refusal: 'CODE_EXPIRED', field: 'code' }
  const code = await issued('register', address)
  late.meanwhile = () => codes.redeem('register', address, code)
  await assert.rejects(slow.redeem('register', address, code), expired)
  people.pass(minute)
  const next = await issued('register', address)
  late.meanwhile = () => (people.pass(minute), codes.issue('register', address, true, {}))
  await assert.rejects(slow.redeem('register', address, next), expired)
})

test('USER-CODE-002: a code that the fifth try used up has expired, and a sixth try is not asked to wait', async () => {
  const address = mail()
  const code = await issued('register', address)
  for (let n = 1; n < codeTriesMax; n++) await assert.rejects(codes.redeem('register', address, otherThan(code)), refused('CODE_WRONG'))
  await codes.redeem('register', address, code)
  await assert.rejects(codes.redeem('register', address, code), { refusal: 'CODE_EXPIRED', field: 'code' })
})

test('USER-REGISTER-003: a code that is not meant to be used matches nothing', async () => {
  const address = mail()
  const { code } = await codes.issue('register', address, false, {})
  await assert.rejects(codes.redeem('register', address, code!), refused('CODE_WRONG'))
})

test('USER-CODE-002: after five tries a code is used up: a known device reads its seconds, others the whole minute', async () => {
  const address = mail()
  for (const [asker, wait] of [
    [{}, 60],
    [device, 40],
  ] as const) {
    const code = await issued('reset', address, asker)
    for (let n = 0; n < codeTriesMax; n++)
      await assert.rejects(codes.redeem('reset', address, otherThan(code), asker), refused('CODE_WRONG'))
    people.pass(20_000)
    const late = { refusal: 'TOO_MANY_TRIES', field: 'code', retryAfter: wait } as const
    await assert.rejects(codes.redeem('reset', address, code, asker), late)
    people.pass(90_000)
    await assert.rejects(codes.redeem('reset', address, code, asker), { ...late, retryAfter: asker === device ? 1 : 60 })
    people.pass(10 * minute - 110_000)
    await assert.rejects(codes.redeem('reset', address, code, asker), refused('CODE_EXPIRED'))
  }
})

test('USER-CODE-003: a code a minute and ten a day; the day begins with the first', async () => {
  const address = mail()
  await issued('register', address)
  people.pass(minute - 1)
  await assert.rejects(codes.issue('register', address, true, {}), { refusal: 'CODE_TOO_SOON', retryAfter: 60 })
  people.pass(1)
  for (let n = 1; n < 10; n++) {
    await issued('register', address)
    people.pass(minute)
  }
  await assert.rejects(codes.issue('register', address, true, {}), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  assert.deepEqual(await counted(address), [[`register:email:${address.value}`, 10]])
  people.pass(day - 10 * minute - 1)
  await assert.rejects(codes.issue('register', address, true, {}), refused('TOO_MANY_TRIES'))
  people.pass(1)
  for (let n = 0; n < 10; n++) {
    await issued('register', address)
    people.pass(minute)
  }
  await assert.rejects(codes.issue('register', address, true, {}), refused('TOO_MANY_TRIES'))
})

test('USER-CODE-003: a known device reads the exact seconds until its next code', async () => {
  const address = mail()
  await issued('reset', address, device)
  people.pass(20_500)
  await assert.rejects(codes.issue('reset', address, true, device), { refusal: 'CODE_TOO_SOON', retryAfter: 40 })
  people.pass(minute - 20_500)
  for (let n = 1; n < 10; n++) {
    await issued('reset', address, device)
    people.pass(minute)
  }
  await assert.rejects(codes.issue('reset', address, true, device), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 - 600 })
  assert.deepEqual(await counted(address), [
    [`devices:reset:email:${address.value}`, 10],
    [`reset#a known device:email:${address.value}`, 10],
  ])
})

test('USER-CODE-003: of parallel requests one is counted', async () => {
  const address = mail()
  const came = await outcomes(Array.from({ length: 5 }, () => codes.issue('register', address, true, {})))
  assert.deepEqual([...came].sort(), ['CODE_TOO_SOON', 'CODE_TOO_SOON', 'CODE_TOO_SOON', 'CODE_TOO_SOON', 'done'])
  assert.deepEqual(await counted(address), [[`register:email:${address.value}`, 1]])
})

test('USER-CODE-005: a network gets the codes of its limit, the wider one eight times as many, and a refused request counts nowhere', async () => {
  const ask = (ip: string, purpose: 'register' | 'reset' = 'register') => codes.issue(purpose, mail(), true, { ip })
  for (let n = 0; n < 3; n++) await ask('192.0.2.1')
  const last = mail()
  await assert.rejects(codes.issue('register', last, true, { ip: '192.0.2.1' }), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  await assert.rejects(ask('192.0.2.1', 'reset'), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  assert.deepEqual(await counted(last), [])
  await codes.issue('reset', mail(), true, { ...device, ip: '192.0.2.1' })
  for (let n = 3; n < 24; n++) await ask(`192.0.2.${2 + Math.floor(n / 3)}`)
  await assert.rejects(ask('192.0.2.99'), refused('TOO_MANY_TRIES'))
  await ask('192.0.3.99')
  people.pass(day)
  await ask('192.0.2.1')
})

test('USER-CODE-008: phones of one country and all phones have limits for each purpose; a known device has none of them', async () => {
  for (let n = 0; n < 5; n++) await issued('register', phone())
  await assert.rejects(codes.issue('register', phone(), true, {}), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  await issued('reset', phone())
  for (let n = 0; n < 2; n++) await issued('register', phone('+43664'))
  await assert.rejects(codes.issue('register', phone('+43664'), true, {}), refused('TOO_MANY_TRIES'))
  await issued('register', mail())
  for (let n = 0; n < 9; n++) await issued('reset', phone(), device)
  const subjects = await people.rows("select subject, sent from code_counts where subject like '%phones:%' and since = $1", people.clock())
  assert.deepEqual(subjects.map(({ subject, sent }) => `${subject} ${sent}`).sort(), [
    'all-phones:register 7',
    'all-phones:reset 1',
    'phones:AT:register 2',
    'phones:DE:register 5',
    'phones:DE:reset 1',
  ])
})

test('USER-CODE-009: any number of known devices together get 30 codes a day, and use up nothing of strangers', async () => {
  const address = phone()
  const refusals: unknown[] = []
  for (let round = 0; round < 4; round++) {
    people.pass(minute)
    for (let n = 0; n < 10; n++)
      await codes
        .issue('proof', address, true, { device: `device ${n}` })
        .catch(({ refusal, retryAfter }) => refusals.push([refusal, retryAfter]))
  }
  assert.deepEqual(
    refusals,
    Array.from({ length: 10 }, () => ['TOO_MANY_TRIES', 86_400]),
  )
  await codes.issue('reset', address, true, { device: 'device 1' })
  await issued('reset', address)
  await assert.rejects(codes.issue('proof', address, true, { device: 'device 11' }), refused('TOO_MANY_TRIES'))
  people.pass(day)
  await codes.issue('proof', address, true, { device: 'device 11' })
})

test('USER-CODE-007: a known device has a code and tries of its own, and can use the common code without one', async () => {
  const address = mail()
  const common = await issued('reset', address)
  const own = await issued('reset', address, device)
  if (own !== common) await assert.rejects(codes.redeem('reset', address, own), refused('CODE_WRONG'))
  await codes.redeem('reset', address, own, device)
  await codes.redeem('reset', address, common, device)

  const late = await issued('reset', address, { device: 'another' })
  people.pass(9 * minute)
  const later = await issued('reset', address)
  people.pass(minute)
  if (late !== later) await assert.rejects(codes.redeem('reset', address, late, { device: 'another' }), refused('CODE_WRONG'))
  await codes.redeem('reset', address, later, { device: 'another' })
})

test('USER-RESET-007: guesses at reset codes are counted, 40 of strangers and 10 of known devices, and forgiven one by one', async () => {
  for (const [asker, max, mark] of [
    [{}, 40, ''],
    [device, 10, '#devices'],
  ] as const) {
    const address = mail()
    const subject = `guesses:reset${mark}:email:${address.value}`
    const began = people.clock()
    let code = await issued('reset', address, asker)
    const guess = () => codes.redeem('reset', address, otherThan(code), asker)
    const renew = async (): Promise<void> => {
      people.pass(minute)
      const { code: next } = await codes.issue('reset', address, true, asker)
      if (next !== undefined) code = next
    }
    for (let n = 0; n < max; n++) {
      if (n > 0 && n % 5 === 0) await renew()
      await assert.rejects(guess(), refused('CODE_WRONG'))
    }
    assert.deepEqual((await counted(address)) as unknown[], [
      ...(asker === device ? [[`devices:reset:email:${address.value}`, max / 5]] : []),
      [subject, max],
      [`reset${asker === device ? '#a known device' : ''}:email:${address.value}`, max / 5],
    ])
    people.pass(minute)
    assert.equal((await codes.issue('reset', address, true, asker)).code, undefined)
    await assert.rejects(guess(), { refusal: 'CODE_LINK_ONLY', field: 'code' })
    // A 40th, or a tenth, of 30 days forgives one.
    const everyMs = (30 * day) / max
    people.pass(began + everyMs - 1 - people.clock())
    assert.equal((await codes.issue('reset', address, true, asker)).code, undefined)
    await assert.rejects(guess(), refused('CODE_LINK_ONLY'))
    people.pass(1)
    await assert.rejects(guess(), refused('CODE_WRONG'))
    await assert.rejects(guess(), refused('CODE_LINK_ONLY'))
    // Each is forgiven in turn, and all of them only after 30 days.
    people.pass(2 * everyMs)
    code = await issued('reset', address, asker)
    for (let n = 0; n < 2; n++) await assert.rejects(guess(), refused('CODE_WRONG'))
    await assert.rejects(guess(), refused('CODE_LINK_ONLY'))
    people.pass(40 * day)
    code = await issued('reset', address, asker)
    for (let n = 0; n < 5; n++) await assert.rejects(guess(), refused('CODE_WRONG'))
    assert.deepEqual(await people.rows('select since, sent from code_counts where subject = $1', subject), [
      { since: people.clock(), sent: 5 },
    ])
  }
})

test('USER-RESET-007: tries at a registration are no guesses at the reset', async () => {
  const address = mail()
  const code = await issued('register', address)
  await assert.rejects(codes.redeem('register', address, otherThan(code)), refused('CODE_WRONG'))
  assert.deepEqual(await counted(address), [[`register:email:${address.value}`, 1]])
  await people.rows('insert into code_counts values ($1, $2, 40)', `guesses:reset:email:${address.value}`, people.clock())
  people.pass(minute)
  await issued('register', address)
})

test('USER-RESET-010: after ten codes a link an hour is left, to the millisecond', async () => {
  const address = mail()
  for (let n = 0; n < 10; n++) {
    await issued('reset', address)
    people.pass(minute)
  }
  const ask = () => codes.issue('reset', address, true, {})
  assert.deepEqual(await ask(), { code: undefined, resendAfterMs: hour })
  people.pass(hour - 1)
  await assert.rejects(ask(), { refusal: 'TOO_MANY_TRIES', retryAfter: 3_600 })
  people.pass(1)
  assert.deepEqual(await ask(), { code: undefined, resendAfterMs: hour })
  await assert.rejects(ask(), { refusal: 'TOO_MANY_TRIES', retryAfter: 3_600 })
  assert.deepEqual(await counted(address), [
    [`link:email:${address.value}`, 1],
    [`reset:email:${address.value}`, 10],
  ])
  people.pass(day)
  await issued('reset', address)
})

test('USER-RESET-010: a link counts in the limits of networks and countries, and is refused beyond them', async () => {
  argon.fault = new Refused('UNAVAILABLE')
  const ask = (address: Address, ip: string) => codes.issue('reset', address, true, { ip })
  for (let n = 0; n < 3; n++) assert.equal((await ask(phone(), '198.51.100.1')).code, undefined)
  await assert.rejects(ask(phone(), '198.51.100.1'), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  for (let n = 0; n < 2; n++) await ask(phone(), `203.0.113.${n}`)
  const late = phone()
  await assert.rejects(ask(late, '203.0.113.9'), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  assert.deepEqual(await counted(late), [])
})

test('USER-RESET-010: a link that the limit of the network refuses is not counted', async () => {
  const address = mail()
  for (let n = 0; n < 10; n++) {
    await issued('reset', address)
    people.pass(minute)
  }
  for (let n = 0; n < 3; n++) await codes.issue('register', mail(), true, { ip: '198.51.100.7' })
  await assert.rejects(codes.issue('reset', address, true, { ip: '198.51.100.7' }), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  assert.deepEqual(await counted(address), [[`reset:email:${address.value}`, 10]])
  assert.deepEqual(await codes.issue('reset', address, true, { ip: '198.51.101.7' }), { code: undefined, resendAfterMs: hour })
})

test('USER-RESET-010: a full queue gives a link for strangers’ resets alone, and another fault of hashing is one', async () => {
  const address = mail()
  argon.fault = new Refused('UNAVAILABLE')
  const turn = { lane: 'stranger', owner: 'here' } as const
  assert.deepEqual(await codes.issue('reset', address, true, { turn }), { code: undefined, resendAfterMs: hour })
  assert.deepEqual(argon.turns, [turn])
  await assert.rejects(codes.issue('reset', address, true, { turn }), { refusal: 'TOO_MANY_TRIES', retryAfter: 3_600 })
  assert.deepEqual(await counted(address), [
    [`link:email:${address.value}`, 1],
    [`reset:email:${address.value}`, 0],
  ])
  await assert.rejects(codes.issue('reset', address, true, device), refused('UNAVAILABLE'))
  await assert.rejects(codes.issue('register', address, true, {}), refused('UNAVAILABLE'))
  argon.fault = new Error('broken')
  await assert.rejects(codes.issue('reset', mail(), true, {}), /broken/)
})

test('USER-CODE-004: the hash of a code matches only in the row for which it was made', async () => {
  const [one, two] = [mail(), mail()]
  const code = await issued('register', one)
  await issued('register', two)
  await people.rows(
    `update codes set hash = (select hash from codes where target = $1) where target = $2 returning target`,
    one.value,
    two.value,
  )
  await assert.rejects(codes.redeem('register', two, code), refused('CODE_WRONG'))
  const turn = { lane: 'known', owner: 'me' } as const
  await codes.redeem('register', one, code, { turn })
  assert.deepEqual(argon.turns.at(-1), turn)
})

test('seconds to wait are rounded up, and at least one', () => {
  assert.deepEqual(
    [0, 1, 1_000, 1_001, 59_999].map((ms) => secondsUntil(ms, 0)),
    [1, 1, 1, 2, 60],
  )
  assert.equal(secondsUntil(5_000, 9_000), 1)
})
