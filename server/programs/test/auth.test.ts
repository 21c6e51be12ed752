import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { KeyRecord } from '../../identity/keys.ts'
import { OrderCounts } from '../order-counts.ts'
import { ApiAuth, stamped, type Need, type RawRequest } from '../auth.ts'
import { sentOf } from '../params.ts'
import { ApiError } from '../errors.ts'
import { KeyRing } from '../key-ring.ts'

const day = 86_400_000
/** From the public documents of the API that this one resembles. */
const vector = {
  secret: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
  at: 1_499_827_319_559,
  query: 'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559',
  signature: 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71',
}
const pair = generateKeyPairSync('ed25519')
const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const privateKey = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))

const hmacKey = 'h'.repeat(64)
const edKey = 'e'.repeat(64)
const boundKey = 'b'.repeat(64)
const endingKey = 'x'.repeat(64)
const record = (key: string, number: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ number, key, kind: 'hmac', material: vector.secret, scopes: ['read', 'trade'], ips: [], createdAt: 1, expiresAt: null },
  ...{ account: `account-${number}`, user: 10 + number, uid: '123456789', class: 'retail' },
  ...more,
})

let now = vector.at
let records: Map<string, KeyRecord>
let lookups = 0
let uses: (readonly [number, number, string])[] = []
/** When set, the lookup waits for it. */
let gate: Promise<void> | undefined
let ring: KeyRing
let auth: ApiAuth
beforeEach(() => {
  now = vector.at
  records = new Map([
    [hmacKey, record(hmacKey, 1)],
    [edKey, record(edKey, 2, { kind: 'ed25519', material: publicPem })],
    [boundKey, record(boundKey, 3, { ips: ['192.0.2.0/24'], scopes: ['read'] })],
    [endingKey, record(endingKey, 4, { expiresAt: vector.at + day })],
  ])
  lookups = 0
  uses = []
  gate = undefined
  ring = new KeyRing({
    now: () => now,
    onFault: (cause) => {
      throw cause
    },
    keys: {
      find: async (key) => {
        lookups++
        const found = records.get(key)
        await gate
        return found
      },
      used: async (...use) => void uses.push(use),
    },
  })
  auth = new ApiAuth(ring, () => now)
})

const signed = async (request: Omit<RawRequest, 'sent'>, need: Need) =>
  auth.signed({ ...request, sent: sentOf(request.query, Buffer.from(request.body ?? []).toString('latin1')) }, need)

/** One path that says who signed, over real HTTP: what a client encodes arrives as it left. */
let server: Server
before(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = request.url as string
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    const key = request.headers['x-mbx-apikey'] as string | undefined
    const answer = await signed({ key, query, body: body.length === 0 ? undefined : body, ip: '127.0.0.1' }, { scope: 'trade' })
      .then(({ user, keyId }) => ({ status: 200, body: { user, keyId } as object }))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) return { status: 500, body: { error: String(error) } }
        return { status: error.status, body: error.body }
      })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => new Promise((resolve) => server.close(resolve)))

/** Sends just these bytes: `fetch` would tidy an address up. */
function send(query: string, body = '', key: string | undefined = hmacKey): Promise<{ status: number; body: any }> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const headers = { ...(key === undefined ? {} : { 'X-MBX-APIKEY': key }), 'content-length': Buffer.byteLength(body, 'latin1') }
    const request = httpRequest({ port, host: '127.0.0.1', path: `/order?${query}`, method: 'POST', headers }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode as number, body: JSON.parse(text) })
    })
    request.on('error', reject)
    request.end(Buffer.from(body, 'latin1'))
  })
}

const hmac = (message: string, secret = vector.secret) => createHmac('sha256', secret).update(Buffer.from(message, 'latin1')).digest('hex')
const ed25519 = (message: string) => sign(null, Buffer.from(message, 'latin1'), privateKey).toString('base64')
const signedQuery = (query: string) => `${query}&signature=${hmac(query)}`
const ok = { status: 200, body: { user: 11, keyId: 1 } }
const codeOf = async (answer: Promise<{ status: number; body: any }>): Promise<readonly [number, number]> => {
  const { status, body } = await answer
  return [status, body.code]
}

test('API-AUTH-001: a request signed with HMAC-SHA256 as the public documents show is its owner’s, in hexadecimal of either case', async () => {
  assert.deepEqual(await send(`${vector.query}&signature=${vector.signature}`), ok)
  assert.deepEqual(await send(`${vector.query}&signature=${vector.signature.toUpperCase()}`), ok)
})

