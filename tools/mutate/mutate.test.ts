import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf, mutatedRooms, roomOf, sourcesOf } from './rooms.ts'
import { compare, measure, readSurvivors } from './survivors.ts'

test('every mutated room has sources and tests, and no source is in two rooms', () => {
  const seen = new Set<string>()
  for (const [name, room] of Object.entries(mutatedRooms)) {
    const sources = sourcesOf(room)
    assert.ok(sources.length > 0, name)
    for (const source of sources) {
      assert.ok(!seen.has(source), source)
      seen.add(source)
    }
    const groups = groupsOf(room, sources)
    assert.deepEqual(groups.flatMap((group) => group.sources).sort(), [...sources].sort(), name)
    for (const group of groups) assert.ok(group.tests.length > 0, group.sources.join(' '))
    for (const { sources: named, tests } of room.direct ?? []) {
      for (const path of named) assert.ok(sources.includes(path), path)
      for (const path of tests)
        assert.ok(
          groups.some((group) => group.tests.includes(path)),
          path,
        )
    }
  }
})

test('the room is found by its name, by a folder below it and by one of its files', () => {
  assert.equal(roomOf('core/exchange'), 'core/exchange')
  assert.equal(roomOf('core/exchange/perp/'), 'core/exchange/perp')
  assert.equal(roomOf('core/exchange/perp/rules'), 'core/exchange/perp')
  assert.equal(roomOf('core/exchange/perp/rules/money.ts'), 'core/exchange/perp')
  assert.equal(roomOf('core/exchange/exchange.ts'), 'core/exchange')
  assert.equal(roomOf('web/app'), undefined)
})

test('every known survivor has a reason and is listed under a mutated room', () => {
  for (const [room, survivors] of Object.entries(readSurvivors())) {
    assert.ok(room in mutatedRooms, room)
    for (const { file, line, reason } of survivors) assert.ok(reason.length > 10, `${file}: ${line}`)
  }
})

test('a survivor is identified by its change and not by its line number; equal survivors are counted', () => {
  const at = (line: number, from: number, to: number) => ({ start: { line, column: from }, end: { line, column: to } })
  const mutants = [
    { status: 'Killed', mutatorName: 'EqualityOperator', replacement: 'a <= b', location: at(2, 7, 12) },
    { status: 'Survived', mutatorName: 'EqualityOperator', replacement: 'a >= b', location: at(2, 7, 12) },
    { status: 'NoCoverage', mutatorName: 'EqualityOperator', replacement: 'a >= b', location: at(3, 7, 12) },
    { status: 'Timeout', mutatorName: 'BlockStatement', replacement: '{}', location: at(1, 1, 1) },
    { status: 'Ignored', mutatorName: 'StringLiteral', replacement: '""', location: at(1, 1, 1) },
  ]
  const source = '{\n  if (a < b) return 1\n  if (a < b) return 1\n}'
  const { detected, counted, survived } = measure({ files: { 'core/x.ts': { source, mutants } } })
  const mutant = { file: 'core/x.ts', line: 'if (a < b) return 1', from: 'a < b', to: 'a >= b' }
  assert.deepEqual([detected, counted, survived], [2, 4, [mutant, mutant]])
  assert.deepEqual(compare(survived, [mutant, mutant]), { unknown: [], stale: [] })
  assert.deepEqual(compare(survived, [mutant]), { unknown: [mutant], stale: [] })
  const other = { ...mutant, to: 'true' }
  assert.deepEqual(compare(survived, [mutant, other, mutant]), { unknown: [], stale: [other] })
})
