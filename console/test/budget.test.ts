/** Compares the first load of the console with its budget. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { requireFreshBuild } from '../../tools/web-stamp.ts'

const dist = resolve(import.meta.dirname, '..', 'dist')
const budgetKb = 225

before(() => requireFreshBuild('console'))

test('UI-CONSOLE-007: the first load stays within its budget, and the page has no inline script or style', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, file]) => file!)
  assert.ok(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css')), page)
  const bytes = files.reduce((total, file) => total + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)
  assert.ok(bytes <= budgetKb * 1_000, `${files.join(' ')}: ${bytes} bytes`)
  assert.doesNotMatch(page, /<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/)
})
