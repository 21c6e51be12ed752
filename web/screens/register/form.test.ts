import assert from 'node:assert/strict'
import test from 'node:test'
import { emptyForm, errorsOf } from './form.ts'

const complete = { code: '123456', password: 'long enough', passwordAgain: 'long enough', isOfAge: true, hasAgreed: true }

test('a complete form has no errors, an empty one names what is missing', () => {
  assert.deepEqual(errorsOf(complete), {})
  assert.deepEqual(errorsOf(emptyForm), { code: true, password: true, isOfAge: true, hasAgreed: true })
})

test('each wrong field gives one error', () => {
  assert.deepEqual(errorsOf({ ...complete, code: '12345a' }), { code: true })
  assert.deepEqual(errorsOf({ ...complete, passwordAgain: 'other' }), { passwordAgain: true })
  assert.deepEqual(errorsOf({ ...complete, password: 'a'.repeat(129), passwordAgain: 'a'.repeat(129) }), { password: true })
  assert.deepEqual(errorsOf({ ...complete, hasAgreed: false }), { hasAgreed: true })
  assert.deepEqual(errorsOf({ ...complete, isOfAge: false }), { isOfAge: true })
})
