import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Argon } from '../argon.ts'
import { Codes } from '../codes.ts'
import type { Visitor } from '../device.ts'
import { identityDb } from '../tables.ts'
import { desk, good, otherThan, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
let places = 0
/** A stranger from a network that none came from before. */
const stranger = (): Visitor => ({ ip: `100.${64 + (++places >> 8)}.${places & 255}.1`, userAgent: '' })
const channelOf = (to: string) => (to.startsWith('+') ? 'phone' : 'email') as 'phone' | 'email'
const ask = (to: string, visitor: Visitor) =>
  world.production.sendCode({ purpose: 'reset', channel: channelOf(to), to, lang: 'en' }, visitor)
const redeem = (to: string, code: string, visitor: Visitor) => world.production.resetCode({ channel: channelOf(to), to, code }, visitor)
const newest = async (to: string): Promise<string> => {
  await world.production.settled()
  return (await world.inbox.list(to))[0]!.text
}
const linkIn = (text: string): string => {
  const token = /\/#\/password\?token=([A-Za-z0-9_-]{22})(?:\s|$)/.exec(text)?.[1]
  assert.ok(token, text)
  return token
}
const resetBy = (token: string) => world.production.reset({ token, password: `${good} anew`, passwordAgain: `${good} anew` }, desk)

/** Guesses by strangers until only the link is left; returns the number that was compared. A code is requested every day. */
async function guessAll(to: string, visitor: () => Visitor): Promise<number> {
  let compared = 0
  for (;;) {
    world.pass(minute)
    await ask(to, visitor())
    const text = await newest(to)
    const code = /\b[0-9]{6}\b/.exec(text)?.[0]
    if (code === undefined) return compared
    for (let i = 0; i < 5; i++) {
      const [came] = await outcomes([redeem(to, otherThan(code), visitor())])
      if (came === 'CODE_LINK_ONLY') return compared
      assert.equal(came, 'CODE_WRONG')
      compared++
    }
  }
}

async function phoneCustomer(to: string): Promise<{ to: string; deviceKey: string }> {
  await world.identity.sendCode({ purpose: 'register', channel: 'phone', to, lang: 'en' }, phone)
  const form = { channel: 'phone', to, code: await world.codeOf(to), password: good, passwordAgain: good } as const
  const { deviceKey } = await world.identity.register({ ...form, agreement: true, country: 'DE', isOfAge: true, lang: 'en' }, phone)
  return { to, deviceKey }
}

test('USER-RESET-007: strangers have 40 guesses at once, known devices 10 of their own, and beyond them only the link works', async () => {
  const { to, deviceKey } = await world.customer()
  const owner = { ...phone, deviceKey }
  assert.equal(await guessAll(to, stranger), 40)
  world.pass(minute)
  await ask(to, desk)
  const alone = await newest(to)
  assert.doesNotMatch(alone.replace(linkIn(alone), ''), /\b[0-9]{6}\b/)
  assert.deepEqual(await outcomes([redeem(to, '000000', desk)]), ['CODE_LINK_ONLY'])
  // The owner's known device has its own guesses, and not more of them than it needs.
  assert.equal(await guessAll(to, () => owner), 10)
  // The link lives for an hour, and works once.
  world.pass(55 * minute)
  const token = linkIn(alone)
  await resetBy(token)
  await assert.rejects(resetBy(token), refused('TOKEN_EXPIRED'))
})

test('USER-RESET-007: a known device can use its code after strangers used up theirs', async () => {
  const { to, deviceKey } = await world.customer()
  await guessAll(to, stranger)
  world.pass(minute)
  await ask(to, { ...phone, deviceKey })
  assert.match((await redeem(to, await world.codeOf(to), { ...phone, deviceKey })).token, /^[A-Za-z0-9_-]{22}$/)
})

test('USER-RESET-007: in any 30 days at most a hundred guesses at the codes of an account are compared', async () => {
  const { to, deviceKey } = await world.customer()
  const owner = { ...phone, deviceKey }
  const times: number[] = []
  let now = 0
  const step = (ms: number) => {
    now += ms
    world.pass(ms)
  }
  for (let today = 0; today < 40; today++) {
    for (const visitor of [desk, owner]) {
      for (let round = 0; round < (today === 0 ? 8 : 1); round++) {
        step(minute)
        await ask(to, visitor).catch(() => undefined)
        const came = await outcomes(Array.from({ length: 5 }, () => redeem(to, '000000', visitor)))
        times.push(...came.filter((one) => one === 'CODE_WRONG').map(() => now))
      }
    }
    step(day - 2 * minute)
  }
  const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 30 * day).length))
  assert.ok(most <= 100, String(most))
  assert.ok(most >= 80, String(most))
})

