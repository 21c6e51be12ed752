/** Compares the binary form of a column with its text form, both read by PostgreSQL. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatFixed } from '@candor/core/money/units.ts'
import { ArrayBytes, type ColumnType, type Value } from '../projection/array-bytes.ts'
import { arrayLiteral, Columns } from '../projection/columns.ts'
import type { Store } from '../open.ts'
import { type ScratchServer, startScratchServer } from './scratch.ts'

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())

const perArray = 256
const texts = ['', 'BTCUSDT', 'null', 'a "quoted" \\ {one}, two', 'größer', '繁體中文', '🙂', 'x'.repeat(5000)]
const values: Readonly<Record<ColumnType, readonly Value[]>> = {
  bigint: [0, 1, -1, 255, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null],
  integer: [0, 1, -1, 65_536, 2 ** 31 - 1, -(2 ** 31), null],
  boolean: [true, false, null],
  text: [...texts, null],
  jsonb: ['{"a":[1,"größer"],"b":null}', '[]', '"x"', null],
  bytea: ['\\x', '\\x00ff10', `\\x${'ab'.repeat(3000)}`, null],
  numeric: [
    ...[0, 1, -1, 9_999, 10_000, 10_001, 120_000_000, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
    ...[
      '0',
      '0.0',
      '-0.5',
      '0.00000001',
      '1.2300',
      '10000.0001',
      '99999999.99999999',
      '-12345678901234567890.123456789',
      '100000000',
      null,
    ],
  ],
}

async function inText(type: ColumnType, column: readonly (string | Buffer)[]): Promise<(string | null)[]> {
  const read: (string | null)[] = []
  for (const array of column) {
    const { rows } = await store.pool.query(`select one::text from unnest($1::${type}[]) one`, [array])
    read.push(...rows.map(({ one }) => one))
  }
  return read
}

for (const type of Object.keys(values) as ColumnType[])
  test(`JOURNAL-PROJECTION-009: PostgreSQL reads the same ${type} from the binary form as from the text form`, async () => {
    // Several arrays, with and without a null in them, and one that is not full.
    const column = Array.from({ length: 700 }, (_, index) => values[type][(index * 7) % values[type].length] as Value)
    const bytes = new ArrayBytes(type, perArray)
    for (const value of column) bytes.add(value)
    const arrays = bytes.take()
    assert.deepEqual(
      arrays.map((array) => array.readInt32BE(12)),
      [256, 256, 188],
    )
    assert.deepEqual(await inText(type, arrays), await inText(type, [arrayLiteral(column, type)]))
  })

test('JOURNAL-PROJECTION-009: units of any scale equal the decimals of their text', async () => {
  const bytes = new ArrayBytes('numeric', perArray)
  const wanted: string[] = []
  const edges = [0, 1, 9, 10, 9_999, 10_000, 10_001, 99_999_999, 2 ** 31, 2 ** 52, Number.MAX_SAFE_INTEGER]
  // Numbers one below a multiple of the base are those for which a rounded quotient would be wrong.
  for (let k = 1; k < 9e11; k *= 7) edges.push(k * 10_000 - 1, k * 10_000, k * 10_000 + 1)
  for (let scale = 0; scale <= 18; scale++)
    for (const edge of edges)
      for (const units of [edge, -edge]) {
        bytes.addFixed(units, scale)
        wanted.push(formatFixed(units, scale))
      }
  bytes.addFixed(-(10n ** 30n) - 1n, 8)
  wanted.push(formatFixed(-(10n ** 30n) - 1n, 8))
  assert.deepEqual(await inText('numeric', bytes.take()), wanted)
})

test('JOURNAL-PROJECTION-009: taken arrays stay unchanged while the next are collected, and an incomplete row is an error', () => {
  const rows = new Columns('some', { a: 'bigint', b: 'text' })
  rows.push(1, 'one')
  const first = rows.take()?.batches[0]?.map((array) => Buffer.from(array as Buffer))
  assert.equal(rows.take(), undefined)
  rows.push(1, 'one')
  const taken = rows.take()?.batches[0]
  for (let row = 0; row < 5000; row++) rows.push(row, 'another')
  assert.deepEqual(taken, first)
  assert.equal(rows.length, 5000)
  rows.add(1)
  assert.throws(() => rows.take(), /A row of some has 1 values/)
})

test('JOURNAL-PROJECTION-009: text that is not a decimal, and a number that is not a safe integer, are not written', () => {
  assert.throws(() => new ArrayBytes('numeric', 1).add('1e7'), /plain decimal/)
  assert.throws(() => new ArrayBytes('bigint', 1).add(2 ** 53), /safe integer/)
  assert.throws(() => new ArrayBytes('numeric', 1).addFixed(2 ** 53, 0), /safe integer/)
})
