import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Argon } from '../argon.ts'
import { desk, good, otherThan, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const fresh = 'seventeen paper boats'
const login = (to: string, password: string, visitor = phone) =>
  world.identity.login({ channel: 'email', to, password, lang: 'en' }, visitor)
const reset = (token: string, password = fresh, again = password) => world.identity.reset({ token, password, passwordAgain: again }, desk)

async function buyToken(to: string): Promise<string> {
  await world.identity.sendCode({ purpose: 'reset', channel: 'email', to, lang: 'en' }, desk)
  return (await world.identity.resetCode({ channel: 'email', to, code: await world.codeOf(to) }, desk)).token
}

test('USER-RESET-001: a code is exchanged for a 128-bit token that sets the password and ends every session, and the owner gets a message', async () => {
  const { to, token } = await world.customer()
  const bought = await buyToken(to)
  assert.match(bought, /^[A-Za-z0-9_-]{22}$/)
  await reset(bought)
  assert.equal(await world.identity.session(token), undefined)
  await assert.rejects(login(to, good), refused('CREDENTIALS_WRONG'))
  await login(to, fresh)
  await world.identity.settled()
  assert.ok((await world.inbox.list(to)).some(({ subject }) => subject === 'Your password was changed'))
})

test('USER-RESET-002: a reset token works once and for 15 minutes; of many uses at the same moment one succeeds', async () => {
  const { to } = await world.customer()
  const late = await buyToken(to)
  world.pass(900_000)
  await assert.rejects(reset(late), refused('TOKEN_EXPIRED'))
  world.pass(60_000)
  const bought = await buyToken(to)
  const passwords = Array.from({ length: 5 }, (_, index) => `paper boat number ${index}`)
  const came = await outcomes(passwords.map((password) => reset(bought, password)))
  assert.equal(came.filter((one) => one === 'done').length, 1)
  await login(to, passwords[came.indexOf('done')] as string)
  await assert.rejects(reset(bought), refused('TOKEN_EXPIRED'))
  world.pass(60_000)
  const first = await buyToken(to)
  world.pass(60_000)
  const second = await buyToken(to)
  await assert.rejects(reset(first), refused('TOKEN_EXPIRED'))
  await reset(second)
})

test('USER-RESET-003: an unknown address gets the same answers and no message, and no code matches', async () => {
  const { to } = await world.customer()
  const nobody = world.address()
  const ask = (address: string) => world.identity.sendCode({ purpose: 'reset', channel: 'email', to: address, lang: 'en' }, desk)
  assert.deepEqual(await ask(nobody), await ask(to))
  assert.deepEqual(await outcomes([ask(nobody), ask(to)]), ['CODE_TOO_SOON', 'CODE_TOO_SOON'])
  const code = await world.codeOf(to)
  assert.deepEqual(await world.inbox.list(nobody), [])
  const tries = async (address: string) => {
    const came: string[] = []
    for (let n = 0; n < 7; n++)
      came.push(...(await outcomes([world.identity.resetCode({ channel: 'email', to: address, code: otherThan(code) }, desk)])))
    return came
  }
  assert.deepEqual(await tries(nobody), await tries(to))
})

test('USER-RESET-004: asking for a code takes as long for an unknown address', async () => {
  await using own = await startWorld(new Argon())
  const { to } = await own.customer()
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < 14; round++) {
    own.pass(86_400_000)
    for (const [index, address] of [to, `nobody-${round}@example.com`].entries()) {
      const began = performance.now()
      await own.identity.sendCode({ purpose: 'reset', channel: 'email', to: address, lang: 'en' }, { ip: '127.0.0.1', userAgent: '' })
      times[index]?.push(performance.now() - began)
      await own.identity.settled()
    }
  }
  const [known, unknown] = times.map((list) => list.sort((a, b) => a - b)[list.length / 2] as number) as [number, number]
  assert.ok(
    Math.abs(known - unknown) < 0.5 * Math.max(known, unknown),
    `median ${known.toFixed(1)} ms known, ${unknown.toFixed(1)} ms unknown`,
  )
})

