import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../errors.ts'
import * as param from '../params.ts'

const codeOf = (act: () => unknown): number => {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 0
}

test('API-FRAME-005: parameters come from query and form, and the query has precedence; names and values are decoded once', () => {
  assert.deepEqual(
    [...param.sentOf('a=1&b=x%20y', 'b=2&c=a+b&d')],
    [
      ['a', '1'],
      ['b', 'x y'],
      ['c', 'a b'],
      ['d', ''],
    ],
  )
  assert.deepEqual([...param.sentOf('', '')], [])
  assert.deepEqual([...param.sentOf('&a=1&', '')], [['a', '1']])
  assert.deepEqual([...param.sentOf('a=b=c', '')], [['a', 'b=c']])
  assert.equal(
    codeOf(() => param.sentOf('', 'a=1&a=1')),
    -1101,
  )
  assert.equal(
    codeOf(() => param.sentOf('a%62=1', '')),
    -1100,
  )
  assert.equal(
    codeOf(() => param.sentOf('=1', '')),
    -1100,
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
      const encoded = `a=${encodeURIComponent(value.toWellFormed())}`
      if (value.includes('\0'))
        assert.equal(
          codeOf(() => param.sentOf(encoded, '')),
          -1100,
        )
      else assert.equal(param.sentOf(encoded, '').get('a'), value.toWellFormed())
    }),
  )
  // Any input gets an answer.
  fc.assert(fc.property(fc.string(), fc.string(), (query, form) => void codeOf(() => param.sentOf(query, form))))
})

test('API-FRAME-006: mandatory parameters are checked before all others, and unknown ones last', () => {
  const params = { symbol: param.mandatory(param.symbol), limit: param.limit(5, 10), kind: param.word(['A', 'B']), at: param.millis }
  const read = (query: string, isStrict = true) => param.valuesOf(params, param.sentOf(query, ''), isStrict)
  assert.deepEqual(read('symbol=X'), { symbol: 'X', limit: 5, kind: undefined, at: undefined })
  assert.deepEqual(read('symbol=X&limit=11&kind=B&at=7'), { symbol: 'X', limit: 10, kind: 'B', at: 7 })
  assert.equal(
    codeOf(() => read('limit=x')),
    -1102,
  )
  assert.equal(
    codeOf(() => read('symbol=X&limit=x&more=1')),
    -1100,
  )
  assert.equal(
    codeOf(() => read('symbol=X&kind=C')),
    -1130,
  )
  assert.equal(
    codeOf(() => read('symbol=X&at=8640000000000001')),
    -1130,
  )
  assert.equal(
    codeOf(() => read('symbol=X&at=99999999999999999999999')),
    -1100,
  )
  assert.equal(
    codeOf(() => read('symbol=X&toString=1')),
    -1104,
  )
  assert.deepEqual(read('symbol=X&more=1', false).symbol, 'X')
  for (const hostile of ['constructor', '__proto__', 'hasOwnProperty'])
    assert.equal(
      codeOf(() => read(`symbol=X&${hostile}=1`)),
      -1104,
    )
})
