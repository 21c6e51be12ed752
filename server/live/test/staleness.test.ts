import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Staleness } from '../staleness.ts'

test('GATEWAY-STALE-001: answers fed by the engine are marked with their age while nothing comes, and no others are', () => {
  let now = 0
  let isReady = true
  const staleness = new Staleness(
    () => isReady,
    () => now,
  )
  staleness.hearState(true)
  now = 60_000
  assert.equal(staleness.seconds(), undefined, 'a quiet exchange is not stale')
  staleness.heard()
  now += 400
  staleness.hearState(false)
  assert.equal(staleness.seconds(), 1)
  now += 11_000
  const marked = [
    ...['/app/v1/tickers', '/app/v1/markets/BTCUSDT/depth', '/app/v1/spot/orders/open', '/app/v1/balances', '/app/v1/option/terms'],
    ...['/api/v3/depth', '/api/v3/openOrders', '/fapi/v1/premiumIndex', '/sapi/v1/margin/priceIndex', '/fapi/v3/account'],
  ]
  for (const path of marked) assert.equal(staleness.of('GET', path), '12', path)
  const fresh = [
    ...['/api/v3/ping', '/api/v3/time', '/fapi/v1/exchangeInfo', '/fapi/v1/rateLimit/order', '/sapi/v1/system/status'],
    ...['/app/v1/config', '/app/v1/me', '/app/v1/keys', '/app/v1/webhooks/7/deliveries'],
  ]
  for (const path of fresh) assert.equal(staleness.of('GET', path), undefined, path)
  assert.equal(staleness.of('POST', '/app/v1/spot/orders'), undefined)
  staleness.hearState(true)
  assert.equal(staleness.seconds(), undefined)
  isReady = false
  now += 3_000
  assert.equal(staleness.of('GET', '/app/v1/tickers'), '3', 'while it starts over, it shows what it had')
})
