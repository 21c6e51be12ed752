import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsEverybody, ruleFault } from './rule-form.ts'

const rule = (addressPeople: number, ...people: readonly number[]) => ({
  bands: people.map((count, n) => ({ upTo: n === people.length - 1 ? null : String(1000 * (n + 1)), people: count })),
  addressPeople,
})

test('UI-FIRM-003: a rule that needs everybody who approves is warned of, and one with a spare person or of one person is not', () => {
  for (const [one, approvers, isWarned] of [
    [rule(1, 1, 2), 2, true],
    [rule(3, 1), 3, true],
    [rule(2, 1, 2), 3, false],
    [rule(1, 1), 1, false],
    // Somebody stopped approving.
    [rule(3, 3), 2, true],
  ] as const)
    assert.equal(needsEverybody(one, approvers), isWarned, JSON.stringify(one))
})

test('UI-FIRM-003: bands rise in value and people, and ask for no more people than may approve', () => {
  assert.equal(ruleFault(rule(2, 1, 2), 2), undefined)
  assert.equal(ruleFault(rule(1, 2, 1), 2), 'rising')
  assert.equal(
    ruleFault(
      {
        ...rule(1, 1, 1),
        bands: [
          { upTo: '0', people: 1 },
          { upTo: null, people: 1 },
        ],
      },
      2,
    ),
    'rising',
  )
  assert.equal(ruleFault(rule(3, 1), 2), 'people')
})
