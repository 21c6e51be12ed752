/** Wide windows: lists beside their details, tables, dialogs. One customer on an exchange without prices. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let customer: TestUser
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'lists', hasFeeds: false })
  customer = await exchange.user({ funds: { USDT: '9000', BTC: '0.1' } })
  for (const price of ['100', '200']) {
    const order = { clientId: `o${price}`, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.1' }
    const { status, body } = await customer.call('POST', '/spot/orders', order)
    assert.equal(status, 200, JSON.stringify(body))
  }
  assert.equal((await customer.call('DELETE', '/spot/orders')).status, 200)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const wide = (options: Parameters<typeof person>[2] = {}): Promise<Person> =>
  person(browser, exchange.url, { window: [1440, 900], user: customer, ...options })
const hashOf = (page: Page): string => new URL(page.url()).hash
const hashIs = (page: Page, hash: string): Promise<unknown> => page.waitForFunction((wanted) => location.hash === wanted, hash)

/** What is wider than the window or cut off in it. */
function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    const isCut = (element: HTMLElement): boolean => {
      const { right, left, width } = element.getBoundingClientRect()
      if (width === 0 || element.closest('.no-scrollbar, .sr-only') !== null) return false
      return right > innerWidth + 1 || left < -1 || (getComputedStyle(element).overflow !== 'visible' && element.scrollWidth > width + 1)
    }
    const parts = [...document.querySelectorAll<HTMLElement>('main button, main a, nav a, dialog[open] button')].filter(isCut)
    return [...(wide > 0 ? [`${wide} px too wide`] : []), ...parts.map((one) => one.innerText)]
  })
}

test('UI-LISTS-001: the menu and the markets stay beside what was chosen in them, and going back returns to the choice before', async () => {
  const { page, t, go, complaints, context } = await wide()
  await go('/me')
  const menu = page.getByRole('region', { name: t('shell.me'), exact: true })
  const settings = page.getByRole('heading', { name: t('shell.settings'), exact: true })
  await settings.waitFor()
  const entry = menu.getByRole('link', { name: new RegExp(`^${t('me.safety')}`) })
  await entry.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: t('safety.title'), exact: true }).waitFor()
  await menu.getByRole('heading', { name: t('shell.me'), exact: true }).waitFor()
  assert.equal(await entry.getAttribute('aria-current'), 'page')
  assert.match(await page.title(), new RegExp(`^${t('safety.title')} `))
  await page.goBack()
  await settings.waitFor()

  await go('/market')
  const markets = page.getByRole('region', { name: t('shell.market'), exact: true })
  const pairOf = (pair: string) => page.getByRole('heading', { level: 1, name: pair, exact: true })
  await markets.getByRole('button', { name: /^ETH/ }).first().click()
  await pairOf('ETH/USDT').waitFor()
  await markets.getByRole('tab', { name: t('trade.futures') }).click()
  await markets.locator('[aria-posinset]').first().waitFor()
  await markets.getByRole('tab', { name: t('trade.spot') }).click()
  await markets.getByRole('button', { name: /^BTC/ }).first().click()
  await pairOf('BTC/USDT').waitFor()
  assert.equal(await markets.locator('[aria-current=true]').count(), 1)
  await page.goBack()
  await pairOf('ETH/USDT').waitFor()
  assert.equal(hashOf(page), '#/market?symbol=ETHUSDT')
  assert.deepEqual(complaints, [])
  await context.close()
})

test('UI-LISTS-002: the keyboard opens rows of a table beside it, and back, forward and a reload keep the opened one', async () => {
  const { page, t, go, complaints, context } = await wide()
  await go('/entrust?tab=history')
  const rows = page.getByRole('table', { name: t('orders.history') }).getByRole('button')
  await rows.nth(1).waitFor()
  await rows.nth(0).focus()
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: new RegExp(t('orders.number', { id: '' }).trim()) })
  await detail.getByText(t('orders.placedAt')).waitFor()
  const first = hashOf(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForFunction((before) => location.hash !== before, first)
  const second = hashOf(page)
  assert.match(second, /order=\d+/)
  assert.equal(await page.locator('tr[aria-current]').count(), 1)
  await page.goBack()
  await hashIs(page, first)
  await page.goForward()
  await hashIs(page, second)
  await page.reload()
  await detail.getByText(t('orders.placedAt')).waitFor()
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
  assert.doesNotMatch(hashOf(page), /order=/)
  await rows.nth(0).waitFor()

  await go('/propertyRecord')
  await page
    .getByRole('table')
    .getByRole('button', { name: t('records.type.faucet') })
    .first()
    .click()
  await page
    .getByRole('region', { name: t('records.type.faucet') })
    .getByText(t('records.number'))
    .waitFor()
  assert.match(hashOf(page), /record=/)
  assert.deepEqual(complaints, [])
  await context.close()
})

