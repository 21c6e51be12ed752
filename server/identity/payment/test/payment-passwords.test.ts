/** Tests of the payment password: setting it, guessing it, and races between both. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '../../../refused.ts'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { minute } from '../../test/quick-world.ts'
import { outcomes, refused } from '../../test/world.ts'

const { argon, world, rows, sent, log, customer, proveByCode } = factorWorld()
const day = 86_400_000
const [first, second, wrong] = ['802946', '739105', '640827']
type Customer = Awaited<ReturnType<typeof customer>>

const set = ({ person }: Customer, digits: string, current?: string) =>
  world().identity.paymentPasswords.set({ digits, ...(current === undefined ? {} : { current }) }, person)
const pay = ({ account }: Customer, digits: string) => world().identity.paymentPasswords.require(account, digits, stranger())
const stateOf = ({ account }: Customer) => world().identity.safety(account)

async function withPayment(): Promise<Customer> {
  const one = await customer()
  await proveByCode(one)
  await set(one, first)
  return one
}

test('USER-PAYMENT-001: the first one needs a proof, another one the present one or a proof, and the owner is told', async () => {
  const one = await customer()
  await assert.rejects(pay(one, first), refused('PAYMENT_PASSWORD_UNSET'))
  await assert.rejects(set(one, first), refused('PROOF_NEEDED'))
  await assert.rejects(set(one, second, first), refused('PAYMENT_PASSWORD_UNSET'))
  await proveByCode(one)
  await set(one, first)
  await pay(one, first)
  const [told] = (await sent(one.to)).slice(-1)
  assert.deepEqual([told!.template, told!.closesWithdrawals], ['payment-set', undefined])
  assert.deepEqual([(await stateOf(one)).hasPaymentPassword, (await stateOf(one)).withdrawalsClosedUntil], [true, null])

  world().pass(15 * minute)
  await assert.rejects(set(one, second), refused('PROOF_NEEDED'))
  await assert.rejects(set(one, second, wrong), refused('PAYMENT_PASSWORD_WRONG'))
  await set(one, second, first)
  await assert.rejects(pay(one, first), refused('PAYMENT_PASSWORD_WRONG'))
  await pay(one, second)
  assert.equal((await stateOf(one)).withdrawalsClosedUntil, world().clock() + day)
  const [changed] = (await sent(one.to)).slice(-1)
  assert.deepEqual([changed!.template, changed!.closesWithdrawals], ['payment-set', true])

  const [row] = await rows('select hash from payment_passwords where account = $1', one.account)
  assert.match(String(row!['hash']), /^\$argon2id\$v=19\$/)
  const actions = (await log(one.account)).map((line) => (line as string[])[0])
  assert.equal(actions.filter((action) => action === 'payment-password-set').length, 2)
  assert.ok(!JSON.stringify(await log(one.account)).includes(second))
})

test('USER-PAYMENT-003: the fifth wrong one in a row locks for a day; a right one forgives the others', async () => {
  const one = await withPayment()
  for (let n = 0; n < 4; n++) await assert.rejects(pay(one, wrong), refused('PAYMENT_PASSWORD_WRONG'))
  await pay(one, first)
  for (let n = 0; n < 5; n++) await assert.rejects(pay(one, wrong), refused('PAYMENT_PASSWORD_WRONG'))
  await assert.rejects(pay(one, first), { refusal: 'PAYMENT_PASSWORD_LOCKED', retryAfter: 86_400 })
  await assert.rejects(set(one, second, first), refused('PAYMENT_PASSWORD_LOCKED'))
  assert.equal((await stateOf(one)).paymentLockedUntil, world().clock() + day)
  world().pass(day - 1)
  await assert.rejects(pay(one, first), { refusal: 'PAYMENT_PASSWORD_LOCKED', retryAfter: 1 })
  world().pass(1)
  await assert.rejects(pay(one, wrong), refused('PAYMENT_PASSWORD_WRONG'))
  await pay(one, first)
  assert.equal((await stateOf(one)).paymentLockedUntil, null)
})

test('USER-PAYMENT-003: of fifty parallel guesses five are compared', async () => {
  const one = await withPayment()
  const answers = await outcomes(Array.from({ length: 50 }, () => pay(one, wrong)))
  assert.deepEqual(
    ['PAYMENT_PASSWORD_WRONG', 'PAYMENT_PASSWORD_LOCKED'].map((name) => answers.filter((answer) => answer === name).length),
    [5, 45],
  )
  const other = await withPayment()
  const changes = await outcomes(Array.from({ length: 50 }, () => set(other, second, wrong)))
  assert.equal(changes.filter((answer) => answer === 'PAYMENT_PASSWORD_WRONG').length, 5)
})

test('USER-PAYMENT-003: one that could not be compared does not count', async () => {
  const one = await withPayment()
  for (let n = 0; n < 4; n++) await assert.rejects(pay(one, wrong), refused('PAYMENT_PASSWORD_WRONG'))
  argon.fault = new Refused('UNAVAILABLE')
  for (let n = 0; n < 3; n++) await assert.rejects(pay(one, first), refused('UNAVAILABLE'))
  argon.fault = undefined
  await pay(one, first)
})

test('USER-PAYMENT-004: a new one after a proof ends the lock', async () => {
  const one = await withPayment()
  await outcomes(Array.from({ length: 5 }, () => pay(one, wrong)))
  await set(one, second)
  await pay(one, second)
  assert.equal((await stateOf(one)).withdrawalsClosedUntil, world().clock() + day)
})

test('USER-PAYMENT-004: an ended session changes nothing, and of two changes by the same present one the second is refused', async () => {
  const one = await withPayment()
  const answers = await outcomes([set(one, second, first), set(one, '316084', first)])
  assert.deepEqual([...answers].sort(), ['PAYMENT_PASSWORD_WRONG', 'done'])
  const two = await withPayment()
  await rows('update sessions set revoked_at = 1 where account = $1', two.account)
  await assert.rejects(set(two, second, first), refused('UNAUTHENTICATED'))
  await pay(two, first)
})
