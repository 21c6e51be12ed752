/**
 * Every path of the specification and of the app, with what the checklist names for it: in English in four views, in every other language
 * in one; then the frame around the screens. `npm run checklist -- --full` looks at every language in every view.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestExchange, TestUser } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { forCustomers, forNewcomers, forVisitors, type Place } from './checklist.ts'
import { open, views, walk } from './checklist-walk.ts'
import { startWorld, type World } from './checklist-world.ts'
import { type Lang, langsOr, languages, type Person, person, startBrowser } from './person.ts'
import { routes } from './routes.ts'

/** Pictures show usual balances, tests those with long figures. */
const isFull = process.env.CANDOR_CHECKLIST === 'full'
const long = { USDT: '98765432.1', BTC: '1234.56789', ETH: '54321.98765' }
const usual = { USDT: '25000', BTC: '0.2', ETH: '3' }
const others = (Object.keys(languages) as Lang[]).filter((lang) => lang !== 'en')

let browser: Browser
let world: World
let exchange: TestExchange
let customer: TestUser
before(async () => {
  browser = await startBrowser()
  world = await startWorld(isFull ? usual : long)
  ;({ exchange, customer } = world)
})
after(async () => {
  await browser.close()
  await world[Symbol.asyncDispose]()
})

test('UI-SCREEN-001: the checklist, which every walk below follows, has every path', () => {
  const places = [...forCustomers, ...forVisitors].map(({ path }) => path.split('?', 1)[0])
  assert.deepEqual(new Set(places), new Set([...routes, '/nowhere']))
})

type Walk = {
  readonly lang: Lang
  readonly also: readonly Lang[]
  readonly who: 'visitor' | 'newcomer' | 'customer'
  readonly places: readonly Place[]
}

const [first = 'en', ...also] = langsOr('en', ...others)
/** The full cross walks in each language by itself, to look at it in every view. */
const ways = isFull ? [first, ...also].map((lang) => ({ lang, also: [] })) : [{ lang: first, also }]
/** The longest walks first, because two or three go on at the same time. */
const walks: readonly Walk[] = ways.flatMap((way) => [
  ...[0, 1, 2].map((part) => ({ ...way, who: 'customer', places: forCustomers.filter((_, n) => n % 3 === part) }) as const),
  { ...way, who: 'newcomer', places: forNewcomers },
  { ...way, who: 'visitor', places: forVisitors },
])

/** What the walks found beside the faults of screens, and how many walks looked for it. */
const found = { tabBar: [] as string[], largeText: [] as string[], walks: 0 }

describe('UI-SCREEN-002: every screen', { concurrency: 3 }, () => {
  for (const { lang, also, who, places } of walks)
    test(`in ${[lang, ...also].join(', ')} for a ${who}, from ${places[0]!.path}`, { timeout: 480_000 }, async () => {
      const user = { visitor: undefined, newcomer: world.newcomer, customer }[who]
      const someone = await person(browser, exchange.url, { lang, ...(user === undefined ? {} : { user }) })
      const isWhole = isFull || lang === 'en'
      if (!isFull) await withWideFigures(someone.page)
      const folder = process.env.CANDOR_PICTURES
      const wrong = await walk(someone, places, {
        ...{ lang, also, hasAxe: isWhole, ended: world.ended, firm: world.firm },
        // Taps and text at twice its size: the usual language, and one with long words.
        tapped: isFull ? [lang] : [lang, ...also].filter((one) => one === 'en' || one === 'de'),
        large: isFull ? [] : ['en', 'de'],
        views: isWhole ? views : views.slice(0, 1),
        pictures: isFull && folder !== undefined ? { folder, name: `${lang}-${who}` } : undefined,
      })
      await someone.context.close()
      found.walks += 1
      for (const kind of ['tabBar', 'largeText'] as const) found[kind].push(...wrong[kind].map((fault) => `${who} ${fault}`))
      assert.deepEqual(wrong.screens, [])
    })
})

test('UI-TABS-001: on every screen, the tab bar stands on its nine paths and on no other', () => {
  assert.deepEqual([found.walks, found.tabBar], [walks.length, []])
})

test('UI-TEXT-002: on every screen, text at twice its size clips no button and pushes nothing off the screen, even with long figures', {
  skip: isFull ? 'the full cross shows usual figures' : false,
}, () => {
  assert.deepEqual([found.walks, found.largeText], [walks.length, []])
})

