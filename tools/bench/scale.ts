/**
 * `npm run bench -- scale`: costs of a large exchange compared with a small one, in processor time, with their targets. A million
 * users with three of five hundred assets and a million resting orders in two hundred markets: memory; the most expensive command
 * on the way there; processor time per command compared with a small exchange and with bare accesses to the same memory; size and
 * time of a snapshot; and the most expensive command of events that affect a hundred thousand accounts at once. Commands are
 * measured one by one, and the least of three identical runs counts. Exits with 1 when a target is missed.
 *
 *   --users N --orders N --runs N --growths N --accounts N --limit-ms N --only growth|cost|crowds --json
 */
import { fork, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreEnvironment } from '../../core/compiler-flags.ts'
import { median, numberAfter, rounded, say } from './report.ts'
import { measureMargin } from './scale/margin.ts'
import { measurePerp } from './scale/perp.ts'
import type { Cost } from './scale/run.ts'
import type { Dumped, Grown, Question, Size, Task } from './scale/side.ts'
import { tablesOf, touchesPerCommand } from './touches.ts'

const users = numberAfter('--users', 1_000_000)
const orders = numberAfter('--orders', 1_000_000)
const runs = numberAfter('--runs', 5)
const growths = numberAfter('--growths', 3)
const large: Size = { users, assets: 500, markets: 200, orders }
const small: Size = { users: 1000, assets: 2, markets: 1, orders: 1000 }

const memoryMax = 2048
const commandMaxMs = numberAfter('--limit-ms', 5)
const ratioMax = 2
const touchesMax = 1.3
const restoreMaxMs = 10_000

const side = new URL('scale/side.ts', import.meta.url)
const env = { ...process.env, ...coreEnvironment }
const lines: { readonly what: string; readonly isMet: boolean }[] = []

if (isWanted('growth') || isWanted('cost')) warm()
const worst = isWanted('growth') ? await worstCommand() : undefined
const cost = isWanted('cost') ? await costs() : undefined
const crowds = isWanted('crowds') ? happenings() : []
const missed = lines.filter(({ isMet }) => !isMet)
say(
  missed.length === 0
    ? 'All targets are met.'
    : `${missed.length} of ${lines.length} targets are missed: ${missed.map(({ what }) => what).join('; ')}.`,
)
if (process.argv.includes('--json')) {
  const { each, own, ratio } = cost ?? { each: 0, own: 0, ratio: 0 }
  const results = { worst, cost, crowds, missed }
  console.log(JSON.stringify({ name: 'scale', value: each, yardstick: own, yardstickName: 'small exchange', ratio, results }))
}
if (missed.length > 0) process.exitCode = 1

function isWanted(part: string): boolean {
  const at = process.argv.indexOf('--only')
  return at < 0 || process.argv[at + 1] === part
}

function line(what: string, isMet: boolean): void {
  lines.push({ what: what.split(':')[0]!, isMet })
  say(`${isMet ? 'met   ' : 'MISSED'}  ${what}`)
}

/** Touches 3 GiB once: under a hypervisor, the first use of memory is slow. */
function warm(): void {
  spawnSync(process.execPath, ['-e', 'const kept = Array.from({ length: 24 }, () => new Uint8Array(2 ** 27).fill(1))'], { env })
}