test('API-AUTH-002: the signature is over query and body as they came, without what lies between them, and may stand anywhere', async () => {
  const stamp = `timestamp=${now}`
  assert.deepEqual(await send('', `${vector.query}&signature=${vector.signature}`), ok)
  const [inQuery, inBody] = ['symbol=LTCBTC&side=BUY', `quantity=1&${stamp}`]
  const mixed = hmac(inQuery + inBody)
  assert.deepEqual(await send(inQuery, `${inBody}&signature=${mixed}`), ok)
  assert.deepEqual(await send(inQuery, `signature=${mixed}&${inBody}`), ok)
  assert.deepEqual(await send(`${inQuery}&signature=${mixed}`, inBody), ok)
  assert.deepEqual(await send(`signature=${mixed}&${inQuery}`, inBody), ok)
  assert.deepEqual(await send(`symbol=LTCBTC&signature=${mixed}&side=BUY`, inBody), ok)
  assert.deepEqual(await codeOf(send(inQuery, `${inBody}&signature=${hmac(`${inQuery}&${inBody}`)}`)), [400, -1022])
})

test('API-AUTH-003: nothing is decoded, ordered or encoded anew before the signature is checked', async () => {
  const odd = [
    `symbols=%5B%22BTCUSDT%22%5D&timestamp=${now}`,
    `symbols=[%22BTCUSDT%22]&timestamp=${now}`,
    `a=1+2%20%2b&timestamp=${now}`,
    `a=1+2%20%2B&timestamp=${now}`,
    `timestamp=${now}&z=1&a=2`,
    `a=%E4%BD%A0%e5%a5%bd&timestamp=${now}`,
    `a=%25&b=%3d%3D&timestamp=${now}`,
    `a=1&&timestamp=${now}&`,
    `a&b=&timestamp=${now}`,
  ]
  for (const query of odd) {
    assert.deepEqual(await send(signedQuery(query)), ok, query)
    assert.deepEqual(await send('', signedQuery(query)), ok, query)
  }
  const [other, one] = [signedQuery(odd[2]!), signedQuery(odd[3]!)]
  assert.notEqual(other.slice(-64), one.slice(-64))
  assert.deepEqual(await codeOf(send(`${odd[2]}&signature=${one.slice(-64)}`)), [400, -1022])
})

test('API-AUTH-004: an Ed25519 signature is taken in base64, as it is or percent-encoded', async () => {
  const query = `symbol=LTCBTC&timestamp=${now}`
  const edOk = { status: 200, body: { user: 12, keyId: 2 } }
  const signature = ed25519(query)
  for (const text of [
    signature,
    encodeURIComponent(signature),
    encodeURIComponent(signature).replace(/%../g, (escape) => escape.toLowerCase()),
  ]) {
    assert.deepEqual(await send(`${query}&signature=${text}`, '', edKey), edOk)
  }
  const flipped = Buffer.from(signature, 'base64')
  flipped[5]! ^= 1
  for (const wrong of [
    flipped.toString('base64'),
    hmac(query),
    signature.slice(0, -2),
    `${signature}A`,
    'AAAA',
    Buffer.alloc(64).toString('base64'),
  ]) {
    assert.deepEqual(await codeOf(send(`${query}&signature=${encodeURIComponent(wrong)}`, '', edKey)), [400, -1022])
  }
  assert.deepEqual(await codeOf(send(`${query}&signature=${hmac(query, publicPem)}`, '', edKey)), [400, -1022])
  assert.deepEqual(await codeOf(send(`${query}&signature=${encodeURIComponent(signature)}`)), [400, -1022])
})

test('API-AUTH-005: any change of what was signed, and any other signature, is -1022', async () => {
  for (let at = 0; at < 64; at += 7) {
    const wrong = vector.signature.slice(0, at) + (vector.signature[at] === '0' ? '1' : '0') + vector.signature.slice(at + 1)
    assert.deepEqual(await codeOf(send(`${vector.query}&signature=${wrong}`)), [400, -1022])
  }
  const others = [
    `${vector.query}&signature=${vector.signature}`.replace('quantity=1', 'quantity=10'),
    `${vector.query}&signature=${vector.signature}`.replace('BUY', 'SELL'),
    `${vector.query}&quantity2=5&signature=${vector.signature}`,
    `${vector.query}&signature=${vector.signature.slice(1)}`,
    `${vector.query}&signature=${vector.signature}00`,
    `${vector.query}&signature=0x${vector.signature}`,
    `${vector.query}&signature=${hmac(vector.query, 'another')}`,
    `${vector.query}&signature=%63${vector.signature.slice(1)}`,
    `${vector.query}&signature=null`,
  ]
  for (const query of others) assert.deepEqual(await codeOf(send(query)), [400, -1022], query)
  assert.deepEqual(await codeOf(send(`${vector.query}&signature=${vector.signature}`, 'quantity=10')), [400, -1022])
})