describe('the frame', () => {
  test('UI-DEAL-001: /deal leads to the Futures desk and keeps the query', async () => {
    const { page, context, go } = await person(browser, exchange.url)
    await go('/deal?symbol=ETHUSDT')
    await page.waitForFunction(() => location.hash === '#/contract?symbol=ETHUSDT')
    await page.getByText('ETH/USDT').first().waitFor()
    assert.equal(await page.locator('nav a[href="#/property"]').count(), 1)
    await context.close()
  })

  test('an unknown path shows a message and a link to the start page', async () => {
    const { page, context, go, t } = await person(browser, exchange.url)
    await go('/no/such/place')
    await page.locator('main').getByRole('link').first().click()
    await page.waitForFunction(() => location.hash === '#/')
    await page.locator('main h1').waitFor()
    assert.notEqual(t('shell.home'), '')
    await context.close()
  })

  test('UI-VH-001: --vh is one percent of the window’s height and follows it', async () => {
    const { page, context, go } = await person(browser, exchange.url)
    await go('/')
    const height = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--vh').trim())
    assert.equal(await height(), '8.44px')
    await page.setViewportSize({ width: 390, height: 600 })
    await page.waitForFunction(() => getComputedStyle(document.documentElement).getPropertyValue('--vh').trim() === '6px')
    await context.close()
  })

  test('UI-FIRST-002: requests that every screen needs are sent once, together with the code', async () => {
    const { page, context, go } = await person(browser, exchange.url)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await go('/spot')
    await page.locator('main h1').first().waitFor()
    for (const path of ['/app/v1/config', '/app/v1/tickers']) assert.equal(asked.filter((one) => one === path).length, 1, path)
    // Code runs once the page has been parsed.
    const [began, read] = await page.evaluate(() => {
      const [config] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/app/v1/config'))
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      return [config!.startTime, load!.domInteractive]
    })
    assert.ok(began! < read!, `${began} ${read}`)
    await context.close()
  })

  test('UI-LANG-001: a chosen language is shown immediately and stored under `lang`', async () => {
    const { page, context, go, t } = await person(browser, exchange.url)
    await go('/lang')
    await page.getByText('Deutsch', { exact: true }).click()
    await page.waitForFunction(() => document.documentElement.lang === 'de')
    assert.equal(await page.evaluate(() => localStorage.getItem('lang')), 'de')
    await page.reload()
    await page.locator('main h1').first().waitFor()
    assert.notEqual(await page.locator('main h1').first().innerText(), t('shell.language'))
    await context.close()
  })
})

describe('colours of prices', () => {
  for (const theme of ['dark', 'light'] as const)
    test(`UI-LANG-002: at the first start in Chinese, ${theme}, the app asks for the colours before a price has one, until the user answers`, {
      timeout: 120_000,
    }, async () => {
      const { page, context, t } = await person(browser, exchange.url, { lang: 'hk', theme, isFirstVisit: true })
      const colour = (name: string): Promise<string> =>
        page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name)
      const question = page.getByRole('dialog', { name: t('setting.colours') })
      await page.goto(`${exchange.url}/#/market`, { waitUntil: 'commit' })
      await page.waitForFunction(() => document.documentElement.dataset['updown'] !== undefined)
      await question.waitFor()
      assert.deepEqual([await colour('--up'), await colour('--down')], [await colour('--fg'), await colour('--fg')])
      assert.deepEqual(await violations(page), [])
      if (process.env.CANDOR_PICTURES !== undefined) await page.screenshot({ path: `${process.env.CANDOR_PICTURES}/colours-${theme}.png` })
      await page.reload()
      await question.waitFor()
      await question.getByText(t('setting.redUp')).click()
      assert.equal(await colour('--up'), await colour('--red'))
      await question.getByRole('button', { name: t('common.done') }).click()
      await page.reload()
      await page.locator('main h1').first().waitFor()
      assert.equal(await question.count(), 0)
      assert.equal(await colour('--up'), await colour('--red'))
      await context.close()
    })
})

test('no accessibility faults in the sheets of the desk and the chart', { timeout: 300_000 }, async () => {
  const { page, context, go, t } = await person(browser, exchange.url, { user: customer })
  const wrong: string[] = []
  for (const { name, path, reach, role = 'dialog' } of sheets(t)) {
    if (page.url() === 'about:blank') await go(path)
    else await open(page, path)
    await reach(page)
    await page.getByRole(role).waitFor()
    wrong.push(...(await violations(page)).map((line) => `${name}: ${line}`))
    await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'hidden' })
  }
  await context.close()
  assert.deepEqual(wrong, [])
})

/** Multiplies prices by twelve and sets volumes of a large exchange, so that figures are long. */
async function withWideFigures(page: Page): Promise<void> {
  await page.route('**/app/v1/volume', (route) =>
    route.fulfill({ json: { h24: '987654321098', d7: '7654321098765', d30: '87654321098765' } }),
  )
  await page.routeWebSocket(/\/wss$/, (socket) => {
    const exchangeSide = socket.connectToServer()
    exchangeSide.onMessage((message) =>
      socket.send(
        String(message)
          .replace(/"(price|open|high|low)":"(\d+)/g, (_, name: string, whole: string) => `"${name}":"${Number(whole) * 12}`)
          .replace(/"volume":"\d+/g, '"volume":"987654321098'),
      ),
    )
  })
}

/** `role`: an order is changed in its row, everything else in a dialog. */
type Sheet = { readonly name: string; readonly path: string; readonly reach: (page: Page) => Promise<void>; readonly role?: 'form' }

function sheets(t: Person['t']): readonly Sheet[] {
  const tap = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
  return [
    { name: 'order type', path: '/spot?symbol=BTCUSDT', reach: tap(t('trade.kind.limit')) },
    { name: 'pairs', path: '/spot?symbol=BTCUSDT', reach: tap(t('trade.choosePair', { pair: 'BTC/USDT' })) },
    {
      name: 'confirm',
      path: '/spot?symbol=BTCUSDT',
      async reach(page) {
        const ticket = page.getByRole('region', { name: t('trade.ticket') })
        await ticket
          .getByLabel(new RegExp(`^${t('trade.quantity')} `))
          .first()
          .fill('0.001')
        await ticket.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) }).click()
      },
    },
    { name: 'change an order', path: '/entrust', reach: tap(t('orders.change')), role: 'form' },
    { name: 'cancel all', path: '/entrust', reach: tap(t('orders.cancelAll')) },
    { name: 'indicators', path: '/contractkline?symbol=BTCUSDT', reach: tap(t('chart.indicators')) },
    { name: 'drawings', path: '/contractkline?symbol=BTCUSDT', reach: tap(t('chart.draw')) },
  ]
}