test('USER-RESET-005: a reset ends the wait caused by wrong passwords', async () => {
  const { to } = await world.customer()
  for (let wrong = 0; wrong < 5; wrong++) await assert.rejects(login(to, 'wrong password', desk), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(to, good, desk), refused('TOO_MANY_TRIES'))
  await reset(await buyToken(to))
  await login(to, fresh, desk)
})

test('USER-RESET-006: a login with the old password at the moment of a reset does not survive it', async () => {
  const { to, account } = await world.customer()
  for (let round = 0; round < 4; round++) {
    const [before, next] = [`old password ${round - 1}`, `old password ${round}`]
    const bought = await buyToken(to)
    const logins = Array.from({ length: 3 }, () => login(to, round === 0 ? good : before))
    const [, ...came] = await Promise.allSettled([reset(bought, next), ...logins])
    for (const one of came) if (one.status === 'fulfilled') assert.equal(await world.identity.session(one.value.token), undefined)
    assert.deepEqual(await world.identity.sessions.list(account, ''), [])
    world.pass(86_400_000)
  }
})

test('USER-RESET-006: a login that starts while the password is being changed waits, and is refused', async () => {
  const { account } = await world.customer()
  const client = await world.store.pool.connect()
  try {
    const { rows } = await client.query('select password from accounts where id = $1', [account])
    await client.query('begin')
    await client.query("update accounts set password = password || 'x' where id = $1", [account])
    const starting = outcomes([world.identity.sessions.start(account, phone, rows[0].password)])
    await sleep(100)
    await client.query('commit')
    assert.deepEqual(await starting, ['CREDENTIALS_WRONG'])
  } finally {
    client.release()
  }
})

test('USER-PASSWORD-004: changing it needs a login of the last 15 minutes and the current one, and ends all other sessions', async () => {
  const { to, token } = await world.customer()
  const other = await login(to, good, desk)
  const session = await world.identity.session(token)
  assert.ok(session)
  const change = (current: string, password: string, again = password) =>
    world.identity.changePassword({ current, password, passwordAgain: again }, session, token, phone)
  await assert.rejects(change('wrong password', fresh), { refusal: 'CREDENTIALS_WRONG', field: 'current' })
  await assert.rejects(change(good, fresh, 'different'), refused('PASSWORDS_DIFFER'))
  await assert.rejects(change(good, 'Password2026'), refused('PASSWORD_COMMON'))
  await assert.rejects(change(good, to), refused('PASSWORD_COMMON'))

  const bought = await buyToken(to)
  const { token: next } = await change(good, fresh)
  assert.equal(await world.identity.session(token), undefined, 'the token changes with the password')
  assert.equal((await world.identity.session(next))?.id, session.id)
  assert.equal(await world.identity.session(other.token), undefined)
  await assert.rejects(reset(bought), refused('TOKEN_EXPIRED'))
  await login(to, fresh)
  world.pass(900_001)
  await assert.rejects(
    world.identity.changePassword({ current: fresh, password: good, passwordAgain: good }, session, next, phone),
    refused('SESSION_NOT_FRESH'),
  )
})

test('USER-PASSWORD-005: the current password cannot be guessed faster with a stolen session', async () => {
  const { token } = await world.customer()
  const session = await world.identity.session(token)
  assert.ok(session)
  const guess = () =>
    world.identity.changePassword({ current: 'wrong password', password: fresh, passwordAgain: fresh }, session, token, phone)
  const came = await outcomes(Array.from({ length: 20 }, guess))
  assert.equal(came.filter((one) => one === 'CREDENTIALS_WRONG').length, 5)
  assert.equal(came.filter((one) => one === 'TOO_MANY_TRIES').length, 15)
})