test('API-AUTH-006: a second signature, timestamp or window is -1101, and -1100 under a name that needs decoding; the query wins over the body', async () => {
  const signature = `signature=${vector.signature}`
  const twice = [
    [`${vector.query}&${signature}&${signature}`, ''],
    [`${vector.query}&${signature}`, signature],
    [signedQuery(`timestamp=1&timestamp=${now}`), ''],
    [signedQuery(`recvWindow=1&recvWindow=60000&timestamp=${now}`), ''],
  ] as const
  for (const [query, body] of twice) assert.deepEqual(await codeOf(send(query, body)), [400, -1101], query)
  const disguised = [
    [`${vector.query}&${signature}&%73ignature=x`, ''],
    [`${vector.query}&${signature}`, '%73%69gnature=x'],
    [signedQuery(`timestamp=${now}&%74imestamp=1`), ''],
  ] as const
  for (const [query, body] of disguised) assert.deepEqual(await codeOf(send(query, body)), [400, -1100], query)
  const both = (query: string, body: string) => send(query, `${body}&signature=${hmac(query + body)}`)
  assert.deepEqual(await both(`timestamp=${now}`, 'timestamp=1'), ok)
  assert.deepEqual(await codeOf(both('timestamp=1', `timestamp=${now}`)), [400, -1021])
})

test('API-AUTH-007: a timestamp counts less than a second ahead and up to the window behind; outside a request can’t be replayed', async () => {
  const at = (timestamp: number, more = '') => codeOf(send(signedQuery(`timestamp=${timestamp}${more}`)))
  const fine = [200, undefined] as const
  assert.deepEqual(await at(now + 999), fine)
  assert.deepEqual(await at(now + 1_000), [400, -1021])
  assert.deepEqual(await at(now - 5_000), fine)
  assert.deepEqual(await at(now - 5_001), [400, -1021])
  assert.deepEqual(await at(now - 60_000, '&recvWindow=60000'), fine)
  assert.deepEqual(await at(now - 60_001, '&recvWindow=60000'), [400, -1021])
  assert.deepEqual(await at(now - 6, '&recvWindow=5.5'), [400, -1021])
  assert.deepEqual(await at(now, '&recvWindow=60001'), [400, -1131])
  for (const zero of ['0', '0.000', '00']) assert.deepEqual(await at(now, `&recvWindow=${zero}`), [400, -1100], zero)
  for (const bad of ['abc', '-1', '', '1e3', '%20', '5000000000000']) {
    assert.ok([-1100, -1131].includes((await at(now, `&recvWindow=${bad}`))[1]), bad)
  }
  const replay = `${vector.query}&signature=${vector.signature}`
  assert.deepEqual(await send(replay), ok)
  now += 5_001
  assert.deepEqual(await codeOf(send(replay)), [400, -1021])
  now -= 6_001
  assert.deepEqual(await codeOf(send(replay)), [400, -1021])
})

test('API-AUTH-008: what is wrong is said in this order: key, what is missing, time, signature, permission', async () => {
  const stale = 'timestamp=1'
  assert.deepEqual(await codeOf(send('', '', '')), [401, -2014])
  for (const malformed of ['short', 'h'.repeat(63), 'h'.repeat(65), `${'h'.repeat(63)}-`, `${hmacKey}, ${hmacKey}`]) {
    assert.deepEqual(await codeOf(send('', '', malformed)), [401, -2014], malformed)
  }
  const none = await signed({ key: undefined, query: '', body: undefined, ip: '::1' }, { scope: 'read' }).catch((error: unknown) => error)
  assert.deepEqual((none as ApiError).body, { code: -2014, msg: 'API-key format invalid.' })
  assert.deepEqual(await codeOf(send('', '', 'u'.repeat(64))), [401, -2015])
  assert.deepEqual(await send(''), {
    status: 400,
    body: { code: -1102, msg: "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed." },
  })
  assert.deepEqual(await codeOf(send('timestamp=&signature=')), [400, -1102])
  assert.deepEqual(await send(stale), {
    status: 400,
    body: { code: -1102, msg: "Mandatory parameter 'signature' was not sent, was empty/null, or malformed." },
  })
  const needs = { scope: 'trade', mandatory: ['symbol'] } as const
  const asked = signed({ key: hmacKey, query: `symbol=&${stale}&signature=x`, body: undefined, ip: '::1' }, needs)
  await assert.rejects(asked, (error: ApiError) => error.code === -1102 && error.message.includes("'symbol'"))
  assert.deepEqual(await codeOf(send(`${stale}&signature=x`)), [400, -1021])
  assert.deepEqual(await codeOf(send(`timestamp=${now}&signature=x`)), [400, -1022])
  for (const bad of ['x', '1.5', '-5', `${now}0000`, '1e12', '%20', `+${now}`]) {
    assert.deepEqual(await codeOf(send(`timestamp=${bad}&signature=x`)), [400, -1100], bad)
  }
})

