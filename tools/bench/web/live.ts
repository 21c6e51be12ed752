/** What a phone feels after the first load: work of a live trade screen, taps, and a reload without a connection. */
import { type BrowserContext, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core'
import { browserArgs, findBrowser } from '../../browser.ts'
import { median } from '../report.ts'
import type { World } from './world.ts'

/** As often as a phone of the middle class is slower than this machine. */
const slowdown = 4
const watchedMs = 10_000
const settleMs = 3_000

type Opened = { readonly context: BrowserContext; readonly page: Page }

const middling: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** A browser in which the customer is logged in: that of a phone, unless it is another one. */
async function phone({ url, customer }: World, options = middling): Promise<Opened> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: [...browserArgs] })
  const context = await browser.newContext(options)
  context.on('close', () => void browser.close())
  await context.addCookies([{ ...customer.cookie, url }])
  await context.addInitScript((kept) => localStorage.setItem('session', kept), customer.session)
  return { context, page: await context.newPage() }
}

async function open(page: Page, url: string, path: string): Promise<void> {
  await page.goto(`${url}/#${path}`)
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null)
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/** Main-thread milliseconds per second of a desk whose book, trades and prices move. */
export async function workPerSecond(world: World, path: string): Promise<number> {
  return worked(await phone(world), world.url, path)
}

/** The same in a wide window, with a mouse, that shows four charts. */
export async function workOfFourCharts(world: World): Promise<number> {
  const { context, page } = await phone(world, { viewport: { width: 1_920, height: 1_080 } })
  const grid = { count: 4, isLinked: true, charts: [] }
  await context.addInitScript((value) => {
    const kept = { owner: null, value }
    localStorage.setItem('settings', JSON.stringify({ kept: { 'chart-grid': kept } }))
  }, grid)
  return worked({ context, page }, world.url, '/contractkline?symbol=BTCUSDTPERP')
}

async function worked({ context, page }: Opened, url: string, path: string): Promise<number> {
  try {
    await open(page, url, path)
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    // The idle work after the start, such as prefetching the other tabs, is not the desk's.
    await page.waitForTimeout(settleMs * 3)
    const [before, started] = [await taskSeconds(session), performance.now()]
    await page.waitForTimeout(watchedMs)
    return ((await taskSeconds(session)) - before) / ((performance.now() - started) / 1_000_000)
  } finally {
    await context.close()
  }
}

export type Tap = { readonly what: string; readonly ms: number }

/** From each tap to the next frame, as browsers measure an interaction, on the live desk and between the tabs. */
export async function taps(world: World): Promise<readonly Tap[]> {
  const { context, page } = await phone(world)
  try {
    await page.addInitScript(() => {
      const durations: number[] = []
      Object.assign(globalThis, { durations })
      const watch = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ('interactionId' in entry && entry.interactionId !== 0) durations.push(entry.duration)
      })
      watch.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    })
    await open(page, world.url, '/spot?symbol=BTCUSDT')
    await page.waitForTimeout(settleMs * 3)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const found: Tap[] = []
    const tap = async (what: string, place: string): Promise<void> => {
      await page.evaluate(() => void (globalThis as unknown as { durations: number[] }).durations.splice(0))
      // A touch on the glass: the library's own tap looks at the page first, which would count as the page's delay.
      const box = await page.locator(place).first().boundingBox()
      if (box === null) throw new Error(`nothing to tap: ${what}`)
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
      await page.waitForTimeout(1_000)
      const durations = await page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations)
      // Below the least that browsers report, there is no entry.
      found.push({ what, ms: Math.max(16, ...durations) })
    }
    await tap('buy to sell', 'main [role=radiogroup] [role=radio][aria-checked=false]')
    await tap('choose a market', 'main header button[aria-haspopup=dialog]')
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    for (const [what, path] of [
      ['tab Home', '/'],
      ['tab Markets', '/market'],
      ['tab Assets', '/property'],
      ['tab Account', '/me'],
      ['tab Trade', '/spot'],
    ] as const)
      await tap(what, `nav a[href="#${path}"]`)
    return found
  } finally {
    await context.close()
  }
}

/**
 * Milliseconds from the start of a reload without a connection to the frame that shows the last balance: the median of some reloads
 * at full speed. The balance is in no file, so the frame can't come from the shell alone.
 */
export async function offlineReload(world: World, rounds: number): Promise<number> {
  const { context, page } = await phone(world)
  try {
    const shown = world.customer.usdt.toLocaleString('en')
    await page.addInitScript((text) => {
      const look = (): void => {
        if (!(document.querySelector('main') as HTMLElement | null)?.innerText.includes(text)) return void requestAnimationFrame(look)
        // The task after the frame: until then, the text is only laid out.
        requestAnimationFrame(() => setTimeout(() => Object.assign(globalThis, { shownMs: performance.now() })))
      }
      requestAnimationFrame(look)
    }, shown)
    const isShown = (): Promise<unknown> => page.waitForFunction(() => 'shownMs' in globalThis)
    await page.goto(`${world.url}/#/property`)
    await isShown()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    await isShown()
    await page.waitForTimeout(settleMs * 2)
    await context.setOffline(true)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await page.reload()
      await isShown()
      times.push(await page.evaluate(() => (globalThis as unknown as { shownMs: number }).shownMs))
      await page.waitForTimeout(1_000)
    }
    return median(times)
  } finally {
    await context.close()
  }
}
