import assert from 'node:assert/strict'
import test from 'node:test'
import { countryOfPhone } from './countries.ts'

test('UI-GATE-001: the country of a number is preset if its calling code is of one country, or of the likely one', () => {
  assert.equal(countryOfPhone('+4915123456789', 'FR'), 'DE')
  assert.equal(countryOfPhone('+85291234567', 'FR'), 'HK')
  assert.equal(countryOfPhone('+12125550123', 'CA'), 'CA')
  assert.equal(countryOfPhone('+12125550123', 'FR'), undefined)
  assert.equal(countryOfPhone('+447911123456', 'GB'), 'GB')
  assert.equal(countryOfPhone('+', 'GB'), undefined)
})
