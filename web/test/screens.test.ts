/**
 * Rules for every screen: one language, no text key shown, nothing wider than the phone, a heading, no console errors, the tab bar on
 * its paths, no accessibility faults in dark or light, and text at twice its size.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { routes, withTabBar } from './routes.ts'
import { hasBook, type Lang, langsOr, languages, type Person, person, startBrowser, textsOf, trade } from './person.ts'
import { violations } from './axe.ts'

/** Paths that look different for visitors. */
const visitorRoutes = ['/', '/login', '/register', '/password', '/spot', '/me', '/nowhere']

let browser: Browser
let exchange: TestExchange
let customer: TestUser
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '7', bots: true, hasHistory: true })
  customer = await exchange.user({ funds: { USDT: '25000', BTC: '0.2', ETH: '3' } })
  await hasBook(exchange)
  await trade(customer)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

describe('every screen', () => {
  for (const who of ['visitor', 'customer'] as const) {
    for (const lang of who === 'visitor' ? langsOr('en') : langsOr('hk', 'hk-hans', 'de')) {
      test(`in ${lang} for a ${who}`, { timeout: 300_000 }, async () => {
        const someone = await person(browser, exchange.url, { lang, ...(who === 'customer' ? { user: customer } : {}) })
        const wrong: string[] = []
        for (const path of routes) {
          await open(someone.page, path)
          for (const problem of await problemsOn(someone.page, lang)) wrong.push(`${path}: ${problem}`)
        }
        await someone.context.close()
        assert.deepEqual([...wrong, ...someone.complaints], [])
      })
    }
  }
})

