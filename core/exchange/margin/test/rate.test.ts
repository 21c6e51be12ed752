import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const hour = 3_600_000
const second = 1_000

/** Waits until `before` milliseconds before the end of the running hour. */
function turn(desk: MarginWorld, before = 0): void {
  const { atMs } = desk.world
  desk.waits((Math.floor(atMs / hour) + 1) * hour - before - atMs)
}

/** Alice borrowed 500,000 of two million USDT, half of them eve's, two turns of the hour ago; the running hour has just begun. */
function lent(): MarginWorld {
  const desk = open().user('alice', { USDT: '400000' }).user('eve', { USDT: '20000000' })
  desk.supply('eve', 'USDT', '1000000').isAccepted()
  desk.enter('alice', 'USDT', '400000').isAccepted()
  desk.borrow('alice', 'USDT', '500000').isAccepted()
  turn(desk)
  turn(desk)
  return desk
}

/** The rate that the next turn of the hour charges alice per borrowed unit, and the utilization that has this rate. */
function turnOf(desk: MarginWorld): { readonly rate: number; readonly used: number } {
  const { interest } = desk.balance('alice', 'USDT')
  turn(desk)
  const after = desk.balance('alice', 'USDT')
  const rate = (after.interest - interest) / after.principal
  return { rate, used: rate <= 20e-6 ? ((rate - 5e-6) / 15e-6) * 0.8 : 0.8 + ((rate - 20e-6) / 180e-6) * 0.2 }
}

const isNear = (value: number, expected: number): boolean => Math.abs(value - expected) < 1e-4

test('LEND-RATE-002: a supply of nine times the pool for the last ten seconds of an hour lowers the rate only in proportion to those ten seconds', () => {
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

test('LEND-RATE-002: supply withdrawn for ten seconds around the turn of the hour raises the rate only in proportion to those ten seconds', () => {
  const desk = lent()
  turn(desk, 5 * second)
  desk.withdraw('eve', 'USDT', '1000000').isAccepted()
  desk.withdraw('lender', 'USDT', '499000').isAccepted()
  assert.ok(desk.pool('USDT').rate > 190_000_000, 'a borrower now pays the rate of a nearly empty pool')
  const first = turnOf(desk)
  desk.waits(5 * second)
  desk.supply('eve', 'USDT', '1499000').isAccepted()
  assert.ok(isNear(first.used, (0.25 * 3595 + 0.998 * 5) / 3600), `${first.used}`)
  const next = turnOf(desk)
  assert.ok(isNear(next.used, (0.998 * 5 + 0.25 * 3595) / 3600), `${next.used}`)
  desk.world.isReplayable()
})

test('LEND-RATE-002: a loan taken seconds before the turn of the hour raises the rate of others only in proportion to those seconds', () => {
  const desk = lent().user('bob', { BTC: '100' })
  desk.enter('bob', 'BTC', '100').isAccepted()
  turn(desk, 10 * second)
  desk.borrow('bob', 'USDT', '1299000').isAccepted()
  const { used } = turnOf(desk)
  assert.ok(isNear(used, (0.25 * 3590 + 0.8995 * 10) / 3600), `${used}`)
  assert.ok(isNear(turnOf(desk).used, 0.8995), 'a full hour later it counts in full')
  desk.world.isReplayable()
})

test('LEND-RATE-002: in a pool of only fresh supply the rate follows the lent share and the time for which it was lent', () => {
  const desk = open().user('alice', { USDT: '400000' }).user('eve', { ETH: '100' })
  desk.withdraw('lender', 'ETH', '1000').isAccepted()
  turn(desk)
  turn(desk, hour / 2)
  desk.supply('eve', 'ETH', '100').isAccepted()
  desk.enter('alice', 'USDT', '400000').isAccepted()
  desk.borrow('alice', 'ETH', '40').isAccepted()
  assert.ok(Math.abs(desk.pool('ETH').rate / 12_500_000 - 1) < 1e-4, 'its first loan pays the rate at the current utilization')
  const { interest } = desk.balance('alice', 'ETH')
  turn(desk)
  const rate = (desk.balance('alice', 'ETH').interest - interest) / units('ETH', '40')
  assert.ok(Math.abs(rate / 8.75e-6 - 1) < 1e-4, `${rate}`)
  desk.world.isReplayable()
})

test('LEND-RATE-002: missed hours cost the rate at the pool’s utilization, and the rate of a repaid pool falls without a command of a user', () => {
  const desk = lent()
  desk.world.atMs += 3 * hour
  const { interest, principal } = desk.balance('alice', 'USDT')
  desk.world.tick().isAccepted()
  const each = (desk.balance('alice', 'USDT').interest - interest) / principal / 3
  assert.ok(Math.abs(each / 9.6875e-6 - 1) < 1e-4, `${each}`)
  desk.waits(hour / 2)
  desk.repay('alice', 'USDT', '0').isAccepted()
  assert.equal(desk.account('alice').debt, 0)
  const rates: number[] = []
  const hear = (told: Told): void => {
    for (const { asset, rate } of told.of('lend.pool')) if (asset === 1) rates.push(rate)
  }
  desk.waits(hour, hear)
  assert.ok(rates.length > 0 && Math.abs(rates.at(-1)! / (5_000_000 + 4_687_500 / 2) - 1) < 1e-3, `${rates}`)
  desk.waits(hour, hear)
  assert.deepEqual([rates.at(-1), desk.pool('USDT').rate], [5_000_000, 5_000_000])
  desk.world.isReplayable()
})

test('LEND-RATE-003: a user who repays before the turn and borrows again next to short-lived supply pays the hour’s rate like everyone', () => {
  const desk = lent().user('bob', { BTC: '100' })
  desk.enter('bob', 'BTC', '100').isAccepted()
  desk.borrow('bob', 'USDT', '1299000').isAccepted()
  turn(desk, second)
  desk.repay('alice', 'USDT', '0').isAccepted()
  const before = desk.balance('bob', 'USDT').interest
  turn(desk)
  const { interest, principal } = desk.balance('bob', 'USDT')
  const rate = (interest - before) / principal
  desk.supply('eve', 'USDT', '18000000').isAccepted()
  desk.borrow('alice', 'USDT', '500000').isAccepted()
  desk.withdraw('eve', 'USDT', '18000000').isAccepted()
  const paid = desk.balance('alice', 'USDT').interest
  assert.ok(rate > 9e-6 && Math.abs(paid / units('USDT', '500000') / rate - 1) < 1e-6, `${paid} where others pay ${rate}`)
  desk.world.isReplayable()
})
