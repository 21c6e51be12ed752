/** Limits on deposits, raises that lapse, and what customers are told. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import { Refused } from '../../../refused.ts'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { identityDb } from '../../tables.ts'
import { outcomes } from '../../test/world.ts'
import { Deposits } from '../deposits.ts'
import { OwnLimits } from '../own-limits.ts'
import { confirmMs } from '../policy.ts'
import { Rests } from '../rests.ts'

const { world, rows, customer, proveByCode } = factorWorld()
const day = 86_400_000
const faults: unknown[] = []
afterEach(() => assert.deepEqual(faults.splice(0), []))

function desk() {
  const { store, core, identity, clock } = world()
  const shared = { db: identityDb(store), clock, onFault: (cause: unknown) => void faults.push(cause) }
  const rests = new Rests({ ...shared, factors: identity.factors, keys: identity.keys, submit: core.submit })
  return { rests, deposits: new Deposits(shared.db, clock), limits: new OwnLimits({ ...shared, store, rests, mode: 'production' }) }
}

const notices = async (account: string) =>
  (await rows('select kind from notices where account = $1 order by number', account)).map(({ kind }) => kind as string)

test('USER-LIMIT-009: deposits count gross, and of many equal ones only those within the limit pass', async () => {
  const { account, person } = await customer()
  const { deposits, limits } = desk()
  await limits.set({ kind: 'deposit-day', value: '100' as Decimal }, person)
  const taken = await outcomes(Array.from({ length: 20 }, () => deposits.take(account, 30_000_000n)))
  assert.equal(taken.filter((each) => each === 'done').length, 3)
  assert.ok(taken.every((each) => each === 'done' || each === 'DEPOSIT_LIMIT'))
  assert.equal((await limits.of(account)).results.find(({ kind }) => kind === 'deposit-day')?.result, '90')
  const giveBack = await deposits.take(account, 10_000_000n)
  await assert.rejects(deposits.take(account, 1n), (error) => error instanceof Refused && (error.retryAfter ?? 0) > 0)
  await giveBack()
  await deposits.take(account, 10_000_000n)
  await limits.set({ kind: 'deposit-month', value: '100' as Decimal }, person)
  world().pass(day)
  await assert.rejects(deposits.take(account, 1n), { refusal: 'DEPOSIT_LIMIT' })
})

test('USER-LIMIT-010: a raise that is not confirmed within a week after its wait lapses', async () => {
  const { account, person } = await customer()
  const { limits } = desk()
  await limits.set({ kind: 'loss-day', value: '10' as Decimal }, person)
  await limits.set({ kind: 'loss-day', value: null }, person)
  world().pass(day + confirmMs)
  assert.equal((await limits.of(account)).limits[0]!.next, null)
  await assert.rejects(limits.confirm('loss-day', person), { refusal: 'NOT_FOUND' })
  await limits.set({ kind: 'loss-day', value: null }, person)
  world().pass(day + confirmMs - 1)
  await limits.confirm('loss-day', person)
  assert.equal((await limits.of(account)).limits[0]!.value, null)
})

test('USER-LIMIT-011: the end of the last pause and a raise that took effect make one notice each', async () => {
  const one = await customer()
  const { limits, rests } = desk()
  await proveByCode(one)
  await rests.begin({ cause: 'cool-off', hours: 24 }, one.person)
  await rests.begin({ cause: 'cool-off', hours: 48 }, one.person)
  world().pass(day)
  await rests.end()
  assert.ok(!(await notices(one.account)).includes('rest-ended'))
  world().pass(day)
  await Promise.all([rests.end(), desk().rests.end()])
  await limits.set({ kind: 'loss-week', value: '10' as Decimal }, one.person)
  await limits.set({ kind: 'loss-week', value: '20' as Decimal }, one.person)
  world().pass(day)
  await limits.confirm('loss-week', one.person)
  const told = (await notices(one.account)).filter((kind) => kind === 'rest-ended' || kind === 'limit-raised')
  assert.deepEqual(told, ['rest-ended', 'limit-raised'])
})
