import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Visitor } from '../device.ts'
import { Tries } from '../tries.ts'
import { identityDb } from '../tables.ts'
import { Refused } from '../../refused.ts'
import { good, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const turn = 30_000
/** An address of the wide network number `i`; `host`: which of its addresses. */
const from = (i: number, host = 1): Visitor => ({ ip: `100.${100 + (i >> 8)}.${i & 255}.${host}`, userAgent: '' })
const login = (to: string, password: string, visitor: Visitor) =>
  world.production.login({ channel: 'email', to, password, lang: 'en' }, visitor)
const wrong = (to: string, visitor: Visitor): Promise<string> => told(login(to, 'wrong password', visitor))
/** `compared`, or the refusal with its seconds. */
const told = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'in',
    ({ refusal, retryAfter }: Refused) => (refusal === 'CREDENTIALS_WRONG' ? 'compared' : `${refusal} ${retryAfter}`),
  )
/** Uses up the tries that need no turn, from networks that don't come again. */
async function startLine(to: string): Promise<void> {
  for (let i = 0; i < 20; i++) assert.equal(await wrong(to, from(900 + i)), 'compared')
}

test('USER-LOGIN-004: each wide network has one place in the line, however often and from however many addresses it asks', async () => {
  for (const { to } of [await world.customer(), { to: world.address() }]) {
    await startLine(to)
    world.pass(turn)
    assert.equal(await wrong(to, from(0)), 'compared', 'the line is empty')
    // Five strangers come first, then the owner.
    for (let i = 1; i <= 5; i++) assert.equal(await wrong(to, from(i)), `TOO_MANY_TRIES ${30 * i}`)
    assert.equal(await wrong(to, from(6)), 'TOO_MANY_TRIES 180')
    // Polling, at once or from many addresses of the same networks, changes no turn.
    for (let host = 2; host < 6; host++)
      await Promise.all(Array.from({ length: 15 }, (_, i) => assertWaits(wrong(to, from(1 + (i % 5), 10 * host + i)))))
    world.pass(turn)
    assert.equal(await wrong(to, from(6)), 'TOO_MANY_TRIES 150')
    // Whoever has had a turn goes to the end of the line.
    assert.equal(await wrong(to, from(1)), 'compared')
    assert.equal(await wrong(to, from(1, 2)), 'TOO_MANY_TRIES 180')
    world.pass(149_000)
    assert.equal(await wrong(to, from(6)), 'TOO_MANY_TRIES 1')
  }
})

async function assertWaits(call: Promise<string>): Promise<void> {
  assert.match(await call, /^TOO_MANY_TRIES/)
}

test('USER-LOGIN-004: the owner’s new device gets in at its turn, while strangers of a few networks poll without end', async () => {
  const { to } = await world.customer()
  await startLine(to)
  const strangers = [1, 2, 3, 4, 5].map((i) => from(i))
  for (const stranger of strangers) await wrong(to, stranger)
  let waited = 0
  for (let last = ''; last !== 'in'; waited += 5) {
    assert.ok(waited <= 6 * 30, 'the owner waits for five turns at most')
    // Strangers come first at every moment.
    for (const stranger of strangers) await wrong(to, stranger)
    last = await told(login(to, good, from(50)))
    world.pass(5_000)
  }
  assert.ok(waited > 30)
})

test('USER-LOGIN-004: of parallel tries of one network at its turn one is compared, and of parallel first ones one has a place', async () => {
  const { to } = await world.customer()
  await startLine(to)
  const many = (i: number) => outcomes(Array.from({ length: 10 }, (_, host) => login(to, 'wrong password', from(i, 10 + host))))
  assert.deepEqual(new Set(await many(1)), new Set(['TOO_MANY_TRIES']))
  // Only one turn was given out.
  assert.equal(await wrong(to, from(2)), 'TOO_MANY_TRIES 60')
  world.pass(turn)
  assert.deepEqual([...(await many(1))].sort(), [...Array.from({ length: 9 }, () => 'TOO_MANY_TRIES'), 'CREDENTIALS_WRONG'].sort())
})

