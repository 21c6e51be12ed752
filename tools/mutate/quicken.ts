/**
 * `node quicken.ts SOURCE…`, in the sandbox, before the first run. At every mutated place, StrykerJS calls a function that says
 * whether this mutant is active, and counts the visits. Comparing a number instead makes tests run about as fast as without
 * mutants. A mutant that visits its place too often fails, because it never ends.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const header = `const stryLive = (globalThis.candorMutant ??= {
  active: Number(process.env.__STRYKER_ACTIVE_MUTANT__ ?? -1), visits: undefined, hits: Infinity });
function stryCount(...mutants) { for (const mutant of mutants) stryLive.visits[mutant]++ }
function stryHit() { if (--stryLive.hits < 0) throw new Error('endless'); return true }`

for (const path of process.argv.slice(2)) {
  const source = readFileSync(path, 'utf8')
  const quick = source
    .replace(/stryCov_9fa48\(("[^)]*)\)/g, (_, mutants: string) => `(stryLive.visits && stryCount(${mutants.replaceAll('"', '')}))`)
    .replace(/stryMutAct_9fa48\("(\d+)"\)/g, '(stryLive.active === $1 && stryHit())')
  writeFileSync(path, `${header.replaceAll('\n', ' ')}\n${quick}`)
}
