/**
 * The liquidity bots as a process. Settings: CANDOR_URL, CANDOR_BOT_CREDENTIALS (JSON: two of {email, password}),
 * CANDOR_SEED. Ends on SIGTERM or SIGINT, or when its parent process has ended; cancels its quotes first.
 */
import type { Credentials } from './account.ts'
import { startBots, type Bots } from './runner.ts'

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}

function credentials(): readonly [Credentials, Credentials] {
  const list: unknown = JSON.parse(setting('CANDOR_BOT_CREDENTIALS'))
  const isOne = (each: unknown): each is Credentials =>
    typeof each === 'object' && each !== null && 'email' in each && 'password' in each && typeof each.email === 'string'
  if (!Array.isArray(list) || list.length !== 2 || !list.every(isOne)) throw new Error('CANDOR_BOT_CREDENTIALS must hold two users')
  return [list[0], list[1]]
}

const log = (details: object, text: string): void => {
  process.stdout.write(`${JSON.stringify({ level: 30, time: Date.now(), name: 'bots', ...details, msg: text })}\n`)
}

/** Shorter than the 10 s after which a supervisor kills the process. */
const leaveMaxMs = 8_000

let bots: Bots | undefined
let isLeaving = false
async function leave(): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  const limit = setTimeout(() => {
    log({}, 'bots stopped without cancelling their quotes')
    process.exit(1)
  }, leaveMaxMs)
  await bots?.[Symbol.asyncDispose]()
  clearTimeout(limit)
  process.exit(0)
}
process.on('SIGTERM', () => void leave())
process.on('SIGINT', () => void leave())
process.on('disconnect', () => void leave())
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) void leave()
}, 1_000).unref()

bots = await startBots({
  baseUrl: setting('CANDOR_URL'),
  credentials: credentials(),
  seed: process.env['CANDOR_SEED'] ?? String(Date.now()),
  log,
})
