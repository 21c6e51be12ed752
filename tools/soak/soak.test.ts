import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingIn } from './readings.ts'
import { bytesPerMillion, type Reading, verdict } from './verdict.ts'

const steady = (n: number): Reading => ({
  atMs: n * 10_000,
  memory: { engine: 100e6 + (n % 3) * 10e6, gateway: 200e6 },
  heap: {},
  arrays: {},
  handles: { engine: 10, gateway: 50 + (n % 5) },
  descriptors: { engine: 20 },
  tables: { orders: { dead: 5_000, live: 10_000 } },
  databaseBytes: 1e9 + n * 1e6,
  orders: n * 10_000,
})
const run = (change: (one: Reading, n: number) => Reading): readonly Reading[] =>
  Array.from({ length: 120 }, (_, n) => change(steady(n), n))
const bad = (readings: readonly Reading[]): readonly string[] => verdict(readings).flatMap(({ what, isGood }) => (isGood ? [] : [what]))

test('WATCH-SOAK-001: steady memory, handles and tables are good, however they grew in the first half', () => {
  assert.deepEqual(bad(run((one) => one)), [])
  const grown = run((one, n) => ({ ...one, memory: { engine: 100e6 + Math.min(n, 60) * 2e6 }, handles: { engine: Math.min(n, 60) } }))
  assert.deepEqual(bad(grown), [])
  // Garbage that is collected now and then, once in each part that is compared.
  const sawtooth = run((one, n) => ({ ...one, memory: { follower: 300e6 + (n % 11) * 20e6 + (n > 100 ? 8e6 : 0) } }))
  assert.deepEqual(bad(sawtooth), [])
  assert.deepEqual(bad([steady(1)]), ['readings'])
})

test('WATCH-SOAK-002: memory that grows by more than 5 % in the second half, handles by more than 20, or rows that nobody vacuums are bad', () => {
  assert.deepEqual(bad(run((one, n) => ({ ...one, memory: { engine: 100e6 * (1 + n * 0.0008), gateway: 100e6 * (1 + n * 0.0016) } }))), [
    'memory of gateway',
  ])
  assert.deepEqual(bad(run((one, n) => ({ ...one, handles: { engine: n }, descriptors: { engine: 10 } }))), ['handles of engine'])
  assert.deepEqual(bad(run((one) => ({ ...one, tables: { orders: { dead: 103_001, live: 10_000 } } }))), ['dead rows of orders'])
})

test('WATCH-SOAK-003: the disk for a million orders is the growth of the database, and a reading comes from the metrics', () => {
  assert.equal(bytesPerMillion(run((one) => one)), 100e6)
  assert.equal(bytesPerMillion([steady(1)]), undefined)
  const text = [
    '# HELP candor_process_resident_bytes x',
    'candor_process_resident_bytes{process="engine"} 5',
    'candor_process_heap_bytes{process="engine"} 3',
    'candor_process_external_bytes{process="engine"} 1',
    'candor_process_handles{process="engine"} 6',
    'candor_process_descriptors{process="engine"} 7',
    'candor_table_dead_rows{table="orders"} 8',
    'candor_table_live_rows{table="orders"} 9',
    'candor_database_bytes 1e3',
    '',
  ].join('\n')
  const { atMs: _, ...reading } = readingIn(text, 11)
  assert.deepEqual(reading, {
    ...{ memory: { engine: 5 }, heap: { engine: 3 }, arrays: { engine: 1 }, handles: { engine: 6 }, descriptors: { engine: 7 } },
    ...{ tables: { orders: { dead: 8, live: 9 } }, databaseBytes: 1_000, orders: 11 },
  })
})
