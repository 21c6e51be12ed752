import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, units } from './lever.ts'
import type { Lever } from './lever.ts'

const hour = 3_600_000

/** Alice has borrowed so much that little of the BTC pool is left; bob and carol have lent some of it. */
function drained(): Lever {
  const lever = open().user('alice', { USDT: '900000' }).user('bob', { BTC: '10' }).user('carol', { BTC: '10' })
  lever.supply('bob', 'BTC', '10').isAccepted()
  lever.supply('carol', 'BTC', '10').isAccepted()
  lever.enter('alice', 'USDT', '900000').isAccepted()
  lever.borrow('alice', 'BTC', '60').isAccepted()
  lever.withdraw('lender', 'BTC', '55').isAccepted()
  return lever
}

test('LEND-SUPPLY-001: a supply is a claim, and earns from the next full hour', () => {
  const lever = open().user('alice', { USDT: '1000' }).user('bob', { USDT: '500000' })
  lever.supply('bob', 'USDT', '600000').isRefused('INSUFFICIENT_BALANCE')
  lever.supply('bob', 'USDT', '0').isRefused('AMOUNT_NOT_POSITIVE')
  lever.enter('alice', 'USDT', '1000').isAccepted()
  lever.borrow('alice', 'USDT', '1000').isAccepted()
  const told = lever.supply('bob', 'USDT', '500000').isAccepted()
  assert.deepEqual(
    told.of('lend.claim').map(({ claim, earned, queued }) => [claim, earned, queued]),
    [[500_000_000_000, 0, 0]],
  )
  const turn = Math.ceil(lever.world.atMs / hour) * hour
  const { claim, fresh, freshUntil } = lever.claim('bob', 'USDT')!
  assert.deepEqual([claim, fresh, freshUntil], [500_000_000_000, 500_000_000_000, turn])
  lever.waits(turn - lever.world.atMs)
  const { claim: turned, fresh: left, freshUntil: none } = lever.claim('bob', 'USDT')!
  assert.deepEqual([turned, left, none], [500_000_000_000, 0, null], 'the hour in which it came brings nothing')
  lever.waits(hour - 1)
  assert.equal(lever.claim('bob', 'USDT')!.claim, 500_000_000_000, 'an hour is shared when it is over')
  lever.waits(1)
  assert.ok(lever.claim('bob', 'USDT')!.claim > 500_000_000_000)
  lever.world.isReplayable()
})

test('LEND-INTEREST-001: lenders share 85 % of interest by their claims, the insurance fund has the rest', () => {
  const lever = open().user('alice', { USDT: '200000' }).user('bob', { USDT: '1000000' })
  lever.supply('bob', 'USDT', '1000000').isAccepted()
  lever.waits(hour)
  lever.enter('alice', 'USDT', '200000').isAccepted()
  lever.borrow('alice', 'USDT', '500000').isAccepted()
  lever.waits(24 * hour)
  // The clock charges the running hour's interest at once; its lenders' part is not theirs before the hour is over.
  const waiting = lever.running('USDT')
  const { principal, interest } = lever.balance('alice', 'USDT')
  assert.equal(principal, 500_000_000_000)
  const [one, two] = [lever.claim('bob', 'USDT')!.claim - 1_000_000_000_000, lever.claim('lender', 'USDT')!.claim - 1_000_000_000_000]
  assert.ok(Math.abs(one - two) <= 1 && one > 0)
  const fund = lever.system('insurance-margin', 'USDT')
  assert.ok(Math.abs(fund - interest * 0.15) <= 25, `${fund} of ${interest}`)
  assert.ok(waiting > 0 && interest - fund - one - two - waiting >= 0 && interest - fund - one - two - waiting <= 4)
  // What was earned is in the claim as soon as it is touched.
  const told = lever.withdraw('bob', 'USDT', '1').isAccepted()
  assert.equal(told.of('lend.claim')[0]!.earned, one)
  lever.world.isReplayable()
})

