/**
 * The phone app's loading cost: kB of a first load per tab against the budget, and Lighthouse's scores on a slow phone if Lighthouse
 * is installed in `tools/heavy`. `--no-lighthouse`, `--json`. Fails when a budget is exceeded.
 *
 * Lighthouse runs against a whole exchange with bots on this machine, so its scores vary with other load: the median of
 * `--rounds N` (default 1) counts. A round whose browser died or painted nothing in time is reported and repeated.
 */
import { existsSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { locales } from '@candor/core/protocol/locales.ts'
import { startExchange } from '../../server/main/test/exchange.ts'
import { browserArgs, findBrowser, heavyRequire } from '../browser.ts'
import { root } from '../tidy/files.ts'
import { median } from './report.ts'
import { budget, type FirstLoad, firstLoad, otherSizes, tabs } from './web-build.ts'

const { values } = parseArgs({
  options: {
    'no-lighthouse': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
/** Attempts per round. */
const attemptsMax = 4
const say = (line: string): void => void (values.json ? process.stderr : process.stdout).write(`${line}\n`)

const loads = tabs.map(heaviest)
const sizes = otherSizes()
say(`First load in kB of gzip, heaviest language (budget ${budget.firstLoad}; requests ${budget.requests} with page and font)`)
for (const { path, kB, lang, files } of loads)
  say(`  ${path.padEnd(12)}${kB.toFixed(1).padStart(7)}  ${lang.padEnd(8)}${files.length + 2} requests`)
say(
  `  styles ${sizes.styles.toFixed(1)} of ${budget.styles}, font ${sizes.font.toFixed(1)} of ${budget.font}, chart ${sizes.chart.toFixed(1)} of ${budget.chart}, page ${sizes.page.toFixed(1)}`,
)

const marks = values['no-lighthouse'] ? undefined : await lighthouseMarks(['/', '/spot'])
const worst = Math.max(...loads.map((load) => load.kB))
const isOver =
  worst > budget.firstLoad ||
  loads.some((load) => load.files.length + 2 > budget.requests) ||
  sizes.styles > budget.styles ||
  sizes.font > budget.font ||
  sizes.chart > budget.chart
const results = { loads: loads.map(({ path, lang, kB, files }) => ({ path, lang, kB, requests: files.length + 2 })), sizes, marks, isOver }
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ name: 'web', value: worst, yardstick: budget.firstLoad, ratio: worst / budget.firstLoad, results })}\n`,
  )
process.exit(isOver ? 1 : 0)

function heaviest(path: string): FirstLoad {
  return locales.map(({ code }) => firstLoad(path, code)).reduce((a, b) => (b.kB > a.kB ? b : a))
}

type Marks = {
  readonly path: string
  readonly performance: number
  readonly accessibility: number
  readonly practices: number
  readonly lcpMs: number
  readonly tbtMs: number
  readonly cls: number
}

type Report = {
  readonly lhr: {
    readonly runtimeError?: { readonly code: string }
    readonly categories: Readonly<Record<string, { readonly score: number | null }>>
    readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
  }
}

type Lighthouse = (url: string, flags: object) => Promise<Report>
type Launch = (options: object) => Promise<{ readonly port: number; kill(): void | Promise<void> }>

/** Repeats a round until a measurement is complete. Throws the last error after a few attempts. */
async function measured(path: string, attempt: () => Promise<Report>): Promise<Marks> {
  for (let left = attemptsMax - 1; ; left -= 1) {
    try {
      const report = await attempt()
      const fault = report.lhr.runtimeError?.code ?? missingOf(marksOf(path, report))
      if (fault === undefined) return marksOf(path, report)
      throw new Error(fault)
    } catch (error) {
      if (left === 0) throw error
      process.stderr.write(`  ${path}: no measurement (${(error as Error).message}), again\n`)
    }
  }
}

/** The value that Lighthouse could not measure, if any: a page that painted nothing has no number, which would spoil the scores. */
function missingOf(marks: Marks): string | undefined {
  return Object.entries(marks).find(([, value]) => Number.isNaN(value))?.[0]
}

async function audit(lighthouse: Lighthouse, launch: Launch, url: string): Promise<Report> {
  const chrome = await launch({ chromePath: findBrowser(), chromeFlags: ['--headless=new', ...browserArgs], logLevel: 'silent' })
  try {
    const onlyCategories = ['performance', 'accessibility', 'best-practices']
    return await lighthouse(url, { port: chrome.port, logLevel: 'silent', onlyCategories })
  } finally {
    await chrome.kill()
  }
}

/** Scores from 0 to 100 with Lighthouse's own slow phone and network; undefined without Lighthouse. */
async function lighthouseMarks(paths: readonly string[]): Promise<readonly Marks[] | undefined> {
  const heavy = join(root, 'tools', 'heavy', 'node_modules')
  if (!existsSync(join(heavy, 'lighthouse'))) {
    say('Lighthouse: skipped, not installed (npm ci in tools/heavy)')
    return undefined
  }
  const load = (name: string): Promise<unknown> => import(pathToFileURL(heavyRequire().resolve(name)).href)
  const { default: lighthouse } = (await load('lighthouse')) as { default: Lighthouse }
  const { launch } = (await load('chrome-launcher')) as { launch: Launch }
  await using exchange = await startExchange({ seed: '7', bots: true, hasHistory: true })
  const found: Marks[] = []
  for (const path of paths) {
    const rounds: Marks[] = []
    for (let round = 0; round < Number(values.rounds); round += 1) {
      rounds.push(await measured(path, () => audit(lighthouse, launch, `${exchange.url}/#${path}`)))
    }
    const of = (key: Exclude<keyof Marks, 'path'>): number => median(rounds.map((marks) => marks[key]))
    const marks: Marks = {
      path,
      performance: of('performance'),
      accessibility: of('accessibility'),
      practices: of('practices'),
      lcpMs: of('lcpMs'),
      tbtMs: of('tbtMs'),
      cls: of('cls'),
    }
    found.push(marks)
    say(
      `  Lighthouse ${path.padEnd(6)} performance ${marks.performance}, accessibility ${marks.accessibility}, best practices ${marks.practices}, ` +
        `LCP ${Math.round(marks.lcpMs)} ms, TBT ${Math.round(marks.tbtMs)} ms, CLS ${marks.cls.toFixed(3)}`,
    )
  }
  const load1 = (loadavg()[0] ?? 0).toFixed(1)
  say(`  at a load of ${load1} on ${availableParallelism()} cores: other load lengthens TBT most`)
  return found
}

function marksOf(path: string, { lhr }: Report): Marks {
  const score = (name: string): number => Math.round((lhr.categories[name]?.score ?? Number.NaN) * 100)
  const number = (name: string): number => lhr.audits[name]?.numericValue ?? Number.NaN
  return {
    path,
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    lcpMs: number('largest-contentful-paint'),
    tbtMs: number('total-blocking-time'),
    cls: number('cumulative-layout-shift'),
  }
}
