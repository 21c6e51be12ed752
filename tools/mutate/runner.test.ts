/** Tests the runner of mutants in one process on a module of four lines. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../tidy/files.ts'
import { strykerPlugins } from './runner.ts'

/** As `quicken.ts` leaves it: mutant 0 subtracts, 1 changes nothing, 2 damages what the module keeps, 3 never ends. */
const source = `
const live = globalThis.candorMutant
const is = (mutant) => { if (live.visits) live.visits[mutant]++; if (live.active !== mutant) return false
  if (--live.hits < 0) throw new Error('endless'); return true }
let zero = 0
export const sum = (a: number, b: number): number => { if (is(2)) zero = 1; return is(0) ? a - b : a + b + zero }
export const first = (list: readonly number[]): number => { while (is(3)) continue; return is(1) ? list.at(0)! : list[0]! }
`
const tests = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { first, sum } from './source.ts'
test('nothing added', () => assert.equal(sum(2, 0), 2))
test('sums', () => assert.equal(sum(2, 3), 5))
test('firsts', () => assert.equal(first([7, 8]), 7))
`

type Result = { readonly status: string; readonly killedBy?: readonly string[]; readonly nrOfTests?: number }
type DryRun = Result & {
  readonly tests: readonly { readonly name: string; readonly status: number }[]
  readonly mutantCoverage: { readonly perTest: Readonly<Record<string, object>> }
}

test('the runner of the core finds the tests that reach a mutant, and tells killed, surviving and endless mutants apart', async () => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'runner-'))
  try {
    writeFileSync(join(folder, 'source.ts'), source)
    const path = join(folder, 'source.test.ts')
    writeFileSync(path, tests)
    const [nothing, sums, firsts] = ['nothing added', 'sums', 'firsts'].map((name) => `${path}: ${name}`)
    const runner = strykerPlugins[0]!.factory({ testsHere: [path] })
    const dry = (await runner.dryRun()) as DryRun
    assert.deepEqual(
      dry.tests.map(({ name, status }) => [name, status]),
      [nothing, sums, firsts].map((name) => [name, 0]),
    )
    assert.deepEqual(dry.mutantCoverage.perTest, {
      [nothing!]: { 0: 1, 2: 1 },
      [sums!]: { 0: 1, 2: 1 },
      [firsts!]: { 1: 1, 3: 1 },
    })
    const run = async (mutant: number, testFilter: readonly (string | undefined)[]): Promise<Result> => {
      const activeMutant = { id: String(mutant) }
      const filter = testFilter as readonly string[]
      const made = { activeMutant, testFilter: filter, hitLimit: 2000, mutantActivation: 'runtime', reloadEnvironment: false } as const
      return (await runner.mutantRun(made)) as Result
    }
    const subtracts = await run(0, [nothing, sums])
    assert.deepEqual([subtracts.status, subtracts.killedBy], ['killed', [sums]])
    assert.deepEqual(await run(1, [firsts]), { status: 'survived', nrOfTests: 1 })
    assert.equal((await run(3, [firsts])).status, 'timeout')
    // The damage of mutant 2 stays in the module: the failed test is repeated in a new one, and the next mutant is not blamed for it.
    assert.equal((await run(2, [nothing])).status, 'killed')
    assert.deepEqual(await run(1, [nothing, sums, firsts]), { status: 'survived', nrOfTests: 3 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
