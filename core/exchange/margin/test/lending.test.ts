import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const hour = 3_600_000

/** A BTC pool with little liquidity left: alice has borrowed from it, and bob and carol are among its lenders. */
function drained(): MarginWorld {
  const desk = open().user('alice', { USDT: '900000' }).user('bob', { BTC: '10' }).user('carol', { BTC: '10' })
  desk.supply('bob', 'BTC', '10').isAccepted()
  desk.supply('carol', 'BTC', '10').isAccepted()
  desk.enter('alice', 'USDT', '900000').isAccepted()
  desk.borrow('alice', 'BTC', '60').isAccepted()
  desk.withdraw('lender', 'BTC', '55').isAccepted()
  return desk
}

test('LEND-SUPPLY-001: a supply becomes a claim, and earns from the next full hour', () => {
  const desk = open().user('alice', { USDT: '1000' }).user('bob', { USDT: '500000' })
  desk.supply('bob', 'USDT', '600000').isRefused('INSUFFICIENT_BALANCE')
  desk.supply('bob', 'USDT', '0').isRefused('AMOUNT_NOT_POSITIVE')
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  const told = desk.supply('bob', 'USDT', '500000').isAccepted()
  assert.deepEqual(
    told.of('lend.claim').map(({ claim, earned, queued }) => [claim, earned, queued]),
    [[500_000_000_000, 0, 0]],
  )
  const turn = Math.ceil(desk.world.atMs / hour) * hour
  const { claim, fresh, freshUntil } = desk.claim('bob', 'USDT')!
  assert.deepEqual([claim, fresh, freshUntil], [500_000_000_000, 500_000_000_000, turn])
  desk.waits(turn - desk.world.atMs)
  const { claim: turned, fresh: left, freshUntil: none } = desk.claim('bob', 'USDT')!
  assert.deepEqual([turned, left, none], [500_000_000_000, 0, null], 'a supply earns nothing in the hour in which it arrives')
  desk.waits(hour - 1)
  assert.equal(desk.claim('bob', 'USDT')!.claim, 500_000_000_000, 'the interest of an hour is shared out when the hour ends')
  desk.waits(1)
  assert.ok(desk.claim('bob', 'USDT')!.claim > 500_000_000_000)
  desk.world.isReplayable()
})

test('LEND-INTEREST-001: lenders share 85 % of the interest in proportion to their claims, and the insurance fund gets the rest', () => {
  const desk = open().user('alice', { USDT: '200000' }).user('bob', { USDT: '1000000' })
  desk.supply('bob', 'USDT', '1000000').isAccepted()
  desk.waits(hour)
  desk.enter('alice', 'USDT', '200000').isAccepted()
  desk.borrow('alice', 'USDT', '500000').isAccepted()
  desk.waits(24 * hour)
  // The clock charges the running hour's interest in advance; lenders get their part when the hour is over.
  const waiting = desk.running('USDT')
  const { principal, interest } = desk.balance('alice', 'USDT')
  assert.equal(principal, 500_000_000_000)
  const [one, two] = [desk.claim('bob', 'USDT')!.claim - 1_000_000_000_000, desk.claim('lender', 'USDT')!.claim - 1_000_000_000_000]
  assert.ok(Math.abs(one - two) <= 1 && one > 0)
  const fund = desk.system('insurance-margin', 'USDT')
  assert.ok(Math.abs(fund - interest * 0.15) <= 25, `${fund} of ${interest}`)
  assert.ok(waiting > 0 && interest - fund - one - two - waiting >= 0 && interest - fund - one - two - waiting <= 4)
  // A change of the claim adds the earned interest to it.
  const told = desk.withdraw('bob', 'USDT', '1').isAccepted()
  assert.equal(told.of('lend.claim')[0]!.earned, one)
  desk.world.isReplayable()
})