test('USER-LOGIN-004: the line is an hour long at most, and a turn that nobody uses is kept for ten minutes', async () => {
  const { to } = await world.customer()
  await startLine(to)
  for (let i = 1; i <= 120; i++) await wrong(to, from(i))
  assert.equal(await wrong(to, from(119)), `TOO_MANY_TRIES ${119 * 30}`)
  assert.equal(await wrong(to, from(121)), 'TOO_MANY_TRIES 3600')
  world.pass(120 * turn)
  assert.equal(await told(login(to, good, from(121))), 'TOO_MANY_TRIES 30')
  assert.equal(await wrong(to, from(101)), 'compared')
  assert.equal(await wrong(to, from(100)), 'TOO_MANY_TRIES 60', 'its turn has expired')
  world.pass(turn)
  assert.equal(await told(login(to, good, from(121))), 'in')
})

test('USER-LOGIN-004: a turn in which the password was not compared is not used up', async () => {
  const tries = new Tries(identityDb(world.store), () => now)
  let now = Date.UTC(2026, 5, 1)
  const limits = (ip: string) => ({
    rules: [{ subject: `test@${ip}`, free: 5, capMs: 900_000, forgiveMs: 86_400_000 }],
    stranger: { name: 'login:email:line@example.com', ip },
  })
  for (let i = 0; i < 20; i++) await tries.guess(limits(`100.64.${i}.1`), async () => false)
  const own = limits('100.65.1.1')
  await assert.rejects(
    tries.guess(own, async () => true),
    { refusal: 'TOO_MANY_TRIES', retryAfter: 30 },
  )
  now += turn
  const full = async (): Promise<boolean> => {
    throw new Refused('UNAVAILABLE')
  }
  for (let i = 0; i < 10; i++) await assert.rejects(tries.guess(own, full), refused('UNAVAILABLE'))
  assert.equal(await tries.guess(own, async () => true), true)
})

test('USER-LOGIN-004: the browser that sets a new password by link waits for nobody, and has a key that it did not bring', async () => {
  const { to, deviceKey } = await world.customer()
  await world.production.sendCode({ purpose: 'reset', channel: 'email', to, lang: 'en' }, { ...phone, deviceKey })
  const { token } = await world.production.resetCode({ channel: 'email', to, code: await world.codeOf(to) }, { ...phone, deviceKey })
  const form = { token, password: 'another good long password', passwordAgain: 'another good long password' }
  const { deviceCookie } = await world.production.reset(form, { ...phone, deviceKey })
  const device = world.production.devices.verified(deviceCookie)
  assert.ok(device)
  assert.notEqual(device.key, deviceKey)
  await startLine(to)
  for (let i = 1; i <= 130; i++) await wrong(to, from(i))
  assert.match(await told(login(to, form.password, { ...phone, deviceKey })), /^TOO_MANY_TRIES/)
  assert.equal((await login(to, form.password, { ...phone, deviceKey: device.key })).isKnownDevice, true)
  // The reset opened no session.
  const { rows } = await world.store.pool.query(
    'select count(*) as n from sessions where revoked_at is null and account = (select id from accounts where email = $1)',
    [to],
  )
  assert.equal(Number(rows[0].n), 1)
})

test('USER-LOGIN-009: a stranger can’t tell by the line whether a name has an account, nor whether its owner has logged in', async () => {
  const names = [await world.customer(), { to: world.address(), deviceKey: undefined }]
  const seen: string[][] = []
  for (const { to, deviceKey } of names) {
    const answers: string[] = []
    for (let i = 0; i < 30; i++) answers.push(await wrong(to, from(300 + i)))
    if (deviceKey !== undefined) await login(to, good, { ...phone, deviceKey })
    for (let i = 0; i < 5; i++) answers.push(await wrong(to, from(300 + 20 + i)))
    for (let i = 30; i < 33; i++) answers.push(await wrong(to, from(300 + i)))
    seen.push(answers)
  }
  assert.deepEqual(seen[0], seen[1])
})
