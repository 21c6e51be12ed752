/**
 * The liquidity bots and the hedger of conversions as a process. Settings: CANDOR_URL, CANDOR_BOT_CREDENTIALS (JSON: two of
 * {email, password}; without them no bots), CANDOR_HEDGER_CREDENTIALS (JSON: one; without it no hedger), CANDOR_SEED. Ends on SIGTERM or SIGINT, or when its parent process has ended; cancels its quotes first.
 */
import type { Credentials } from './account.ts'
import { Hedger } from './hedger.ts'
import { startBots } from './runner.ts'

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}

const isOne = (each: unknown): each is Credentials =>
  typeof each === 'object' && each !== null && 'email' in each && 'password' in each && typeof each.email === 'string'

function listed(name: string, size: number): readonly Credentials[] | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  const list: unknown = [JSON.parse(text) as unknown].flat()
  if (!Array.isArray(list) || list.length !== size || !list.every(isOne)) throw new Error(`${name} must hold ${size} users`)
  return list
}

const log = (details: object, text: string): void => {
  process.stdout.write(`${JSON.stringify({ level: 30, time: Date.now(), name: 'bots', ...details, msg: text })}\n`)
}

/** Shorter than the 10 s after which a supervisor kills the process. */
const leaveMaxMs = 8_000

const parts = new AsyncDisposableStack()
let isLeaving = false
async function leave(): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  const limit = setTimeout(() => {
    log({}, 'bots stopped without cancelling their quotes')
    process.exit(1)
  }, leaveMaxMs)
  await parts.disposeAsync()
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

const baseUrl = setting('CANDOR_URL')
const hedger = listed('CANDOR_HEDGER_CREDENTIALS', 1)
const bots = listed('CANDOR_BOT_CREDENTIALS', 2)
if (hedger === undefined && bots === undefined) throw new Error('neither bots nor a hedger have credentials')
if (hedger !== undefined) parts.use(new Hedger({ baseUrl, credentials: hedger[0]!, log }).start())
if (bots !== undefined)
  parts.use(await startBots({ baseUrl, credentials: [bots[0]!, bots[1]!], seed: process.env['CANDOR_SEED'] ?? String(Date.now()), log }))
