/** Compares first loads with their budgets, and checks that they contain no code of the ledger or the exchange. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { locales } from '@candor/core/protocol/locales.ts'
import {
  announced,
  announcedTexts,
  budget,
  loadBudget,
  chartFile,
  chunks,
  entries,
  entryFiles,
  firstLoad,
  otherSizes,
  tabs,
} from '../../tools/bench/web-build.ts'
import { requireFreshBuild } from '../../tools/web-stamp.ts'

const core = resolve(import.meta.dirname, '../../core')

before(() => requireFreshBuild())

test('every screen of the app is measured', () => {
  const screens = resolve(import.meta.dirname, '../screens')
  const table = readFileSync(resolve(import.meta.dirname, '../app/routes.ts'), 'utf8')
  const folders = readdirSync(screens).filter((name) => name !== 'not-found')
  const unmeasured = folders.filter((folder) => !entries().some((path) => table.includes(`'${path}': '${folder}',`)))
  assert.deepEqual(unmeasured, [])
})

test('the first load of every path stays within its budget, in the longest language too', () => {
  for (const path of entries()) {
    for (const { code: lang } of locales) {
      const { kB, files } = firstLoad(path, lang)
      assert.ok(kB <= loadBudget(path), `${path} in ${lang} loads ${kB.toFixed(1)} kB: ${files.join(' ')}`)
    }
  }
})

test('a tab comes in eight requests: the page with its styles, the font, and six scripts', () => {
  for (const path of tabs) {
    const { files } = firstLoad(path, 'en')
    assert.ok(files.length + 2 <= budget.requests, `${path} needs ${files.length + 2}: ${files.join(' ')}`)
  }
})

test('UI-FIRST-001: the page announces all files of a path, so that no file waits for another', () => {
  const isThere = new Set(chunks().map((chunk) => chunk.name))
  for (const path of entries()) {
    for (const lang of ['en', 'hk-hans']) {
      const texts = (announcedTexts()[path] ?? []).flatMap((area) => announced(`${lang}/${area}`))
      const told = new Set([...announced(lang), ...announced(path), ...texts])
      const late = firstLoad(path, lang).files.filter((file) => !told.has(file) && !entryFiles().has(file))
      assert.deepEqual(late, [], `${path} in ${lang}`)
      for (const file of told) assert.ok(isThere.has(file) && !entryFiles().has(file), file)
    }
  }
  assert.deepEqual(announcedTexts()['/contract'], ['perp'])
  for (const area of new Set(Object.values(announcedTexts()).flat())) {
    for (const { code } of locales) assert.equal(announced(`${code}/${area}`).length, 1)
  }
})

test('styles, font and chart stay within their budgets', () => {
  const sizes = otherSizes()
  assert.ok(sizes.styles <= budget.styles, `styles: ${sizes.styles.toFixed(1)} kB`)
  assert.ok(sizes.font <= budget.font, `font: ${sizes.font.toFixed(1)} kB`)
  assert.ok(sizes.chart <= budget.chart, `chart: ${sizes.chart.toFixed(1)} kB`)
})

test('no first load carries the chart', () => {
  for (const path of entries()) assert.ok(!firstLoad(path, 'en').files.includes(chartFile()), path)
})

test('no file for the browser contains the ledger or the exchange', () => {
  const markers = [
    { folder: 'ledger', text: 'would pass its supply by' },
    { folder: 'exchange', text: 'every remembered request has an open order' },
  ]
  for (const { folder, text } of markers) {
    const sources = readdirSync(join(core, folder), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    const isThere = sources.some((name) => readFileSync(join(core, folder, name), 'utf8').includes(text))
    assert.ok(isThere, `core/${folder} no longer says "${text}": name another sentence of its own`)
    assert.deepEqual(
      chunks()
        .filter((chunk) => chunk.text.includes(text))
        .map((chunk) => chunk.name),
      [],
    )
  }
})
