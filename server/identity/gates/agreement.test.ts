import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreementHash, agreementVersion } from './agreement.ts'

test('USER-REGISTER-004: versions of the agreement are numbered, and each has a SHA-256 of its texts', () => {
  assert.match(agreementVersion, /^[1-9][0-9]*$/)
  assert.match(agreementHash, /^[0-9a-f]{64}$/)
})
