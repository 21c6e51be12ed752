import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { ApiError, apiErrorOf } from '../errors.ts'
import { OrderCounts } from '../order-counts.ts'
import { rawMax, Weights, weightMax } from '../weights.ts'
import { Refused } from '../../refused.ts'

const minute = 60_000
const day = 86_400_000
const start = Date.UTC(2026, 0, 5, 12, 0, 0)

function caught(act: () => void): ApiError {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
  throw new Error('nothing was thrown')
}

/** Sends too many requests until the address is banned. */
function untilBanned(weights: Weights, ip: string, at: number): ApiError {
  weights.note(ip, 'spot', weightMax, at)
  for (let i = 0; i < 1_000; i++) {
    const error = caught(() => {
      weights.note(ip, 'spot', 1, at)
      weights.check(ip, 'spot', at)
    })
    if (error.status === 418) return error
  }
  throw new Error('never shut out')
}

test('API-LIMIT-002: windows follow the clock; each ban is twice as long as the last, three days at most, and no longer counts after a day', () => {
  const weights = new Weights()
  weights.note('a', 'spot', weightMax, start + 59_000)
  weights.check('a', 'spot', start + 59_000)
  weights.note('a', 'spot', 1, start + 59_000)
  assert.deepEqual(pick(caught(() => weights.check('a', 'spot', start + 59_000))), [-1003, 429, 1])
  weights.check('a', 'futures', start + 59_000)
  weights.check('a', 'spot', start + minute)
  assert.equal(weights.used('a', 'spot', start + minute), 0)

  let at = start
  const waits: number[] = []
  for (let i = 0; i < 14; i++) {
    const wait = untilBanned(weights, 'b', at).retryAfter as number
    waits.push(wait)
    assert.equal(caught(() => weights.enter('b', at + wait * 1_000 - 1)).status, 418)
    weights.enter('b', at + wait * 1_000)
    at += wait * 1_000
  }
  assert.deepEqual(waits.slice(0, 4), [120, 240, 480, 960])
  assert.equal(waits.at(-1), 3 * 24 * 3_600)
  assert.equal(untilBanned(weights, 'b', at + day).retryAfter, 120)

  for (let i = 0; i < rawMax; i++) weights.enter('c', start)
  assert.deepEqual(pick(caught(() => weights.enter('c', start))), [-1003, 429, 300])
  weights.enter('c', start + 5 * minute)
  weights.sweep(at + 10 * day)
  assert.equal(weights.size, 0)
  weights.close()
})

test('API-LIMIT-002: after sixty requests refused as too many in a minute, the next one bans the address; each answer says until when', () => {
  const weights = new Weights()
  weights.note('a', 'spot', weightMax + 1, start + 20_000)
  const ask = () => caught(() => weights.check('a', 'spot', start + 20_000))
  for (let i = 0; i < 60; i++) {
    const error = ask()
    assert.deepEqual(pick(error), [-1003, 429, 40])
    assert.match(error.message, /^Too much request weight used; current limit is 6000 request weight per 1 MINUTE\. Please use WebSocket/)
  }
  const out = ask()
  assert.deepEqual(pick(out), [-1003, 418, 120])
  assert.ok(out.message.startsWith(`Way too much request weight used; IP banned until ${start + 140_000}. Please use WebSocket`))
  weights.close()
})

test('API-LIMIT-002: refusals of an earlier minute do not count towards a ban', () => {
  const weights = new Weights()
  for (const [at, times] of [
    [start, 40],
    [start + minute, 60],
  ] as const) {
    weights.note('a', 'spot', weightMax + 1, at)
    for (let i = 0; i < times; i++) assert.equal(caught(() => weights.check('a', 'spot', at)).status, 429)
  }
  assert.equal(caught(() => weights.check('a', 'spot', start + minute)).status, 418)
  weights.close()
})

test('API-LIMIT-002: requests of any weight are counted for five minutes of the clock', () => {
  const weights = new Weights()
  const ask = (times: number, at: number) => {
    for (let i = 0; i < times; i++) weights.enter('a', at)
  }
  ask(30_000, start + 90_000)
  ask(31_000, start + 4 * minute)
  const full = caught(() => ask(1, start + 4 * minute + 1_000))
  assert.deepEqual(pick(full), [-1003, 429, 59])
  assert.match(full.message, /current limit is 61000 requests per 5 MINUTE\./)
  weights.enter('b', start + 90_000)
  assert.deepEqual(pick(caught(() => rawMaxOf(weights, 'b', start + 90_000))), [-1003, 429, 210])
  weights.close()
})

