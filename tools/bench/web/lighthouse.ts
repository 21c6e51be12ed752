/** Lighthouse on a slow phone and network, against a whole exchange: as a visitor, or as a customer who is logged in. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { browserArgs, findBrowser, heavyRequire } from '../../browser.ts'
import { root } from '../../tidy/files.ts'
import { median } from '../report.ts'
import type { Customer } from './world.ts'

export type Marks = {
  readonly performance: number
  readonly accessibility: number
  readonly practices: number
  readonly lcpMs: number
  readonly tbtMs: number
  readonly cls: number
}

type TraceEvent = {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts: number
  readonly dur?: number
  /** Time of the processor, microseconds. */
  readonly tdur?: number
}
type Category = { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
type Report = {
  readonly lhr: {
    readonly runtimeError?: { readonly code: string }
    readonly categories: Readonly<Record<string, Category>>
    readonly audits: Readonly<Record<string, { readonly numericValue?: number; readonly score: number | null }>>
  }
  readonly artifacts: { readonly Trace: { readonly traceEvents: readonly TraceEvent[] } }
}
/** The score of a value, by the two points of a logarithmic normal distribution. */
type ScoreOf = (points: { readonly p10: number; readonly median: number }, value: number) => number
type Lighthouse = (url: string, flags: object) => Promise<Report>
type Launch = (options: object) => Promise<{ readonly port: number; kill(): void | Promise<void> }>
type Tools = { readonly lighthouse: Lighthouse; readonly launch: Launch; readonly scoreOf: ScoreOf }

export type Visit = {
  readonly url: string
  readonly path: string
  /** Undefined for a visitor. */
  readonly user?: Customer | undefined
  readonly rounds: number
  /**
   * Whether the largest text is in the page itself. Then its paint is measured on a browser that is really slowed: the simulation counts
   * every script that arrived before it, and from this machine all of them arrive within a few milliseconds.
   */
  readonly isPainted: boolean
}

/** Text as a phone shows it: for pictures, tests measure glyphs at other widths. */
const flags = browserArgs.filter((flag) => !flag.includes('hinting'))
/** Attempts per round. */
const attemptsMax = 3
/** A measurement takes half a minute. A browser that hangs is ended after some times that, so that the other paths get their turn. */
const attemptMs = 150_000

/** Lighthouse, if it is installed in `tools/heavy`. */
export async function findLighthouse(): Promise<Tools | undefined> {
  if (!existsSync(join(root, 'tools', 'heavy', 'node_modules', 'lighthouse'))) return undefined
  const load = (name: string): Promise<unknown> => import(pathToFileURL(heavyRequire().resolve(name)).href)
  const { default: lighthouse } = (await load('lighthouse')) as { default: Lighthouse }
  const { launch } = (await load('chrome-launcher')) as { launch: Launch }
  const { Audit } = (await load('lighthouse/core/audits/audit.js')) as { Audit: { readonly computeLogNormalScore: ScoreOf } }
  return { lighthouse, launch, scoreOf: Audit.computeLogNormalScore.bind(Audit) }
}

/** Medians of some rounds, each a first visit with a new browser. */
export async function marksOf(tools: Tools, visit: Visit): Promise<Marks> {
  const rounds: Marks[] = []
  for (let round = 0; round < visit.rounds; round += 1) rounds.push(await measured(tools, visit))
  const of = (key: keyof Marks): number => median(rounds.map((marks) => marks[key]))
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    practices: of('practices'),
    lcpMs: of('lcpMs'),
    tbtMs: of('tbtMs'),
    cls: of('cls'),
  }
}