test('UI-LISTS-003: tickets are beside the conversation, and terms beside their text', async () => {
  const asked = { clientId: crypto.randomUUID(), subject: 'Where is it?', topic: 'other', text: 'It has not come.' }
  const opened = await customer.call('POST', '/support/tickets', asked)
  assert.equal(opened.status, 200, JSON.stringify(opened.body))
  const { page, t, go, complaints, context } = await wide()
  await go('/support')
  const ticket = page.getByRole('link', { name: new RegExp(RegExp.escape(asked.subject)) })
  await ticket.click()
  await page.getByText(asked.text, { exact: true }).waitFor()
  assert.equal(await ticket.getAttribute('aria-current'), 'true')
  await go('/help')
  await page.getByRole('link', { name: t('terms.of.spread.name'), exact: true }).click()
  await page
    .getByRole('article')
    .getByRole('heading', { name: t('terms.of.spread.name'), exact: true })
    .waitFor()
  assert.deepEqual(complaints, [])
  await context.close()
})

test('UI-LISTS-004: sheets are dialogs in the middle', async () => {
  const { page, t, go, context } = await wide()
  await go('/propertyRecord')
  await page.getByRole('button', { name: t('records.filter') }).click()
  const box = await page.getByRole('dialog').boundingBox()
  assert.ok(box !== null && box.width <= 480, JSON.stringify(box))
  const [left, right] = [box.x, 1440 - box.x - box.width]
  const [above, below] = [box.y, 900 - box.y - box.height]
  assert.ok(Math.abs(left - right) < 20 && Math.abs(above - below) < 20, JSON.stringify(box))
  await context.close()
})

const paths = [
  '/',
  '/market',
  '/me',
  '/property',
  '/entrust?tab=history',
  '/propertyRecord',
  '/daily?view=mine',
  '/transfer',
  '/support',
  '/help',
]
const windows = [
  [[1024, 768], 'de', 'light'],
  [[1440, 900], 'en', 'dark'],
  [[1920, 1080], 'hk', 'light'],
] as const
for (const [nth, [window, lang, theme]] of windows.entries()) {
  test(`UI-LISTS-005: at ${window[0]} px in ${lang} nothing is cut off, and ${theme} has no accessibility faults`, async () => {
    const { page, go, complaints, context } = await wide({ window, lang, theme })
    const { wrong, see } = sights(page, `lists-${window[0]}`, lang)
    const cuts: string[] = []
    for (const [at, path] of paths.entries()) {
      await go(path)
      // Without prices the chart stays an outline.
      await page.waitForFunction(() => document.querySelector('main .skeleton') === null || location.hash.startsWith('#/market'))
      cuts.push(...(await cut(page)).map((text) => `${path}: ${text}`))
      // The slow check: of every other path, so that each is looked at in some window.
      if ((at + nth) % 2 === 0) await see(path.replace(/\W+/g, '-'))
    }
    assert.deepEqual(cuts, [])
    assert.deepEqual(wrong, [])
    assert.deepEqual(complaints, [])
    await context.close()
  })
}

test('UI-LISTS-006: a phone loads nothing of it, and a narrower window is a phone again', async () => {
  const phone = await person(browser, exchange.url, { user: customer })
  await phone.go('/propertyRecord')
  await phone.page
    .getByRole('button', { name: new RegExp(phone.t('records.type.faucet')) })
    .last()
    .waitFor()
  const files = await phone.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  assert.deepEqual(
    files.filter((name) => name.includes('/beside-')),
    [],
  )
  await phone.context.close()
  const { page, t, go, context } = await wide()
  await go('/safety')
  const menu = page.getByRole('region', { name: t('shell.me'), exact: true })
  await menu.waitFor()
  await page.setViewportSize({ width: 800, height: 900 })
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: t('safety.title'), exact: true }).waitFor()
  assert.equal(hashOf(page), '#/safety')
  await context.close()
})
