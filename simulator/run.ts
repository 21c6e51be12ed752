/**
 * `npm run sim -- [seed] [--kind spot|desks|chaos|redteam|growth] [--steps N] [--seeds N] [--only NAME] [--workers N]`
 *
 * Runs one seed, or without a seed the kept seeds and then seeds from 1. Without a kind it runs all of these, one after the other:
 * `spot` compares spot trading with its oracle, `desks` checks all products by auditors, and `chaos` sends every type of command,
 * valid or not, to an exchange and to a copy that is restored again and again. Prints one line per run. A failed run is printed with
 * its seed, its step and the shortest failing list of commands found. Ends with the counts of events on the desks, and with exit
 * code 1 if a run failed.
 *
 * `redteam` plays strategies of attackers instead (20 seeds each without `--seeds`; `--only` names one; `--workers` threads, as many
 * as processors without it) and fails if one of them earns. `growth` creates `--users` users with three of `--assets` assets each, and checks all balances.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Happenings } from './desks/happenings.ts'
import { simulateGrowth } from './growth.ts'
import { isKind, seedsOf } from './kept.ts'
import { runRedTeam } from './redteam/main.ts'
import { kinds, simulateAndShrink } from './simulate.ts'
import type { Kind } from './simulate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '5000' },
    seeds: { type: 'string' },
    kind: { type: 'string' },
    only: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    users: { type: 'string', default: '20000' },
    assets: { type: 'string', default: '500' },
  },
})

const steps = wholeNumber(values.steps, '--steps')
const happened = new Happenings()
let failures = 0
if (values.kind === 'redteam') {
  const seeds = Math.max(2, wholeNumber(values.seeds ?? '20', '--seeds'))
  const workers = Math.max(1, wholeNumber(values.workers, '--workers'))
  if (!(await runRedTeam({ seeds, only: values.only, workers }))) failures++
} else if (values.kind === 'growth') grow()
else for (const kind of kindsToRun()) for (const seed of seedsToRun(kind)) runSeed(kind, seed)
if (happened.counts.size > 0) console.log(`desks: ${happened.text()}`)
process.exitCode = failures > 0 ? 1 : 0

function grow(): void {
  const began = performance.now()
  const { users, assets, trades, hash, checks } = simulateGrowth(
    wholeNumber(values.users, '--users'),
    wholeNumber(values.assets, '--assets'),
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const mebibytes = Math.round(process.memoryUsage().rss / 2 ** 20)
  console.log(
    `growth: ${users} users, ${assets} assets, ${trades} trades, ${checks} full checks, state ${hash.slice(0, 16)}, ${mebibytes} MiB, ${seconds} s`,
  )
}

function runSeed(kind: Kind, seed: number): void {
  const began = performance.now()
  const result = simulateAndShrink(seed, steps, 1000, kind)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if ('hash' in result) {
    happened.add(result.happenings)
    console.log(`${kind} seed ${seed}: ${result.steps} steps, ${result.trades} trades, state ${result.hash.slice(0, 16)}, ${seconds} s`)
    return
  }
  failures++
  console.error(`${kind} seed ${seed} FAILED at step ${result.step}: ${result.message}`)
  console.error(`${result.steps.length} commands that fail (keep the seed in simulator/seeds.json):`)
  for (const { command, stamp } of result.steps) console.error(`  ${stamp.at} ${JSON.stringify(command)}`)
}

function kindsToRun(): readonly Kind[] {
  if (values.kind === undefined) return kinds
  if (isKind(values.kind)) return [values.kind]
  console.error(`--kind must be one of ${[...kinds, 'redteam', 'growth'].join(', ')}, not "${values.kind}"`)
  process.exit(2)
}

function seedsToRun(kind: Kind): readonly number[] {
  const given = positionals.map((text) => wholeNumber(text, 'seed'))
  return given.length > 0 ? given : seedsOf(kind, wholeNumber(values.seeds ?? '10', '--seeds'))
}

function wholeNumber(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    console.error(`${what} must be a whole number, not "${text}"`)
    process.exit(2)
  }
  return Number(text)
}
