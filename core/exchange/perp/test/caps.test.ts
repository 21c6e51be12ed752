/** The insurance fund's three caps, each to the unit, while the other two leave room. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import { acceptable, noteRisk } from '../positions/carry.ts'
import type { Contract } from '../records/state.ts'
import { Alone } from './alone.ts'

/** Risk of a lot without a loss, at a mark of 100: 20 % of its value. */
const lotRisk = 20

/** A fund of 1,000,000: 100,000 for a market, 250,000 for all, 50,000 for a market within ten minutes. */
class Caps extends Alone {
  constructor() {
    super(1_000_000)
  }

  /** An inventory that loses `loss` at the mark. */
  carries(contract: Contract, lots: number, loss = 0): this {
    contract.inventory.lots = lots as Lots
    contract.inventory.cost = (lots * 100 + loss) as Units
    return this
  }

  /** Lots that the fund takes of a long and of a short position of 100 at the mark. */
  get takes(): readonly number[] {
    const of = (lots: number) => acceptable(this.x, this.contract, lots as Lots, 100 as Ticks)
    return [of(100), of(-100)]
  }
}

test('PERP-FUND-004: 25 % of the fund are at risk in all markets, and not one unit more', () => {
  const three = (loss: number): Caps => {
    const caps = new Caps()
    // Three markets of 83,320, each below its 100,000, leave 40 of 250,000 for a fourth one.
    for (const id of [4, 5, 6]) caps.carries(caps.lists(id), 83_320 / lotRisk, id === 6 ? loss : 0)
    return caps
  }
  assert.deepEqual(three(0).takes, [2, 2])
  assert.deepEqual(three(1).takes, [1, 1])
  assert.deepEqual(three(20).takes, [1, 1])
  assert.deepEqual(three(21).takes, [0, 0])
})

test('PERP-FUND-004: 10 % of the fund are at risk in a market, and not one unit more', () => {
  const here = (loss: number): number => {
    const caps = new Caps()
    // 99,960 of 100,000.
    return caps.carries(caps.contract, 99_960 / lotRisk, loss).takes[0]!
  }
  assert.deepEqual([here(0), here(1), here(20), here(21)], [2, 1, 1, 0])
})

test('PERP-FUND-004: 5 % of the fund are taken over in a market within ten minutes, and not one unit more', () => {
  const recent = (price: number): readonly number[] => {
    const caps = new Caps().at(1_000_000)
    const notes = (lots: number, at: number) => noteRisk(caps.x, caps.contract, lots as Lots, at as Ticks)
    // 2,497 × 20 and the last one: 49,960 of 50,000, and its loss.
    notes(2_497, 100)
    notes(1, price)
    return caps.takes
  }
  assert.deepEqual(recent(100), [2, 2])
  assert.deepEqual(recent(101), [1, 1])
  assert.deepEqual(recent(120), [1, 1])
  assert.deepEqual(recent(121), [0, 0])
})