test('LEND-WITHDRAW-001: a withdrawal is paid at once as far as the pool is liquid, and the rest waits', () => {
  const lever = drained()
  // 120 supplied, 60 lent, 55 gone: 5 are left.
  assert.equal(lever.pool('BTC').liquidity < units('BTC', '5'), true)
  lever.withdraw('bob', 'BTC', '10.1').isRefused('CLAIM_TOO_SMALL')
  lever.withdraw('dora', 'BTC', '1').isRefused('CLAIM_TOO_SMALL')
  const told = lever.withdraw('bob', 'BTC', '8').isAccepted()
  const [claim] = told.of('lend.claim')
  assert.equal(lever.pool('BTC').liquidity, 0)
  assert.ok(claim!.queued > units('BTC', '3') && claim!.queued < units('BTC', '3.01'))
  assert.equal(lever.pool('BTC').queued, claim!.queued)
  // What waits goes on earning.
  const before = lever.claim('bob', 'BTC')!.claim
  lever.waits(2 * hour)
  assert.ok(lever.claim('bob', 'BTC')!.claim > before)
  lever.world.isReplayable()
})

test('LEND-QUEUE-001: the queue is paid in its order as money comes in', () => {
  const lever = drained()
  lever.withdraw('bob', 'BTC', '10').isAccepted()
  lever.withdraw('carol', 'BTC', '4').isAccepted()
  assert.equal(lever.claim('carol', 'BTC')!.queued, units('BTC', '4'))
  assert.equal(lever.claim('carol', 'BTC')!.liquid, 0)
  lever.repay('alice', 'BTC', '1').isAccepted()
  assert.equal(lever.claim('carol', 'BTC')!.queued, units('BTC', '4'))
  lever.user('dora', { BTC: '7' })
  const told = lever.supply('dora', 'BTC', '7').isAccepted()
  assert.deepEqual(
    told.of('lend.claim').map(({ user, queued }) => [user, queued > 0]),
    [
      [lever.world.user('dora'), false],
      [lever.world.user('bob'), false],
      [lever.world.user('carol'), true],
    ],
  )
  lever.repay('alice', 'BTC', '5').isAccepted()
  assert.equal(lever.pool('BTC').queued, 0)
  assert.equal(lever.claim('bob', 'BTC')?.queued ?? 0, 0)
  lever.world.isReplayable()
})

test('LEND-QUEUE-002: what waits can be taken out of the queue again', () => {
  const lever = drained()
  lever.cancel('bob', 'BTC').isRefused('QUEUE_EMPTY')
  lever.withdraw('bob', 'BTC', '10').isAccepted()
  lever.withdraw('carol', 'BTC', '4').isAccepted()
  lever.cancel('bob', 'BTC').isAccepted()
  assert.deepEqual([lever.claim('bob', 'BTC')!.queued, lever.pool('BTC').queued], [0, units('BTC', '4')])
  lever.repay('alice', 'BTC', '4').isAccepted()
  assert.equal(lever.pool('BTC').queued, 0)
  lever.world.isReplayable()
})

test('LEND-QUEUE-002: a lender has at most twenty places, the last of which goes to the end', () => {
  const lever = drained()
  lever.withdraw('bob', 'BTC', '6').isAccepted()
  for (let n = 0; n < 21; n++) {
    lever.withdraw('bob', 'BTC', '0.01').isAccepted()
    lever.withdraw('carol', 'BTC', '0.01').isAccepted()
  }
  assert.equal(lever.claim('carol', 'BTC')!.queued, units('BTC', '0.21'))
  lever.repay('alice', 'BTC', '5').isAccepted()
  assert.equal(lever.pool('BTC').queued, 0)
  lever.world.isReplayable()
})

test('LEND-RATE-001: the rate climbs with utilization, steeper behind the kink', () => {
  const lever = open().user('alice', { BTC: '100' })
  lever.enter('alice', 'BTC', '100').isAccepted()
  assert.equal(lever.pool('USDT').rate, 5_000_000)
  lever.borrow('alice', 'USDT', '400000').isAccepted()
  assert.equal(Math.round(lever.pool('USDT').rate / 1000), 12_500)
  lever.borrow('alice', 'USDT', '400000').isAccepted()
  assert.equal(Math.round(lever.pool('USDT').rate / 10_000), 2_000)
  lever.borrow('alice', 'USDT', '99990').isAccepted()
  assert.equal(Math.round(lever.pool('USDT').rate / 1_000_000), 110)
  const { rate, earnRate, borrowed, supplied } = lever.pool('USDT')
  assert.ok(Math.abs(earnRate - (rate * 0.85 * borrowed) / supplied) < 2)
})
