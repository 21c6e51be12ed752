/**
 * Compares the exchange of this tree with that of another clone at its doors: signed orders over HTTP and over the WebSocket API,
 * durable when they are acknowledged. Both exchanges run at the same time and are driven in turns, a few seconds each, so that
 * other load on the machine slows both alike. Each start compiles differently and gets other memory, which changes the speed by several
 * percent, even beside a copy of the same tree. So both are started several times, the one and the other first.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cpuSum } from '../cpu.ts'
import type { Driven } from './side.ts'
import { median, medianOfTurns, rounded, say } from '../report.ts'

const seconds = 2

const starts = 4

/**
 * Prints, per way to send orders, the median of the ratios of `pairs` pairs of turns by rate and by processor time. `pairs` is a
 * multiple of 8: an even count for each start.
 */
export async function compareDoors(here: string, clone: string, pairs: number, only: string): Promise<void> {
  const found = new Map<string, Pair[]>()
  for (let n = 0; n < starts; n++) {
    const sides: Running[] = []
    for (const root of n % 2 === 0 ? [here, clone] : [clone, here]) sides.push(await start(root, only))
    const [mine, theirs] = (n % 2 === 0 ? sides : sides.toReversed()) as [Running, Running]
    for (const [way, name] of mine.ways.entries()) {
      const before = found.get(name) ?? []
      found.set(name, [...before, ...(await pairsOf(mine.side, theirs.side, way, pairs / starts))])
    }
    for (const { side } of sides) {
      side.send('end')
      await once(side, 'exit')
    }
  }
  for (const [name, all] of found) {
    say(lineOf(name, all))
    say(`  µs of processor per order: ${microsOf(all)}`)
  }
}

type Running = { readonly side: ChildProcess; readonly ways: readonly string[] }
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

async function start(root: string, only: string): Promise<Running> {
  const side = fork(join(import.meta.dirname, 'side.ts'), [root, String(seconds), only], { cwd: root })
  const [ways] = (await once(side, 'message')) as [string[]]
  return { side, ways }
}

async function run(side: ChildProcess, way: number): Promise<Driven> {
  side.send(way)
  const [driven] = (await once(side, 'message')) as [Driven]
  return driven
}
