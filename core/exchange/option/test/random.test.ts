import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outcomeOf, pointsOf } from '../../../proof/second.ts'
import { worstCase } from '../../../risk/option.ts'
import { Exchange } from '../../exchange.ts'
import { firstTerms, given, units } from './world.ts'
import type { OptionWorld } from './world.ts'

const names = ['alice', 'bob', 'carol']
const name = fc.constantFrom(...names)

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      ms: fc.integer({ min: 0, max: 400 }),
      move: fc.integer({ min: -3, max: 3 }),
      isGood: fc.nat(60),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 300, max: 9000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      name,
      direction: fc.constantFrom('up' as const, 'down' as const),
      stake: fc.integer({ min: 1, max: 1_200 }),
      seconds: fc.constantFrom(5, 7, 12, 13),
      guardPpm: fc.constantFrom(0, 0, 20),
      market: fc.constantFrom(1, 3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), name, lossMax: fc.integer({ min: 0, max: 3000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('terms' as const),
      gapMaxMs: fc.integer({ min: 500, max: 3500 }),
      strikeDelayMs: fc.integer({ min: 1, max: 4000 }),
      windowPpm: fc.integer({ min: 10_000, max: 250_000 }),
      isOpen: fc.nat(5),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
)

const rates = [5, 7, 12].map((seconds) => ({ seconds, profitPpm: 800_000 + seconds }))

test('OPTION-RANDOM-001: after any commands the holds are those of open orders, outcomes follow from the tape, and a restored copy agrees', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 160 }), (steps) => {
      const world = given({ rates, marketExposurePpm: 200_000, totalExposurePpm: 300_000, houseFloor: units(2000) }, 6000)
      for (const one of names) world.trader(one, 5000)
      let btc = 60_000
      for (const one of steps) {
        if (one.do === 'tick') {
          pass(world, one.ms)
          btc += one.move
          const prices = one.move === 0 ? {} : { 1: btc, 3: 3000 + one.move / 100 }
          world.tick(prices, one.isGood === 0 ? { isGood: false, sources: 2 } : {})
        } else if (one.do === 'pass') pass(world, one.ms)
        else if (one.do === 'open') world.open(one.name, one.direction, one)
        else if (one.do === 'limit')
          world.do({ type: 'option.setLimits', user: world.world.user(one.name), lossMax: units(one.lossMax), coolOffUntil: 0 })
        else if (one.do === 'terms') {
          const { gapMaxMs, strikeDelayMs, windowPpm } = one
          const own = { rates, marketExposurePpm: 200_000, totalExposurePpm: 300_000, houseFloor: units(2000) }
          world.do({
            type: 'option.setTerms',
            terms: { ...firstTerms, ...own, gapMaxMs, strikeDelayMs, windowPpm, isOpen: one.isOpen > 0 },
          })
        } else world.world.exchange = Exchange.restore(world.world.exchange.dump())
        check(world)
      }
      for (let n = 0; n < 100; n++) {
        pass(world, 250)
        world.tick({ 1: btc })
      }
      assert.equal(world.settled.size, world.opened.size, 'all are settled')
      for (const settled of world.settled.values()) {
        const opened = world.opened.get(settled.order)!
        const found = outcomeOf(pointsOf(world.tape, opened.market), opened)!
        assert.deepEqual([settled.result, settled.reason, settled.price], [found.result, found.reason, found.price])
      }
      check(world)
      world.world.isReplayable()
    }),
    { numRuns: 60 },
  )
})

function pass(world: OptionWorld, ms: number): void {
  world.silence(ms)
}

/** Checks that customers hold the stakes of their open orders, that the house holds all possible profits, and worst cases are covered. */
function check(world: OptionWorld): void {
  const { exchange } = world.world
  let profits = 0
  const sides = new Map<number, { upStake: number; upProfit: number; downStake: number; downProfit: number }>()
  for (const one of names) {
    const user = world.world.user(one)
    let stakes = 0
    for (const { stake, profit, market, direction } of exchange.openOptions(user)) {
      stakes += stake
      profits += profit
      const sum = sides.get(market) ?? { upStake: 0, upProfit: 0, downStake: 0, downProfit: 0 }
      if (direction === 'up') sides.set(market, { ...sum, upStake: sum.upStake + stake, upProfit: sum.upProfit + profit })
      else sides.set(market, { ...sum, downStake: sum.downStake + stake, downProfit: sum.downProfit + profit })
    }
    assert.equal(heldOf(world, one), stakes)
    assert.equal(exchange.optionMe(user).openStakes, stakes)
  }
  assert.equal(heldOf(world, 'option-house'), profits)
  for (const sum of sides.values()) assert.ok(worstCase(sum) <= profits)
}

function heldOf(world: OptionWorld, owner: string): number {
  return Math.round(Number(world.balance(owner).split('+')[1]) * 1e6)
}
