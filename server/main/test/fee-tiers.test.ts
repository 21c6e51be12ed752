import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstFees, firstPerpFees } from '../defaults.ts'

const million = 1_000_000

test('PERP-FEE-006: two accounts that trade with each other up to a tier of Futures pay more than the tier saves both, with half of the fees back', () => {
  let paid = 0
  firstPerpFees.forEach((tier, step) => {
    if (step === 0) return
    const [first, before] = [firstPerpFees[0]!, firstPerpFees[step - 1]!]
    paid += ((tier.volumeMin - before.volumeMin) * (before.makerPpm + before.takerPpm)) / million
    for (const role of ['makerPpm', 'takerPpm'] as const) {
      const saved = (2 * tier.volumeMin * (first[role] - tier[role])) / million
      assert.ok(paid / 2 > saved, `tier ${step} as ${role}: ${paid / 2} does not exceed ${saved}`)
    }
  })
})

test('PERP-FEE-006: no rate of the first schedules is zero, and rates only fall with the tier', () => {
  for (const tiers of [firstFees, firstPerpFees])
    tiers.forEach(({ makerPpm, takerPpm }, step) => {
      assert.ok(makerPpm > 0 && takerPpm > 0)
      const before = tiers[step - 1]
      if (before !== undefined) assert.ok(makerPpm <= before.makerPpm && takerPpm <= before.takerPpm)
    })
  // A firm's tier is a number for both products.
  assert.equal(firstPerpFees.length, firstFees.length)
})
