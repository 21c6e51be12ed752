import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, units } from './lever.ts'
import type { Lever } from './lever.ts'

const hour = 3_600_000
const second = 1_000

/** The running hour is over, up to `before` milliseconds. */
function turn(lever: Lever, before = 0): void {
  const { atMs } = lever.world
  lever.waits((Math.floor(atMs / hour) + 1) * hour - before - atMs)
}

/** Alice owes 500,000 of the lender's million USDT since the hour before; the running hour has just begun. */
function lent(): Lever {
  const lever = open().user('alice', { USDT: '200000' }).user('eve', { USDT: '10000000' }).user('bob', { USDT: '1000000' })
  lever.enter('alice', 'USDT', '200000').isAccepted()
  lever.borrow('alice', 'USDT', '500000').isAccepted()
  turn(lever)
  return lever
}

function earned(lever: Lever, name: string): number {
  return lever.spot(name, 'USDT') + (lever.claim(name, 'USDT')?.claim ?? 0)
}

test('LEND-HOUR-001: money that comes seconds before the hour and leaves seconds after it earns nothing and takes nothing', () => {
  const [quiet, attacked] = [lent(), lent()]
  for (const lever of [quiet, attacked]) {
    turn(lever, 10 * second)
    const rich = earned(lever, 'eve')
    for (let hours = 0; hours < 3; hours++) {
      if (lever === attacked) lever.supply('eve', 'USDT', '10000000').isAccepted()
      lever.waits(20 * second)
      if (lever === attacked) lever.withdraw('eve', 'USDT', '10000000').isAccepted()
      turn(lever, 10 * second)
    }
    lever.waits(2 * hour)
    assert.equal(earned(lever, 'eve'), rich)
    assert.equal(lever.claim('eve', 'USDT'), undefined)
    lever.world.isReplayable()
  }
  // The lender has every unit of his part of what was paid.
  for (const lever of [quiet, attacked]) {
    const part = earned(lever, 'lender') - units('USDT', '1000000') + lever.running('USDT')
    const fund = lever.system('insurance-margin', 'USDT')
    assert.ok(fund > 0 && Math.abs(part - (fund * 85) / 15) < 50, `${part} beside ${fund}`)
  }
})

test('LEND-HOUR-001: nor does money that comes while an hour is being charged, or after its first loan', () => {
  const lever = lent()
  const rich = earned(lever, 'eve')
  turn(lever, 1)
  // The clock has not come yet: the first command of the new hour is the attacker's.
  lever.world.atMs += 1
  lever.supply('eve', 'USDT', '5000000').isAccepted()
  lever.waits(30 * second)
  lever.borrow('alice', 'USDT', '100000').isAccepted()
  turn(lever, second)
  lever.supply('eve', 'USDT', '5000000').isAccepted()
  turn(lever)
  lever.withdraw('eve', 'USDT', '10000000').isAccepted()
  turn(lever)
  assert.equal(earned(lever, 'eve'), rich)
  lever.world.isReplayable()
})

test('LEND-HOUR-002: who takes back takes what is fresh first, and leaves the hour’s interest on the rest to those who stay', () => {
  const lever = lent()
  lever.supply('bob', 'USDT', '600000').isAccepted()
  turn(lever)
  lever.supply('bob', 'USDT', '400000').isAccepted()
  lever.withdraw('bob', 'USDT', '300000').isAccepted()
  assert.equal(lever.claim('bob', 'USDT')!.fresh, units('USDT', '100000'))
  const [bob, lender] = [earned(lever, 'bob'), earned(lever, 'lender')]
  const pot = lever.running('USDT')
  turn(lever)
  // 600,000 stood beside the lender's million.
  const share = (part: number, all: number): number => Math.floor((pot * part) / all)
  assert.ok(Math.abs(earned(lever, 'bob') - bob - share(600, 1600)) <= 2)
  lever.withdraw('bob', 'USDT', '400000').isAccepted()
  assert.equal(lever.claim('bob', 'USDT')!.fresh, 0)
  const [later, rest] = [earned(lever, 'bob'), lever.running('USDT')]
  turn(lever)
  assert.ok(Math.abs(earned(lever, 'bob') - later - Math.floor((rest * 300) / 1300)) <= 50)
  assert.ok(earned(lever, 'lender') - lender > share(1000, 1600) + Math.floor((rest * 999) / 1300))
  lever.world.isReplayable()
})

