/**
 * `npm test`: the checks, and beside them every test of every workspace, browser tests included. The last line is the totals.
 *
 *   npm test                       all
 *   npm test -- core/book web      only files below these places
 *   npm test -- --quick            a few minutes: no database, no whole exchange, no browser, few seeds of the simulator
 *   npm test -- --seed=7           properties with the examples of another seed; without it, every run uses the same
 */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { prepareDatabase } from '../server/store/test/prepared.ts'
import { findBrowser } from './browser.ts'
import { shareCompiled } from './compile-cache.ts'
import { useMemory } from './memory-folder.ts'
import { Overdue } from './overdue.ts'
import { type Groups, testGroups } from './test-groups.ts'
import { files, root } from './tidy/files.ts'

const { values, positionals: places } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, seed: { type: 'string' } },
})
const { quick: isQuick, seed } = values
if (seed !== undefined && !/^-?\d+$/.test(seed)) throw new Error('--seed must be a whole number')
const isWanted = (path: string): boolean => places.length === 0 || places.some((place) => path.startsWith(place.replace(/\/$/, '')))
const hasBrowser = (path: string): boolean => /^(web|console)\/test\//.test(path)
const hasExchange = (path: string): boolean => /^server\/(main|engine|live|http|sockets|app|programs|gateway)\/|^tools\/client/.test(path)
/** Tests that take a minute or more. */
const isLong = (path: string): boolean =>
  /\/(durability|tree|kill|webhooks-kill|depth-proof|strategies|venues-edge)\.test\.ts$|^web\/test\/(screens|chains|journey|option)\.|^console\/test\/(coins|withdrawals)\./.test(
    path,
  )

/** Tests of tables and of what is stored in them. */
const hasDatabase = (path: string): boolean => /^server\/(backup|console|identity|journal|notices|papers|store|webhooks)\//.test(path)
/** Tests with many seeds, other exchanges' clients, or kills. */
const isThorough = (path: string): boolean =>
  /^(simulator\/(sim|desks|redteam\/test\/strategies|bots\/exchange)|core\/exchange\/option\/test\/venues-edge|tools\/.*)\.test\.ts$/.test(
    path,
  )
const isSlow = (path: string): boolean => hasExchange(path) || hasBrowser(path) || hasDatabase(path) || isThorough(path)
const all = files(/\.test\.ts$/)
  .filter(isWanted)
  .filter((path) => !isQuick || !isSlow(path))

/**
 * How many files run side by side: one more than there are cores, because files with a browser or a whole exchange wait half of their
 * time. Each may take two gigabytes.
 */
const concurrency = Math.max(1, Math.min(availableParallelism() + 1, Math.floor(process.availableMemory() / 2 ** 31)))
/** Several times what the longest file takes on two cores. */
const fileMaxMs = 900_000
/** The whole suite passes within an hour on two cores; a slow machine gets 25 minutes more, then it is stuck. */
const allMaxMs = 5_100_000

const totals = { passed: 0, failed: 0, skipped: 0 }
using overdue = new Overdue({
  fileMaxMs,
  allMaxMs,
  onEnd: () => {
    totals.failed += 1
    end()
  },
})
if (seed !== undefined) process.env.CANDOR_PROPERTY_SEED = seed
if (all.some(hasBrowser)) process.env.CHROME_PATH = findBrowser()
// Types and rules use one core for minutes, so they are checked beside the tests.
const checked = places.length === 0 ? checks() : undefined
{
  using _memory = useMemory()
  using _compiled = shareCompiled()
  using _ = all.every((path) => path.startsWith('core/')) || isQuick ? undefined : await prepareDatabase()
  using groups = testGroups()
  await suite(inTurns(all, groups))
}
await checked
end()

/** Prints which files took longest and the totals, and ends the process. */
function end(): never {
  const files = overdue.slowest(50).filter(({ file }) => !file.endsWith('.mjs'))
  const slowest = files.slice(0, 10).map(({ file, ms }) => `${relative(root, resolve(root, file))} ${Math.round(ms / 1_000)} s`)
  const skipped = totals.skipped > 0 ? `skipped: ${totals.skipped} (each says why above)\n` : ''
  process.stdout.write(`\nlongest: ${slowest.join(', ')}\n${skipped}${totals.passed} passed, ${totals.failed} failed\n`)
  process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1)
}

/** The checks count as one test, so that a badly formatted tree fails too. What they print comes in one piece. */
async function checks(): Promise<void> {
  const outcome = await new Promise<{ readonly isGood: boolean; readonly said: string }>((resolve) => {
    const command = [join(root, 'tools', 'check.ts')]
    const child = execFile(process.execPath, command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ isGood: error === null, said: `${stdout}${stderr}` })
    })
    process.once('exit', () => child.kill())
  })
  process.stdout.write(outcome.said)
  totals[outcome.isGood ? 'passed' : 'failed'] += 1
}

/**
 * Those that take longest start first, so that the run does not wait for one of them at its end. Then files that wait a lot take turns
 * with files that mostly work. Short files share processes, unless only some places are tested.
 */
function inTurns(paths: readonly string[], groups: Groups): readonly string[] {
  const rank = (path: string): number => [isLong, hasBrowser, hasExchange, isThorough, hasDatabase, () => true].findIndex((is) => is(path))
  const sorted = paths.toSorted((a, b) => rank(a) - rank(b))
  const short = sorted.filter((path) => !isLong(path))
  const group = places.length > 0 ? (of: readonly string[]) => of : groups.of
  const exchanges = group(
    short.filter((path) => hasExchange(path) && !hasBrowser(path)),
    6,
  )
  const waiting = [...group(short.filter(hasBrowser), 2), ...exchanges]
  const others = short.filter((path) => !hasBrowser(path) && !hasExchange(path))
  const quick = group(
    others.filter((path) => !isThorough(path)),
    16,
  )
  const working = [...others.filter(isThorough), ...quick]
  const pairs = Array.from({ length: Math.max(waiting.length, working.length) }, (_, i) => [waiting[i], working[i]])
  return [...sorted.filter(isLong), ...pairs.flat().filter((path) => path !== undefined)]
}

async function suite(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  // A small new space costs a whole exchange a fifth of its start.
  const execArgv = ['--min-semi-space-size=16', '--import', join(root, 'tools', 'property-tests.ts')]
  const stream = run({ files: paths.map((path) => resolve(root, path)), concurrency, timeout: fileMaxMs, cwd: root, execArgv })
  overdue.watch(stream)
  stream.on('test:pass', (event) => count(event, 'passed'))
  stream.on('test:fail', (event) => count(event, 'failed'))
  const printed = stream.compose(spec)
  for await (const chunk of printed) process.stdout.write(chunk as string)
}

type Counted = {
  readonly skip?: string | boolean | undefined
  readonly details: { readonly type?: string | undefined; readonly error?: unknown }
  readonly nesting: number
}

/** Counts a test. A suite counts only if it failed outside its tests, such as when it is loaded. */
function count(event: Counted, as: 'passed' | 'failed'): void {
  if (event.skip !== undefined && event.skip !== false) totals.skipped += 1
  else if (event.details.type !== 'suite') totals[as] += 1
  else if (as === 'failed' && event.nesting === 0 && !isOfTests(event.details.error)) totals.failed += 1
}

/** Whether a suite failed because one of its tests did, which counts by itself. */
function isOfTests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed'
}
