/** The rules find what they are there to find. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectFaults } from './commits.ts'
import { faultsOf } from './spec.ts'

const id = (name: string): string => ['A', 'RULE', name].join('-')
const page = (path: string, text: string) => ({ path, text })

test('a sentence without a test, a test without a sentence and an ID that stands twice are found', () => {
  const spec = page('docs/spec/a.md', `- **${id('001')}** One.\n- **${id('002')}** Two.\n`)
  const both = page('a.test.ts', `test('${id('001')}: one', () => {})\ntest(\`${id('002')}: two of \${n}\`, () => {})\n`)
  assert.deepEqual(faultsOf([spec], [both]), [])
  assert.match(faultsOf([spec], [page('a.test.ts', `test('${id('001')}: one', () => {})`)]).join(), /002 .* is the title of no test/)
  const mentioned = page('a.test.ts', `test('${id('001')}: one', () => {}) // ${id('002')} is not tried`)
  assert.match(faultsOf([spec], [mentioned]).join(), /002 .* is the title of no test/)
  const unknown = page('b.test.ts', `test('${id('003')}: three', () => {})`)
  assert.deepEqual(faultsOf([spec], [both, unknown]), [`b.test.ts names ${id('003')}, which is no sentence of docs/spec`])
  assert.match(faultsOf([spec, page('docs/spec/b.md', `- **${id('001')}** Again.`)], [both]).join(), /stands in docs\/spec\/b.md and in/)
  assert.match(faultsOf([page('docs/spec/a.md', '- A sentence.')], []).join(), /a.md:1 is a sentence without an ID/)
  assert.match(faultsOf([page('docs/spec/a.md', `See ${id('009')}.`)], []).join(), /a.md names .*009/)
})

test('a subject of 73 characters and one that ends with a period are found', () => {
  assert.deepEqual(subjectFaults(`1234567 ${'x'.repeat(72)}`), [])
  assert.match(subjectFaults(`1234567 ${'x'.repeat(73)}`).join(), /73 characters/)
  assert.match(subjectFaults('1234567 Mend the fence.').join(), /without a period/)
  assert.deepEqual(subjectFaults(''), [])
})
