import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokedIn, ticketIn } from '../facts.ts'

const odd: readonly unknown[] = [
  undefined,
  null,
  0,
  'text',
  [],
  {},
  { account: 'a', sessions: 1 },
  { account: 1, sessions: [] },
  { user: '7', ticket: 't' },
]

test('GATEWAY-SHARED-010: a fact of another gateway that can’t be read counts as lost', () => {
  for (const fact of odd) assert.deepEqual([revokedIn(fact), ticketIn(fact)], [undefined, undefined])
  assert.deepEqual(revokedIn({ account: 'a', sessions: ['s'] }), { account: 'a', sessions: ['s'], isActing: false })
  assert.deepEqual(revokedIn({ account: 'a', sessions: [], isActing: true }), { account: 'a', sessions: [], isActing: true })
  assert.deepEqual(ticketIn({ user: 7, ticket: 't' }), { user: 7, ticket: 't' })
})