describe('the frame', () => {
  test('UI-TABS-001: the tab bar stands on its nine paths and on no other', async () => {
    const { page, context } = await person(browser, exchange.url)
    for (const path of [...routes, '/deal', '/contract', '/lever', '/Second', '/nowhere']) {
      await open(page, path)
      const isShown = (await page.locator('nav a[href="#/property"]').count()) > 0
      assert.equal(isShown, withTabBar.includes(path), path)
    }
    await context.close()
  })

  test('UI-DEAL-001: /deal leads to the Futures desk and keeps the query', async () => {
    const { page, context, go } = await person(browser, exchange.url)
    await go('/deal?symbol=ETHUSDT')
    await page.waitForFunction(() => location.hash === '#/contract?symbol=ETHUSDT')
    await page.getByText('ETH/USDT').first().waitFor()
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

describe('accessibility', () => {
  for (const theme of ['dark', 'light'] as const) {
    for (const who of ['visitor', 'customer'] as const) {
      test(`no faults in ${theme} for a ${who}`, { timeout: 480_000 }, async () => {
        const { page, context } = await person(browser, exchange.url, { theme, ...(who === 'customer' ? { user: customer } : {}) })
        const wrong: string[] = []
        for (const path of who === 'visitor' ? visitorRoutes : routes) {
          await open(page, path)
          wrong.push(...(await violations(page)).map((line) => `${path}: ${line}`))
        }
        await context.close()
        assert.deepEqual(wrong, [])
      })
    }
  }

  test('no faults in the sheets of the desk and the chart', { timeout: 300_000 }, async () => {
    const { page, context, t } = await person(browser, exchange.url, { user: customer })
    const wrong: string[] = []
    for (const { name, path, reach } of sheets(t)) {
      await open(page, path)
      await reach(page)
      await page.getByRole('dialog').waitFor()
      wrong.push(...(await violations(page)).map((line) => `${name}: ${line}`))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await context.close()
    assert.deepEqual(wrong, [])
  })

  test('UI-TEXT-002: text at twice its size clips no button and pushes nothing off the screen, even with long figures', {
    timeout: 480_000,
  }, async () => {
    const rich = await exchange.user({ funds: { USDT: '98765432.1', BTC: '1234.56789', ETH: '54321.98765' } })
    const wrong: string[] = []
    for (const lang of ['en', 'de'] as const) {
      for (const user of [rich, undefined]) {
        const { page, context } = await person(browser, exchange.url, { lang, ...(user === undefined ? {} : { user }) })
        await withWideFigures(page)
        for (const path of user === undefined ? visitorRoutes : routes) {
          await open(page, path)
          await page.evaluate(() => {
            document.documentElement.style.fontSize = '200%'
          })
          for (const problem of await clipped(page)) wrong.push(`${lang} ${path}: ${problem}`)
          await page.evaluate(() => {
            document.documentElement.style.fontSize = ''
          })
        }
        await context.close()
      }
    }
    assert.deepEqual(wrong, [])
  })
})

/** Opens a path like a tap does, without a new page, and waits until the skeletons are gone. */
async function open(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(`${exchange.url}/#${path}`)
  else await page.evaluate((to) => location.assign(`#${to}`), path)
  const place = path === '/deal' ? '#/contract' : `#${path}`
  // The app leads a logged-in customer from the registration to the home screen, perhaps before this line sees the first path.
  await page.waitForFunction((to) => {
    const isLedHome = to === '#/register' && location.hash === '#/' && localStorage.getItem('session') !== null
    return isLedHome || location.hash.startsWith(to)
  }, place)
  await page.locator('main h1').first().waitFor()
  const isDrawn = page.waitForFunction(() => document.querySelector('main .skeleton') === null, undefined, { timeout: 60_000 })
  await isDrawn.catch((cause: unknown) => {
    throw new Error(`${path} goes on waiting for data`, { cause })
  })
}

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

async function problemsOn(page: Page, lang: Lang): Promise<readonly string[]> {
  const found: string[] = []
  const seen = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    headings: document.querySelectorAll('h1').length,
    text: [
      document.body.innerText,
      ...[...document.querySelectorAll('[aria-label],[placeholder],[title]')].flatMap((element) =>
        ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
      ),
    ].join('\n'),
  }))
  if (seen.lang !== languages[lang]) found.push(`the page says it is in ${seen.lang}`)
  if (seen.headings !== 1) found.push(`${seen.headings} headings of the first level`)
  const raw = rawKey.exec(seen.text)
  if (raw !== null) found.push(`the raw key ${raw[0]}`)
  for (const english of lang === 'en' ? [] : englishOnly(lang)) if (seen.text.includes(english)) found.push(`English: ${english}`)
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (wide > 0) found.push(`${wide} px too wide at ${width}`)
  }
  return found
}

const areas = [...new Set([...textsOf('en').keys()].map((key) => key.split('.')[0]))]
const rawKey = new RegExp(`\\b(${areas.join('|')})\\.(?!com\\b)[a-z]\\w+(\\.[\\w-]+)*`)

const englishBy = new Map<Lang, readonly string[]>()

/** Parts of English texts, longer than twelve characters, that this language doesn't contain. */
function englishOnly(lang: Lang): readonly string[] {
  const known = englishBy.get(lang)
  if (known !== undefined) return known
  const own = [...textsOf(lang).values()].join('\n')
  const pieces = [...textsOf('en').values()].flatMap((text) => text.split(/\{\{\s*\w+\s*\}\}/)).map((piece) => piece.trim())
  const foreign = pieces.filter((piece) => piece.length > 12 && !own.includes(piece))
  englishBy.set(lang, foreign)
  return foreign
}

/** Buttons and links whose text is cut, and pages that scroll sideways. */
function clipped(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide > 0) found.push(`${wide} px too wide`)
    for (const element of document.querySelectorAll<HTMLElement>('main button, main a, nav a')) {
      const box = element.getBoundingClientRect()
      const text = element.innerText.trim()
      if (box.width === 0 || text === '' || element.closest('.no-scrollbar') !== null || element.closest('.sr-only') !== null) continue
      if (element.scrollHeight > Math.ceil(box.height) + 2 && getComputedStyle(element).overflow !== 'visible') found.push(`cut: ${text}`)
      if (box.right > innerWidth + 1 || box.left < -1) found.push(`off the screen: ${text}`)
    }
    return found
  })
}

type Sheet = { readonly name: string; readonly path: string; readonly reach: (page: Page) => Promise<void> }

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
    { name: 'change an order', path: '/entrust', reach: tap(t('orders.change')) },
    { name: 'cancel all', path: '/entrust', reach: tap(t('orders.cancelAll')) },
    { name: 'indicators', path: '/contractkline?symbol=BTCUSDT', reach: tap(t('chart.indicators')) },
    { name: 'drawings', path: '/contractkline?symbol=BTCUSDT', reach: tap(t('chart.draw')) },
  ]
}
