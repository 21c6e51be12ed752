import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('a table keeps commas, quotes and line breaks, and no cell is a formula', () => {
  const rows = [
    ['a,b', 'say "hi"', '=1+1'],
    ['-1.5', '-x', 'two\nlines'],
  ]
  assert.equal(csvOf(['one', 'two', 'three'], rows), 'one,two,three\r\n"a,b","say ""hi""",\'=1+1\r\n-1.5,\'-x,"two\nlines"')
})
