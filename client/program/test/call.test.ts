import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import test from 'node:test'
import { startLoopback } from '../../test/loopback.ts'
import { makeCall, type Route } from '../call.ts'
import { ConnectionError, ProgramError } from '../errors.ts'
import { depth } from '../printed/market.ts'
import { hmacSigner } from '../sign.ts'

const order: Route = { method: 'POST', path: '/api/v3/order', security: 'signed', clientId: 'newClientOrderId' }
const cancel: Route = { method: 'DELETE', path: '/api/v3/order', security: 'signed' }

type Seen = { readonly method: string; readonly path: string; readonly text: string; readonly key: unknown }
const seenOf = (request: IncomingMessage, body: string): Seen => {
  const url = request.url ?? ''
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1)
  return {
    method: request.method ?? '',
    path: at < 0 ? url : url.slice(0, at),
    text: query + body,
    key: request.headers['x-mbx-apikey'],
  }
}
const say = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

test('API-SDK-001: requests are signed as the example in the public documents shows', async () => {
  const secret = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j'
  const message = 'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559'
  assert.equal(await hmacSigner(secret).sign(message), 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71')
})

test('API-SDK-002: the bytes on the wire are the bytes that were signed, with HMAC, Ed25519 and RSA, in a query and in a body', async () => {
  const seen: Seen[] = []
  await using exchange = await startLoopback({
    request(request, body, response) {
      seen.push(seenOf(request, body))
      say(response, 200, {})
    },
  })
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const rsaPem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const text = { symbol: 'BTCUSDT', note: 'a+b c&d=é', list: [{ a: '1' }], left: undefined }
  for (const route of [order, cancel]) {
    await makeCall({ url: exchange.url, key: 'k', secret: 's', recvWindowMs: 7_000 })(route, text)
    const hmac = seen.at(-1) as Seen
    const [signed = '', signature = ''] = hmac.text.split('&signature=')
    assert.equal(signature, createHmac('sha256', 's').update(signed).digest('hex'))
    assert.equal(hmac.key, 'k')
    const sent = new URLSearchParams(signed)
    assert.deepEqual(
      [sent.get('note'), sent.get('list'), sent.get('recvWindow'), sent.has('left')],
      [text.note, '[{"a":"1"}]', '7000', false],
    )

    await makeCall({ url: `${exchange.url}/`, key: 'k', privateKey: pem })(route, text)
    const [message = '', encoded = ''] = (seen.at(-1) as Seen).text.split('&signature=')
    assert.ok(verify(null, Buffer.from(message), publicKey, Buffer.from(decodeURIComponent(encoded), 'base64')))

    await makeCall({ url: exchange.url, key: 'k', privateKey: rsaPem })(route, text)
    const [told = '', mark = ''] = (seen.at(-1) as Seen).text.split('&signature=')
    assert.ok(verify('sha256', Buffer.from(told), rsa.publicKey, Buffer.from(decodeURIComponent(mark), 'base64')))
  }
  await depth(makeCall({ url: exchange.url }), { symbol: 'BTCUSDT' })
  assert.deepEqual(seen.at(-1), { method: 'GET', path: '/api/v3/depth', text: 'symbol=BTCUSDT', key: undefined })
  await assert.rejects(makeCall({ url: exchange.url })(order, {}), TypeError)
})

test('API-SDK-003: requests that are safe to repeat are sent again with the same client id, all others once', async () => {
  const seen: Seen[] = []
  let answers: ((response: ServerResponse) => void)[] = []
  await using exchange = await startLoopback({
    request(request, body, response) {
      seen.push(seenOf(request, body))
      const answer = answers.shift()
      if (answer) answer(response)
      else say(response, 200, { orderId: 1 })
    },
  })
  const call = makeCall({ url: exchange.url, key: 'k', secret: 's', retryMs: 1 })
  const lost = (response: ServerResponse) => void response.destroy()
  const unknown = (response: ServerResponse) => say(response, 503, { code: -1006, msg: 'unknown' }, { 'retry-after': '0' })

  answers = [lost, unknown]
  assert.deepEqual(await call(order, { symbol: 'A' }), { orderId: 1 })
  const ids = seen.map(({ text }) => new URLSearchParams(text).get('newClientOrderId'))
  assert.equal(ids.length, 3)
  assert.match(ids[0] ?? '', /^x-[0-9a-f]{32}$/)
  assert.equal(new Set(ids).size, 1)

  seen.length = 0
  answers = [unknown, unknown, unknown]
  await assert.rejects(call(order, { newClientOrderId: 'mine' }), (error) => error instanceof ProgramError && error.isOutcomeUnknown)
  assert.deepEqual(
    seen.map(({ text }) => new URLSearchParams(text).get('newClientOrderId')),
    ['mine', 'mine', 'mine'],
  )

  seen.length = 0
  answers = [lost]
  await assert.rejects(call(cancel, {}), (error) => error instanceof ConnectionError && error.reason === 'unreachable')
  assert.equal(seen.length, 1)

  for (const [status, code] of [
    [400, -2010],
    [429, -1003],
    [418, -1003],
  ] as const) {
    seen.length = 0
    answers = [(response) => say(response, status, { code, msg: 'no', data: { a: 1 } }, { 'retry-after': '7' })]
    await assert.rejects(call(order, {}), { code, msg: 'no', message: 'no', status, retryAfter: 7, data: { a: 1 } })
    assert.equal(seen.length, 1)
  }
})

test('API-SDK-004: a wrong clock is corrected by the exchange’s, once', async () => {
  const aheadMs = 100_000
  const stamps: number[] = []
  let isStubborn = false
  await using exchange = await startLoopback({
    request(request, body, response) {
      const { path, text } = seenOf(request, body)
      if (path === '/api/v3/time') return say(response, 200, { serverTime: Date.now() + aheadMs })
      const stamp = Number(new URLSearchParams(text).get('timestamp'))
      stamps.push(stamp)
      if (isStubborn || stamp < Date.now() + aheadMs - 5_000) say(response, 400, { code: -1021, msg: 'outside' })
      else say(response, 200, {})
    },
  })
  const call = makeCall({ url: exchange.url, key: 'k', secret: 's' })
  await call(cancel, {})
  await call(cancel, {})
  assert.equal(stamps.length, 3, 'the second request knew the time')
  isStubborn = true
  await assert.rejects(call(cancel, {}), { code: -1021 })
  assert.equal(stamps.length, 5)
})

test('API-SDK-005: an answer that is not the exchange’s is a ConnectionError; the caller’s own abort is passed on', async () => {
  await using hotel = await startLoopback({ request: (_q, _b, response) => void response.writeHead(200).end('<html>login</html>') })
  await assert.rejects(depth(makeCall({ url: hotel.url, retries: 0 }), { symbol: 'A' }), { name: 'ConnectionError', reason: 'unreadable' })
  await using slow = await startLoopback({ request: () => undefined })
  await assert.rejects(depth(makeCall({ url: slow.url, retries: 0, timeoutMs: 30 }), { symbol: 'A' }), { reason: 'timeout' })
  const abort = new AbortController()
  const asked = depth(makeCall({ url: slow.url }), { symbol: 'A' }, { signal: abort.signal })
  abort.abort(new Error('enough'))
  await assert.rejects(asked, { message: 'enough' })
})
