import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Refused } from '../../refused.ts'
import { Line } from '../line.ts'
import { loginLimits, Tries, type TryLimits } from '../tries.ts'
import { type People, startPeople, stranger } from './people.ts'
import { outcomes } from './world.ts'

let people: People
let tries: Tries
let line: Line
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())
beforeEach(() => {
  tries = new Tries(people.db, people.clock)
  line = new Line(people.db, people.clock)
})

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
const turn = 30 * second
const name = (): string => `login:email:${people.address()}`
const right = (): Promise<boolean> => Promise.resolve(true)
const wrong = (): Promise<boolean> => Promise.resolve(false)
const away = (): Promise<boolean> => Promise.reject(new Refused('UNAVAILABLE'))
/** `wrong` or `right`, or the seconds to wait. */
const guess = (limits: TryLimits, compare = wrong): Promise<unknown> =>
  tries.guess(limits, compare).then(
    (isRight) => (isRight ? 'right' : 'wrong'),
    (error: Refused) => (error.refusal === 'TOO_MANY_TRIES' ? error.retryAfter : error.refusal),
  )
const count = async (subject: string): Promise<unknown> =>
  (await people.rows('select tries from login_tries where subject = $1', subject))[0]?.['tries']
const limitsOf = (of: string, { ip } = stranger(), isIpCounted = false): TryLimits => loginLimits(of, { ip, isIpCounted })

test('USER-LOGIN-010: a stranger is counted at the account by network, over all accounts by network and by the wider one', () => {
  assert.deepEqual(loginLimits('me', { device: 'phone' }), {
    rules: [{ subject: 'me#phone', free: 5, capMs: 15 * minute, forgiveMs: day }],
  })
  const own = { subject: 'me@192.0.2.7', free: 5, capMs: 15 * minute, forgiveMs: day }
  assert.deepEqual(loginLimits('me', { ip: '192.0.2.7', isIpCounted: false }), { rules: [own], stranger: { name: 'me', ip: '192.0.2.7' } })
  assert.deepEqual(loginLimits('me', { ip: '192.0.2.7', isIpCounted: true }).rules, [
    own,
    { subject: 'ip:192.0.2.7', free: 30, capMs: 15 * minute, forgiveMs: minute },
    { subject: 'ip:192.0.2.0/24', free: 240, capMs: minute, forgiveMs: minute / 8, isShared: true },
  ])
})

test('USER-LOGIN-003: after five wrong passwords the wait doubles from a second to a quarter of an hour; a day forgives one', async () => {
  const limits = loginLimits(name(), { device: 'phone' })
  for (let n = 0; n < 5; n++) assert.equal(await guess(limits), 'wrong')
  for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    assert.equal(await guess(limits, right), wait)
    people.pass(wait * second - 1)
    assert.equal(await guess(limits, right), 1)
    people.pass(1)
    assert.equal(await guess(limits), 'wrong')
  }
  people.pass(20 * day)
  for (let n = 0; n < 5; n++) assert.equal(await guess(limits), 'wrong')
  assert.equal(await guess(limits), 1)
  people.pass(2 * day)
  for (let n = 0; n < 2; n++) assert.equal(await guess(limits), 'wrong')
  assert.equal(await guess(limits), 1)
  people.pass(second)
  assert.equal(await guess(limits, right), 'right')
  assert.equal(await count(limits.rules[0]!.subject), undefined, 'the right one ends the count')
})

test('USER-LOGIN-003: of parallel tries as many are compared as are left', async () => {
  const limits = loginLimits(name(), { device: 'phone' })
  const came = await outcomes(Array.from({ length: 20 }, () => tries.guess(limits, wrong)))
  assert.equal(came.filter((one) => one === 'done').length, 5)
  const waits = await Promise.all(Array.from({ length: 3 }, () => guess(limits)))
  assert.deepEqual(waits, [1, 1, 1])
})

test('USER-LOGIN-003: a try whose password could not be compared counts nowhere', async () => {
  const of = name()
  const here = stranger()
  const limits = limitsOf(of, here, true)
  for (let n = 0; n < 30; n++) assert.equal(await guess(limits, away), 'UNAVAILABLE')
  assert.deepEqual(await Promise.all([...limits.rules.map(({ subject }) => subject), of].map(count)), [0, 0, 0, 0])
  assert.equal(await guess(limits, right), 'right')
})

