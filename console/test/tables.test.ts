import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const pages = join(import.meta.dirname, '..', 'pages')

/** The number of tags of this name in a source. */
const tags = (source: string, name: string): number => source.split(`<${name}\n`).length + source.split(`<${name} `).length - 2

test('UI-CONSOLE-012: each table of a page has its file', () => {
  const found = globSync('**/*.tsx', { cwd: pages }).map((path) => [path, readFileSync(join(pages, path), 'utf8')] as const)
  const bare = found.filter(([, source]) => tags(source, 'DataTable') > tags(source, 'SaveTable') + tags(source, 'SaveAll'))
  assert.deepEqual(
    bare.map(([path]) => path),
    [],
  )
  assert.ok(found.filter(([, source]) => tags(source, 'DataTable') > 0).length > 10)
})
