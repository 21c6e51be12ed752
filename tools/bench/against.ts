/**
 * `npm run bench -- against --clone=/path/of/another/clone`: compares this tree with another clone (with its packages installed), the
 * core first, then the fan-out to sockets, then the exchange at its doors: see `doors/against.ts`. Both cores execute the same commands, each in one exchange. The
 * two take turns, slice by slice, so that other load on the machine slows both alike. Each pair of slices gives a ratio of commands
 * per CPU-second; the median counts. Each new process compiles differently, which changes its speed by a few percent, so
 * `--processes` starts several of each side.
 *
 *   --only=core|fan-out|WebSocket|HTTP --runs=8 --processes=6 --commands=4000000 --pairs=32
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
import { median, say } from './report.ts'

const textAfter = (name: string): string | undefined => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const clone = textAfter('clone')
if (clone === undefined) throw new Error('name the other clone: --clone=/path')
const runs = Number(textAfter('runs') ?? 8)
const processes = Number(textAfter('processes') ?? 6)
const commands = Number(textAfter('commands') ?? 4_000_000)
/** The first slices are not counted: tables still grow, and the compiler has not seen all code yet. */
const young = 8
const here = resolve(import.meta.dirname, '..', '..')

const only = textAfter('only') ?? ''
if ('core'.startsWith(only)) for (const markets of [1, 32]) await compare(markets)
const doorPairs = Number(textAfter('pairs') ?? 32)
if ('fan-out'.startsWith(only)) await compareFanout(here, resolve(clone), doorPairs)
if (only !== 'core' && only !== 'fan-out') await compareDoors(here, resolve(clone), doorPairs, only)

async function compare(markets: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-against-'))
  try {
    saveWorkload(folder, makeWorkload(42, commands, markets))
    const pairs: Pair[] = []
    for (let n = 0; n < processes; n++) pairs.push(...(await pairsOf(markets, folder)))
    const ratios = pairs.map(({ mine, theirs }) => mine / theirs)
    const best = fastest(pairs.map(({ mine }) => mine)) / fastest(pairs.map(({ theirs }) => theirs))
    const all = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
    say(`${markets} market(s): ${median(ratios).toFixed(3)} of the other clone, by the fastest quarters ${best.toFixed(3)} (${all})`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Pair = { readonly mine: number; readonly theirs: number }

/** Other load makes a slice slower, never faster, so the mean of the fastest quarter is the least disturbed. */
function fastest(speeds: readonly number[]): number {
  const sorted = speeds.toSorted((a, b) => b - a).slice(0, Math.ceil(speeds.length / 4))
  return sorted.reduce((sum, speed) => sum + speed, 0) / sorted.length
}

/** Speeds of this tree and of the other one, per pair of slices, without the first pairs. */
async function pairsOf(markets: number, folder: string): Promise<Pair[]> {
  const mine = await start(here, markets, folder)
  const theirs = await start(resolve(clone!), markets, folder)
  const pairs: Pair[] = []
  for (let n = 0; n < young + runs; n++) {
    const sides = n % 2 === 0 ? [mine, theirs] : [theirs, mine]
    const speeds = new Map<ChildProcess, number>()
    for (const side of sides) speeds.set(side, await run(side))
    if (n >= young) pairs.push({ mine: speeds.get(mine)!, theirs: speeds.get(theirs)! })
  }
  mine.kill()
  theirs.kill()
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
