import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { refusedHere, stamped, submitFor } from '../auth.ts'
import { ApiError } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import { OrderCounts } from '../order-counts.ts'
import { restless } from './key-world.ts'

const owner = { user: 7 as UserId, class: 'retail', keyId: 3, restUntil: 0 } as ApiUser
const at = Date.UTC(2026, 0, 5, 12)
const command = (type: Command['type']) => ({ type }) as Command
const tooMany = { code: -1015 }

let submitted: (readonly [type: string, keyId: number | undefined])[]
let outcome: Outcome
let orderCounts: Record<'spot' | 'futures', OrderCounts>
const context = () => ({
  ...restless,
  orderCounts,
  now: () => at as Millis,
  submit: async ({ type }: Command, keyId?: number) => {
    submitted.push([type, keyId])
    return outcome
  },
})
const refused = (family: 'spot' | 'futures') => orderCounts[family].read(owner.user, at).tenSeconds
const same = (given: Outcome) => given

beforeEach(() => {
  submitted = []
  outcome = { refusal: 'ORDER_UNKNOWN' } as Outcome
  orderCounts = { spot: new OrderCounts(), futures: new OrderCounts() }
})

test('API-LIMIT-006: a refused cancel, amend or transfer counts in the rate of its family, and a successful one does not', async () => {
  assert.equal(await submitFor(context(), owner, command('spot.cancel'), same), outcome)
  assert.deepEqual([refused('spot'), refused('futures')], [1, 0])
  await submitFor(context(), owner, command('perp.cancel'), same)
  assert.deepEqual([refused('spot'), refused('futures')], [1, 1])
  outcome = {} as Outcome
  assert.equal(await submitFor(context(), owner, command('spot.cancel'), () => 'done'), 'done')
  await submitFor(context(), owner, command('perp.cancel'), same)
  assert.deepEqual([refused('spot'), refused('futures')], [1, 1])
  assert.deepEqual(submitted, [
    ['spot.cancel', 3],
    ['perp.cancel', 3],
    ['spot.cancel', 3],
    ['perp.cancel', 3],
  ])
})

test('API-LIMIT-006: a command counted as an order is not counted again when it is refused, nor held up', async () => {
  for (let i = 0; i < 100; i++) for (const family of ['spot', 'futures'] as const) orderCounts[family].refused(owner.user, at)
  for (const type of ['spot.place', 'spot.placeOco', 'perp.place', 'perp.amend'] as const) {
    assert.equal(await submitFor(context(), owner, command(type), same), outcome, type)
  }
  assert.deepEqual([refused('spot'), refused('futures')], [100, 100])
  assert.equal(submitted.length, 4)
})

test('API-LIMIT-006: after too many refused commands in one family the next is not sent; the other family continues', async () => {
  for (let i = 0; i < 100; i++) await submitFor(context(), owner, command('perp.cancel'), same)
  assert.throws(() => submitFor(context(), owner, command('perp.cancel'), same), tooMany)
  assert.throws(() => refusedHere(context(), owner, 'futures', new ApiError(-2011, 'Unknown order sent.')), tooMany)
  assert.equal(submitted.length, 100)
  await submitFor(context(), owner, command('spot.cancel'), same)
  assert.equal(submitted.length, 101)
})

test('API-LIMIT-006: refusals by the gateway count like refusals of the exchange', () => {
  const unknown = new ApiError(-2011, 'Unknown order sent.')
  for (let i = 0; i < 100; i++) assert.equal(refusedHere(context(), owner, 'spot', unknown), unknown)
  assert.deepEqual([refused('spot'), refused('futures')], [100, 0])
  assert.throws(() => refusedHere(context(), owner, 'spot', unknown), tooMany)
  assert.throws(() => submitFor(context(), owner, command('spot.cancel'), same), tooMany)
})

test('API-AUTH-014: a stamped exchange returns the outcome unchanged', async () => {
  const own = stamped(context(), owner)
  assert.equal(await own.submit(command('spot.cancel')), outcome)
  assert.deepEqual(submitted, [['spot.cancel', 3]])
})
