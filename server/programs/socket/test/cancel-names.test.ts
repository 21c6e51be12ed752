import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CancelOrder } from '@candor/core/protocol/command/spot.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { CancelNames } from '../cancel-names.ts'

const [alice, bob] = [1 as UserId, 2 as UserId]
const cancel = (user: UserId, order: number, orderClientId: string, clientId: string): CancelOrder =>
  ({ type: 'spot.cancel', user, clientId, market: 1, order, orderClientId }) as CancelOrder

test('API-USER-004: a cancelled order’s report has the client id of its owner’s cancel, whatever others send', () => {
  const names = new CancelNames()
  const own = { order: 7 as OrderId, user: alice, clientId: 'own' }
  names.note(cancel(bob, 7, '', 'not-yours'))
  names.note(cancel(bob, 0, 'own', 'not-yours'))
  assert.equal(names.of(own), undefined)
  names.note(cancel(alice, 0, '7', 'of-another'))
  assert.equal(names.of(own), undefined)
  names.note(cancel(alice, 7, '', 'mine'))
  assert.equal(names.of(own), 'mine')
  assert.equal(names.of({ order: 8 as OrderId, user: alice, clientId: '7' }), 'of-another')
})
