import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { open, units } from './lever.ts'
import type { Lever } from './lever.ts'

const hour = 3_600_000
const second = 1_000

/** The running hour is over, up to `before` milliseconds. */
function turn(lever: Lever, before = 0): void {
  const { atMs } = lever.world
  lever.waits((Math.floor(atMs / hour) + 1) * hour - before - atMs)
}

/** Alice owes 500,000 of two million USDT, half of them eve's, since the hour before the last; the running hour has just begun. */
function lent(): Lever {
  const lever = open().user('alice', { USDT: '400000' }).user('eve', { USDT: '20000000' })
  lever.supply('eve', 'USDT', '1000000').isAccepted()
  lever.enter('alice', 'USDT', '400000').isAccepted()
  lever.borrow('alice', 'USDT', '500000').isAccepted()
  turn(lever)
  turn(lever)
  return lever
}

/** What the next turn charges alice per unit that she borrowed, and the share of the pool on the curve that this is. */
function turnOf(lever: Lever): { readonly rate: number; readonly used: number } {
  const { interest } = lever.balance('alice', 'USDT')
  turn(lever)
  const after = lever.balance('alice', 'USDT')
  const rate = (after.interest - interest) / after.principal
  return { rate, used: rate <= 20e-6 ? ((rate - 5e-6) / 15e-6) * 0.8 : 0.8 + ((rate - 20e-6) / 180e-6) * 0.2 }
}

const isNear = (value: number, expected: number): boolean => Math.abs(value - expected) < 1e-4

test('LEND-RATE-002: ten times the pool, supplied for ten seconds before the turn, makes an hour cheaper by ten seconds’ part', () => {
  const [quiet, attacked] = [lent(), lent()]
  turn(quiet, 10 * second)
  turn(attacked, 10 * second)
  attacked.supply('eve', 'USDT', '18000000').isAccepted()
  const [fair, paid] = [turnOf(quiet), turnOf(attacked)]
  attacked.withdraw('eve', 'USDT', '18000000').isAccepted()
  assert.ok(isNear(fair.used, 0.25), `${fair.used}`)
  assert.ok(isNear(paid.used, (0.25 * 3590 + 0.025 * 10) / 3600), `${paid.used}`)
  assert.ok(paid.rate < fair.rate && paid.rate > fair.rate * (1 - 10 / 3600))
  attacked.world.isReplayable()
})

test('LEND-RATE-002: standing supply that goes for ten seconds around the turn makes an hour dearer by ten seconds’ part', () => {
  const lever = lent()
  turn(lever, 5 * second)
  lever.withdraw('eve', 'USDT', '1000000').isAccepted()
  lever.withdraw('lender', 'USDT', '499000').isAccepted()
  assert.ok(lever.pool('USDT').rate > 190_000_000, 'who borrows now pays for what is scarce now')
  const first = turnOf(lever)
  lever.waits(5 * second)
  lever.supply('eve', 'USDT', '1499000').isAccepted()
  assert.ok(isNear(first.used, (0.25 * 3595 + 0.998 * 5) / 3600), `${first.used}`)
  const next = turnOf(lever)
  assert.ok(isNear(next.used, (0.998 * 5 + 0.25 * 3595) / 3600), `${next.used}`)
  lever.world.isReplayable()
})

test('LEND-RATE-002: a loan that is taken seconds before the turn makes the hour of others dearer by as little', () => {
  const lever = lent().user('bob', { BTC: '100' })
  lever.enter('bob', 'BTC', '100').isAccepted()
  turn(lever, 10 * second)
  lever.borrow('bob', 'USDT', '1299000').isAccepted()
  const { used } = turnOf(lever)
  assert.ok(isNear(used, (0.25 * 3590 + 0.8995 * 10) / 3600), `${used}`)
  assert.ok(isNear(turnOf(lever).used, 0.8995), 'a full hour later it counts in full')
  lever.world.isReplayable()
})

test('LEND-RATE-002: a pool of fresh supply alone has the rate of what was lent of it, for as long as it was', () => {
  const lever = open().user('alice', { USDT: '400000' }).user('eve', { ETH: '100' })
  lever.withdraw('lender', 'ETH', '1000').isAccepted()
  turn(lever)
  turn(lever, hour / 2)
  lever.supply('eve', 'ETH', '100').isAccepted()
  lever.enter('alice', 'USDT', '400000').isAccepted()
  lever.borrow('alice', 'ETH', '40').isAccepted()
  assert.ok(Math.abs(lever.pool('ETH').rate / 12_500_000 - 1) < 1e-4, 'and its first loan that of the pool as it is')
  const { interest } = lever.balance('alice', 'ETH')
  turn(lever)
  const rate = (lever.balance('alice', 'ETH').interest - interest) / units('ETH', '40')
  assert.ok(Math.abs(rate / 8.75e-6 - 1) < 1e-4, `${rate}`)
  lever.world.isReplayable()
})

test('LEND-RATE-002: hours that nobody saw cost what the pool stood at, and a pool that is repaid comes down by itself', () => {
  const lever = lent()
  lever.world.atMs += 3 * hour
  const { interest, principal } = lever.balance('alice', 'USDT')
  lever.world.tick().isAccepted()
  const each = (lever.balance('alice', 'USDT').interest - interest) / principal / 3
  assert.ok(Math.abs(each / 9.6875e-6 - 1) < 1e-4, `${each}`)
  lever.waits(hour / 2)
  lever.repay('alice', 'USDT', '0').isAccepted()
  assert.equal(lever.account('alice').debt, 0)
  const rates: number[] = []
  const hear = (told: Told): void => {
    for (const { asset, rate } of told.of('lend.pool')) if (asset === 1) rates.push(rate)
  }
  lever.waits(hour, hear)
  assert.ok(rates.length > 0 && Math.abs(rates.at(-1)! / (5_000_000 + 4_687_500 / 2) - 1) < 1e-3, `${rates}`)
  lever.waits(hour, hear)
  assert.deepEqual([rates.at(-1), lever.pool('USDT').rate], [5_000_000, 5_000_000])
  lever.world.isReplayable()
})

test('LEND-RATE-003: who repays before the turn and borrows again beside supply of the moment pays the hour’s rate like all', () => {
  const lever = lent().user('bob', { BTC: '100' })
  lever.enter('bob', 'BTC', '100').isAccepted()
  lever.borrow('bob', 'USDT', '1299000').isAccepted()
  turn(lever, second)
  lever.repay('alice', 'USDT', '0').isAccepted()
  const before = lever.balance('bob', 'USDT').interest
  turn(lever)
  const { interest, principal } = lever.balance('bob', 'USDT')
  const rate = (interest - before) / principal
  lever.supply('eve', 'USDT', '18000000').isAccepted()
  lever.borrow('alice', 'USDT', '500000').isAccepted()
  lever.withdraw('eve', 'USDT', '18000000').isAccepted()
  const paid = lever.balance('alice', 'USDT').interest
  assert.ok(rate > 9e-6 && Math.abs(paid / units('USDT', '500000') / rate - 1) < 1e-6, `${paid} where others pay ${rate}`)
  lever.world.isReplayable()
})