test('API-LIMIT-002: an address is forgotten after its five minutes, and a banned one a day after the ban', () => {
  const weights = new Weights()
  const isKnownAt = (at: number): boolean => {
    weights.sweep(at)
    return weights.size === 1
  }
  weights.enter('quiet', start + minute)
  assert.deepEqual([isKnownAt(start + 5 * minute - 1), weights.wideSize], [true, 1])
  assert.deepEqual([isKnownAt(start + 5 * minute), weights.wideSize], [false, 0])
  const until = start + (untilBanned(weights, 'banned', start).retryAfter as number) * 1_000
  assert.deepEqual([isKnownAt(start + 5 * minute), isKnownAt(until + day - 1), isKnownAt(until + day)], [true, true, false])
  weights.enter('later', start + day)
  assert.ok(isKnownAt(start), 'its five minutes have not begun')
  weights.close()
})

test('addresses are forgotten once a minute until the counter is closed, and the timer keeps no process alive', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const idle = new Weights()
  assert.equal(timers(), before)
  idle.close()
  mock.timers.enable({ apis: ['setInterval', 'Date'], now: start })
  try {
    const weights = new Weights()
    weights.enter('a', start - 5 * minute)
    assert.equal(weights.size, 1)
    mock.timers.tick(minute)
    assert.equal(weights.size, 0)
    weights.enter('a', start - 5 * minute)
    weights.close()
    mock.timers.tick(minute)
    assert.equal(weights.size, 1)
  } finally {
    mock.timers.reset()
  }
})

test('API-LIMIT-003: orders are counted by account in ten seconds and in a day; those refused as too many do not count', () => {
  const counts = new OrderCounts()
  const user = 1 as UserId
  const take = (orders: number, at: number) => {
    const headers: Record<string, string> = {}
    counts.take(user, 'retail', orders, at, headers)
    return headers
  }
  assert.deepEqual(take(99, start), { 'x-mbx-order-count-10s': '99', 'x-mbx-order-count-1d': '99' })
  const error = caught(() => take(2, start + 1_000))
  assert.deepEqual(pick(error), [-1015, 429, 9])
  assert.equal(error.message, 'Too many new orders; current limit is 100 orders per 10 SECOND.')
  assert.deepEqual(take(1, start + 9_999), { 'x-mbx-order-count-10s': '100', 'x-mbx-order-count-1d': '100' })
  counts.take(2 as UserId, 'retail', 100, start + 9_999, {})
  counts.take(3 as UserId, 'bench', 100_000, start + 9_999, {})
  assert.equal(caught(() => counts.take(3 as UserId, 'bench', 1e9, start + 9_999, {})).code, -1015)
  for (let i = 1; i < 2_000; i++) take(100, start + i * 10_000)
  const full = caught(() => take(1, start + 20_010_000))
  assert.equal(full.retryAfter, 12 * 3_600 - 20_010)
  assert.equal(full.message, 'Too many new orders; current limit is 200000 orders per 1 DAY.')
  assert.deepEqual(counts.read(user, start + 12 * 3_600_000), { tenSeconds: 0, day: 0 })
  assert.deepEqual(take(1, start + 12 * 3_600_000), { 'x-mbx-order-count-10s': '1', 'x-mbx-order-count-1d': '1' })
})

test('API-LIMIT-003: makers have higher limits; windows follow the clock, and the error says how long they last', () => {
  const counts = new OrderCounts()
  const take = (orders: number, at: number) => counts.take(1 as UserId, 'maker', orders, at, {})
  take(5_000, start + 4_000)
  const full = caught(() => take(1, start + 4_000))
  assert.deepEqual([...pick(full), full.message.includes('limit is 5000 orders per 10 SECOND')], [-1015, 429, 6, true])
  take(1, start + 10_000)
})

test('API-LIMIT-003: the counts of an earlier day are forgotten when somebody new sends an order', () => {
  const counts = new OrderCounts()
  const [busy, gone, fresh] = [1, 2, 3] as UserId[]
  const take = (user: UserId, at: number) => counts.take(user, 'retail', 1, at, {})
  take(busy!, start)
  take(gone!, start)
  take(busy!, start + day)
  assert.equal(counts.read(gone!, start).day, 1)
  take(fresh!, start + day)
  assert.equal(counts.read(busy!, start + day).day, 1)
  assert.equal(counts.read(gone!, start).day, 0)
})

