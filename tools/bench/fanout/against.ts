/**
 * Compares the fan-out of this tree with that of another clone: each has its own crowd of sockets, and they take turns. Each process
 * compiles differently, which changes the speed by several percent, so both are started several times, the one and the other first.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median, medianOfTurns, rounded, say } from '../report.ts'

const sockets = 5_000
const ticks = 12
/** The first turns are not counted: the compiler has not seen all code yet. */
const young = 2

const starts = 4

/** Prints the median of the ratios of `pairs` pairs of turns, in messages per CPU-second. `pairs` is a multiple of 8: an even count for each start. */
export async function compareFanout(here: string, clone: string, pairs: number): Promise<void> {
  const found: Pair[] = []
  for (let n = 0; n < starts; n++) found.push(...(await pairsOf(here, clone, n % 2 === 0, pairs / starts)))
  const ratios = found.map(([mine, theirs]) => mine / theirs)
  const rates = `${rounded(median(found.map(([mine]) => mine)))} messages per CPU-second beside ${rounded(median(found.map(([, theirs]) => theirs)))}`
  const all = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
  say(`fan-out to ${sockets} sockets: ${rates}, ${medianOfTurns(ratios).toFixed(3)} of the other clone (${all})`)
}

type Pair = readonly [mine: number, theirs: number]

/** Pairs of one start of both, in turns. */
async function pairsOf(here: string, clone: string, isMineFirst: boolean, count: number): Promise<Pair[]> {
  const first = await start(isMineFirst ? here : clone)
  const second = await start(isMineFirst ? clone : here)
  const sides = isMineFirst ? ([first, second] as const) : ([second, first] as const)
  const found: Pair[] = []
  for (let n = 0; n < young + count; n++) {
    const speeds = [0, 0] as [number, number]
    for (const side of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) speeds[side] = await run(sides[side])
    if (n >= young) found.push(speeds)
  }
  for (const side of sides) {
    side.disconnect()
    await once(side, 'exit')
  }
  return found
}

async function start(root: string): Promise<ChildProcess> {
  const side = fork(join(import.meta.dirname, 'side.ts'), [root, String(sockets)], { cwd: root })
  await once(side, 'message')
  return side
}

async function run(side: ChildProcess): Promise<number> {
  side.send(ticks)
  const [speed] = (await once(side, 'message')) as [number]
  return speed
}
