import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Refusing, Taken } from '../../sockets/upgrade.ts'
import { type DoorParts, makeDoors } from '../../gateway/doors.ts'
import { Weights } from '../../programs/weights.ts'
import { networkOf, wideNetworkOf } from '../../networks.ts'
import { crowdOf } from '../../sockets/crowd.ts'
import { guessesOf } from '../../sockets/guesses.ts'
import { front } from '../front.ts'
import { Hosts } from '../hosts.ts'
import { checkVisitor, hasForNetworks, Limits, takeForNetworks } from '../limits.ts'
import { NetworkCounts } from '../network-counts.ts'
import { OpenSockets } from '../open-sockets.ts'
import { Proxies } from '../proxies.ts'
import { messages } from '../messages.ts'
import { type Known, type Sent, Shut } from '../shut.ts'

/** Both kinds of addresses: the address number `i` of a wide network, and one outside of it. */
const kinds = [
  { of: (i: number) => `203.0.113.${i}`, outside: '203.0.112.1' },
  { of: (i: number) => `2001:db8:9:${i.toString(16)}::1`, outside: '2001:db8:8:1::1' },
] as const
const wideTimes = 8

/** Limits with a clock of the test; by default it stands still. */
function limitsAt(now: () => number = () => 0): Limits & Disposable {
  const limits = new Limits(now)
  return Object.assign(limits, { [Symbol.dispose]: () => limits.close() })
}

/**
 * Asserts that each address is admitted `max` times, even when it asks for more, and the addresses of a wide network eight times as
 * often together. Only the addresses that were asked for pay.
 */
function isLimited(max: number, admits: (ip: string) => boolean): void {
  for (const { of, outside } of kinds) {
    for (let i = 1; i <= wideTimes; i++) {
      for (let n = 0; n < max; n++) assert.ok(admits(of(i)), `number ${n + 1} of ${of(i)}`)
      // Refused requests of one network use up nothing of its neighbours' share.
      for (let n = 0; n < max; n++) assert.ok(!admits(of(i)), `too many of ${of(i)}`)
    }
    assert.ok(!admits(of(9)), 'the wide network has used up its allowance')
    assert.ok(admits(outside))
  }
}

test('GATEWAY-LIMITS-009: the wide network of an address has 24 bits of IPv4, 48 bits of IPv6', () => {
  const networks = (ip: string) => [networkOf(ip), wideNetworkOf(ip)]
  assert.deepEqual(networks('203.0.113.7'), ['203.0.113.7', '203.0.113.0/24'])
  assert.deepEqual(networks('2001:db8:1:2:3:4:5:6'), ['2001:db8:1:2::/64', '2001:db8:1::/48'])
  assert.deepEqual(networks('2001:db8::1'), ['2001:db8:0:0::/64', '2001:db8:0::/48'])
})

test('GATEWAY-LIMITS-009: buckets are kept for the network and for the wide one, with its own rate of refilling', () => {
  const allowance = { burst: 5, perSecond: 1 }
  {
    using limits = limitsAt()
    isLimited(allowance.burst, (ip) => takeForNetworks(limits, 'x', ip, allowance) === 0)
    isLimited(allowance.burst, (ip) => {
      const has = hasForNetworks(limits, 'y', ip, allowance)
      assert.equal(takeForNetworks(limits, 'y', ip, allowance) === 0, has)
      return has
    })
  }
  let now = 0
  const limits = new Limits(() => now)
  const [{ of }] = kinds
  for (let i = 1; i <= wideTimes; i++) takeForNetworks(limits, 'x', of(i), allowance, 5)
  assert.equal(takeForNetworks(limits, 'x', of(9), allowance, 2), 2 / (wideTimes * allowance.perSecond))
  assert.throws(() => checkVisitor(limits, 'x', of(9), allowance), { refusal: 'RATE_LIMITED' })
  now = 1_000
  for (let n = 0; n < wideTimes; n++) assert.equal(takeForNetworks(limits, 'x', of(10 + n), allowance), 0)
  assert.ok(takeForNetworks(limits, 'x', of(30), allowance) > 0)
  limits.close()
})

test('GATEWAY-LIMITS-009: open sockets and requests in progress are counted for the wide network, and forgotten when they end', () => {
  const counts = new NetworkCounts(3)
  isLimited(3, (ip) => counts.enter(ip))
  for (const { of, outside } of kinds) {
    counts.leave(of(1))
    assert.ok(counts.enter(of(9)), 'a free place may be taken by any network')
    assert.ok(!counts.enter(of(1)))
    for (let n = 0; n < 2; n++) counts.leave(of(1))
    for (let i = 2; i <= wideTimes; i++) for (let n = 0; n < 3; n++) counts.leave(of(i))
    counts.leave(of(9))
    counts.leave(outside)
  }
  assert.equal(counts.size, 0)
  const sockets = new OpenSockets(2)
  isLimited(2, (ip) => sockets.admit(ip, new PassThrough()))
})

test('GATEWAY-LIMITS-009: messages and wrong listen keys are limited for the wide network', () => {
  using limits = limitsAt()
  const crowd = crowdOf(limits, 'production')
  isLimited(2_000, (ip) => crowd(ip)())
  const guesses = guessesOf(limits, 'production')
  isLimited(20, (ip) => {
    const may = guesses.mayAsk(ip)
    guesses.wasWrong(ip)
    return may
  })
})

