import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Days, Units } from '../../../money/brand.ts'
import { allocate, costOf, releaseDayAfter, releasedBy, tokensFor, wrongPresaleTerm } from '../../../risk/presale.ts'
import type { ReleaseTerms } from '../../../protocol/command/presale.ts'
import { asTerms, beginsAt, dayMs, presaleTerms, whole } from './presale-world.ts'

type Fraction = { readonly n: bigint; readonly d: bigint }

/**
 * The same by exact fractions, slowly: whoever would get more than their cap gets the cap, and the others share again what is left, until
 * nobody does. Then the largest fractions are rounded up one by one.
 */
function slowly(sums: readonly number[], supply: number, limit: number, price: { readonly pay: number; readonly per: number }): number[] {
  const caps = sums.map((sum) => {
    const buys = (BigInt(sum) * BigInt(price.per)) / BigInt(price.pay)
    return buys < BigInt(limit) ? buys : BigInt(limit)
  })
  const capped = new Set<number>()
  let shares: Fraction[] = []
  for (;;) {
    const left = BigInt(supply) - [...capped].reduce((total, at) => total + caps[at]!, 0n)
    const sum = sums.reduce((total, one, at) => (capped.has(at) ? total : total + BigInt(one)), 0n)
    shares = sums.map((one, at) => (capped.has(at) || sum === 0n ? { n: caps[at]!, d: 1n } : { n: left * BigInt(one), d: sum }))
    const over = shares.flatMap(({ n, d }, at) => (!capped.has(at) && n >= caps[at]! * d ? [at] : []))
    if (over.length === 0) break
    for (const at of over) capped.add(at)
  }
  const units = shares.map(({ n, d }) => n / d)
  const shared = units.reduce((total, one) => total + one, 0n)
  const rests = shares.map(({ n, d }, at) => ({ at, n: n % d, d })).filter(({ n }) => n > 0n)
  rests.sort((a, b) => Number(b.n * a.d > a.n * b.d) - Number(b.n * a.d < a.n * b.d) || a.at - b.at)
  // All have what they want, or whole units are missing that the cut-off fractions make up.
  const missing = capped.size === sums.length ? 0n : BigInt(supply) - shared
  for (const { at } of rests.slice(0, Number(missing))) units[at] = units[at]! + 1n
  return units.map(Number)
}

const size = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2 ** 50 }), fc.constantFrom(1, 7, 1000, 2 ** 50))

test('PRESALE-ALLOCATE-001: the supply is shared in proportion under the limit to the unit, as slow exact fractions share it', () => {
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 30 }), size, size, size, size, (sums, supply, limit, pay, per) => {
      const terms = asTerms({ price: { pay, per }, supply, purchaseLimit: Math.min(limit, supply) })
      const shares = allocate(sums as Units[], terms)
      assert.deepEqual(shares, slowly(sums, supply, Math.min(limit, supply), { pay, per }))
    }),
    { numRuns: 3000 },
  )
})

test('PRESALE-ALLOCATE-002: never more than the supply, the limit or what the sum pays for; more money never gets less', () => {
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 60 }), size, size, size, size, (sums, supply, limit, pay, per) => {
      const terms = asTerms({ price: { pay, per }, supply, purchaseLimit: Math.min(limit, supply) })
      const shares = allocate(sums as Units[], terms)
      const sold = shares.reduce((total, share) => total + BigInt(share), 0n)
      const wanted = sums.reduce((total, sum) => total + BigInt(Math.min(terms.purchaseLimit, tokensFor(sum as Units, terms.price))), 0n)
      assert.equal(sold, wanted < BigInt(supply) ? wanted : BigInt(supply))
      for (const [at, share] of shares.entries()) {
        assert.ok(share >= 0 && share <= terms.purchaseLimit)
        const cost = costOf(share, terms.price)
        assert.ok(cost <= sums[at]!, `${share} cost ${cost} of ${sums[at]}`)
        // Less than a pay unit is rounded up.
        assert.ok(BigInt(cost) * BigInt(per) - BigInt(share) * BigInt(pay) < BigInt(per))
        for (const [other, share2] of shares.entries()) if (sums[other]! > sums[at]!) assert.ok(share2 >= share - 1)
      }
    }),
    { numRuns: 1000 },
  )
})

test('PRESALE-ALLOCATE-003: of equal fractions the earlier subscriber gets the last unit', () => {
  const terms = asTerms({ price: { pay: 1, per: 1 }, supply: 10, purchaseLimit: 10 })
  assert.deepEqual(allocate([5, 5, 5, 5] as Units[], terms), [3, 3, 2, 2])
  assert.deepEqual(allocate([100, 1, 1] as Units[], asTerms({ price: { pay: 1, per: 1 }, supply: 10, purchaseLimit: 4 })), [4, 1, 1])
  assert.deepEqual(allocate([] as Units[], terms), [])
})

