import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import { allocate } from '@candor/core/risk/presale.ts'
import { costOf, estimateOf } from './estimate.ts'

const terms = { price: '0.05', supply: '1000000', purchaseLimit: '10000' }
const of = (subscribed: Decimal, own: Decimal, more: Decimal) => estimateOf({ ...terms, subscribed }, own, more)

test('UI-PRESALE-003: the estimate is the sum at the price, the purchase limit, or the part of the supply by demand, whichever is least', () => {
  assert.deepEqual(of('0', '0', '100'), { tokens: '2000', cost: '100', refund: '0', by: 'sum' })
  assert.deepEqual(of('1000', '400', '200'), { tokens: '10000', cost: '500', refund: '100', by: 'limit' })
  // 200,000 USDT for tokens of 50,000: a quarter.
  assert.deepEqual(of('199900', '100', '100'), { tokens: '1000', cost: '50', refund: '150', by: 'demand' })
  assert.equal(of('0', '0', '0'), undefined)
  assert.equal(costOf('10000', '0.05'), '500')
  assert.equal(costOf('0.000000000000000001', '0.05'), '0.000000000000000001')
})

test('UI-PRESALE-003: it is what the core allocates, or less where others at their purchase limit leave tokens', () => {
  const [payScale, tokenScale] = [6, 4]
  const units = (text: Decimal, scale: number): Units => parseUnits(text, scale)!
  const core = {
    price: { pay: 5 as Units, per: 1 as Units },
    supply: units('100000', tokenScale),
    purchaseLimit: units('90000', tokenScale),
  } as PresaleTerms
  for (const [sums, isExact] of [
    [['300', '7000', '4210.5'], true],
    [['0.2', '1111.111111', '4000'], true],
    [['55', '20', '3'], true],
    [['0.2', '11.111111', '5100'], false],
  ] as const) {
    const [first] = allocate(
      sums.map((sum) => units(sum, payScale)),
      core,
    )
    const others = formatUnits(units(sums[1], payScale) + units(sums[2], payScale), payScale)
    const estimate = estimateOf({ price: '0.05', supply: '100000', purchaseLimit: '90000', subscribed: others }, '0', sums[0])
    const least = units(estimate!.tokens.replace(/(\.\d{4})\d*/, '$1'), tokenScale)
    assert.ok(first! >= least && isExact === first! - least <= 1, `${sums[0]}: ${first} and ${least}`)
  }
})
