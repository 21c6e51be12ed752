import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

/** All requests come through a proxy, which adds the client's address. */
let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'devices', hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
})
after(() => exchange[Symbol.asyncDispose]())

type Answer = {
  readonly wait: number
  readonly status: number
  readonly code: string | undefined
  readonly isShut: boolean
  readonly cookies: readonly string[]
}

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
  return {
    wait: Number(answer.headers.get('retry-after')),
    status: answer.status,
    code,
    isShut: requestId === '-',
    cookies: answer.headers.getSetCookie(),
  }
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

test('SIGNAL-ADDRESS-005: a signal address works from a network that is shut out, to which a charting service may belong', async () => {
  const alice = await exchange.user()
  const { password } = alice
  const here = '2001:db8:35:1::1'
  const made = await alice.call('POST', '/keys', { label: 'charts', scopes: ['read', 'trade'], ips: [], password })
  const limits = { symbols: ['BTCUSDT'], maxQuote: '100', perMinute: 10, perDay: 10, maxAgeSeconds: 60, ips: [] }
  const { path } = (await alice.call('POST', `/keys/${made.body.key.id}/signal`, { terms: limits, password })).body
  const send = async (ip: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
    const answer = await fetch(exchange.url + path, { method: 'POST', headers, body: '{}' })
    return ((await answer.json()) as { code: string }).code
  }
  assert.equal(await send('2001:db8:36:1::1'), 'FIELD_MISSING')
  for (let round = 0; round < 3; round++) {
    while (!(await login(here, alice.email, wrong)).isShut);
    assert.equal(await send(here), 'FIELD_MISSING')
  }
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

/** Lets the time of an account's line pass. */
async function passLine(name: string, seconds: number): Promise<void> {
  await exchange.store.pool.query(
    "update login_tries set blocked_until = blocked_until - $2 where subject = $1 or subject like 'line ' || $1 || '@%'",
    [`login:email:${name}`, seconds * 1_000],
  )
}

test('USER-LOGIN-004: strangers of four networks who poll all the time delay the owner’s new device by four turns', async () => {
  const alice = await exchange.user()
  const seen: string[][] = []
  for (const to of [alice.email, 'nobody-at-all@test.example']) {
    const codes: string[] = []
    const tried = async (ip: string): Promise<Answer> => {
      const answer = await login(ip, to, wrong)
      codes.push(`${ip} ${answer.code}`)
      return answer
    }
    for (let i = 0; i < 20; i++) await tried(`2001:db8:${(0x100 + i).toString(16)}:1::1`)
    const strangers = Array.from({ length: 4 }, (_, i) => `2001:db8:${(0x200 + i).toString(16)}:1::1`)
    for (const ip of strangers) await tried(ip)
    const here = '198.18.7.7'
    const { wait } = await login(here, to, to === alice.email ? alice.password : wrong)
    assert.ok(wait > 60 && wait <= 150, String(wait))
    for (let i = 1; i <= 10; i++)
      for (const ip of strangers) assert.equal((await tried(ip.replace(':1::1', `:${i + 1}::1`))).code, 'TOO_MANY_TRIES')
    assert.ok((await login(here, to, wrong)).wait <= wait)
    await passLine(to, wait)
    for (const ip of strangers) assert.equal((await tried(ip)).code, 'CREDENTIALS_WRONG')
    for (const ip of strangers) assert.equal((await tried(ip)).code, 'TOO_MANY_TRIES')
    if (to === alice.email) assert.equal((await login(here, to, alice.password)).status, 200)
    // The login has changed nothing for the strangers.
    for (const ip of strangers) assert.equal((await tried(ip)).code, 'TOO_MANY_TRIES')
    seen.push(codes)
  }
  assert.deepEqual(seen[0], seen[1])
})

test('USER-LOGIN-004: the browser that sets a new password logs in at once, while strangers fill the line and its network is refused', async () => {
  const alice = await exchange.user()
  const here = '2001:db8:35:1::1'
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '2001:db8:36:1::1' }
    return fetch(`${exchange.url}/app/v1/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const address = { channel: 'email', to: alice.email } as const
  assert.equal((await post('/code', { ...address, purpose: 'reset', lang: 'en' })).status, 202)
  let code: string | undefined
  while (code === undefined) {
    const inbox = await fetch(`${exchange.url}/inbox.json?to=${alice.email}`)
    const { messages } = (await inbox.json()) as { messages: readonly { subject: string }[] }
    code = messages.map(({ subject }) => /^([0-9]{6}) is your code to reset/.exec(subject)?.[1]).find((one) => one !== undefined)
  }
  const { token } = (await (await post('/reset/code', { ...address, code })).json()) as { token: string }
  const password = 'another good long password'
  const reset = await post('/reset', { token, password, passwordAgain: password })
  assert.equal(reset.status, 204)
  const device = deviceOf({ cookie: reset.headers.getSetCookie().join('; ') })
  for (let i = 0; i < 30; i++) await login(`2001:db8:${(0x300 + i).toString(16)}:1::1`, alice.email, wrong)
  await flood(here, alice.email)
  assert.equal((await login(here, alice.email, password, device)).status, 200)
  assert.notEqual((await login('198.18.8.8', alice.email, password, deviceOf(alice))).status, 200)
})
