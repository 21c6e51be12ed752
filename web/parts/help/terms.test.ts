import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { locales } from '@candor/core/protocol/locales.ts'
import { matching, relatedTo, termIds } from './terms.ts'

const web = resolve(import.meta.dirname, '../..')
type Texts = Readonly<Record<string, { readonly name: string; readonly text: string; readonly example: string }>>
const textsOf = (lang: string): Texts =>
  (JSON.parse(readFileSync(join(web, 'locales', lang, 'terms.json'), 'utf8')) as { readonly of: Texts }).of

test('UI-HELP-001: each term has a name, a text and an example in every language, and no language has others', () => {
  assert.ok(termIds.length >= 40)
  assert.equal(new Set(termIds).size, termIds.length)
  for (const { code } of locales) {
    const texts = textsOf(code)
    assert.deepEqual(Object.keys(texts).toSorted(), [...termIds].toSorted(), code)
    for (const [id, { name, text, example }] of Object.entries(texts)) {
      assert.ok(name.length > 0 && name.length <= 50, `${code} ${id}: ${name}`)
      assert.ok(text.length <= 330 && /[.。]$/.test(text), `${code} ${id}: ${text}`)
      assert.match(example, /\d|hash|哈希|雜湊/i, `${code} ${id}: ${example}`)
      if (code !== 'en') assert.notEqual(text, textsOf('en')[id]?.text, `${code} ${id}`)
    }
  }
})

test('UI-HELP-001: names are unique in every language', () => {
  for (const { code } of locales) {
    const names = Object.values(textsOf(code)).map(({ name }) => name)
    assert.equal(new Set(names).size, names.length, code)
  }
})

test('UI-HELP-002: every term that a screen refers to exists', () => {
  const used = new Set<string>()
  for (const path of readdirSync(web, { recursive: true, encoding: 'utf8' })) {
    if (!/^(parts|screens)\/.*\.tsx$/.test(path)) continue
    const text = readFileSync(join(web, path), 'utf8')
    for (const [, id = ''] of text.matchAll(/<Term id="(\w+)"/g)) used.add(id)
    for (const [, ids = ''] of text.matchAll(/<Terms ids=\{\[([^\]]+)\]/g)) for (const [, id = ''] of ids.matchAll(/'(\w+)'/g)) used.add(id)
  }
  assert.ok(used.size >= 20, `${used.size} terms are referred to`)
  assert.deepEqual(
    [...used].filter((id) => !termIds.some((one) => one === id)),
    [],
  )
})

test('UI-HELP-003: the search needs all words, in names and texts, without regard to case and accents', () => {
  const say = (lang: string) => (id: string) => Object.values(textsOf(lang)[id] ?? {}).slice(0, 2)
  assert.deepEqual(matching('', say('en')), termIds)
  assert.ok(matching('MARK price', say('en')).includes('mark'))
  assert.ok(matching('decouvert', () => ['À découvert']).length === termIds.length)
  assert.deepEqual(matching('mark zebra', say('en')), [])
  assert.equal(relatedTo('mark')[0], 'index')
  for (const id of termIds) assert.ok(!relatedTo(id).includes(id) && relatedTo(id).length >= 2)
})