const requestFrom = (ip: string, headers: Record<string, string> = {}): IncomingMessage =>
  ({
    method: 'GET',
    url: '/x',
    headers: { host: 'localhost', ...headers },
    socket: Object.assign(new PassThrough(), { remoteAddress: ip }),
  }) as unknown as IncomingMessage

/** A sender with a cookie is known by it. */
const knownAs = ({ headers: { cookie } }: Sent): Known | undefined =>
  cookie === undefined ? undefined : { name: cookie, isSecret: cookie !== 'a key' }

test('GATEWAY-LIMITS-009: a wide network is shut out after eight times the refusals of one network, and so is a customer who roams in it', () => {
  using limits = limitsAt()
  const shut = new Shut({ limits, knownAs })
  const admits = (ip: string, cookie?: string): boolean => {
    const request = requestFrom(ip, cookie === undefined ? {} : { cookie })
    const isOpen = !shut.takes(request, ip)
    shut.note(request, ip, 429)
    return isOpen
  }
  isLimited(100, (ip) => admits(ip))
  const [{ of, outside }] = kinds
  assert.ok(admits(of(9), 'bob'), 'a known customer in a wide network that is shut')
  const refused = requestFrom(of(8))
  assert.ok(shut.takes(refused, of(8)))
  const body = String((refused.socket as unknown as PassThrough).read()).split('\r\n\r\n')[1] ?? ''
  assert.deepEqual(JSON.parse(body), { code: 'RATE_LIMITED', message: messages.RATE_LIMITED, retryAfter: 10, requestId: '-' })
  isLimited(20, (ip) => admits(ip, 'alice'))
  assert.ok(admits(of(9), 'bob'))
  assert.ok(admits(outside, 'bob'))
})

test('GATEWAY-LIMITS-009: requests in progress are limited for the wide network', () => {
  using limits = limitsAt()
  const statuses: number[] = []
  const shut = new Shut({ limits, knownAs: () => ({ name: 'somebody', isSecret: true }) })
  const hosts = new Hosts({ mode: 'sandbox', publicUrls: [], host: '127.0.0.1', hosts: [] })
  const server = front({ hosts, proxies: new Proxies([]), mode: 'production', requestId: () => '1', shut, atOnce: 3 })
  isLimited(3, (ip) => {
    const response = Object.assign(new EventEmitter(), { writeHead: (status: number) => statuses.push(status), end: () => undefined })
    return !server(Object.assign(requestFrom(ip), { resume: () => undefined }), response as unknown as ServerResponse)
  })
  assert.ok(statuses.length > 0 && statuses.every((status) => status === 429))
})

test('GATEWAY-LIMITS-009: handshakes are limited for the wide network', async () => {
  using limits = limitsAt()
  const weights = new Weights()
  const parts = {
    ...{ mode: 'production', publicUrls: ['https://exchange.example'], proxies: new Proxies([]), limits, weights },
    ...{ now: () => 0, isReady: () => true, sockets: new OpenSockets(1_000_000) },
  } as unknown as DoorParts
  const door = makeDoors(parts)
  const url = new URL('http://localhost/')
  const taken = new Map<string, Taken>()
  /** Doors that need no session answer at once. */
  const admits = (path: string) => (ip: string) => {
    const answer = door(path)!(requestFrom(ip, { origin: 'https://exchange.example' }), url) as Taken
    taken.set(path, answer)
    return 'open' in answer
  }
  isLimited(300, admits('/wss'))
  limits.close()
  using fresh = limitsAt()
  Object.assign(parts, { limits: fresh })
  isLimited(300, admits('/ws-api/v3'))
  const wait = admits('/ws-api/v3')('203.0.113.9')
  assert.ok(!wait)
  const { error } = taken.get('/ws-api/v3') as { error: Refusing }
  assert.deepEqual([error.status, error.retryAfter], [429, 1])
  weights.close()
})

test('GATEWAY-LIMITS-006: whoever floods while shut out stays out, a few requests a second shut nobody out, and nobody else waits', () => {
  let now = 0
  using limits = limitsAt(() => now)
  const shut = new Shut({ limits, knownAs })
  const from = (cookie: string | undefined) => requestFrom(network, cookie === undefined ? {} : { cookie })
  const admits = (ip: string, cookie?: string): boolean => !shut.takes(requestFrom(ip, cookie === undefined ? {} : { cookie }), ip)
  const network = '2001:db8:66:1::1'
  const senders = [
    { cookie: undefined, refusals: 100, floodMs: 9, slowMs: 100 },
    { cookie: 'alice', refusals: 20, floodMs: 45, slowMs: 500 },
    // The id of a key is no secret: others of the network could use up a smaller allowance.
    { cookie: 'a key', refusals: 100, floodMs: 9, slowMs: 100 },
  ]
  for (const { cookie, refusals, floodMs, slowMs } of senders) {
    for (let n = 0; n < refusals; n++) {
      assert.ok(admits(network, cookie), `${cookie} after ${n} refusals`)
      shut.note(from(cookie), network, 429)
    }
    for (let n = 0; n < 1_000; n++) {
      now += floodMs
      assert.ok(!admits(network, cookie), `${cookie} after ${now} ms`)
    }
    assert.ok(admits(network, 'bob') && admits('2001:db8:66:2::1', cookie))
    // Ten requests a second count as half a refusal, and five refusals a second are forgiven; a customer’s two count as a tenth of one.
    let admitted = 0
    for (let n = 0; n < 10; n++) {
      now += slowMs
      if (admits(network, cookie)) admitted++
    }
    assert.ok(admitted >= 7, `${cookie}: ${admitted} of 10`)
    now += 60_000
  }
})
