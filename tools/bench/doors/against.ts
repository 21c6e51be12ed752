/**
 * Compares the exchange of this tree with that of another clone at its doors: signed orders over HTTP and over the WebSocket API,
 * durable when they are acknowledged. Both exchanges run at the same time and are driven in turns, a few seconds each, so that
 * other load on the machine slows both alike.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cpuSum } from '../cpu.ts'
import type { Driven } from './side.ts'
import { median, medianOfTurns, rounded, say } from '../report.ts'

const seconds = 2

/** Prints, per way to send orders, the median of the ratios of `pairs` pairs of turns, an even count, by rate and by processor time. */
export async function compareDoors(here: string, clone: string, pairs: number, only: string): Promise<void> {
  const mine = await start(here, only)
  const theirs = await start(clone, only)
  for (const [way, name] of mine.ways.entries()) {
    const found = await pairsOf(mine.side, theirs.side, way, pairs)
    say(lineOf(name, found))
    say(`  µs of processor per order: ${microsOf(found)}`)
  }
  for (const { side } of [mine, theirs]) {
    side.send('end')
    await once(side, 'exit')
  }
}

type Pair = { readonly mine: Driven; readonly theirs: Driven }

async function pairsOf(mine: ChildProcess, theirs: ChildProcess, way: number, count: number): Promise<Pair[]> {
  const found: Pair[] = []
  for (let n = 0; n < count; n++) {
    const driven = new Map<ChildProcess, Driven>()
    for (const side of n % 2 === 0 ? [mine, theirs] : [theirs, mine]) driven.set(side, await run(side, way))
    found.push({ mine: driven.get(mine)!, theirs: driven.get(theirs)! })
  }
  return found
}

function lineOf(name: string, pairs: readonly Pair[]): string {
  const of = (pick: (pair: Pair) => number): number => median(pairs.map(pick))
  const rates = `${rounded(of(({ mine }) => mine.perSecond))}/s beside ${rounded(of(({ theirs }) => theirs.perSecond))}/s`
  const ratio = medianOfTurns(pairs.map(({ mine, theirs }) => mine.perSecond / theirs.perSecond))
  const byTime = medianOfTurns(pairs.map(({ mine, theirs }) => cpuSum(theirs.micros) / cpuSum(mine.micros)))
  const all = pairs.map(({ mine, theirs }) => (mine.perSecond / theirs.perSecond).toFixed(2)).join(' ')
  return `${name}: ${rates}, ${ratio.toFixed(3)} of the other clone, by processor time ${byTime.toFixed(3)} (${all})`
}

function microsOf(pairs: readonly Pair[]): string {
  const of = (owner: string, side: keyof Pair): string => median(pairs.map((pair) => pair[side].micros[owner] ?? 0)).toFixed(2)
  const owners = Object.keys(pairs[0]?.mine.micros ?? {})
  return owners.map((owner) => `${owner} ${of(owner, 'mine')} beside ${of(owner, 'theirs')}`).join(', ')
}

async function start(root: string, only: string): Promise<{ readonly side: ChildProcess; readonly ways: readonly string[] }> {
  const side = fork(join(import.meta.dirname, 'side.ts'), [root, String(seconds), only], { cwd: root })
  const [ways] = (await once(side, 'message')) as [string[]]
  return { side, ways }
}

async function run(side: ChildProcess, way: number): Promise<Driven> {
  side.send(way)
  const [driven] = (await once(side, 'message')) as [Driven]
  return driven
}
