/**
 * `npm run bench -- scale`: what a large exchange costs beside a small one. A million users with three of five hundred assets
 * and a million resting orders in two hundred markets: memory, the worst single command on the way there (per command the least
 * of three identical runs), processor time per command beside that of a small exchange and of bare touches of as much memory,
 * and size and time of a snapshot.
 *
 *   --users N --orders N --runs N --json
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreEnvironment } from '../../core/compiler-flags.ts'
import { median, numberAfter, rounded, say } from './report.ts'
import { measureMargin } from './scale-margin.ts'
import { touchedBytes, touchesPerCommand } from './touches.ts'
import { measurePerp } from './scale-perp.ts'
import type { Dumped, Grown, Question, Size, Task } from './scale-side.ts'

const users = numberAfter('--users', 1_000_000)
const orders = numberAfter('--orders', 1_000_000)
const runs = numberAfter('--runs', 5)
const growths = numberAfter('--growths', 3)
const large: Size = { users, assets: 500, markets: 200, orders }
const small: Size = { users: 1000, assets: 2, markets: 1, orders: 1000 }

const side = new URL('scale-side.ts', import.meta.url)
const env = { ...process.env, ...coreEnvironment }

const folder = mkdtempSync(join(tmpdir(), 'candor-scale-'))
try {
  const worst = growths > 0 ? await worstCommand() : undefined
  const big = await start({ size: large })
  const grown = big.grown
  say(
    `${rounded(grown.commands)} commands: ${rounded(users)} users, ${rounded(orders)} orders, ${rounded(grown.rssBytes / 2 ** 20)} MiB for the whole process`,
  )
  const little = await start({ size: small })
  const pairs: { readonly large: number; readonly small: number; readonly touches: number }[] = []
  for (let run = 0; run <= runs; run++) {
    const pair = {
      small: await ask<number>(little.child, 'run'),
      large: await ask<number>(big.child, 'run'),
      touches: await ask<number>(little.child, 'touch'),
    }
    if (run > 0) pairs.push(pair)
  }
  little.child.kill()
  const of = (name: 'large' | 'small' | 'touches'): number => Math.round(median(pairs.map((pair) => pair[name])))
  const ratio = Math.round(median(pairs.map((pair) => pair.large / pair.small)) * 100) / 100
  const overTouches = Math.round(median(pairs.map((pair) => pair.large / (pair.small + pair.touches))) * 100) / 100
  say(`per command ${of('large')} ns, in a small exchange ${of('small')} ns: ${ratio}× (aim 2×)`)
  say(
    `bare touches of ${touchesPerCommand} lines of ${touchedBytes / 2 ** 20} MiB: ${of('touches')} ns; with the small exchange's command ${overTouches}× (aim 1.3×)`,
  )
  const snapshot = await ask<Dumped>(big.child, 'dump')
  say(
    `snapshot ${rounded(snapshot.bytes / 2 ** 20)} MiB in ${rounded(snapshot.dumpMs)} ms, restored in ${rounded(snapshot.restoreMs)} ms (aim 10,000)`,
  )
  big.child.kill()
  const neighbours = happenings()
  if (process.argv.includes('--json')) {
    const results = { worst, grown, pairs, overTouches, snapshot, neighbours }
    console.log(
      JSON.stringify({ name: 'scale', value: of('large'), yardstick: of('small'), yardstickName: 'small exchange', ratio, results }),
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Milliseconds of the slowest command of the growth: of each the least of several runs, so that noise does not count. */
async function worstCommand(): Promise<number> {
  let least = new Float32Array(0)
  for (let run = 0; run < growths; run++) {
    const timings = join(folder, `timings-${run}`)
    const [code] = (await once(fork(side, [JSON.stringify({ size: large, timings } satisfies Task)], { env }), 'exit')) as [number]
    if (code !== 0) throw new Error(`the growth ended with ${code}`)
    const bytes = readFileSync(timings)
    const times = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    rmSync(timings)
    least = run === 0 ? times : least.map((time, n) => Math.min(time, times[n]!))
  }
  const slowest = [...least.entries()].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0] as [number, number])
  say(
    `worst command of ${rounded(least.length)} while growing: ${slowest[1].toFixed(2)} ms, number ${rounded(slowest[0])} (aim 5 ms; least of ${growths} runs)`,
  )
  return slowest[1]
}

/** What happens to many contract and margin accounts at once: index ticks, liquidations, funding, hours. */
function happenings(): readonly { readonly what: string; readonly commands: number; readonly worstMs: number; readonly wholeMs: number }[] {
  const accounts = numberAfter('--accounts', 100_000)
  const measured = [...measurePerp(accounts), ...measureMargin(accounts)]
  for (const { what, commands, worstMs, wholeMs } of measured) {
    say(`${what}: ${rounded(commands)} commands, the worst ${worstMs.toFixed(2)} ms, all ${rounded(wholeMs)} ms (aim 5 ms each)`)
  }
  return measured
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
