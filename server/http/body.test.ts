import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refused } from '../refused.ts'
import { parseJson, parseJsonText } from './body.ts'

test('any output of JSON.stringify within the depth limit reads back the same', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__' && !key.includes('\0')),
        fc.jsonValue({ maxDepth: 4, noUnicodeString: true }),
      ),
      (value) => {
        if (JSON.stringify(value).includes('\\u0000') || JSON.stringify(value).includes('__proto__')) return
        assert.deepEqual(parseJson(Buffer.from(JSON.stringify(value))), JSON.parse(JSON.stringify(value)))
      },
    ),
  )
})

test('arbitrary bytes are a value or a refusal, never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        parseJson(Buffer.from(bytes))
      } catch (error) {
        assert.ok(error instanceof Refused)
      }
    }),
  )
})

for (const [what, text] of Object.entries({
  'a repeated key': '{"a":1,"a":2}',
  'a repeated key, once escaped': '{"a":1,"\\u0061":2}',
  'a repeated key in an inner object': '{"a":{"b":1,"c":[1,{"x":1}],"b":2}}',
  'nine levels': '[[[[[[[[[]]]]]]]]]',
  'nine levels of both kinds': `${'[{"a":'.repeat(4)}[]${'}]'.repeat(4)}`,
  'a hundred thousand levels': '['.repeat(100_000),
  'a NUL': '{"a":"\\u0000"}',
  'a lone surrogate': '{"a":"\\ud800"}',
  'a lone surrogate in a key': '{"\\udc00":1}',
  'a prototype': '{"__proto__":{}}',
  'an open text': '{"a":"',
  'a comment': '{"a":1}//',
})) {
  test(`${what} is refused`, () => assert.throws(() => parseJsonText(text), Refused))
}

test('many objects side by side are not deep', () => {
  const wide = Array.from({ length: 100 }, (_, i) => ({ a: [i] }))
  assert.deepEqual(parseJsonText(JSON.stringify(wide)), wide)
})

test('the same key in two objects, and brackets inside texts, are fine', () => {
  assert.deepEqual(parseJsonText('{"a":{"x":1},"b":{"x":"[[[[[[[[[[[{\\"a\\":1"}}'), { a: { x: 1 }, b: { x: '[[[[[[[[[[[{"a":1' } })
})