test('USER-RESET-010: after the ten codes of a day a link alone is sent, once an hour, whoever asks', async () => {
  const { to } = await world.customer()
  const nobody = world.address()
  const answers: unknown[][] = []
  for (const address of [to, nobody]) {
    for (let i = 0; i < 10; i++) {
      world.pass(minute)
      await ask(address, stranger())
    }
    world.pass(minute)
    const both = await Promise.allSettled([ask(address, stranger()), ask(address, stranger())])
    answers.push(both.map((one) => (one.status === 'fulfilled' ? one.value : [one.reason.refusal, one.reason.retryAfter])).sort())
    world.pass(20 * minute)
    // Always the whole hour: the rest of it would tell when somebody else asked.
    await assert.rejects(ask(address, stranger()), { refusal: 'TOO_MANY_TRIES', retryAfter: 3_600 })
    world.pass(-20 * minute)
  }
  assert.deepEqual(answers[0], answers[1])
  assert.deepEqual(
    answers[0]!.find((one) => !Array.isArray(one)),
    { resendAfter: 3_600, expiresIn: 3_600 },
  )
  // At every moment of the attack the owner has a link that works: a new one comes when the last one ends.
  const links = async () => {
    await world.production.settled()
    return (await world.inbox.list(to)).filter(({ subject }) => subject === 'Your link to reset your password')
  }
  assert.equal((await links()).length, 1)
  assert.deepEqual(await world.inbox.list(nobody), [])
  for (let i = 0; i < 12 && (await links()).length < 2; i++) {
    world.pass(5 * minute)
    await ask(to, stranger()).catch(() => undefined)
  }
  const [link, ...earlier] = await links()
  assert.equal(earlier.length, 1)
  world.pass(59 * minute)
  await resetBy(linkIn(link!.text))
})

test('USER-RESET-010: an account with a phone alone gets the link by text message', async () => {
  const { to } = await phoneCustomer('+4915112345670')
  assert.equal(await guessAll(to, stranger), 40)
  world.pass(minute)
  await ask(to, desk)
  const text = await newest(to)
  assert.match(text, /^Candor: open \S+ within 60 minutes/)
  await resetBy(linkIn(text))

  const other = await phoneCustomer('+4915112345671')
  for (let i = 0; i < 10; i++) {
    world.pass(minute)
    await ask(other.to, stranger())
    assert.match(await newest(other.to), /^[0-9]{6} is your Candor code/)
  }
  world.pass(minute)
  await ask(other.to, desk)
  await resetBy(linkIn(await newest(other.to)))
})

test('USER-RESET-010: links count in the limits of the requesting network', async () => {
  const { to } = await world.customer()
  for (let i = 0; i < 10; i++) {
    world.pass(minute)
    await ask(to, stranger())
  }
  world.pass(minute)
  const flooding = stranger()
  await world.store.pool.query('insert into code_counts (subject, since, sent) select $1, max(since), 100 from code_counts', [
    `ip:${flooding.ip}`,
  ])
  await assert.rejects(ask(to, flooding), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  // The refused request has not used up the hour.
  await ask(to, stranger())
})

test('USER-RESET-010: when strangers fill the hashing queue, a link alone is sent', async () => {
  const codes = new Codes(identityDb(world.store), new Argon({ waitingMax: 0 }), Date.now, { perIp: 2, perCountry: 100, allPhones: 100 })
  const ip = '100.127.1.1'
  const issue = (to: string, device?: string) => codes.issue('reset', { channel: 'email', value: to }, true, { ip, device })
  const to = world.address()
  assert.deepEqual(await issue(to), { code: undefined, resendAfterMs: hour })
  await assert.rejects(issue(to), { refusal: 'TOO_MANY_TRIES', retryAfter: 3_600 })
  await assert.rejects(issue(to, 'a known device'), refused('UNAVAILABLE'))
  await issue(world.address())
  await assert.rejects(issue(world.address()), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_400 })
  await assert.rejects(codes.issue('register', { channel: 'email', value: to }, true, {}), refused('UNAVAILABLE'))
})
