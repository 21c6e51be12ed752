import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../test/world.ts'
import { checkDigits } from '../digits.ts'

test('USER-PAYMENT-002: runs, repetitions, dates and common digits are refused', () => {
  const runs = ['123456', '012345', '890123', '654321', '098765', '543210']
  const repetitions = ['000000', '111111', '121212', '989898', '123123', '407407']
  const dates = ['310184', '013184', '840131', '290200', '001231', '111299', '250695', '062595', '950625']
  const common = ['112233', '159753', '147258', '102030', '520520', '789456']
  for (const digits of [...runs, ...repetitions, ...dates, ...common])
    assert.throws(() => checkDigits(digits), refused('PAYMENT_PASSWORD_COMMON'), digits)
  for (const digits of ['802946', '739105', '935172', '408361', '771934', '350047']) checkDigits(digits)
})
