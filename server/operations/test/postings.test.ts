import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecisionNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { Refused } from '../../refused.ts'
import type { Listing } from '../kinds.ts'
import { postingOf } from '../postings.ts'

const listing = { assets: [{ id: 1, symbol: 'USDT', scale: 6 }], markets: [] } as unknown as Listing
const [alice, bob] = ['100000001', '100000002']
const holders = new Map([alice, bob].map((uid, place) => [uid, (place + 1) as UserId]))

/** The amount that goes to the core, or the field that is refused. */
function made(from: string, to: string, amount = '1'): number | string {
  const people = { proposer: 1, approver: 2, reason: 'ticket 7' }
  try {
    return postingOf({ from, to, asset: 'USDT', amount }, 3 as DecisionNumber, holders, people, listing).amount
  } catch (cause) {
    const { refusal, field } = cause as Refused
    return `${refusal} ${field}`
  }
}

test('OPERATIONS-POST-003: a posting between two customers, or from an account to itself, is no posting', () => {
  assert.equal(made(alice, bob), 'FIELD_INVALID terms.to')
  assert.equal(made(alice, alice), 'FIELD_INVALID terms.to')
  assert.equal(made('fees', 'fees'), 'FIELD_INVALID terms.to')
  assert.deepEqual([made(alice, 'fees'), made('fees', bob), made('fees', 'insurance')], [1_000_000, 1_000_000, 1_000_000])
  // More than a number holds exactly.
  assert.equal(made(alice, 'fees', '9999999999999999.999999'), 'FIELD_INVALID terms.amount')
})
