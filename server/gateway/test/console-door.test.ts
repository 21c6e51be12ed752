import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'

let exchange: TestExchange
let main: number
let own: number
before(async () => {
  own = await freePort()
  exchange = await startExchange({ seed: 'console-door', hasFeeds: false, settings: { consolePort: own } })
  main = Number(new URL(exchange.url).port)
})
after(() => exchange[Symbol.asyncDispose]())

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The status of a path exactly as it is written. */
async function statusOf(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number | string> {
  const sent = request({ host: '127.0.0.1', port, path, headers })
  sent.end()
  try {
    const [response] = (await Promise.race([
      once(sent, 'response'),
      once(sent, 'upgrade').then(([upgraded, socket]) => (socket.destroy(), [upgraded])),
    ])) as [{ statusCode: number; resume(): void }]
    response.resume()
    return response.statusCode
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code ?? 'closed'
  }
}

test('CONSOLE-GATE-009: the console answers by its own port alone, whatever the spelling of a path', async () => {
  assert.equal(await statusOf(own, '/console/v1/auth/me'), 401)
  assert.notEqual(await statusOf(own, '/console/'), 404)
  for (const path of [
    '/console/v1/auth/me',
    '/console/',
    '/console',
    '/%63onsole/v1/auth/me',
    '/console/v1/%61uth/me',
    '/CONSOLE/v1/auth/me',
  ])
    assert.equal(await statusOf(main, path), 404, path)
})

test('CONSOLE-GATE-009: nothing else answers by the port of the console', async () => {
  const paths = [
    '/',
    '/app/v1/config',
    '/api/v3/ping',
    '/fapi/v1/ping',
    '/inbox',
    '/docs',
    '/healthz',
    '/metrics',
    '/consoles',
    '//app/v1/config',
  ]
  for (const path of paths) assert.equal(await statusOf(own, path), 404, path)
  assert.equal(await statusOf(own, '/console/../app/v1/config'), 404)
  for (const path of ['/app/v1/config', '/api/v3/ping']) assert.equal(await statusOf(main, path), 200, path)
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }
  assert.equal(await statusOf(main, '/wss', upgrade), 101)
  assert.equal(await statusOf(own, '/wss', upgrade), 'ECONNRESET')
})
