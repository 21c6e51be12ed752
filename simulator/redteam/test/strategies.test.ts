import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { heading, playStrategy } from '../report.ts'
import { strategies } from '../strategies.ts'

for (const strategy of strategies) {
  test(`REDTEAM-STRATEGY-001: ${strategy.name} earns nothing`, () => {
    assert.deepEqual(playStrategy(strategy, 12).faults, [])
  })
}

test('REDTEAM-STRATEGY-001: the page lists every strategy with the rule that stops it', () => {
  const page = readFileSync(new URL('../../../docs/redteam.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  const cells = rows.map((row) => row.slice(2, -2).split(' | '))
  assert.deepEqual(cells[0], heading)
  assert.deepEqual(
    cells.slice(1).map((row) => [row[0], row.at(-1)]),
    strategies.map(({ name, rule }) => [name, rule]),
  )
})