const kinds = fc.constantFrom('cliff', 'linear', 'steps')
const schedule = fc.record({
  kind: kinds,
  lockDays: fc.integer({ min: 1, max: 400 }),
  atListingPpm: fc.integer({ min: 0, max: 999_999 }),
  seed: fc.nat(),
})

test('PRESALE-RELEASE-001: over a schedule, what is free only grows, follows the terms, and is the whole allocation on the last day', () => {
  fc.assert(
    fc.property(schedule, size, ({ kind, lockDays, atListingPpm, seed }, allocated) => {
      const left = 1_000_000 - atListingPpm
      const first = 1 + (seed % left)
      const isOne = first === left || lockDays === 1
      const steps = isOne
        ? [{ day: lockDays, ppm: left }]
        : [
            { day: 1 + (seed % (lockDays - 1)), ppm: first },
            { day: lockDays, ppm: left - first },
          ]
      const release = { kind, lockDays, atListingPpm, steps: kind === 'steps' ? steps : [] } as unknown as ReleaseTerms
      assert.equal(wrongPresaleTerm(asTerms({ release })), undefined)
      let [day, free] = [0 as Days, releasedBy(allocated as Units, release, 0 as Days)]
      assert.equal(free, Number((BigInt(allocated) * BigInt(atListingPpm)) / 1_000_000n))
      for (let next = releaseDayAfter(release, 0 as Days); next !== undefined; next = releaseDayAfter(release, day)) {
        const now = releasedBy(allocated as Units, release, next)
        assert.ok(next > day && now >= free)
        // Between two days of the schedule nothing becomes free.
        assert.equal(releasedBy(allocated as Units, release, (next - 1) as Days), free)
        ;[day, free] = [next, now]
      }
      assert.deepEqual([day, free], [lockDays, allocated])
    }),
  )
})

test('PRESALE-TERMS-001: terms that make no sense are named', () => {
  const wrong = (changed: object) => wrongPresaleTerm(asTerms(changed))
  const { release, supply, price } = presaleTerms
  assert.equal(wrong({}), undefined)
  assert.equal(wrong({ release: { ...release, lockDays: 0, atListingPpm: 1_000_000 } }), undefined)
  const cases: readonly (readonly [string, object])[] = [
    ['price', { price: { ...price, pay: 0 } }],
    ['price', { price: { ...price, per: -1 } }],
    ['supply', { supply: 0 }],
    ['supply', { supply: 2 ** 50, price: { pay: 2, per: 1 }, purchaseLimit: 1 }],
    ['purchaseLimit', { purchaseLimit: supply + 1 }],
    ['purchaseLimit', { purchaseLimit: 0 }],
    ['subscriptionMin', { subscriptionMin: 0 }],
    ['subscriptionMin', { subscriptionMin: 1, price: { pay: 2, per: 1 } }],
    ['subscriptionMax', { subscriptionMax: 9 * whole.usdt }],
    ['softCap', { softCap: -1 }],
    ['softCap', { softCap: 25_000 * whole.usdt + 1 }],
    ['endsAt', { endsAt: beginsAt }],
    ['endsAt', { endsAt: beginsAt + 91 * dayMs }],
    ['documentHash', { documentHash: 'AB'.repeat(32) }],
    ['documentHash', { detailsHash: 'ab' }],
    ['atListingPpm', { release: { ...release, atListingPpm: 1_000_001 } }],
    ['lockDays', { release: { ...release, atListingPpm: 1_000_000 } }],
    ['lockDays', { release: { ...release, lockDays: 0 } }],
    ['lockDays', { release: { ...release, lockDays: 3651 } }],
    ['steps', { release: { ...release, steps: [{ day: 30, ppm: 800_000 }] } }],
    ['steps', { release: { ...release, kind: 'steps' } }],
    ['steps', { release: { ...release, kind: 'steps', steps: [{ day: 30, ppm: 700_000 }] } }],
    ['steps', { release: { ...release, kind: 'steps', steps: [{ day: 29, ppm: 800_000 }] } }],
    [
      'steps',
      {
        release: {
          ...release,
          kind: 'steps',
          steps: [
            { day: 30, ppm: 400_000 },
            { day: 30, ppm: 400_000 },
          ],
        },
      },
    ],
  ]
  for (const [name, changed] of cases) assert.equal(wrong(changed), name, JSON.stringify(changed))
})
