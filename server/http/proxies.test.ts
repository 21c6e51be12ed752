import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, wideNetworkOf } from '../networks.ts'
import { canonicalIp, parseNetwork, Proxies } from './proxies.ts'

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

test('GATEWAY-PROXY-002: only headers of a trusted proxy count, and only entries that are addresses', () => {
  const proxies = new Proxies(['10.0.0.0/8', '2001:db8::/32'])
  for (const [peer, forwarded, wanted] of [
    ['203.0.113.9', undefined, '203.0.113.9'],
    // A stranger can write anything into the header.
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['2001:db8::5', '2001:DB9:0:0::7', '2001:db9::7'],
    // An address that is not one of our proxies ends the reading: the client itself may have written what precedes it.
    ['10.1.2.3', '192.0.2.1, 198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '192.0.2.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    // An entry that is not an address ends the reading, too.
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.1, <script>', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.1:8080', '10.1.2.3'],
    ['10.1.2.3', 'fe80::1%eth0', '10.1.2.3'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', '10.7.7.7', '10.7.7.7'],
  ] as const)
    assert.equal(proxies.addressOf(from(peer, forwarded)), wanted, `${peer} says ${forwarded}`)
  assert.equal(new Proxies([]).addressOf(from('127.0.0.1', '198.51.100.1')), '127.0.0.1')
})

test('networks are written with their bits, addresses in one way', () => {
  assert.deepEqual(parseNetwork(' 10.0.0.0/8'), { address: '10.0.0.0', bits: 8 })
  assert.deepEqual(parseNetwork('::1'), { address: '::1', bits: 128 })
  for (const wrong of ['', 'on', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8', '::/129', 'a/8', '10.0.0.0/'])
    assert.equal(parseNetwork(wrong), undefined, wrong)
  assert.equal(canonicalIp('2001:0DB8:0:0:0:0:0:1'), '2001:db8::1')
  assert.equal(networkOf('2001:db8:1:2:3::4'), '2001:db8:1:2::/64')
  assert.equal(wideNetworkOf('2001:db8:1:2:3::4'), '2001:db8:1::/48')
  assert.equal(wideNetworkOf('203.0.113.9'), '203.0.113.0/24')
})
