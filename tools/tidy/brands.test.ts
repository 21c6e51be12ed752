import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf } from './brands.ts'

const source = `
/** A comment with (a: number) and as never counts nothing. */
export function one(a: number, b: Units, c?: number): number { return a }
export type Take = (amount: number | undefined, units: Units) => void
export class Two {
  readonly field: number = 1
  #three(n: number): void { const text = 'as never'; const x = n as never; void [text, x] }
}
const four = (n: Units, m) => n as Lots
`

test('bare `number` parameters and `as never` casts are counted', () => {
  const counts = countsOf(
    new Map([
      ['room/a.ts', source],
      ['room/b.ts', 'export const n = 1'],
    ]),
  )
  assert.deepEqual(
    [...counts],
    [
      ['room/a.ts', { bareNumbers: 4, asNever: 1 }],
      ['room/b.ts', { bareNumbers: 0, asNever: 0 }],
    ],
  )
})