/** Repeats a round until a measurement is complete. Throws the last error after a few attempts. */
async function measured(tools: Tools, visit: Visit): Promise<Marks> {
  for (let left = attemptsMax - 1; ; left -= 1) {
    try {
      const report = await audit(tools, visit, 'simulate')
      const { lhr } = report
      const marks = {
        ...read(report, tools.scoreOf),
        ...(visit.isPainted ? { lcpMs: lcpOf((await audit(tools, visit, 'devtools')).lhr) } : {}),
      }
      // A page that painted nothing has no number, which would spoil the scores.
      const fault = lhr.runtimeError?.code ?? Object.entries(marks).find(([, value]) => Number.isNaN(value))?.[0]
      if (fault === undefined) return marks
      throw new Error(fault)
    } catch (error) {
      if (left === 0) throw error
      process.stderr.write(`  ${visit.path}: no measurement (${(error as Error).message}), again\n`)
    }
  }
}

async function audit(
  { lighthouse, launch }: Tools,
  { url, path, user }: Visit,
  throttlingMethod: 'simulate' | 'devtools',
): Promise<Report> {
  const chrome = await launch({
    chromePath: findBrowser(),
    chromeFlags: ['--headless=new', '--ignore-certificate-errors', ...flags],
    logLevel: 'silent',
  })
  let timer: NodeJS.Timeout | undefined
  try {
    if (user !== undefined) await logIn(chrome.port, url, user)
    const onlyCategories = ['performance', 'accessibility', 'best-practices']
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer in ${attemptMs / 1_000} s`)), attemptMs)
    })
    // The browser is new, so that nothing but the login is stored in it.
    const answer = lighthouse(`${url}/#${path}`, {
      port: chrome.port,
      logLevel: 'silent',
      onlyCategories,
      throttlingMethod,
      disableStorageReset: user !== undefined,
    })
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    await chrome.kill()
  }
}

/** Puts the session into the browser from an address that loads no code of the app. */
async function logIn(port: number, url: string, { cookie, session }: Customer): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const context = browser.contexts()[0]!
  await context.addCookies([{ ...cookie, url }])
  const page = await context.newPage()
  await page.goto(`${url}/app/v1/config`)
  await page.evaluate((kept) => localStorage.setItem('session', kept), session)
  await page.close()
  await browser.close()
}

function read({ lhr, artifacts }: Report, scoreOf: ScoreOf): Marks {
  const { categories, audits } = lhr
  const score = (name: string): number => Math.round((categories[name]?.score ?? Number.NaN) * 100)
  const tbtMs = blockingMs(artifacts.Trace.traceEvents)
  const ofAudit = (id: string): number =>
    id === 'total-blocking-time' ? scoreOf(blockingPoints, tbtMs) : (audits[id]?.score ?? Number.NaN)
  const weighed = (categories['performance']?.auditRefs ?? []).filter(({ weight }) => weight > 0)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  return {
    performance: Math.round((weighed.reduce((sum, { id, weight }) => sum + weight * ofAudit(id), 0) / total) * 100),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    lcpMs: lcpOf(lhr),
    tbtMs,
    cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
  }
}

function lcpOf({ audits }: Report['lhr']): number {
  return audits['largest-contentful-paint']?.numericValue ?? Number.NaN
}

/** Lighthouse's points for the blocking time on a phone. */
const blockingPoints = { p10: 200, median: 600 } as const
/** As slow as the phone is that Lighthouse stands for. */
const slowdown = 4
const longTaskMs = 50

/**
 * The blocking time of all tasks after the first paint, by the time that the processor spent on them. Lighthouse takes the time that
 * passed: here that includes the times in which the exchange, the other processes of the browser and Lighthouse itself had the core.
 */
function blockingMs(events: readonly TraceEvent[]): number {
  const paint = events.filter(({ name }) => name === 'firstContentfulPaint').at(-1)
  if (paint === undefined) return Number.NaN
  const tasks = events.filter(({ name, pid, tid, ts, dur = 0 }) => {
    return name === 'RunTask' && pid === paint.pid && tid === paint.tid && ts + dur > paint.ts
  })
  return tasks.reduce((sum, { tdur = 0 }) => sum + Math.max(0, (slowdown * tdur) / 1_000 - longTaskMs), 0)
}
