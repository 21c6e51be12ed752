/**
 * `npm run bench -- against --clone=/path/of/another/clone`: compares this tree with another clone (with its packages installed), the
 * core first, then the fan-out to sockets, then the exchange at its doors: see `doors/against.ts`. Both cores execute the same commands, each in one exchange. The
 * two take turns, slice by slice, so that other load on the machine slows both alike. Each pair of slices gives a ratio of commands
 * per CPU-second. Each new process compiles differently and gets other memory, which changes its speed by up to a tenth, so
 * `--processes` starts several of each side, the one and the other first. The mean of the starts counts; its standard error says
 * what it is worth.
 *
 *   --only=core|fan-out|WebSocket|HTTP --runs=8 --processes=12 --commands=4000000 --pairs=32
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compareDoors } from './doors/against.ts'
import { compareFanout } from './fanout/against.ts'
import { coreEnvironment } from '../../core/compiler-flags.ts'
import { makeWorkload, saveWorkload } from './core-workload.ts'
import { medianOfTurns, say } from './report.ts'

const textAfter = (name: string): string | undefined => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const clone = textAfter('clone')
if (clone === undefined) throw new Error('name the other clone: --clone=/path')
const runs = Number(textAfter('runs') ?? 8)
const processes = Number(textAfter('processes') ?? 12)
const commands = Number(textAfter('commands') ?? 4_000_000)
/** The first slices are not counted: tables still grow, and the compiler has not seen all code yet. */
const young = 8
const here = resolve(import.meta.dirname, '..', '..')
const theirRoot = resolve(clone)

const only = textAfter('only') ?? ''
if ('core'.startsWith(only)) for (const markets of [1, 32]) await compare(markets)
const doorPairs = Number(textAfter('pairs') ?? 32)
if ('fan-out'.startsWith(only)) await compareFanout(here, theirRoot, doorPairs)
if (only !== 'core' && only !== 'fan-out') await compareDoors(here, theirRoot, doorPairs, only)

async function compare(markets: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-against-'))
  try {
    saveWorkload(folder, makeWorkload(42, commands, markets))
    const starts: Pair[][] = []
    for (let n = 0; n < processes; n++) starts.push(await pairsOf(markets, folder, n % 2 === 0))
    say(`${markets} market(s): ${resultOf(starts)}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Pair = { readonly mine: number; readonly theirs: number }

/** Each start counts once: its slices share one compilation, so they say the same about it. */
function resultOf(starts: readonly (readonly Pair[])[]): string {
  const ratios = starts.map((pairs) => medianOfTurns(pairs.map(({ mine, theirs }) => mine / theirs)))
  const { mean, error } = geometricMean(ratios)
  const all = starts.flat()
  const best = fastest(all.map(({ mine }) => mine)) / fastest(all.map(({ theirs }) => theirs))
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
  return `${mean.toFixed(3)} ± ${error.toFixed(3)} of the other clone, by the fastest quarters ${best.toFixed(3)} (each start: ${each})`
}

/** The geometric mean of ratios, and its standard error. */
function geometricMean(ratios: readonly number[]): { mean: number; error: number } {
  const logs = ratios.map(Math.log)
  const middle = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1)
  return { mean: Math.exp(middle), error: Math.exp(middle) * Math.sqrt(variance / logs.length) }
}

/** Other load makes a slice slower, never faster, so the mean of the fastest quarter is the least disturbed. */
function fastest(speeds: readonly number[]): number {
  const sorted = speeds.toSorted((a, b) => b - a).slice(0, Math.ceil(speeds.length / 4))
  return sorted.reduce((sum, speed) => sum + speed, 0) / sorted.length
}

/** Speeds of this tree and of the other one, per pair of slices, without the first pairs. */
async function pairsOf(markets: number, folder: string, mineFirst: boolean): Promise<Pair[]> {
  const roots = mineFirst ? [here, theirRoot] : [theirRoot, here]
  const sides: ChildProcess[] = []
  for (const root of roots) sides.push(await start(root, markets, folder))
  const [mine, theirs] = (mineFirst ? sides : sides.toReversed()) as [ChildProcess, ChildProcess]
  const pairs: Pair[] = []
  for (let n = 0; n < young + runs; n++) {
    const speeds = new Map<ChildProcess, number>()
    for (const side of n % 2 === 0 ? sides : sides.toReversed()) speeds.set(side, await run(side))
    if (n >= young) pairs.push({ mine: speeds.get(mine)!, theirs: speeds.get(theirs)! })
  }
  for (const side of sides) side.kill()
  return pairs
}

async function start(root: string, markets: number, folder: string): Promise<ChildProcess> {
  const side = fork(join(import.meta.dirname, 'core-side.ts'), ['core', String(markets), folder, String(young + runs), root], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'compile'), ...coreEnvironment },
  })
  await once(side, 'message')
  return side
}

/** Commands per CPU-second. */
async function run(side: ChildProcess): Promise<number> {
  side.send('run')
  const [speed] = (await once(side, 'message')) as [number]
  return speed
}
