import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Command } from '../../../protocol/command/index.ts'
import type { Event } from '../../../protocol/event/index.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { algosAllowed, algosMax } from '../../../risk/algo.ts'
import { four, longAlice, settled } from '../../perp/test/falling.ts'
import { contract } from '../../perp/test/world.ts'
import { placeAlgo } from '../place.ts'
import { restoreState } from '../../dump.ts'
import { given } from '../../test/world.ts'
import { twap } from './world.ts'

const endsOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'algo.ended' ? [[event.algo, event.reason, event.executedLots]] : []))

test('ALGO-LIQUIDATION-001: a liquidation ends the owner’s TWAP orders in its market, and those elsewhere or of others go on', () => {
  const world = longAlice('isolated', { ...four, alice: '2000' })
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('dave', 99, 100).isAccepted()
  world.world.gives('alice', 'USDT', '1000').gives('bob', 'BTC', '1000')
  world.world.prints(100, 50)
  world.world.sell('bob', 100, 100_000).isAccepted()
  const more = { market: contract, position: 'both', lots: 600, parts: 6 }
  const doomed = twap(world, 'alice', more).isAccepted().order
  const spot = twap(world, 'alice', { lots: 600 }).isAccepted().order
  const others = twap(world, 'carol', { ...more, side: 'sell' }).isAccepted().order
  const events = [...world.index(91).events, ...settled(world)]
  assert.ok(events.some(({ type }) => type === 'perp.liquidated' || type === 'perp.takenOver' || type === 'perp.deleveraged'))
  assert.deepEqual(
    endsOf(events).map(([algo, reason]) => [algo, reason]),
    [[doomed, 'liquidated']],
  )
  const running = restoreState(world.exchange.dump()).algo
  assert.deepEqual(
    [doomed, spot, others].map((algo) => running.has(algo as OrderId)),
    [false, true, true],
  )
  world.isReplayable()
})

test('ALGO-CANCEL-002: cancelling all orders ends TWAP orders where it says so, in one market or in all', () => {
  const world = given({ ann: { USDT: '100000' }, eve: { USDT: '100000' }, bob: { BTC: '1000' } })
  world.prints(100, 50)
  world.sell('bob', 100, 100_000).isAccepted()
  const cancel = (market: number, more: object = {}) =>
    world.do({ type: 'spot.cancelAll', user: world.user('ann'), clientId: '', market, ...more }).isAccepted()
  const first = twap(world, 'ann', { lots: 600 }).isAccepted().order
  assert.deepEqual(endsOf(cancel(1).events), [])
  assert.deepEqual(endsOf(cancel(2, { endsTwaps: true }).events), [])
  assert.deepEqual(endsOf(cancel(1, { endsTwaps: true }).events), [[first, 'cancelled', 100]])
  const [second, others] = ['ann', 'eve'].map((name) => twap(world, name, { lots: 600 }).isAccepted().order)
  assert.deepEqual(endsOf(cancel(0, { only: 'spot', endsTwaps: true }).events), [[second, 'cancelled', 100]])
  assert.equal(restoreState(world.exchange.dump()).algo.has(others as OrderId), true)
  world.isReplayable()
})

test('ALGO-LIMIT-004: once places get scarce, verified users get fewer, and others none', () => {
  const [half, quarters] = [algosMax / 2, (algosMax * 3) / 4]
  const cases = [
    [0, 10, 10],
    [half - 1, 10, 10],
    [half, 0, 3],
    [quarters - 1, 0, 3],
    [quarters, 0, 1],
    [algosMax - 1, 0, 1],
    [algosMax, 0, 0],
  ] as const
  for (const [running, plain, verified] of cases)
    assert.deepEqual(
      [false, true].map((isCertified) => algosAllowed({ running, isCertified })),
      [plain, verified],
      String(running),
    )
})

test('ALGO-LIMIT-004: a crowd of accounts without papers fills half of the places, and a verified user still gets one', () => {
  const world = given({ ann: { USDT: '100000' }, eve: { USDT: '100000' }, bob: { BTC: '1000' } })
  world.prints(100, 50)
  world.sell('bob', 100, 100_000).isAccepted()
  for (const name of ['ann', 'eve']) twap(world, name, { lots: 600 }).isAccepted()
  world.do({ type: 'user.certify', user: world.user('ann'), isCertified: true }).isAccepted()
  const x = restoreState(world.exchange.dump())
  x.write(new Records())
  const [taken] = x.algo.all()
  for (let n = 1e6; x.algo.size < algosMax / 2; n++) x.algo.add({ ...taken!, number: n as OrderId, user: n as UserId })
  const asks = (name: string): unknown => {
    const command = {
      type: 'algo.place',
      user: world.user(name),
      clientId: '',
      market: 1,
      side: 'buy',
      isReduceOnly: false,
      lots: 600,
      parts: 6,
    }
    const into = new Records(64)
    const plan = { kind: 'twap', durationMs: 360_000, worst: 0 }
    encodeCommand({ ...command, plan } as unknown as Command, { seq: x.seq + 1, at: x.atMs, keyId: 0 }, into)
    x.eventsFrom = x.events.length
    return placeAlgo(x, into.data, 0)
  }
  assert.deepEqual(
    ['eve', 'ann', 'ann', 'ann'].map((name) => asks(name)),
    ['EXCHANGE_FULL', undefined, undefined, 'EXCHANGE_FULL'],
  )
})
