import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startExchange } from '../../main/test/exchange.ts'
import { Proxies } from '../../http/proxies.ts'
import { serveFirst } from '../../http/raw.ts'
import { preflightLimit } from '../preflight.ts'
import { rawMax, Weights } from '../weights.ts'

const minute = 60_000
const from = (ip: string) => ({ method: 'OPTIONS', headers: { 'x-forwarded-for': ip } })

test('API-LIMIT-005: a preflight counts as a request without weight; above the limit, and for a banned address, it is refused', async () => {
  const weights = new Weights()
  let at = Date.UTC(2026, 0, 5, 12, 0, 0)
  const server = createServer((_request, response) => response.writeHead(204).end())
  serveFirst(server, [preflightLimit({ weights, mode: 'sandbox', proxies: new Proxies(['127.0.0.1']), now: () => at })])
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = async (path: string, ip: string) => {
    const response = await fetch(url + path, from(ip))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  try {
    const ip = '203.0.113.30'
    for (let i = 1; i < rawMax; i++) weights.enter(ip, at)
    assert.equal((await ask('/api/v3/order', ip)).status, 204)
    assert.deepEqual([weights.used(ip, 'spot', at), weights.used(ip, 'futures', at)], [0, 0])
    for (const path of ['/api/v3/order', '/sapi/v1/x', '/fapi/v1/order?x=1', '/dapi/']) {
      const { status, body, headers } = await ask(path, ip)
      assert.deepEqual([status, body.code, headers.get('retry-after')], [429, -1003, '300'])
      assert.equal(headers.get('access-control-allow-origin'), '*')
    }
    assert.equal((await ask('/app/v1/balances', ip)).status, 204, 'other paths are left alone')
    assert.equal((await ask('/api/v3/order', '203.0.113.31')).status, 204)
    assert.equal((await ask('/api/v3/order', '127.0.0.1')).status, 204)
    for (let i = 0; i < 56; i++) assert.equal((await ask('/api/v3/order', ip)).status, 429)
    assert.equal((await ask('/api/v3/order', ip)).status, 418)
    at += minute
    assert.equal((await ask('/api/v3/order', ip)).status, 418)
    at += minute
    assert.equal((await ask('/api/v3/order', ip)).status, 429, 'the five minutes are not over')
    at += 3 * minute
    assert.equal((await ask('/api/v3/order', ip)).status, 204)
  } finally {
    server.close()
    weights.close()
  }
})

test('API-LIMIT-005: the exchange answers preflights, and refuses those of a banned address', async () => {
  await using exchange = await startExchange({ seed: 'preflight', hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
  const ip = '203.0.113.32'
  const ask = (method: string, path: string) => fetch(exchange.url + path, { ...from(ip), method })
  const open = await ask('OPTIONS', '/api/v3/order')
  assert.deepEqual([open.status, open.headers.get('access-control-allow-methods')], [204, 'GET, POST, PUT, DELETE'])
  // A request for all tickers has a weight of 80: they are sent one after the other until the address is banned.
  let status = 0
  for (let i = 0; i < 400 && status !== 418; i++) status = (await ask('GET', '/api/v3/ticker/24hr')).status
  assert.equal(status, 418)
  const shut = await ask('OPTIONS', '/api/v3/order')
  assert.deepEqual([shut.status, ((await shut.json()) as { code: number }).code], [418, -1003])
  assert.ok(Number(shut.headers.get('retry-after')) > 60)
})
