/**
 * `npm run look -- [--routes /,/spot] [--locales en,hk,de] [--themes dark,light] [--width 390] [--size 1440x900] [--only visitor,customer] [--full]`
 *
 * Starts a scratch exchange with bots and history, opens routes in Chromium as a visitor and as a customer with balances,
 * orders and fills, and writes a picture of each and a contact sheet to `look/`.
 * `--size`: a window of a computer. `--full`: the whole length of each screen.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { startExchange, type TestUser } from '../server/main/test/exchange.ts'
import { browserArgs, findBrowser } from './browser.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { root } from './tidy/files.ts'

const folder = join(root, 'look')
const everyRoute =
  '/,/login,/register,/password,/market,/spot,/contract,/lever,/Second,/contractkline,/entrust,/optionentrust,/property,/propertyRecord,/transfer,/lend,/me,/safety,/freeze,/kyc,/apikeys,/webhooks,/notices,/setting,/lang,/about,/changes,/announcements'

const { values } = parseArgs({
  options: {
    routes: { type: 'string', default: everyRoute },
    locales: { type: 'string', default: 'en,hk,de' },
    themes: { type: 'string', default: 'dark,light' },
    width: { type: 'string', default: '390' },
    size: { type: 'string' },
    only: { type: 'string', default: 'visitor,customer' },
    full: { type: 'boolean', default: false },
  },
})
const isPhone = values.size === undefined
const [width = 0, height = 0] = (values.size ?? `${values.width}x844`).split('x').map(Number)
const list = (text: string): readonly string[] => text.split(',').filter((part) => part !== '')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await using exchange = await startExchange({ seed: '7', bots: true, hasHistory: true })
const customer = await exchange.user({ funds: { USDT: '25000', BTC: '0.2', ETH: '3' } })
await settle()
await trade(customer)
await bet(customer)

const browser = await chromium.launch({ executablePath: findBrowser(), args: [...browserArgs] })
const pictures: string[] = []
for (const who of list(values.only)) {
  for (const locale of list(values.locales)) for (const theme of list(values.themes)) await walk(browser, who, locale, theme)
}
await browser.close()
writeContactSheet(folder, pictures)
process.stdout.write(`${pictures.length} pictures and index.html in look/\n`)

/** Waits until the bots have quoted a book. */
async function settle(): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { body } = await customer.call('GET', '/markets/BTCUSDT/depth?limit=5')
    if (body.bids?.length >= 3 && body.asks?.length >= 3) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the bots did not quote a book in time')
}

/** Gives the customer something to show: fills, a resting order, a stop, an OCO. */
async function trade(user: TestUser): Promise<void> {
  const { body } = await user.call('GET', '/markets/BTCUSDT/depth?limit=5')
  const price = Number(body.bids[0][0])
  const at = (factor: number): string => (Math.round(price * factor * 10) / 10).toFixed(1)
  const orders = [
    { clientId: 'look-1', symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '500' },
    { clientId: 'look-2', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: at(0.98), quantity: '0.01' },
    {
      clientId: 'look-3',
      symbol: 'BTCUSDT',
      side: 'sell',
      type: 'market',
      quantity: '0.005',
      trigger: { kind: 'stop', price: at(0.95), direction: 'falls-to' },
    },
    { clientId: 'look-4', symbol: 'ETHUSDT', side: 'sell', type: 'market', quantity: '0.1' },
  ]
  for (const order of orders) {
    const { status, body: answer } = await user.call('POST', '/spot/orders', order)
    if (status >= 400) throw new Error(`${order.clientId}: ${JSON.stringify(answer)}`)
  }
}

/** Admits the customer to Second, with running orders. */
async function bet(user: TestUser): Promise<void> {
  const order = { symbol: 'BTCUSDT', stake: '25', seconds: 900 }
  for (const [path, body] of [
    ['/sandbox/certify', undefined],
    ['/option/knowledge', { answers: { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 } }],
    ['/transfer', { clientId: 'look-second', asset: 'USDT', from: 'spot', to: 'option', amount: '1000' }],
    ['/option/orders', { ...order, clientId: 'look-up', direction: 'up' }],
    ['/option/orders', { ...order, clientId: 'look-down', direction: 'down', seconds: 300 }],
  ] as const) {
    const { status, body: answer } = await user.call('POST', path, body)
    if (status >= 400) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  }
}

async function walk(on: Browser, who: string, locale: string, theme: string): Promise<void> {
  const context = await on.newContext({
    viewport: { width, height },
    deviceScaleFactor: isPhone ? 2 : 1,
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme: theme === 'light' ? 'light' : 'dark',
  })
  await context.addInitScript((lang) => {
    localStorage.setItem('lang', lang)
    // Price colours are set, because otherwise the app in Chinese asks for them on its first screen.
    localStorage.setItem('settings', JSON.stringify({ updown: 'green' }))
  }, locale)
  const page = await context.newPage()
  if (who === 'customer') await logIn(page)
  for (const route of list(values.routes)) {
    await page.goto(`${exchange.url}/#${route}`)
    await page.reload()
    await page.waitForLoadState('load')
    await page.waitForTimeout(1_800)
    // A busy machine needs longer. A screen that never has all its parts gets its picture too.
    await page
      .waitForFunction(() => document.querySelector('main .skeleton') === null, undefined, { timeout: 20_000 })
      .catch(() => undefined)
    const name = `${who}-${locale}-${theme}-${route === '/' ? 'home' : route.slice(1).replace(/[^\w]/g, '_')}.png`
    await page.screenshot({ path: join(folder, name), fullPage: values.full })
    pictures.push(name)
  }
  await context.close()
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${exchange.url}/#/login`)
  await page.locator('input').first().fill(customer.email)
  await page.locator('input[type=password]').fill(customer.password)
  await page.locator('input[type=password]').press('Enter')
  await page.waitForFunction(() => !location.hash.startsWith('#/login'), undefined, { timeout: 15_000 })
}
