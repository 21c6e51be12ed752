/**
 * What a sandbox at rest costs: processor time of all its processes, test chains, liquidity bots and PostgreSQL included, as a share of
 * one core. Fails above the aim.
 *
 *   npm run bench -- idle [--json] [--seconds N] [--bots on|off]
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../tidy/files.ts'
import { numberAfter, say } from './report.ts'

const shareMax = 0.25
const ticksPerSecond = 100
const startMaxMs = 600_000
const settleMs = 30_000

/** Fields of `/proc/PID/stat` behind the name: the parent, then user and system time. */
const [parentField, userField, systemField] = [1, 11, 12]

/** Processor seconds of these processes and of all that descend from them, by process. */
function secondsUnder(tops: readonly number[]): ReadonlyMap<number, number> {
  const seconds = new Map<number, number>()
  const parents = new Map<number, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
      parents.set(Number(pid), Number(fields[parentField]))
      seconds.set(Number(pid), (Number(fields[userField]) + Number(fields[systemField])) / ticksPerSecond)
    } catch {
      // It has ended meanwhile.
    }
  }
  const isUnder = (pid: number | undefined): boolean => pid !== undefined && (tops.includes(pid) || isUnder(parents.get(pid)))
  return new Map([...seconds].filter(([pid]) => isUnder(pid)))
}

const at = process.argv.indexOf('--bots')
const bots = at < 0 ? 'on' : process.argv[at + 1]!
const span = numberAfter('--seconds', 60)
const folder = mkdtempSync(join(tmpdir(), 'candor-idle-'))
const exchange = spawn(process.execPath, [join(root, 'server', 'main', 'candor.ts'), 'start'], {
  env: { ...process.env, CANDOR_DATA: folder, PORT: '0', CANDOR_BOTS: bots },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const ended = new Promise((resolve) => exchange.once('exit', resolve))
try {
  for (const begun = Date.now(); !existsSync(join(folder, 'running.json')); await sleep(500))
    if (exchange.exitCode !== null || Date.now() - begun > startMaxMs) throw new Error('The exchange did not start')
  await sleep(settleMs)
  // PostgreSQL is no child of the process that started it.
  const postgres = Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  const tops = [exchange.pid!, postgres]
  const before = secondsUnder(tops)
  await sleep(span * 1_000)
  const after = secondsUnder(tops)
  const used = [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)
  const share = used / span
  say(`a sandbox at rest, bots ${bots}: ${(100 * share).toFixed(1)} % of a core  (at most ${100 * shareMax} %)`)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ name: 'idle', share, shareMax }))
  if (share > shareMax) process.exitCode = 1
} finally {
  exchange.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
