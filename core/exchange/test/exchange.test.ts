/** The exchange as a whole: its trial balance, and views of what the fund has taken over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSFER } from '../../ledger/reasons.ts'
import type { Lots, Millis, Units } from '../../money/brand.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { AssetId, UserId } from '../../protocol/ids.ts'
import { dumpState, restoreState } from '../dump.ts'
import { Exchange } from '../exchange.ts'
import { free, open as givenMargin } from '../margin/test/world.ts'
import { given as givenOption } from '../option/test/world.ts'
import { contract, givenPerp } from '../perp/test/world.ts'
import type { State } from '../state/state.ts'
import { given, start, type Told } from './world.ts'

/** The exchange of a dump after this change of its state. */
function changed(dump: Uint8Array, change: (x: State) => void): Exchange {
  const x = restoreState(dump)
  x.write(new Records())
  change(x)
  return Exchange.restore(dumpState(x).bytes())
}

test('SPOT-CORE-001: the trial balance names each account, pool and contract whose figures do not add up', () => {
  const usdt = 1 as AssetId
  const spot = given({ alice: { USDT: '1' } })
  const richer = changed(spot.exchange.dump(), (x) => {
    x.ledger.credit(x.ledger.spotRow(spot.user('alice'), usdt), 7 as Units, TRANSFER)
  })
  assert.deepEqual(richer.trialBalance(), { sums: [0, 7, 0, 0], violations: [] })

  const desk = givenMargin(free).user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'USDT', '100').isAccepted()
  const lent = changed(desk.world.exchange.dump(), (x) => {
    x.margin.pool(usdt).principal = (x.margin.pool(usdt).principal + 7) as Units
  })
  assert.deepEqual(lent.trialBalance().violations, ['debts in 1 are not what its pool lent'])

  const perp = givenPerp({ alice: '100' })
  const taken = changed(perp.exchange.dump(), (x) => {
    const { inventory } = x.perp.list[0]!
    inventory.lots = 5 as Lots
    inventory.cost = 500 as Units
    inventory.sinceMs = start as Millis
  })
  const { violations } = taken.trialBalance()
  assert.ok(violations.includes('positions of market 3 sum to 5 lots'), violations.join())
  assert.deepEqual(taken.inventories(), [{ market: contract, lots: 5, cost: 500, sinceMs: start }])
  assert.deepEqual(perp.exchange.inventories(), [])
})

test('SPOT-FEE-002: a user’s thirty-day volume and tier are shown as of the last command', () => {
  const world = given({ alice: { USDT: '1000' }, bob: { BTC: '1' } })
  const [alice, bob] = [world.user('alice') as UserId, world.user('bob') as UserId]
  const tiers = [0, 10_000_000].map((volumeMin, n) => ({ volumeMin, makerPpm: 1_000 - n, takerPpm: 1_000 - n }))
  world.do({ type: 'fees.set', tiers }).isAccepted()
  world.sell('bob', 100, 100)
  assert.deepEqual(world.exchange.tier(alice), { volume: 0, tier: 0, perp: { volume: 0, tier: 0 } })
  world.buy('alice', 100, 100).traded('100×100')
  for (const user of [alice, bob])
    assert.deepEqual(world.exchange.tier(user), { volume: 10_000_000, tier: 1, perp: { volume: 0, tier: 0 } })
  world.atMs += 30 * 86_400_000
  assert.deepEqual(world.exchange.tier(bob), { volume: 10_000_000, tier: 1, perp: { volume: 0, tier: 0 } })
  world.tick()
  assert.deepEqual(world.exchange.tier(bob), { volume: 0, tier: 0, perp: { volume: 0, tier: 0 } })
})

test('SPOT-ONCE-001: a repeat names the order of the first request or the user that it opened, and nothing else', () => {
  const world = given({ alice: { USDT: '1000' } })
  const numbers = ({ outcome: { user, order, isRepeat } }: Told) => [user, order, isRepeat]
  const place = () => world.buy('alice', 100, 100, { clientId: 'a' }).isAccepted()
  const { order } = place()
  assert.deepEqual(numbers(place()), [0, order, true])
  const open = () => world.do({ type: 'user.open', requestId: 'a', class: 'retail', referrer: 0 }).isAccepted()
  const { user } = open().outcome
  assert.deepEqual(numbers(open()), [user, 0, true])
  assert.notEqual(user, 0)
  // A refusal is repeated too, and has neither.
  const refused = () => world.buy('alice', 100, 100_000, { clientId: 'b' }).isRefused('INSUFFICIENT_BALANCE')
  refused()
  assert.deepEqual(numbers(refused()), [0, 0, true])
})

test('SPOT-ONCE-001: the client id of an order of Second stays taken while it runs, and is free when later ones followed', () => {
  const option = givenOption()
  const user = option.trader('alice')
  const open = () => option.open('alice', 'up', { clientId: 'mine' }).isAccepted()
  const { order } = open()
  for (let n = 0; n < 1_000; n++)
    option.do({ type: 'spot.cancel', user, clientId: `c${n}`, market: 1, order: 0, orderClientId: 'none' }).isRefused('ORDER_UNKNOWN')
  assert.deepEqual([open().order, open().outcome.isRepeat], [order, true])
  option.run(1_500, () => 60_000).run(30_000, () => 61_000)
  assert.equal(option.settled.get(order)?.result, 'win')
  const next = open()
  assert.deepEqual([next.outcome.isRepeat, next.order === order], [false, false])
})

test('executing a record that is not a command throws instead of repeating for ever', () => {
  assert.throws(() => Exchange.create().executeAll(new Float64Array(32), 0, 32, new Records()), /unknown command code 0/)
})

test('USER-REGION-007: at first Second is open in every region, and leverage above 2 in none', () => {
  assert.deepEqual(given().exchange.regions(), [{ region: '*', isLeverageOpen: false, isSecondOpen: false }])
})
