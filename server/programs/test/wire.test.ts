import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'
import { ask } from './program.ts'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'api-wire', hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
})
after(() => exchange[Symbol.asyncDispose]())

const host = 'Host: localhost\r\n'
const ping = `GET /api/v3/ping HTTP/1.1\r\n${host}\r\n`
const last = `GET /api/v3/ping HTTP/1.1\r\n${host}Connection: close\r\n\r\n`

/** Sends bytes in one packet; resolves to the statuses of the answers until the server closes, which it must do. */
function statuses(bytes: string): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(exchange.url).port), '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(30_000, () => reject(new Error(`still open after ${text}`)))
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      socket.destroy()
      resolve([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)))
    })
  })
}

test('API-FRAME-007: a connection stays open after an answer, and requests in one packet are answered in turn', async () => {
  assert.deepEqual(
    await statuses(ping + ping.replace('ping', 'none') + ping.replace('ping', 'depth?symbol=BTCUSDT') + last),
    [200, 404, 200, 200],
  )
  const [head, options] = ['HEAD', 'OPTIONS'].map((method) => ping.replace('GET', method))
  assert.deepEqual(await statuses(`${head}${options}${ping.replace('GET', 'TRACE')}${last}`), [405, 204, 405, 200])
  const order = `POST /api/v3/order HTTP/1.1\r\n${host}Content-Type: application/x-www-form-urlencoded\r\n`
  assert.deepEqual(await statuses(`${order}Content-Length: 3\r\n\r\na=b${last}`), [401, 200])
  assert.deepEqual(await statuses(`${order}Expect: 100-continue\r\nContent-Length: 3\r\n\r\na=b${last}`), [100, 401, 200])
})

test('API-FRAME-008: the unread part of a body is never taken for a request', async () => {
  const hidden = `GET /api/v3/time HTTP/1.1\r\n${host}\r\n`
  const carrying = (method: string, path: string, type = '') =>
    `${method} ${path} HTTP/1.1\r\n${host}${type}Content-Length: ${hidden.length}\r\n\r\n${hidden}`
  assert.deepEqual(await statuses(carrying('GET', '/api/v3/none') + last), [404])
  assert.deepEqual(await statuses(carrying('OPTIONS', '/api/v3/order') + last), [204, 200])
  const chunks = `POST /api/v3/order HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n`
  assert.deepEqual(await statuses(`${chunks}\r\n50000\r\n${'a'.repeat(0x50000)}\r\n0\r\n\r\n${last}`), [413])
  assert.deepEqual(await statuses(`${chunks}Content-Length: 4\r\n\r\n0\r\n\r\n${last}`), [400])
  const large = `POST /api/v3/order HTTP/1.1\r\n${host}Content-Length: 99999999\r\n\r\n`
  assert.deepEqual(await statuses(large + last), [413])
  assert.equal((await ask(`${exchange.url}/api/v3/ping`)).status, 200)
})

test('API-LIMIT-001: all addresses of one IPv6 network count together', async () => {
  const used = async (ip: string) =>
    (await ask(`${exchange.url}/api/v3/ping`, { headers: { 'x-forwarded-for': ip } })).headers.get('x-mbx-used-weight-1m')
  const addresses = ['2001:4860:1:2::1', '2001:4860:1:2:ffff::7', '2001:4860:1:3::1', '2001:4860::', '::ffff:192.0.2.1', '::ffff:192.0.2.2']
  const seen: unknown[] = []
  for (const ip of addresses) seen.push(await used(ip))
  assert.deepEqual(seen, ['1', '2', '1', '1', '1', '1'])
})