test('LEND-HOUR-003: of a loan’s first interest lenders get what falls to the supply that earns, the fund the rest', () => {
  const lever = open().user('alice', { USDT: '200000' }).user('bob', { USDT: '3000000' })
  lever.supply('bob', 'USDT', '3000000').isAccepted()
  lever.enter('alice', 'USDT', '200000').isAccepted()
  lever.borrow('alice', 'USDT', '600000').isAccepted()
  const { interest } = lever.balance('alice', 'USDT')
  assert.ok(Math.abs(lever.running('USDT') - (interest * 0.85) / 4) <= 2)
  assert.ok(Math.abs(lever.system('insurance-margin', 'USDT') - (interest * 0.15 + (interest * 0.85 * 3) / 4)) <= 2)
  const [bob, lender] = [earned(lever, 'bob'), earned(lever, 'lender')]
  turn(lever)
  assert.equal(earned(lever, 'bob'), bob)
  assert.ok(Math.abs(earned(lever, 'lender') - lender - (interest * 0.85) / 4) <= 2)
  lever.world.isReplayable()
})

test('LEND-HOUR-003: a loan that ends within its hour is shared as well, when nobody owes anything any more', () => {
  const lever = open().user('alice', { USDT: '200000' })
  lever.enter('alice', 'USDT', '200000').isAccepted()
  lever.borrow('alice', 'USDT', '500000').isAccepted()
  lever.repay('alice', 'USDT', '0').isAccepted()
  assert.equal(lever.account('alice').debt, 0)
  const pot = lever.running('USDT')
  assert.ok(pot > 0)
  turn(lever)
  assert.ok(Math.abs(earned(lever, 'lender') - units('USDT', '1000000') - pot) <= 1)
  lever.world.isReplayable()
})

test('LEND-HOUR-004: who waits in the queue is paid with his part of the hour so far, and others gain nothing by it', () => {
  const lever = open().user('alice', { USDT: '900000' }).user('bob', { BTC: '100' }).user('eve', { BTC: '100' })
  lever.supply('bob', 'BTC', '20').isAccepted()
  lever.enter('alice', 'USDT', '900000').isAccepted()
  lever.borrow('alice', 'BTC', '60').isAccepted()
  turn(lever)
  lever.withdraw('lender', 'BTC', '60').isAccepted()
  lever.withdraw('lender', 'BTC', '40').isAccepted()
  const waiting = lever.claim('lender', 'BTC')!.queued
  assert.ok(waiting > units('BTC', '39') && waiting < units('BTC', '40.01'))
  turn(lever)
  const [lender, bob, pot] = [lever.claim('lender', 'BTC')!, lever.claim('bob', 'BTC')!, lever.running('BTC')]
  const all = lender.claim - lender.pending + bob.claim - bob.pending
  turn(lever, 10 * second)
  // Eve's money pays him: what is fresh first, then the rest with its part of an hour that lacks ten seconds.
  lever.supply('eve', 'BTC', '41').isAccepted()
  const paid = lever.claim('lender', 'BTC')!
  assert.equal(paid.queued, 0)
  const part = Math.floor((pot * (waiting - lender.pending)) / all)
  assert.ok(part > 0 && Math.abs(paid.claim - part - (lender.claim - waiting)) <= 2, `${paid.claim} of ${part}`)
  turn(lever)
  // Bob has what he would have had.
  const rest = Math.floor((pot * (bob.claim - bob.pending)) / all)
  assert.ok(Math.abs(lever.claim('bob', 'BTC')!.claim - bob.claim - rest) <= 2)
  assert.equal(lever.claim('eve', 'BTC')!.claim, units('BTC', '41'))
  lever.world.isReplayable()
})

test('LEND-HOUR-005: interest of an hour in which nothing stood is the insurance fund’s', () => {
  const lever = open().user('alice', { USDT: '900000' }).user('eve', { USDT: '10000000' })
  lever.enter('alice', 'USDT', '900000').isAccepted()
  lever.borrow('alice', 'USDT', '500000').isAccepted()
  turn(lever)
  lever.supply('eve', 'USDT', '1000000').isAccepted()
  lever.withdraw('lender', 'USDT', '1000000').isAccepted()
  const rest = lever.claim('lender', 'USDT')?.claim ?? 0
  if (rest > 0) lever.withdraw('lender', 'USDT', String(rest / 1e6)).isAccepted()
  const [pot, fund] = [lever.running('USDT'), lever.system('insurance-margin', 'USDT')]
  assert.ok(pot > 0)
  turn(lever)
  const { interest } = lever.balance('alice', 'USDT')
  assert.equal(lever.claim('eve', 'USDT')!.claim, units('USDT', '1000000'))
  assert.ok(lever.system('insurance-margin', 'USDT') >= fund + pot && interest > 0)
  lever.world.isReplayable()
})
