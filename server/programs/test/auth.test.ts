import assert from 'node:assert/strict'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { ApiError } from '../errors.ts'
import { KeyWorld, ed25519, edKey, hmac, hmacKey, publicPem, rsa, rsaKey, signedQuery, vector } from './key-world.ts'

let world: KeyWorld
beforeEach(() => {
  world = new KeyWorld()
})

/** One path that answers who signed, over real HTTP, so that a client's encoding arrives unchanged. */
let server: Server
before(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = request.url as string
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    const key = request.headers['x-mbx-apikey'] as string | undefined
    const answer = await world
      .signed({ key, query, body: body.length === 0 ? undefined : body, ip: '127.0.0.1' }, { scope: 'trade' })
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

/** Sends exactly these bytes, because `fetch` would normalise a URL. */
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

const ok = { status: 200, body: { user: 11, keyId: 1 } }
const codeOf = async (answer: Promise<{ status: number; body: any }>): Promise<readonly [number, number]> => {
  const { status, body } = await answer
  return [status, body.code]
}

test('API-AUTH-001: a request signed with HMAC-SHA256 as the public documents show is accepted, in hexadecimal of either case', async () => {
  assert.deepEqual(await send(`${vector.query}&signature=${vector.signature}`), ok)
  assert.deepEqual(await send(`${vector.query}&signature=${vector.signature.toUpperCase()}`), ok)
})

test('API-AUTH-002: the signature covers query and body as sent, with nothing between them, and may be anywhere', async () => {
  const stamp = `timestamp=${world.now}`
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

test('API-AUTH-003: nothing is decoded, sorted or encoded again before the signature is checked', async () => {
  const odd = [
    `symbols=%5B%22BTCUSDT%22%5D&timestamp=${world.now}`,
    `symbols=[%22BTCUSDT%22]&timestamp=${world.now}`,
    `a=1+2%20%2b&timestamp=${world.now}`,
    `a=1+2%20%2B&timestamp=${world.now}`,
    `timestamp=${world.now}&z=1&a=2`,
    `a=%E4%BD%A0%e5%a5%bd&timestamp=${world.now}`,
    `a=%25&b=%3d%3D&timestamp=${world.now}`,
    `a=1&&timestamp=${world.now}&`,
    `a&b=&timestamp=${world.now}`,
  ]
  for (const query of odd) {
    assert.deepEqual(await send(signedQuery(query)), ok, query)
    assert.deepEqual(await send('', signedQuery(query)), ok, query)
  }
  const [other, one] = [signedQuery(odd[2]!), signedQuery(odd[3]!)]
  assert.notEqual(other.slice(-64), one.slice(-64))
  assert.deepEqual(await codeOf(send(`${odd[2]}&signature=${one.slice(-64)}`)), [400, -1022])
})

test('API-AUTH-004: an RSA signature is accepted in base64, plain or percent-encoded, and no other', async () => {
  const query = `symbol=LTCBTC&timestamp=${world.now}`
  const signature = rsa(query)
  for (const text of [signature, encodeURIComponent(signature)])
    assert.deepEqual(await send(`${query}&signature=${text}`, '', rsaKey), { status: 200, body: { user: 15, keyId: 5 } })
  for (const wrong of [rsa(`${query}&a=1`), ed25519(query), hmac(query), signature.slice(0, -4), `!${signature}`, 'A'.repeat(2_000)])
    assert.deepEqual(await codeOf(send(`${query}&signature=${wrong}`, '', rsaKey)), [400, -1022], wrong)
})

test('API-AUTH-004: an Ed25519 signature is accepted in base64, plain or percent-encoded', async () => {
  const query = `symbol=LTCBTC&timestamp=${world.now}`
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
    `!${signature}`,
    'AAAA',
    Buffer.alloc(64).toString('base64'),
  ]) {
    assert.deepEqual(await codeOf(send(`${query}&signature=${encodeURIComponent(wrong)}`, '', edKey)), [400, -1022])
  }
  assert.deepEqual(await codeOf(send(`${query}&signature=${hmac(query, publicPem)}`, '', edKey)), [400, -1022])
  assert.deepEqual(await codeOf(send(`${query}&signature=${encodeURIComponent(signature)}`)), [400, -1022])
})

test('API-AUTH-005: any change of the signed text, and any other signature, is -1022', async () => {
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

test('API-AUTH-006: a second signature, timestamp or window is -1101, and -1100 under a name that needs decoding; the query overrides the body', async () => {
  const signature = `signature=${vector.signature}`
  const twice = [
    [`${vector.query}&${signature}&${signature}`, ''],
    [`${vector.query}&${signature}`, signature],
    [signedQuery(`timestamp=1&timestamp=${world.now}`), ''],
    [signedQuery(`recvWindow=1&recvWindow=60000&timestamp=${world.now}`), ''],
  ] as const
  for (const [query, body] of twice) assert.deepEqual(await codeOf(send(query, body)), [400, -1101], query)
  const disguised = [
    [`${vector.query}&${signature}&%73ignature=x`, ''],
    [`${vector.query}&${signature}`, '%73%69gnature=x'],
    [signedQuery(`timestamp=${world.now}&%74imestamp=1`), ''],
  ] as const
  for (const [query, body] of disguised) assert.deepEqual(await codeOf(send(query, body)), [400, -1100], query)
  const both = (query: string, body: string) => send(query, `${body}&signature=${hmac(query + body)}`)
  assert.deepEqual(await both(`timestamp=${world.now}`, 'timestamp=1'), ok)
  assert.deepEqual(await codeOf(both('timestamp=1', `timestamp=${world.now}`)), [400, -1021])
})

test('API-AUTH-007: a timestamp is accepted less than a second ahead and up to the window behind; outside, a request can’t be replayed', async () => {
  const at = (timestamp: number, more = '') => codeOf(send(signedQuery(`timestamp=${timestamp}${more}`)))
  const fine = [200, undefined] as const
  assert.deepEqual(await at(world.now + 999), fine)
  assert.deepEqual(await at(world.now + 1_000), [400, -1021])
  assert.deepEqual(await at(world.now - 5_000), fine)
  assert.deepEqual(await at(world.now - 5_001), [400, -1021])
  assert.deepEqual(await at(world.now - 60_000, '&recvWindow=60000'), fine)
  assert.deepEqual(await at(world.now - 60_001, '&recvWindow=60000'), [400, -1021])
  assert.deepEqual(await at(world.now - 6, '&recvWindow=5.5'), [400, -1021])
  assert.deepEqual(await at(world.now, '&recvWindow=60001'), [400, -1131])
  for (const zero of ['0', '0.000', '00']) assert.deepEqual(await at(world.now, `&recvWindow=${zero}`), [400, -1100], zero)
  for (const bad of ['abc', '-1', '', '1e3', '%20', '5000000000000']) {
    assert.ok([-1100, -1131].includes((await at(world.now, `&recvWindow=${bad}`))[1]), bad)
  }
  const replay = `${vector.query}&signature=${vector.signature}`
  assert.deepEqual(await send(replay), ok)
  world.now += 5_001
  assert.deepEqual(await codeOf(send(replay)), [400, -1021])
  world.now -= 6_001
  assert.deepEqual(await codeOf(send(replay)), [400, -1021])
})

test('API-AUTH-008: errors are reported in this order: key, missing parameters, time, signature, permission', async () => {
  const stale = 'timestamp=1'
  assert.deepEqual(await codeOf(send('', '', '')), [401, -2014])
  for (const malformed of ['short', 'h'.repeat(63), 'h'.repeat(65), `${'h'.repeat(63)}-`, `${hmacKey}, ${hmacKey}`]) {
    assert.deepEqual(await codeOf(send('', '', malformed)), [401, -2014], malformed)
  }
  const none = await world
    .signed({ key: undefined, query: '', body: undefined, ip: '::1' }, { scope: 'read' })
    .catch((error: unknown) => error)
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
  const asked = world.signed({ key: hmacKey, query: `symbol=&${stale}&signature=x`, body: undefined, ip: '::1' }, needs)
  await assert.rejects(asked, (error: ApiError) => error.code === -1102 && error.message.includes("'symbol'"))
  assert.deepEqual(await codeOf(send(`${stale}&signature=x`)), [400, -1021])
  assert.deepEqual(await codeOf(send(`timestamp=${world.now}&signature=x`)), [400, -1022])
  for (const bad of ['x', '1.5', '-5', `${world.now}0000`, '1e12', '%20', `+${world.now}`]) {
    assert.deepEqual(await codeOf(send(`timestamp=${bad}&signature=x`)), [400, -1100], bad)
  }
})
