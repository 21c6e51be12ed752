import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const hour = 3_600_000
const second = 1_000

/** Waits until `before` milliseconds before the end of the running hour. */
function turn(desk: MarginWorld, before = 0): void {
  const { atMs } = desk.world
  desk.waits((Math.floor(atMs / hour) + 1) * hour - before - atMs)
}

/** Alice borrowed 500,000 of the lender's million USDT in the previous hour; the running hour has just begun. */
function lent(): MarginWorld {
  const desk = open().user('alice', { USDT: '200000' }).user('eve', { USDT: '10000000' }).user('bob', { USDT: '1000000' })
  desk.enter('alice', 'USDT', '200000').isAccepted()
  desk.borrow('alice', 'USDT', '500000').isAccepted()
  turn(desk)
  return desk
}

function earned(desk: MarginWorld, name: string): number {
  return desk.spot(name, 'USDT') + (desk.claim(name, 'USDT')?.claim ?? 0)
}

test('LEND-HOUR-001: money supplied seconds before the turn of the hour and withdrawn seconds after it earns nothing and takes nothing from others', () => {
  const [quiet, attacked] = [lent(), lent()]
  for (const desk of [quiet, attacked]) {
    turn(desk, 10 * second)
    const rich = earned(desk, 'eve')
    for (let hours = 0; hours < 3; hours++) {
      if (desk === attacked) desk.supply('eve', 'USDT', '10000000').isAccepted()
      desk.waits(20 * second)
      if (desk === attacked) desk.withdraw('eve', 'USDT', '10000000').isAccepted()
      turn(desk, 10 * second)
    }
    desk.waits(2 * hour)
    assert.equal(earned(desk, 'eve'), rich)
    assert.equal(desk.claim('eve', 'USDT'), undefined)
    desk.world.isReplayable()
  }
  // The lender gets his whole part of the interest that was paid.
  for (const desk of [quiet, attacked]) {
    const part = earned(desk, 'lender') - units('USDT', '1000000') + desk.running('USDT')
    const fund = desk.system('insurance-margin', 'USDT')
    assert.ok(fund > 0 && Math.abs(part - (fund * 85) / 15) < 50, `${part} beside ${fund}`)
  }
})

test('LEND-HOUR-001: money supplied while an hour is being charged, or after its first loan, earns nothing for that hour', () => {
  const desk = lent()
  const rich = earned(desk, 'eve')
  turn(desk, 1)
  // No clock tick has run yet: the first command of the new hour is the attacker's.
  desk.world.atMs += 1
  desk.supply('eve', 'USDT', '5000000').isAccepted()
  desk.waits(30 * second)
  desk.borrow('alice', 'USDT', '100000').isAccepted()
  turn(desk, second)
  desk.supply('eve', 'USDT', '5000000').isAccepted()
  turn(desk)
  desk.withdraw('eve', 'USDT', '10000000').isAccepted()
  turn(desk)
  assert.equal(earned(desk, 'eve'), rich)
  desk.world.isReplayable()
})

test('LEND-HOUR-002: a redemption takes the fresh part first, and gives up the hour’s interest on the rest to the remaining lenders', () => {
  const desk = lent()
  desk.supply('bob', 'USDT', '600000').isAccepted()
  turn(desk)
  desk.supply('bob', 'USDT', '400000').isAccepted()
  desk.withdraw('bob', 'USDT', '300000').isAccepted()
  assert.equal(desk.claim('bob', 'USDT')!.fresh, units('USDT', '100000'))
  const [bob, lender] = [earned(desk, 'bob'), earned(desk, 'lender')]
  const pot = desk.running('USDT')
  turn(desk)
  // Bob's 600,000 earned together with the lender's million.
  const share = (part: number, all: number): number => Math.floor((pot * part) / all)
  assert.ok(Math.abs(earned(desk, 'bob') - bob - share(600, 1600)) <= 2)
  desk.withdraw('bob', 'USDT', '400000').isAccepted()
  assert.equal(desk.claim('bob', 'USDT')!.fresh, 0)
  const [later, rest] = [earned(desk, 'bob'), desk.running('USDT')]
  turn(desk)
  assert.ok(Math.abs(earned(desk, 'bob') - later - Math.floor((rest * 300) / 1300)) <= 50)
  assert.ok(earned(desk, 'lender') - lender > share(1000, 1600) + Math.floor((rest * 999) / 1300))
  desk.world.isReplayable()
})