test('API-AUTH-009: a key from an address that is not on its list, beyond its end, or for what it may not do is -2015', async () => {
  const query = `timestamp=${now}`
  const raw = (key: string, ip: string) => ({ key, query: signedQuery(query), body: undefined, ip })
  const refused = { code: -2015, status: 401 }
  assert.equal((await signed(raw(boundKey, '192.0.2.77'), { scope: 'read' })).keyId, 3)
  await assert.rejects(signed(raw(boundKey, '192.0.3.1'), { scope: 'read' }), refused)
  await assert.rejects(auth.known(boundKey, '192.0.3.1'), refused)
  await assert.rejects(signed(raw(boundKey, '192.0.2.77'), { scope: 'trade' }), refused)
  await assert.rejects(signed(raw(hmacKey, '::1'), { scope: 'withdraw' }), refused)
  await assert.rejects(auth.known(boundKey, '192.0.2.77', 'trade'), refused)
  assert.equal((await auth.known(endingKey, '::1')).keyId, 4)
  now += day
  await assert.rejects(auth.known(endingKey, '::1'), refused)
})

test('API-AUTH-009: on a socket that is logged on, a key may do no more than otherwise, from no other address and no longer', async () => {
  const ask = async (key: string, ip: string, scope: Need['scope']) => auth.loggedOn(key, { timestamp: now }, ip, { scope })
  const refused = { code: -2015, status: 401 }
  await assert.rejects(ask(boundKey, '192.0.2.77', 'trade'), refused, 'while the key is looked up')
  await assert.rejects(ask(boundKey, '192.0.2.77', 'trade'), refused, 'while it is remembered')
  assert.deepEqual(uses, [])
  assert.equal((await ask(boundKey, '192.0.2.77', 'read')).keyId, 3)
  assert.deepEqual(uses, [[3, now, '192.0.2.77']])
  await assert.rejects(ask(boundKey, '192.0.3.1', 'read'), refused)
  records.set(endingKey, record(endingKey, 4, { expiresAt: now + 1_000 }))
  assert.equal((await ask(endingKey, '::1', 'trade')).keyId, 4)
  now += 1_000
  await assert.rejects(ask(endingKey, '::1', 'trade'), refused)
  await assert.rejects(ask('u'.repeat(64), '::1', 'read'), refused)
})

test('API-AUTH-008: on a socket that is logged on, what is missing is said before the time, and the time before the permission', async () => {
  const ask = async (params: object, need: Partial<Need> = {}) =>
    auth.loggedOn(boundKey, params as Record<string, unknown>, '192.0.2.77', { scope: 'trade', ...need })
  const wrong = [
    [{}, -1102, "'symbol'"],
    [{ symbol: '', timestamp: now }, -1102, "'symbol'"],
    [{ symbol: 'BTCUSDT' }, -1102, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: null }, -1102, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: 1.5 }, -1100, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: -5 }, -1100, "'timestamp'"],
    [{ symbol: 'BTCUSDT', timestamp: 2 ** 53 }, -1021, 'ahead'],
    [{ symbol: 'BTCUSDT', timestamp: now - 5_001 }, -1021, 'recvWindow'],
    [{ symbol: 'BTCUSDT', timestamp: now - 101, recvWindow: 100 }, -1021, 'recvWindow'],
    [{ symbol: 'BTCUSDT', timestamp: now, recvWindow: 60_001 }, -1131, 'recvWindow'],
    [{ symbol: 'BTCUSDT', timestamp: now }, -2015, 'permissions'],
  ] as const
  for (const [params, code, says] of wrong) {
    const asked = ask(params, { mandatory: ['symbol'] })
    await assert.rejects(asked, (error: ApiError) => error.code === code && error.message.includes(says), JSON.stringify(params))
  }
  await assert.rejects(ask({ timestamp: 0 }, { scope: 'read' }), { code: -1021 }, 'long over, not missing')
  for (const timestamp of [now, String(now), now - 5_000]) {
    for (const recvWindow of [undefined, null, '', 5_000, '5000']) {
      assert.equal((await ask({ timestamp, recvWindow }, { scope: 'read' })).keyId, 3)
    }
  }
})