/** Measures the most expensive command while the exchange grows. */
async function worstCommand(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-scale-'))
  let least = new Float32Array(0)
  try {
    for (let run = 0; run < growths; run++) {
      const timings = join(folder, `timings-${run}`)
      const [code] = (await once(fork(side, [JSON.stringify({ size: large, timings } satisfies Task)], { env }), 'exit')) as [number]
      if (code !== 0) throw new Error(`the growth ended with ${code}`)
      const bytes = readFileSync(timings)
      const times = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
      rmSync(timings)
      least = run === 0 ? times : least.map((time, n) => Math.min(time, times[n]!))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const bySpent = [...least.keys()].filter((n) => least[n]! > 1).sort((a, b) => least[b]! - least[a]!)
  const ms = least.reduce((most, time) => Math.max(most, time), 0)
  const named = bySpent.slice(0, 5).map((n) => `${rounded(n)}: ${least[n]!.toFixed(2)}`)
  line(
    `most expensive of ${rounded(least.length)} commands while growing: ${ms.toFixed(2)} ms (at most ${commandMaxMs}; ${named.join(', ')})`,
    ms <= commandMaxMs,
  )
  return ms
}

async function costs() {
  const big = await start({ size: large })
  const mib = big.grown.rssBytes / 2 ** 20
  line(
    `memory with ${rounded(users)} users and ${rounded(orders)} orders: ${rounded(mib)} MiB for the process (at most 2,048)`,
    mib <= memoryMax,
  )
  const little = await start({ size: small })
  const pairs: { readonly large: number; readonly small: number; readonly touches: number }[] = []
  for (let run = 0; run <= runs; run++) {
    const pair = {
      small: await ask<number>(little.child, 'run'),
      large: await ask<number>(big.child, 'run'),
      touches: await ask<number>(big.child, 'touch'),
    }
    if (run > 0) pairs.push(pair)
  }
  little.child.kill()
  const of = (name: 'large' | 'small' | 'touches'): number => Math.round(median(pairs.map((pair) => pair[name])))
  const two = (value: number): number => Math.round(value * 100) / 100
  const ratio = two(median(pairs.map((pair) => pair.large / pair.small)))
  const overTouches = two(median(pairs.map((pair) => pair.large / pair.touches)))
  const tables = tablesOf(large)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  say(
    `        bare touches of ${touchesPerCommand(large).toFixed(1)} lines in ${tables.length} tables of ${rounded(bytes / 2 ** 20)} MiB: ${of('touches')} ns`,
  )
  line(
    `cost of a command: ${of('large')} ns, ${ratio}× a small exchange's ${of('small')} (at most 2) and ${overTouches}× the bare touches (or at most 1.3)`,
    ratio <= ratioMax || overTouches <= touchesMax,
  )
  const snapshot = await ask<Dumped>(big.child, 'dump')
  line(
    `restore: ${rounded(snapshot.restoreMs)} ms (at most 10,000) of a snapshot of ${rounded(snapshot.bytes / 2 ** 20)} MiB made in ${rounded(snapshot.dumpMs)} ms, ${snapshot.isSame ? 'the same state' : 'ANOTHER STATE'}`,
    snapshot.restoreMs <= restoreMaxMs && snapshot.isSame,
  )
  big.child.kill()
  return { each: of('large'), own: of('small'), ratio, overTouches, grown: big.grown, pairs, snapshot }
}

/** Events that affect many futures and margin accounts at once: index ticks, liquidations, funding, hours, new terms. */
function happenings(): readonly Cost[] {
  const accounts = numberAfter('--accounts', 100_000)
  return [measurePerp, measureMargin].flatMap((measured) => {
    const crowd = measured(accounts)
    for (const { what, happened, commands, worstMs, wholeMs } of crowd) {
      line(
        `${what}: ${rounded(happened)} in ${rounded(commands)} commands, the most expensive ${worstMs.toFixed(2)} ms (at most ${commandMaxMs}), all ${rounded(wholeMs)} ms`,
        worstMs <= commandMaxMs && happened > 0,
      )
    }
    return crowd
  })
}

async function start(task: Task): Promise<{ readonly child: ChildProcess; readonly grown: Grown }> {
  const child = fork(side, [JSON.stringify(task)], { env })
  child.once('exit', (code) => {
    if (code !== null && code !== 0) throw new Error(`a side ended with ${code}`)
  })
  const [grown] = (await once(child, 'message')) as [Grown]
  return { child, grown }
}

async function ask<T>(child: ChildProcess, question: Question): Promise<T> {
  child.send(question)
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}