test('API-LIMIT-006: refused commands count against the order rate; alone they stop every command until the window ends', () => {
  const counts = new OrderCounts()
  const user = 1 as UserId
  for (let i = 0; i < 99; i++) counts.refused(user, start)
  counts.check(user, 'retail', start)
  counts.take(user, 'retail', 1, start, {})
  assert.deepEqual(pick(caught(() => counts.take(user, 'retail', 1, start + 1_000, {}))), [-1015, 429, 9])
  counts.check(user, 'retail', start)
  counts.refused(user, start)
  const stopped = caught(() => counts.check(user, 'retail', start + 2_000))
  assert.deepEqual(pick(stopped), [-1015, 429, 8])
  assert.equal(stopped.message, 'Too many new orders; current limit is 100 orders per 10 SECOND.')
  counts.check(user, 'maker', start)
  counts.check(2 as UserId, 'retail', start)
  counts.check(user, 'retail', start + 10_000)
  assert.deepEqual(counts.read(user, start + 10_000), { tenSeconds: 0, day: 101 })
})

test('API-LIMIT-007: a delayed request counts in the current window, and restarts no earlier one', () => {
  const weights = new Weights()
  weights.note('a', 'spot', weightMax + 1, start)
  weights.note('a', 'futures', 7, start)
  for (const [late, now] of [
    [start - 1, start],
    [start - 11_000, start + 59_999],
    [start - minute, start],
  ] as const) {
    assert.equal(weights.used('a', 'spot', late), weightMax + 1)
    assert.equal(caught(() => weights.check('a', 'spot', late)).status, 429)
    assert.equal(caught(() => weights.check('a', 'spot', now)).status, 429)
    assert.equal(weights.used('a', 'futures', now), 7)
  }
  for (let i = 0; i <= 60; i++) caught(() => weights.check('a', 'spot', i % 2 === 0 ? start - 1 : start))
  assert.equal(caught(() => weights.enter('a', start)).status, 418, 'an address that continues is banned despite late requests')
  for (let i = 0; i < rawMax; i++) weights.enter('b', start)
  weights.note('b', 'spot', 1, start - 11_000)
  assert.equal(caught(() => weights.enter('b', start)).status, 429)
  weights.close()

  const counts = new OrderCounts()
  const user = 1 as UserId
  counts.take(user, 'retail', 99, start, {})
  for (const late of [start - 1, start - 11_000, start - minute]) {
    assert.deepEqual(counts.read(user, late), { tenSeconds: 99, day: 99 })
    assert.equal(caught(() => counts.take(user, 'retail', 2, late, {})).code, -1015)
    assert.equal(caught(() => counts.take(user, 'retail', 2, start, {})).code, -1015)
  }
  for (let i = 0; i < 100; i++) counts.refused(user, start)
  counts.read(user, start - 1)
  assert.equal(caught(() => counts.check(user, 'retail', start)).code, -1015)
  const midnight = Date.UTC(2026, 0, 6)
  counts.take(user, 'retail', 5, midnight, {})
  counts.take(user, 'retail', 1, midnight - 1, {})
  assert.deepEqual(counts.read(user, midnight), { tenSeconds: 6, day: 6 })
})

test('API-LIMIT-008: the addresses of a wide network share eight times the weight; neighbours do not pay for what a refused one sends', () => {
  for (const [addressOf, outside] of [
    [(i: number) => `203.0.113.${i}`, '203.0.114.1'],
    [(i: number) => `2001:db8:9:${i}::1`, '2001:db8:a:1::1'],
  ] as const) {
    const weights = new Weights()
    for (let i = 1; i <= 7; i++) weights.note(addressOf(i), 'spot', weightMax, start)
    // The eighth continues far beyond its own limit and is banned.
    untilBanned(weights, addressOf(8), start)
    for (let i = 0; i < 1_000; i++) weights.note(addressOf(8), 'spot', weightMax, start)
    weights.check(addressOf(9), 'futures', start)
    for (let i = 1; i <= 7; i++) assert.deepEqual(pick(caught(() => weights.check(addressOf(i), 'spot', start))), [-1003, 429, 60])
    const ninth = () => caught(() => weights.check(addressOf(9), 'spot', start + 20_000))
    assert.deepEqual(pick(ninth()), [-1003, 429, 40])
    assert.match(ninth().message, /current limit is 48000 request weight per 1 MINUTE for all addresses of your network\./)
    for (let i = 0; i < 200; i++) assert.equal(ninth().status, 429, 'not banned')
    weights.enter(addressOf(9), start)
    weights.note(outside, 'spot', weightMax, start)
    weights.check(outside, 'spot', start)
    weights.check(addressOf(9), 'spot', start + minute)
    weights.sweep(start + 5 * minute)
    assert.equal(weights.wideSize, 0)
    weights.close()
  }
})