test('LEND-WITHDRAW-001: a redemption is paid at once as far as the pool is liquid, and the rest joins the queue', () => {
  const desk = drained()
  // Of 120 supplied, 60 are lent and 55 redeemed: 5 are left.
  assert.equal(desk.pool('BTC').liquidity < units('BTC', '5'), true)
  desk.withdraw('bob', 'BTC', '10.1').isRefused('CLAIM_TOO_SMALL')
  desk.withdraw('dora', 'BTC', '1').isRefused('CLAIM_TOO_SMALL')
  const told = desk.withdraw('bob', 'BTC', '8').isAccepted()
  const [claim] = told.of('lend.claim')
  assert.equal(desk.pool('BTC').liquidity, 0)
  assert.ok(claim!.queued > units('BTC', '3') && claim!.queued < units('BTC', '3.01'))
  assert.equal(desk.pool('BTC').queued, claim!.queued)
  // The queued part keeps earning.
  const before = desk.claim('bob', 'BTC')!.claim
  desk.waits(2 * hour)
  assert.ok(desk.claim('bob', 'BTC')!.claim > before)
  desk.world.isReplayable()
})

test('LEND-QUEUE-001: the queue is paid in order of arrival as money comes in', () => {
  const desk = drained()
  desk.withdraw('bob', 'BTC', '10').isAccepted()
  desk.withdraw('carol', 'BTC', '4').isAccepted()
  assert.equal(desk.claim('carol', 'BTC')!.queued, units('BTC', '4'))
  assert.equal(desk.claim('carol', 'BTC')!.liquid, 0)
  desk.repay('alice', 'BTC', '1').isAccepted()
  assert.equal(desk.claim('carol', 'BTC')!.queued, units('BTC', '4'))
  desk.user('dora', { BTC: '7' })
  const told = desk.supply('dora', 'BTC', '7').isAccepted()
  assert.deepEqual(
    told.of('lend.claim').map(({ user, queued }) => [user, queued > 0]),
    [
      [desk.world.user('dora'), false],
      [desk.world.user('bob'), false],
      [desk.world.user('carol'), true],
    ],
  )
  desk.repay('alice', 'BTC', '5').isAccepted()
  assert.equal(desk.pool('BTC').queued, 0)
  assert.equal(desk.claim('bob', 'BTC')?.queued ?? 0, 0)
  desk.world.isReplayable()
})

test('LEND-QUEUE-002: a queued redemption can be cancelled', () => {
  const desk = drained()
  desk.cancel('bob', 'BTC').isRefused('QUEUE_EMPTY')
  desk.withdraw('bob', 'BTC', '10').isAccepted()
  desk.withdraw('carol', 'BTC', '4').isAccepted()
  desk.cancel('bob', 'BTC').isAccepted()
  assert.deepEqual([desk.claim('bob', 'BTC')!.queued, desk.pool('BTC').queued], [0, units('BTC', '4')])
  desk.repay('alice', 'BTC', '4').isAccepted()
  assert.equal(desk.pool('BTC').queued, 0)
  desk.world.isReplayable()
})

test('LEND-QUEUE-002: a lender has at most twenty places in the queue; a further redemption moves the last of them to the end', () => {
  const desk = drained()
  desk.withdraw('bob', 'BTC', '6').isAccepted()
  for (let n = 0; n < 21; n++) {
    desk.withdraw('bob', 'BTC', '0.01').isAccepted()
    desk.withdraw('carol', 'BTC', '0.01').isAccepted()
  }
  assert.equal(desk.claim('carol', 'BTC')!.queued, units('BTC', '0.21'))
  desk.repay('alice', 'BTC', '5').isAccepted()
  assert.equal(desk.pool('BTC').queued, 0)
  desk.world.isReplayable()
})

test('LEND-RATE-001: the rate rises with utilization, more steeply above the kink', () => {
  const desk = open().user('alice', { BTC: '100' })
  desk.enter('alice', 'BTC', '100').isAccepted()
  assert.equal(desk.pool('USDT').rate, 5_000_000)
  desk.borrow('alice', 'USDT', '400000').isAccepted()
  assert.equal(Math.round(desk.pool('USDT').rate / 1000), 12_500)
  desk.borrow('alice', 'USDT', '400000').isAccepted()
  assert.equal(Math.round(desk.pool('USDT').rate / 10_000), 2_000)
  desk.borrow('alice', 'USDT', '99990').isAccepted()
  assert.equal(Math.round(desk.pool('USDT').rate / 1_000_000), 110)
  const { rate, earnRate, borrowed, supplied } = desk.pool('USDT')
  assert.ok(Math.abs(earnRate - (rate * 0.85 * borrowed) / supplied) < 2)
})