test('API-AUTH-010: a key that is changed or deleted is believed no longer, also when it was being looked up', async () => {
  const known = () => auth.known(hmacKey, '::1')
  const together = await Promise.all(Array.from({ length: 20 }, known))
  assert.equal(new Set(together).size, 1, 'requests that come together ask once, and get the same owner')
  assert.equal(lookups, 1)
  records.delete(hmacKey)
  await known()
  ring.forget(hmacKey)
  await assert.rejects(known(), { code: -2015 })

  records.set(hmacKey, record(hmacKey, 1))
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const late = known()
  records.delete(hmacKey)
  ring.forget(hmacKey)
  gate = undefined
  resolve()
  await late
  await assert.rejects(known(), { code: -2015 })
})

test('API-AUTH-011: made-up keys leave nothing in memory and are looked up each time', async () => {
  for (let tries = 0; tries < 3; tries++) await assert.rejects(auth.known('u'.repeat(64), '::1'), { code: -2015 })
  assert.equal(lookups, 3)
})

test('API-AUTH-012: the last use is noted once a minute from each address, and by a right signature only', async () => {
  await assert.rejects(signed({ key: hmacKey, query: `timestamp=${now}&signature=x`, body: undefined, ip: '::1' }, { scope: 'read' }))
  assert.deepEqual(uses, [])
  for (let call = 0; call < 5; call++) await auth.known(hmacKey, '192.0.2.9')
  await auth.known(hmacKey, '192.0.2.10')
  now += 60_000
  await auth.known(hmacKey, '192.0.2.10')
  assert.deepEqual(uses, [
    [1, vector.at, '192.0.2.9'],
    [1, vector.at, '192.0.2.10'],
    [1, vector.at + 60_000, '192.0.2.10'],
  ])
})

test('API-AUTH-013: on a socket all parameters but the signature are signed by name, numbers and booleans as text', async () => {
  const params = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    price: '52000.00',
    quantity: 0.01,
    reduceOnly: true,
    recvWindow: 100,
    timestamp: now,
    apiKey: hmacKey,
  }
  const message = `apiKey=${hmacKey}&price=52000.00&quantity=0.01&recvWindow=100&reduceOnly=true&side=SELL&symbol=BTCUSDT&timestamp=${now}`
  const need = { scope: 'trade' } as const
  assert.equal((await auth.signedParams({ ...params, signature: hmac(message) }, '::1', need)).keyId, 1)
  const ed = { ...params, apiKey: edKey, signature: ed25519(message.replace(hmacKey, edKey)) }
  assert.equal((await auth.signedParams(ed, '::1', need)).keyId, 2)
  const wrong = [
    [{ ...params, side: 'BUY', signature: hmac(message) }, -1022],
    [{ ...params, signature: hmac(message), extra: 1 }, -1022],
    [{ ...params }, -1102],
    [{ ...params, timestamp: null, signature: 'x' }, -1102],
    [{ ...params, apiKey: 5, signature: 'x' }, -2014],
    [{ ...params, apiKey: 'u'.repeat(64), signature: 'x' }, -2015],
    [{ ...params, timestamp: now - 101, signature: 'x' }, -1021],
    [{ ...params, timestamp: [now], signature: 'x' }, -1100],
    [{ ...params, signature: ['x'] }, -1022],
    [{ ...params, recvWindow: 70_000, signature: 'x' }, -1131],
  ] as const
  for (const [bad, code] of wrong) await assert.rejects(auth.signedParams(bad, '::1', need), { code }, JSON.stringify(bad))
})

test('API-AUTH-014: a command that a key asked for is stamped with its number', async () => {
  const stamps: (number | undefined)[] = []
  const submit = (_: Command, keyId?: number) => (stamps.push(keyId), Promise.resolve({} as Outcome))
  const orderCounts = { spot: new OrderCounts(), futures: new OrderCounts() }
  const context = { submit, other: 1, now: Date.now, orderCounts }
  const [one, two] = [await auth.known(hmacKey, '::1'), await auth.known(edKey, '::1')]
  const own = stamped(context, one)
  assert.equal(own.other, 1)
  assert.equal(stamped(context, one), own)
  await own.submit({ type: 'clock.tick' })
  await stamped(context, two).submit({ type: 'clock.tick' })
  await context.submit({ type: 'clock.tick' })
  assert.deepEqual(stamps, [1, 2, undefined])
})