test('API-LIMIT-008: what a banned address sends is not counted for its network until the ban ends', () => {
  const banned = '203.0.113.1'
  for (const [isOver, counted] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const weights = new Weights()
    const until = start + (untilBanned(weights, banned, start).retryAfter as number) * 1_000
    const at = isOver ? until : until - minute
    for (let i = 2; i <= 8; i++) weights.note(`203.0.113.${i}`, 'spot', weightMax, at)
    weights.note(banned, 'spot', weightMax, at)
    weights.note('203.0.113.9', 'spot', weightMax - counted * weightMax, at)
    weights.check('203.0.113.10', 'spot', at)
    weights.note('203.0.113.10', 'spot', 1, at)
    assert.equal(caught(() => weights.check('203.0.113.10', 'spot', at)).status, 429)
    weights.close()
  }
})

test('API-LIMIT-008: exactly eight times the weight and the requests of an address are served to a wide network', () => {
  const weights = new Weights()
  for (let i = 0; i < 8; i++) weights.note(`198.51.100.${i}`, 'spot', weightMax, start)
  weights.check('198.51.100.9', 'spot', start)
  weights.note('198.51.100.9', 'spot', 1, start)
  assert.equal(caught(() => weights.check('198.51.100.9', 'spot', start)).status, 429)
  assert.equal(weights.used('198.51.100.9', 'spot', start), 1)

  for (let i = 0; i < 8; i++) rawMaxOf(weights, `2001:db8:1:${i}::1`, start)
  for (let i = 0; i < 50; i++) caught(() => weights.enter('2001:db8:1:1::1', start))
  const wide = caught(() => weights.enter('2001:db8:1:9::1', start + minute))
  assert.deepEqual(pick(wide), [-1003, 429, 240])
  assert.match(wide.message, /current limit is 488000 requests per 5 MINUTE for all addresses of your network\./)
  weights.enter('2001:db8:2:9::1', start)
  weights.enter('2001:db8:1:9::1', start + 5 * minute)
  weights.close()
  const one = new Weights()
  for (let i = 0; i < 1_000; i++) one.note('198.51.100.1', 'spot', weightMax, start)
  one.check('198.51.100.2', 'spot', start)
  one.close()
})

test('API-LIMIT-007: when the clock is set back, windows follow it', () => {
  const weights = new Weights()
  weights.note('a', 'spot', weightMax + 1, start + day)
  weights.check('a', 'spot', start)
  assert.equal(weights.used('a', 'spot', start), 0)
  weights.close()
  const counts = new OrderCounts()
  counts.take(1 as UserId, 'retail', 100, start + day, {})
  counts.take(1 as UserId, 'retail', 100, start, {})
  assert.deepEqual(counts.read(1 as UserId, start), { tenSeconds: 100, day: 100 })
})

test('API-ERROR-001: every refusal of the exchange has a code and a sentence here; unforeseen errors have none', () => {
  assert.deepEqual(apiErrorOf(new Refused('MARKET_UNKNOWN'))?.body, { code: -1121, msg: 'Invalid symbol.' })
  assert.equal(apiErrorOf(new Refused('ORDER_UNKNOWN'))?.status, 400)
  assert.equal(apiErrorOf(new Refused('RATE_LIMITED', { retryAfter: 7 }))?.retryAfter, 7)
  assert.deepEqual(pick(apiErrorOf({ refusal: 'STATUS_UNKNOWN' }) as ApiError), [-1006, 503, undefined])
  assert.equal(
    apiErrorOf(new Refused('FIELD_MISSING', { field: 'price' }))?.message,
    "Mandatory parameter 'price' was not sent, was empty/null, or malformed.",
  )
  assert.equal(apiErrorOf(new Error('of a kind that nobody thought of')), undefined)
  assert.equal(apiErrorOf({ refusal: 'toString' }), undefined)
})

function rawMaxOf(weights: Weights, ip: string, at: number): void {
  for (let i = 0; i < rawMax; i++) weights.enter(ip, at)
}

function pick({ code, status, retryAfter }: ApiError): readonly [number, number, number | undefined] {
  return [code, status, retryAfter]
}
