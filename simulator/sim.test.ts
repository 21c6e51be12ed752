import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedsOf } from './kept.ts'
import { simulate } from './simulate.ts'

const seeds = seedsOf('spot', 24)
const steps = 1500

let trades = 0
const limited = { refused: 0, closed: 0 }
const prevented = new Map<string, number>()

for (const seed of seeds) {
  test(`SIM-ORACLE-001: seed ${seed}: exchange, oracle and auditor agree after each of ${steps} commands, and after replay and restore`, () => {
    const report = simulate(seed, steps, 500)
    trades += report.trades
    limited.refused += report.limited.refused
    limited.closed += report.limited.closed
    for (const [mode, count] of report.prevented) prevented.set(mode, (prevented.get(mode) ?? 0) + count)
  })
}

// Only a retail customer's last thousand requests are remembered. In this seed a customer makes more than that.
test('SIM-ORACLE-001: seed 2 for 3000 commands: exchange, oracle and auditor agree on forgotten requests', () => {
  trades += simulate(2, 3000).trades
})

test('SIM-ORACLE-002: the runs contain a minimum number of trades', () => {
  assert.ok(trades > seeds.length * 100, `${trades} trades`)
})

test('SIM-ORACLE-004: in production the daily limit refuses and closes orders', () => {
  assert.ok(limited.refused > 1000, `${limited.refused} orders refused`)
  assert.ok(limited.closed > 20, `${limited.closed} orders closed`)
})

test('SIM-ORACLE-005: the runs contain prevented matches of every mode', () => {
  for (const mode of ['expire-taker', 'expire-maker', 'expire-both', 'decrement'])
    assert.ok((prevented.get(mode) ?? 0) > seeds.length, `${prevented.get(mode)} matches with ${mode}`)
})

test('SIM-ORACLE-003: the same seed gives the same state', () => {
  assert.deepEqual(simulate(7, 600), simulate(7, 600))
})
