import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test from 'node:test'
import { createClient } from './client.ts'
import { ApiError, OfflineError } from './errors.ts'
import { createCookieJar } from './node/cookie.ts'
import { endpoints, login, order } from './test/endpoints.ts'
import { startLoopback } from './test/loopback.ts'

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string | string[]> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

test('each endpoint asks with its method, address and body, as JSON', async () => {
  const seen: { line: string; body: string; type: string | undefined }[] = []
  await using exchange = await startLoopback({
    request(request, body, response) {
      seen.push({ line: `${request.method} ${request.url?.replace('/app/v1', '')}`, body, type: request.headers['content-type'] })
      json(response, 200, {})
    },
  })
  const client = createClient({ baseUrl: exchange.url })
  for (const [call, line, body] of endpoints) {
    await call(client)
    const last = seen.at(-1)
    assert.equal(last?.line, line)
    assert.equal(last?.body, body === undefined ? '' : JSON.stringify(body), line)
    assert.equal(last?.type, body === undefined ? undefined : 'application/json', line)
  }
})

test('a file is sent as it is with its own type, and comes as a file; a refusal of it is an ApiError', async () => {
  const seen: unknown[] = []
  await using exchange = await startLoopback({
    request(request, body, response) {
      seen.push(`${request.method} ${request.url}`, request.headers['content-type'], body)
      if (request.url?.endsWith('/back')) json(response, 404, { code: 'NOT_FOUND', message: 'm', requestId: 'r' })
      else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(request.method === 'GET' ? 'photo' : '{"state":"draft"}')
    },
  })
  const { papers } = createClient({ baseUrl: exchange.url })
  assert.equal((await papers.putPhoto('front', new Blob(['bytes'], { type: 'image/png' }))).state, 'draft')
  assert.equal(await (await papers.photo('front')).text(), 'photo')
  await assert.rejects(papers.photo('back'), { code: 'NOT_FOUND' })
  const path = '/app/v1/papers/photos'
  assert.deepEqual(seen.slice(0, 3), [`PUT ${path}/front`, 'image/png', 'bytes'])
  assert.deepEqual(seen.slice(3), [`GET ${path}/front`, undefined, '', `GET ${path}/back`, undefined, ''])
})

test('a call may be sent by a function of its own', async () => {
  const client = createClient({ baseUrl: 'https://candor.invalid' })
  const fetch = (): Promise<Response> => Promise.resolve(Response.json({ state: 'waiting' }))
  assert.equal((await client.papers.send({ fetch })).state, 'waiting')
})

test('lists come without their envelope, and an answer of 204 is nothing', async () => {
  await using exchange = await startLoopback({
    request(request, _body, response) {
      if (request.method === 'POST') response.writeHead(204).end()
      else json(response, 200, { orders: [{ id: '1' }] })
    },
  })
  const client = createClient({ baseUrl: `${exchange.url}/` })
  assert.deepEqual(await client.spot.openOrders(), [{ id: '1' }])
  assert.equal(await client.user.logout(), undefined)
})

test('a refusal arrives as an ApiError with everything that the answer says, and onError sees it', async () => {
  await using exchange = await startLoopback({
    request(_request, _body, response) {
      json(response, 400, { code: 'PRICE_INVALID', message: 'The price has to be a multiple of 0.1.', field: 'price', requestId: 'r-1' })
    },
  })
  const seen: unknown[] = []
  const client = createClient({ baseUrl: exchange.url, onError: (error) => seen.push(error) })
  const error = await client.spot.place(order).then(
    () => assert.fail('placed'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError)
  assert.deepEqual(
    [error.code, error.field, error.requestId, error.status, error.retryAfter],
    ['PRICE_INVALID', 'price', 'r-1', 400, undefined],
  )
  assert.deepEqual(seen, [error])
})

test('retryAfter comes from the body, else from the header', async () => {
  let body: object = { code: 'RATE_LIMITED', message: 'm', retryAfter: 3, requestId: 'r' }
  await using exchange = await startLoopback({
    request(_request, _body, response) {
      json(response, 429, body, { 'retry-after': '9' })
    },
  })
  const client = createClient({ baseUrl: exchange.url })
  await assert.rejects(client.market.volume(), { retryAfter: 3 })
  body = { code: 'RATE_LIMITED', message: 'm', requestId: 'r' }
  await assert.rejects(client.market.volume(), { retryAfter: 9 })
})

test('what is not the exchange is an OfflineError: no host, another host, no answer in time', async (t) => {
  await t.test('unreachable', async () => {
    let url = ''
    {
      await using gone = await startLoopback({})
      url = gone.url
    }
    await assert.rejects(createClient({ baseUrl: url }).market.volume(), (e) => e instanceof OfflineError && e.reason === 'unreachable')
  })
  for (const [status, body] of [
    [502, '<html>Bad gateway</html>'],
    [500, 'null'],
    [503, '{"error":"no"}'],
    [200, '<html>hotel login</html>'],
  ] as const) {
    await t.test(`unreadable: ${status} ${body}`, async () => {
      await using proxy = await startLoopback({ request: (_q, _b, response) => void response.writeHead(status).end(body) })
      await assert.rejects(
        createClient({ baseUrl: proxy.url }).market.volume(),
        (e) => e instanceof OfflineError && e.reason === 'unreadable',
      )
    })
  }
  await t.test('timeout', async () => {
    await using slow = await startLoopback({ request: () => undefined })
    const client = createClient({ baseUrl: slow.url, timeoutMs: 30 })
    await assert.rejects(client.market.volume(), (e) => e instanceof OfflineError && e.reason === 'timeout')
  })
  await t.test('the caller’s own abort is passed on', async () => {
    await using slow = await startLoopback({ request: () => undefined })
    const abort = new AbortController()
    const asked = createClient({ baseUrl: slow.url }).market.volume({ signal: abort.signal })
    abort.abort(new Error('left the screen'))
    await assert.rejects(asked, { message: 'left the screen' })
  })
})

test('the cookie jar keeps the session and says its own origin; a removed cookie is gone', async () => {
  const seen: (string | undefined)[][] = []
  await using exchange = await startLoopback({
    request(request, _body, response) {
      seen.push([request.headers.cookie, request.headers.origin])
      if (request.url?.endsWith('login')) json(response, 200, {}, { 'set-cookie': ['sid=a=b; Path=/; HttpOnly', 'x=1; Max-Age=60'] })
      else if (request.url?.endsWith('logout')) json(response, 200, {}, { 'set-cookie': 'sid=; Max-Age=0' })
      else json(response, 200, {})
    },
  })
  const client = createClient({ baseUrl: exchange.url, cookie: createCookieJar() })
  await client.user.login(login)
  await client.user.me()
  await client.user.logout()
  await client.user.me()
  assert.deepEqual(seen, [
    [undefined, exchange.url],
    ['sid=a=b; x=1', exchange.url],
    ['sid=a=b; x=1', exchange.url],
    ['x=1', exchange.url],
  ])
})