test('USER-LOGIN-003: a try whose password could not be compared begins no wait for a device', async () => {
  const limits = loginLimits(name(), { device: 'phone' })
  assert.equal(await guess(limits, away), 'UNAVAILABLE')
  for (let n = 0; n < 5; n++) assert.equal(await guess(limits), 'wrong')
  people.pass(second)
  assert.equal(await guess(limits, away), 'UNAVAILABLE')
  assert.equal(await guess(limits), 'wrong')
  const waits = await Promise.all([guess(limits), guess(limits)])
  assert.deepEqual(waits, [2, 2])
  people.pass(2 * second)
  // Of two tries at once one is compared; the other one, and whoever comes later, waits as long as its wrong password costs.
  assert.deepEqual((await Promise.all([guess(limits), guess(limits)])).sort(), [4, 'wrong'])
})

test('USER-LOGIN-005: the right password leaves the network’s mistakes at other accounts, and of two waits the longer one is given', async () => {
  const [of, here] = [name(), stranger()]
  const at = (account: string): TryLimits => limitsOf(account, here, true)
  const network = `ip:${here.ip}`
  for (let n = 0; n < 3; n++) assert.equal(await guess(at(name())), 'wrong')
  assert.equal(await guess(at(of), right), 'right')
  assert.equal(await count(network), 3)
  await tries.endWait(of, here.ip)
  assert.equal(await count(network), 3)
  for (let n = 0; n < 20; n++) assert.equal(await guess(limitsOf(of)), 'wrong')
  assert.equal(await guess(at(of)), 30, 'a place in the line')
  for (let n = 3; n < 30; n++) assert.equal(await guess(at(name())), 'wrong')
  assert.equal(await guess(at(name())), 1)
  assert.equal(await guess(at(of)), 30)
})

test('USER-LOGIN-005: a network that guesses at many accounts waits, and reads its seconds; a wide one reads a minute', async () => {
  const here = stranger()
  const part = here.ip.split('.')[3]
  const at = (host: number): TryLimits => limitsOf(name(), { ...here, ip: `198.19.${part}.${host}` }, true)
  for (let n = 0; n < 30; n++) assert.equal(await guess(at(1)), 'wrong')
  people.pass(400)
  assert.equal(await guess(at(1)), 1)
  people.pass(2 * minute)
  for (let n = 0; n < 2; n++) assert.equal(await guess(at(1)), 'wrong')
  assert.equal(await guess(at(1)), 1)
  people.pass(hour)
  // A right one is no guess: it leaves no trace in the network.
  for (let n = 0; n < 40; n++) assert.equal(await guess(at(2), right), 'right')
  for (let n = 0; n < 240; n++) assert.equal(await guess(at(10 + (n % 12))), 'wrong')
  people.pass(400)
  const other = at(200)
  assert.equal(await guess(other), 60)
  assert.equal(await count(other.rules[0]!.subject), undefined, 'a refused try counts nowhere')
  people.pass(600)
  assert.equal(await guess(other), 'wrong')
})

test('USER-LOGIN-009: the right password takes the mistakes of its own network from the line, and no others', async () => {
  const of = name()
  const [owner, other] = [stranger(), stranger()]
  for (let n = 0; n < 4; n++) await guess(limitsOf(of, other))
  for (let n = 0; n < 3; n++) await guess(limitsOf(of, owner))
  assert.equal(await count(of), 7)
  assert.equal(await guess(limitsOf(of, owner), right), 'right')
  assert.equal(await count(of), 4)
  assert.equal(await count(`${of}@${owner.ip}`), undefined)
  assert.equal(await count(`${of}@${other.ip}`), 4)
  await tries.guess(loginLimits(of, { device: 'phone' }), right)
  assert.equal(await count(of), 4)
})

test('USER-RESET-005: the proof of the owner ends the wait of its network at this account', async () => {
  const [of, another] = [name(), name()]
  const here = stranger()
  for (const each of [of, another]) for (let n = 0; n < 5; n++) await guess(limitsOf(each, here))
  await tries.endWait(of, here.ip)
  assert.equal(await guess(limitsOf(of, here)), 'wrong')
  assert.equal(await guess(limitsOf(another, here)), 1)
})

