/** Lighthouse on a slow phone and network, against a whole exchange: as a visitor, or as a customer who is logged in. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import type { TestUser } from '../../../server/main/test/exchange.ts'
import { cookieOf } from '../../../web/test/person.ts'
import { browserArgs, findBrowser, heavyRequire } from '../../browser.ts'
import { root } from '../../tidy/files.ts'
import { median } from '../report.ts'

export type Marks = {
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
type Tools = { readonly lighthouse: Lighthouse; readonly launch: Launch }

export type Visit = {
  readonly url: string
  readonly path: string
  /** Undefined for a visitor. */
  readonly user?: TestUser | undefined
  readonly rounds: number
}

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
  return { lighthouse, launch }
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
      const { lhr } = await audit(tools, visit)
      const marks = read(lhr)
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

async function audit({ lighthouse, launch }: Tools, { url, path, user }: Visit): Promise<Report> {
  const chrome = await launch({ chromePath: findBrowser(), chromeFlags: ['--headless=new', ...browserArgs], logLevel: 'silent' })
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
      disableStorageReset: user !== undefined,
    })
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    await chrome.kill()
  }
}

/** Puts the session into the browser from an address that loads no code of the app. */
async function logIn(port: number, url: string, user: TestUser): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const context = browser.contexts()[0]!
  await context.addCookies([{ ...cookieOf(user), url }])
  const page = await context.newPage()
  await page.goto(`${url}/app/v1/config`)
  const session = JSON.stringify((await user.call('GET', '/me')).body)
  await page.evaluate((kept) => localStorage.setItem('session', kept), session)
  await page.close()
  await browser.close()
}

function read({ categories, audits }: Report['lhr']): Marks {
  const score = (name: string): number => Math.round((categories[name]?.score ?? Number.NaN) * 100)
  const number = (name: string): number => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    lcpMs: number('largest-contentful-paint'),
    tbtMs: number('total-blocking-time'),
    cls: number('cumulative-layout-shift'),
  }
}
