/**
 * `npm run mutate -- PATH… [--workers N] [--accept]`
 *
 * Tests the tests: StrykerJS makes small changes, one at a time, to the sources at PATH (a room of `tools/mutate/rooms.ts`, or
 * folders or files of one), and the room's tests should fail for each. Prints the score and every mutant that survived.
 * `tools/mutate/survivors.json` has the known survivors and the reason why each stays; a survivor that is missing there, or has
 * no reason, fails the command. `--accept`: adds new survivors, whose reasons must then be written, and removes entries that no
 * longer survive. Without PATH: lists the rooms.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareDatabase } from '../server/store/test/prepared.ts'
import { type Group, groupsOf, type MutatedRoom, mutatedRooms, roomOf, sourcesOf } from './mutate/rooms.ts'
import {
  compare,
  type Measured,
  measure,
  type Mutant,
  readSurvivors,
  type Report,
  type Survivor,
  writeSurvivors,
} from './mutate/survivors.ts'
import { sweep } from './mutate/sweep.ts'
import { installIn } from './npm.ts'
import { root } from './tidy/files.ts'

/** Target score of a room, in percent: below it the command prints a note. */
const scoreAim = 90
const hourMs = 3_600_000
const tool = join(root, 'tools', 'mutate')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workers: { type: 'string', default: String(availableParallelism()) }, accept: { type: 'boolean', default: false } },
})
if (positionals.length === 0) {
  process.stdout.write(`npm run mutate -- ROOM, or folders or files of one:\n${Object.keys(mutatedRooms).join('\n')}\n`)
  process.exit(0)
}
const name = roomOf(positionals[0]!)
const room = name === undefined ? undefined : mutatedRooms[name]
const sources =
  room === undefined
    ? []
    : sourcesOf(room).filter((path) =>
        positionals.some((wanted) => wanted === name || path === wanted || path.startsWith(`${wanted.replace(/\/$/, '')}/`)),
      )
if (name === undefined || room === undefined || sources.length === 0) {
  process.stderr.write(`${positionals[0]} is in none of the rooms ${Object.keys(mutatedRooms).join(', ')}\n`)
  process.exit(1)
}
process.exitCode = judge(name, sources, await mutated(room, sources)) ? 0 : 1

/** Runs StrykerJS, once for each group of sources that the same tests cover. */
async function mutated(room: MutatedRoom, sources: readonly string[]): Promise<Measured> {
  installIn(tool, 'StrykerJS')
  using _ = room.usesDatabase === true ? await prepareDatabase() : undefined
  const measured = groupsOf(room, sources).map(mutatedGroup)
  return {
    detected: measured.reduce((sum, { detected }) => sum + detected, 0),
    counted: measured.reduce((sum, { counted }) => sum + counted, 0),
    survived: measured.flatMap(({ survived }) => survived),
  }
}

/** The sandbox, reports and everything tests write are in `.cache/mutate`, which is removed afterwards. */
function mutatedGroup({ sources, tests, limitMs, areTestsTogether, isPure, isInOneProcess }: Group): Measured {
  const cache = join(root, '.cache', 'mutate')
  const [temporary, report, config] = [join(cache, 'tmp'), join(cache, 'report.json'), join(cache, 'config.json')]
  sweep(temporary)
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true })
  const run = areTestsTogether
    ? ['--import', join(tool, 'one-seed.ts'), join(tool, 'in-one-process.ts')]
    : [join(tool, 'run-tests.ts'), limitMs, temporary]
  const command = [process.execPath, ...run, ...tests].join(' ')
  const inOneProcess = { testRunner: 'one-process', coverageAnalysis: 'perTest', warnings: { unknownOptions: false, slow: false } }
  const runner = isInOneProcess
    ? { ...inOneProcess, testsHere: tests, ...(isPure ? {} : { temporary }) }
    : { testRunner: 'command', commandRunner: { command } }
  const options = {
    ...runner,
    buildCommand: [process.execPath, join(tool, 'quicken.ts'), ...sources].join(' '),
    mutate: sources,
    // The sandbox contains only what tests import.
    ignorePatterns: ['/*', '!/package.json', '!/core', '!/server', '!/client', '!/simulator', '!/tools'],
    plugins: [join(tool, 'messages.ts'), join(tool, 'runner.ts')],
    ignorers: ['messages'],
    disableTypeChecks: false,
    concurrency: Number(values.workers),
    // `run-tests.ts` applies the limit itself.
    timeoutMS: areTestsTogether || isInOneProcess ? limitMs : hourMs,
    timeoutFactor: isInOneProcess ? 1.5 : 1,
    dryRunTimeoutMinutes: 20,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    tempDirName: join('.cache', 'mutate', 'sandbox'),
    checkers: [],
    allowEmpty: false,
  }
  writeFileSync(config, JSON.stringify(options))
  const stryker = join(tool, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
  const done = spawnSync(process.execPath, [stryker, 'run', config], { cwd: root, stdio: ['ignore', 1, 2] })
  sweep(temporary)
  if (done.status !== 0) throw new Error(`StrykerJS ended with ${done.status ?? done.signal}`)
  const measured = measure(JSON.parse(readFileSync(report, 'utf8')) as Report)
  rmSync(cache, { recursive: true, force: true })
  return measured
}

/** Whether every survivor is known and has a reason. */
function judge(name: string, sources: readonly string[], { detected, counted, survived }: Measured): boolean {
  const all = readSurvivors()
  const known = (all[name] ?? []).filter(({ file }) => sources.includes(file))
  const elsewhere = (all[name] ?? []).filter(({ file }) => !sources.includes(file))
  const { unknown, stale } = compare(survived, known)
  const unexplained = known.filter((mutant) => mutant.reason === '' && !stale.includes(mutant))
  const score = counted === 0 ? 100 : (detected / counted) * 100
  process.stdout.write(
    `\n${name}: ${detected} of ${counted} mutants detected, ${score.toFixed(1)} %${score < scoreAim ? ` (aim: ${scoreAim})` : ''}\n`,
  )
  list('New survivors', unknown)
  list('Known survivors without a reason', unexplained)
  list('No longer survivors: remove them from the list', stale)
  if (values.accept) {
    const kept = known.filter((mutant) => !stale.includes(mutant))
    const added = unknown.map((mutant): Survivor => ({ ...mutant, reason: '' }))
    writeSurvivors({ ...all, [name]: [...elsewhere, ...kept, ...added].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)) })
  }
  return unknown.length === 0 && unexplained.length === 0 && stale.length === 0
}

function list(title: string, mutants: readonly Mutant[]): void {
  if (mutants.length === 0) return
  process.stdout.write(`\n${title}:\n`)
  for (const { file, line, from, to } of mutants) process.stdout.write(`  ${file}: ${line}\n    ${from} → ${to}\n`)
}
