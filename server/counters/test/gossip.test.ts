import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderAllowances } from '../../programs/order-counts.ts'
import { weightMax } from '../../programs/weights.ts'
import { excessMax, gossipMs } from '../counts.ts'
import { type Counting, Gateways, socketsMax, user } from './gateways.ts'

const ip = '203.0.113.7'
const weightOf = ({ weights }: Counting, at: number): number => weights.used(ip, 'spot', at)

function takes(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

test('GATEWAY-SHARED-001: each gateway enforces the sum of what all count, of every kind', () => {
  using gateways = new Gateways(3)
  const [a, b, c] = gateways.all as [Counting, Counting, Counting]
  const allowance = { burst: 10, perSecond: 1 }

  for (const { weights } of [a, b]) for (let i = 0; i < 3; i++) weights.enter(ip, gateways.at)
  a.weights.note(ip, 'spot', 4_000, gateways.at)
  b.weights.note('203.0.113.9', 'futures', 30, gateways.at)
  b.weights.note(ip, 'spot', 2_001, gateways.at)
  for (let i = 0; i < 60; i++) a.orders.take(user, 'retail', 1, gateways.at, {})
  for (let i = 0; i < 30; i++) b.orders.refused(user, gateways.at)
  for (let i = 0; i < 6; i++) assert.equal(a.limits.take('auth:x', allowance), 0)
  for (let i = 0; i < socketsMax; i++) assert.ok((i % 2 === 0 ? a : b).sockets.enter(ip))
  for (let i = 0; i < 5; i++) a.signals.next(17, gateways.at)
  gateways.pass(gossipMs)

  assert.deepEqual(
    [a, b, c].map((one) => weightOf(one, gateways.at)),
    [6_001, 6_001, 6_001],
  )
  assert.throws(() => c.weights.check(ip, 'spot', gateways.at), { code: -1003 })
  assert.equal(c.weights.used('203.0.113.9', 'futures', gateways.at), 30)
  assert.deepEqual(
    [a, b, c].map(({ orders }) => orders.read(user, gateways.at)),
    gateways.all.map(() => ({ tenSeconds: 90, day: 90 })),
  )
  assert.throws(() => c.orders.take(user, 'retail', 11, gateways.at, {}), { code: -1015 })
  const headers: Record<string, string> = {}
  c.orders.take(user, 'retail', 10, gateways.at, headers)
  assert.equal(headers['x-mbx-order-count-10s'], '100')
  for (let i = 0; i < 4; i++) assert.equal(c.limits.take('auth:x', allowance), 0)
  assert.ok(c.limits.take('auth:x', allowance) > 0)
  assert.ok(!c.sockets.enter(ip))
  a.sockets.leave(ip)
  assert.equal(c.signals.next(17, gateways.at), 6)
  gateways.pass(gossipMs)
  assert.ok(c.sockets.enter(ip))
})

test('GATEWAY-SHARED-001: counts of other gateways end with their windows, and allowances flow back once', () => {
  using gateways = new Gateways(3)
  const [a, b] = gateways.all as [Counting, Counting]
  const allowance = { burst: 10, perSecond: 1 }
  for (let i = 0; i < 10; i++) a.limits.take('x', allowance)
  a.weights.note(ip, 'spot', 500, gateways.at)
  gateways.pass(5_000)
  const passed = Array.from({ length: 10 }, (_, i) => gateways.all[i % 3]!.limits.take('x', allowance) === 0)
  gateways.pass(gossipMs)
  // Five tokens flowed back for everybody together; two gateways had not heard of the third's when they gave theirs.
  assert.ok(passed.filter(Boolean).length <= 5 + excessMax(3, 10, 10 / 3 / 0.1, 0))
  assert.ok(b.limits.take('x', allowance) > 0)
  gateways.pass(60_000)
  assert.equal(weightOf(b, gateways.at), 0)
})

for (const count of [2, 3, 5]) {
  test(`GATEWAY-SHARED-002: a client that spreads orders over ${count} gateways exceeds no limit by more than the bound`, () => {
    using gateways = new Gateways(count)
    gateways.delayMs = 20
    const limit = orderAllowances.retail.tenSeconds
    // Each gateway is sent an order in each millisecond in which others are, so that all are told late of as many as possible.
    const everyMs = 5
    for (let window = 0; window < 3; window++) {
      while (gateways.at % 10_000 !== 0) gateways.pass(1)
      let passed = 0
      for (let ms = 0; ms < 9_999; ms += everyMs) {
        for (const { orders } of gateways.all) if (takes(() => orders.take(user, 'retail', 1, gateways.at, {}))) passed++
        gateways.pass(everyMs)
      }
      const bound = excessMax(count, limit, 1_000 / everyMs, gateways.delayMs + everyMs)
      assert.ok(passed >= limit, `only ${passed} of ${limit} passed`)
      assert.ok(passed <= limit + bound, `${passed} passed, which is more than ${limit} and ${bound}`)
    }
  })
}

test('GATEWAY-SHARED-002: the weight that passes three gateways stays within the bound', () => {
  using gateways = new Gateways(3)
  const [weight, everyMs] = [20, 10]
  let passed = 0
  for (let ms = 0; ms < 59_000; ms += everyMs) {
    for (const { weights } of gateways.all) {
      const isIn = takes(() => weights.check(ip, 'spot', gateways.at))
      weights.note(ip, 'spot', weight, gateways.at)
      if (isIn) passed += weight
    }
    gateways.pass(everyMs)
  }
  // A request is let in as long as the weight before it is within the limit.
  assert.ok(passed <= weightMax + weight + excessMax(3, weightMax, (weight * 1_000) / everyMs, everyMs), `${passed} passed`)
  assert.ok(passed > weightMax - weight)
})

test('GATEWAY-SHARED-002: the bound is the share of the others until they have told it, and at most their limits', () => {
  assert.deepEqual(
    [excessMax(1, 100, 1_000, 5), excessMax(3, 100, 50, 0), excessMax(3, 100, 50, 20), excessMax(3, 100, 1e6, 0)],
    [0, 10, 12, 200],
  )
})

test('GATEWAY-SHARED-003: lost, late and repeated messages leave the sums right within a second', () => {
  using gateways = new Gateways(3)
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const open = [0, 0, 0]
  let weight = 0
  let orders = 0
  for (let round = 0; round < 200; round++) {
    gateways.loses = () => random() < 0.3
    gateways.delayMs = Math.floor(random() * 150)
    const i = Math.floor(random() * 3)
    const one = gateways.all[i]!
    one.weights.note(ip, 'futures', round % 7, gateways.at)
    weight += round % 7
    if (takes(() => one.orders.take(user, 'maker', 2, gateways.at, {}))) orders += 2
    if (random() < 0.5 && one.sockets.enter(ip)) open[i]!++
    else if (open[i]! > 0) {
      one.sockets.leave(ip)
      open[i]!--
    }
    gateways.pass(Math.floor(random() * 60))
  }
  gateways.loses = () => false
  gateways.delayMs = 0
  gateways.pass(2_000)
  const seen = gateways.all.map((one) => [one.weights.used(ip, 'futures', gateways.at), one.orders.read(user, gateways.at).day])
  assert.deepEqual(
    seen,
    gateways.all.map(() => [weight, orders]),
  )
  const isOpen = open.reduce((sum, count) => sum + count, 0)
  for (const { sockets } of gateways.all) {
    let more = 0
    while (sockets.enter(ip)) more++
    assert.equal(more, socketsMax - isOpen)
    for (; more > 0; more--) sockets.leave(ip)
  }
})

test('GATEWAY-SHARED-003: what is no message of a gateway changes nothing', () => {
  using gateways = new Gateways(2)
  const others = gateways.all.map(({ gossip }) => gossip.others)
  for (const value of [null, 7, 'x', [], {}, { from: 'x' }, { from: 7, n: 1 }, { from: 'x', n: 1, counts: { weights: 5 } }])
    gateways.tell(value)
  assert.deepEqual(
    gateways.all.map(({ gossip }) => gossip.others),
    others,
  )
})

test('GATEWAY-SHARED-004: what a gateway counted stays until its window ends, and a new one counts beside it', () => {
  using gateways = new Gateways(2)
  const [a, b] = gateways.all as [Counting, Counting]
  a.weights.note(ip, 'spot', 100, gateways.at)
  b.weights.note(ip, 'spot', 10, gateways.at)
  for (let i = 0; i < 3; i++) a.sockets.enter(ip)
  b.orders.take(user, 'retail', 5, gateways.at, {})
  gateways.pass(gossipMs)
  gateways.end(a)
  const again = gateways.join()
  gateways.pass(1_000)
  assert.equal(again.gossip.others, 1)
  // It knows what the living have counted, and they count the ended one's once.
  assert.deepEqual([weightOf(again, gateways.at), weightOf(b, gateways.at)], [10, 110])
  assert.equal(again.orders.read(user, gateways.at).day, 5)
  again.weights.note(ip, 'spot', 1, gateways.at)
  gateways.pass(gossipMs)
  assert.deepEqual([weightOf(again, gateways.at), weightOf(b, gateways.at)], [11, 111])
  let more = 0
  while (b.sockets.enter(ip)) more++
  assert.equal(more, socketsMax, 'sockets of an ended gateway are closed')
})

test('GATEWAY-SHARED-004: sockets of a gateway that died count for five seconds at most', () => {
  using gateways = new Gateways(2)
  const [a, b] = gateways.all as [Counting, Counting]
  for (let i = 0; i < socketsMax; i++) a.sockets.enter(ip)
  gateways.pass(gossipMs)
  gateways.end(a, true)
  assert.ok(!b.sockets.enter(ip))
  gateways.pass(5_200)
  assert.ok(b.sockets.enter(ip))
  assert.equal(b.gossip.others, 0)
})

test('GATEWAY-SHARED-004: a gateway that was cut off for a while is counted once', () => {
  using gateways = new Gateways(2)
  const [a, b] = gateways.all as [Counting, Counting]
  a.weights.note(ip, 'spot', 100, gateways.at)
  for (let i = 0; i < 4; i++) a.limits.take('x', { burst: 5, perSecond: 0.001 })
  a.sockets.enter(ip)
  gateways.pass(gossipMs)
  gateways.loses = () => true
  gateways.pass(8_000)
  assert.deepEqual([a.gossip.others, b.gossip.others], [0, 0])
  a.weights.note(ip, 'spot', 1, gateways.at)
  gateways.loses = () => false
  for (const { gossip } of gateways.all) gossip.look()
  gateways.pass(2_000)
  assert.deepEqual([weightOf(a, gateways.at), weightOf(b, gateways.at)], [101, 101])
  assert.equal(b.limits.take('x', { burst: 5, perSecond: 0.001 }), 0)
  assert.ok(b.limits.take('x', { burst: 5, perSecond: 0.001 }) > 0)
})

test('GATEWAY-SHARED-005: a gateway that is alone tells nothing of its counts', () => {
  using gateways = new Gateways(1)
  const [a] = gateways.all as [Counting]
  assert.equal(gateways.sent, 1)
  for (let i = 0; i < 1_000; i++) {
    a.weights.note(`203.0.113.${i % 200}`, 'spot', 1, gateways.at)
    a.limits.take(`r${i}`, { burst: 5, perSecond: 1 })
    gateways.pass(gossipMs)
  }
  assert.equal(gateways.sent, 1)
  assert.deepEqual([a.weights.changed(), a.limits.changed(), a.orders.changed()], [[], [], []])
})

test('GATEWAY-SHARED-006: an address that one gateway banned is banned at all', () => {
  using gateways = new Gateways(3)
  const [a, b] = gateways.all as [Counting, Counting]
  a.weights.note(ip, 'spot', weightMax + 1, gateways.at)
  while (takes(() => a.weights.enter(ip, gateways.at))) takes(() => a.weights.check(ip, 'spot', gateways.at))
  gateways.pass(gossipMs)
  gateways.at += 60_000
  assert.throws(() => b.weights.enter(ip, gateways.at), { status: 418 })
  assert.ok(takes(() => b.weights.enter('203.0.113.8', gateways.at)))
})

test('GATEWAY-SHARED-007: names of what is counted reveal no secret', () => {
  using gateways = new Gateways(2)
  const [a] = gateways.all as [Counting]
  a.limits.take('shut token:203.0.113.7', { burst: 5, perSecond: 1 })
  a.limits.take('shut:203.0.113.7', { burst: 5, perSecond: 1 })
  assert.deepEqual(
    a.limits.changed().map(([name]) => name),
    ['1 shut:203.0.113.7'],
  )
})