test('LEND-HOUR-003: lenders get the share of a loan’s first interest that belongs to earning supply, the fund gets the rest', () => {
  const desk = open().user('alice', { USDT: '200000' }).user('bob', { USDT: '3000000' })
  desk.supply('bob', 'USDT', '3000000').isAccepted()
  desk.enter('alice', 'USDT', '200000').isAccepted()
  desk.borrow('alice', 'USDT', '600000').isAccepted()
  const { interest } = desk.balance('alice', 'USDT')
  assert.ok(Math.abs(desk.running('USDT') - (interest * 0.85) / 4) <= 2)
  assert.ok(Math.abs(desk.system('insurance-margin', 'USDT') - (interest * 0.15 + (interest * 0.85 * 3) / 4)) <= 2)
  const [bob, lender] = [earned(desk, 'bob'), earned(desk, 'lender')]
  turn(desk)
  assert.equal(earned(desk, 'bob'), bob)
  assert.ok(Math.abs(earned(desk, 'lender') - lender - (interest * 0.85) / 4) <= 2)
  desk.world.isReplayable()
})

test('LEND-HOUR-003: the interest of a loan that ends within its hour is shared too, even if no debt is left', () => {
  const desk = open().user('alice', { USDT: '200000' })
  desk.enter('alice', 'USDT', '200000').isAccepted()
  desk.borrow('alice', 'USDT', '500000').isAccepted()
  desk.repay('alice', 'USDT', '0').isAccepted()
  assert.equal(desk.account('alice').debt, 0)
  const pot = desk.running('USDT')
  assert.ok(pot > 0)
  turn(desk)
  assert.ok(Math.abs(earned(desk, 'lender') - units('USDT', '1000000') - pot) <= 1)
  desk.world.isReplayable()
})

test('LEND-HOUR-004: a redemption paid from the queue includes its share of the hour so far, at nobody’s expense', () => {
  const desk = open().user('alice', { USDT: '900000' }).user('bob', { BTC: '100' }).user('eve', { BTC: '100' })
  desk.supply('bob', 'BTC', '20').isAccepted()
  desk.enter('alice', 'USDT', '900000').isAccepted()
  desk.borrow('alice', 'BTC', '60').isAccepted()
  turn(desk)
  desk.withdraw('lender', 'BTC', '60').isAccepted()
  desk.withdraw('lender', 'BTC', '40').isAccepted()
  const waiting = desk.claim('lender', 'BTC')!.queued
  assert.ok(waiting > units('BTC', '39') && waiting < units('BTC', '40.01'))
  turn(desk)
  const [lender, bob, pot] = [desk.claim('lender', 'BTC')!, desk.claim('bob', 'BTC')!, desk.running('BTC')]
  const all = lender.claim - lender.pending + bob.claim - bob.pending
  turn(desk, 10 * second)
  // Eve's money pays the lender: the fresh part first, then the rest with its share of an hour less ten seconds.
  desk.supply('eve', 'BTC', '41').isAccepted()
  const paid = desk.claim('lender', 'BTC')!
  assert.equal(paid.queued, 0)
  const part = Math.floor((pot * (waiting - lender.pending)) / all)
  assert.ok(part > 0 && Math.abs(paid.claim - part - (lender.claim - waiting)) <= 2, `${paid.claim} of ${part}`)
  turn(desk)
  // Bob has the same interest as without the redemption.
  const rest = Math.floor((pot * (bob.claim - bob.pending)) / all)
  assert.ok(Math.abs(desk.claim('bob', 'BTC')!.claim - bob.claim - rest) <= 2)
  assert.equal(desk.claim('eve', 'BTC')!.claim, units('BTC', '41'))
  desk.world.isReplayable()
})

test('LEND-HOUR-005: the interest of an hour without supply goes to the insurance fund', () => {
  const desk = open().user('alice', { USDT: '900000' }).user('eve', { USDT: '10000000' })
  desk.enter('alice', 'USDT', '900000').isAccepted()
  desk.borrow('alice', 'USDT', '500000').isAccepted()
  turn(desk)
  desk.supply('eve', 'USDT', '1000000').isAccepted()
  desk.withdraw('lender', 'USDT', '1000000').isAccepted()
  const rest = desk.claim('lender', 'USDT')?.claim ?? 0
  if (rest > 0) desk.withdraw('lender', 'USDT', String(rest / 1e6)).isAccepted()
  const [pot, fund] = [desk.running('USDT'), desk.system('insurance-margin', 'USDT')]
  assert.ok(pot > 0)
  turn(desk)
  const { interest } = desk.balance('alice', 'USDT')
  assert.equal(desk.claim('eve', 'USDT')!.claim, units('USDT', '1000000'))
  assert.ok(desk.system('insurance-margin', 'USDT') >= fund + pot && interest > 0)
  desk.world.isReplayable()
})
