import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

/** All requests come through a proxy, which adds the client's address. */
let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'devices', hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
})
after(() => exchange[Symbol.asyncDispose]())

type Answer = { readonly status: number; readonly code: string | undefined; readonly isShut: boolean; readonly cookies: readonly string[] }

async function login(ip: string, to: string, password: string, device?: string): Promise<Answer> {
  const answer = await fetch(`${exchange.url}/app/v1/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      ...(device === undefined ? {} : { cookie: `candor-device=${device}` }),
    },
    body: JSON.stringify({ channel: 'email', to, password, lang: 'en' }),
  })
  const { code, requestId } = (await answer.json()) as { code?: string; requestId?: string }
  return { status: answer.status, code, isShut: requestId === '-', cookies: answer.headers.getSetCookie() }
}

const deviceOf = ({ cookie }: Pick<TestUser, 'cookie'>): string => /candor-device=([^;]+)/.exec(cookie)![1]!
const wrong = 'certainly not this one'
/** Wrong log-ins until the allowance of a network, or of a device, at the entrance is used up. */
async function flood(ip: string, to: string, device?: string): Promise<void> {
  while ((await login(ip, to, wrong, device)).code !== 'RATE_LIMITED');
}
/** Whether a login is refused right after a flood. An allowance grows by a try every two seconds, so a slow machine looks again. */
async function isRefusedAfter(flooded: () => Promise<void>, tried: () => Promise<Answer>): Promise<boolean> {
  for (let round = 0; round < 10; round++) {
    await flooded()
    if ((await tried()).code === 'RATE_LIMITED') return true
  }
  return false
}

test('GATEWAY-LIMITS-011: a known device logs in at once while its own network is being refused', async () => {
  const [alice, bob] = [await exchange.user(), await exchange.user()]
  const here = '2001:db8:31:1::1'
  for (let i = 0; i < 60; i++) await login(here, alice.email, wrong)
  await flood(here, alice.email)
  assert.equal((await login(here, alice.email, alice.password, deviceOf(alice))).status, 200)
  assert.equal((await login(here, bob.email, bob.password, deviceOf(bob))).status, 200)
  assert.ok(
    await isRefusedAfter(
      () => flood(here, alice.email),
      () => login(here, alice.email, alice.password),
    ),
  )
})

test('GATEWAY-LIMITS-006: a network that is shut out still serves a browser that has logged in before', async () => {
  const alice = await exchange.user()
  const here = '2001:db8:31:2::1'
  while (!(await login(here, alice.email, wrong)).isShut);
  assert.equal((await login(here, alice.email, alice.password, deviceOf(alice))).status, 200)
  while (!(await login(here, alice.email, alice.password, 'A'.repeat(54))).isShut);
})

test('GATEWAY-LIMITS-006: browsers of one account are shut out together, so that collected cookies are no further allowance', async () => {
  const alice = await exchange.user()
  const here = '2001:db8:31:8::1'
  const another = deviceOf({ cookie: (await login('2001:db8:31:9::1', alice.email, alice.password)).cookies.join('; ') })
  assert.notEqual(another, deviceOf(alice))
  while (!(await login(here, alice.email, wrong, deviceOf(alice))).isShut);
  assert.ok((await login(here, alice.email, alice.password, another)).isShut)
})

test('GATEWAY-LIMITS-011: a forged, truncated, bare or revoked cookie counts as a stranger’s', async () => {
  const alice = await exchange.user()
  const here = '2001:db8:31:3::1'
  const device = deviceOf(alice)
  const flipped = (at: number): string => `${device.slice(0, at)}${device[at] === 'A' ? 'B' : 'A'}${device.slice(at + 1)}`
  const isStrangers = (cookie: string): Promise<boolean> =>
    isRefusedAfter(
      () => flood(here, alice.email),
      () => login(here, alice.email, alice.password, cookie),
    )
  // The key, the tag and the signature; the key alone; a cookie that lost its end, and one with more than the whole.
  for (const made of [flipped(3), flipped(25), flipped(40), device.slice(0, 22), device.slice(0, 53), `${device}A`, 'A'.repeat(54)])
    assert.ok(await isStrangers(made), made)
  assert.equal((await login(here, alice.email, alice.password, device)).status, 200)
  await exchange.store.pool.query(
    'update sessions set device_forgotten_at = 1 where account = (select id from accounts where email = $1)',
    [alice.email],
  )
  assert.ok(await isStrangers(device))
})

test('GATEWAY-LIMITS-011: the cookie of one account is of no use against another, and its own allowance is that of one visitor', async () => {
  const [mallory, alice] = [await exchange.user(), await exchange.user()]
  const here = '2001:db8:31:4::1'
  for (const to of [alice.email, 'nobody@test.example'])
    assert.ok(
      await isRefusedAfter(
        () => flood(here, 'nobody@test.example'),
        () => login(here, to, wrong, deviceOf(mallory)),
      ),
      to,
    )
  // An account that knows the browser too is not another.
  const both = (await login('2001:db8:31:5::1', alice.email, alice.password, deviceOf(mallory))).cookies
  const shared = deviceOf({ cookie: both.join('; ') })
  assert.equal((await login(here, mallory.email, mallory.password, shared)).status, 200)

  const seen: (string | undefined)[] = []
  while (seen.at(-1) !== 'RATE_LIMITED') seen.push((await login('2001:db8:31:6::1', mallory.email, wrong, deviceOf(mallory))).code)
  assert.deepEqual(seen.slice(0, 6), [...Array(5).fill('CREDENTIALS_WRONG'), 'TOO_MANY_TRIES'])
  assert.ok(seen.length <= 60, String(seen.length))
  // Another network is no new allowance for the device, and strangers of the network keep theirs.
  assert.ok(
    await isRefusedAfter(
      () => flood('2001:db8:31:6::1', mallory.email, deviceOf(mallory)),
      () => login('2001:db8:31:7::1', mallory.email, wrong, deviceOf(mallory)),
    ),
  )
  assert.equal((await login('2001:db8:31:6::1', alice.email, alice.password)).status, 200)
})

test('GATEWAY-LIMITS-011: strangers who use up the reads of a network leave those of a known device', async () => {
  const alice = await exchange.user()
  const here = '2001:db8:31:8::1'
  const read = async (cookie = ''): Promise<number> => {
    const answer = await fetch(`${exchange.url}/app/v1/tickers`, { headers: { 'x-forwarded-for': here, cookie } })
    await answer.arrayBuffer()
    return answer.status
  }
  for (let isFull = false; !isFull; ) isFull = (await Promise.all(Array.from({ length: 50 }, () => read()))).includes(429)
  assert.equal(await read(`candor-device=${deviceOf(alice)}`), 200)
})

test('USER-COOKIE-004: a cookie of older versions is replaced at the login by a signed one of the same device', async () => {
  const alice = await exchange.user()
  const key = Buffer.from(deviceOf(alice), 'base64url').subarray(0, 16).toString('base64url')
  const { status, cookies } = await login('2001:db8:31:9::1', alice.email, alice.password, key)
  assert.equal(status, 200)
  assert.equal(deviceOf({ cookie: cookies.join('; ') }), deviceOf(alice))
})