/** Networks that are wide apart. */
let nets = 0
const net = (): string => `10.${nets >> 8}.${nets++ & 255}.1`
const take = (of: string, ip: string): Promise<number | undefined> =>
  line.take({ name: of, ip }).then(
    () => 0,
    (error: Refused) => (assert.equal(error.refusal, 'TOO_MANY_TRIES'), error.retryAfter),
  )
async function lined(): Promise<string> {
  const of = name()
  for (let n = 0; n < 20; n++) assert.equal(await take(of, net()), 0)
  return of
}

test('USER-LOGIN-004: twenty tries need no turn; after them each network has one place, and a day forgives one try', async () => {
  const of = await lined()
  const [a, b] = [net(), net()]
  assert.deepEqual([await take(of, a), await take(of, b), await take(of, a)], [30, 60, 30])
  assert.deepEqual([await line.waitOf({ name: of, ip: a }), await line.waitOf({ name: of, ip: net() })], [30, 0])
  people.pass(turn - 1)
  assert.equal(await take(of, a), 1)
  people.pass(1)
  assert.equal(await line.waitOf({ name: of, ip: a }), 0)
  assert.equal(await take(of, a), 0)
  assert.equal(await take(of, a), 60, 'whoever has had a turn goes to the end')
  assert.equal(await take(of, b), 30)
  people.pass(2 * day)
  // The first is forgiven, the second finds the line empty.
  assert.deepEqual([await take(of, net()), await take(of, net()), await take(of, net())], [0, 0, 30])
})

test('USER-LOGIN-004: a turn waits ten minutes for its network, and then is lost', async () => {
  for (const [late, then] of [
    [10 * minute - 1, 0],
    [10 * minute, 30],
  ] as const) {
    const of = await lined()
    const [a, b] = [net(), net()]
    assert.equal(await take(of, a), 30)
    people.pass(turn + late)
    // The line is empty: whoever comes first has a turn at once.
    assert.equal(await take(of, b), 0)
    assert.equal(await take(of, a), then)
  }
})

test('USER-LOGIN-004: the line is an hour long, and a full one gives no place', async () => {
  const of = await lined()
  const last = net()
  for (let n = 1; n < 120; n++) assert.equal(await take(of, net()), 30 * n)
  assert.equal(await take(of, last), 3_600)
  const late = net()
  assert.equal(await take(of, late), 3_600)
  people.pass(1)
  assert.equal(await take(of, late), 3_600, 'with the line as long as before')
  people.pass(turn)
  assert.deepEqual([await take(of, last), await take(of, late)], [3_570, 3_600])
})

test('USER-LOGIN-004: a network that is sent to the line uses up no try of its own, and one that gives its turn back has it again', async () => {
  const of = await lined()
  const here = { ip: net() }
  const limits = loginLimits(of, { ip: here.ip, isIpCounted: true })
  for (let n = 0; n < 10; n++) assert.equal(await guess(limits), 30)
  assert.deepEqual(await Promise.all(limits.rules.map(({ subject }) => count(subject))), [0, undefined, undefined])
  const before = await count(of)
  people.pass(turn)
  for (let n = 0; n < 3; n++) assert.equal(await guess(limits, away), 'UNAVAILABLE')
  assert.ok(Number(await count(of)) <= Number(before))
  const place = `line ${of}@10.${here.ip.split('.')[1]}.${here.ip.split('.')[2]}.0/24`
  assert.deepEqual(await people.rows('select tries, last_at, blocked_until from login_tries where subject = $1', place), [
    { tries: 0, last_at: people.clock(), blocked_until: people.clock() },
  ])
  assert.equal(await guess(limits, right), 'right')
  assert.equal(await guess(limits), 30)
})

test('USER-LOGIN-004: tries are taken back one by one, and never below none', async () => {
  const of = name()
  for (let n = 0; n < 5; n++) await take(of, net())
  await line.forgive({ name: of, ip: '' })
  assert.equal(await count(of), 4)
  await line.forgive({ name: of, ip: '' }, 3)
  assert.equal(await count(of), 1)
  await line.forgive({ name: of, ip: '' }, 3)
  assert.equal(await count(of), 0)
})
