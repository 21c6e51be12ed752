/**
 * The layout of the desks, on phones of several sizes and in every language, the text size and the confirmations: on two phones of one
 * customer, with a connection and without.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Layout } from '@candor/core/protocol/wire/own/preferences.ts'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { usualLayout } from '../app/preferences/layout.ts'
import { ownIndex } from './own-world.ts'
import { cookieOf, type Lang, languages, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

const phones = [
  [390, 844],
  [390, 664],
  [320, 640],
] as const

let browser: Browser
let exchange: TestExchange
let ticks: ReturnType<typeof setInterval>
const { index } = ownIndex(() => exchange)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'layout', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  ticks = setInterval(() => void index(), 500)
  const maker = await exchange.user({ funds: { USDT: '2000000', BTC: '30' }, class: 'bench' })
  const book = [
    ['buy', '59970', '5'],
    ['sell', '60030', '0.01'],
    // One percent further.
    ['sell', '60630', '5'],
  ] as const
  for (const [at, [side, price, quantity]] of book.entries()) {
    const order = { clientId: `m${at}`, symbol: 'BTCUSDT', side, type: 'limit', price, quantity }
    const placed = await maker.call('POST', '/spot/orders', order)
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
  }
})
after(async () => {
  clearInterval(ticks)
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const customer = (): Promise<TestUser> => exchange.user({ funds: { USDT: '9000', BTC: '0.1' }, isCertified: true })
const layoutOf = async (user: TestUser): Promise<Layout | undefined> => (await user.call('GET', '/preferences/layout')).body.value
const textSizeOf = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.style.fontSize)
const ticketOf = ({ page, t }: Person) => page.getByRole('region', { name: t('trade.ticket') })
const size = ({ page, t }: Person, name: Layout['textSize']) => page.getByRole('radio', { name: t(`setting.size.${name}`), exact: true })

/** Sets the layout of an account that has none. */
async function keeps(user: TestUser, part: Partial<Layout>): Promise<void> {
  const { status, body } = await user.call('PUT', '/preferences/layout', { revision: 0, value: { ...usualLayout, ...part } })
  assert.equal(status, 200, JSON.stringify(body))
}

/** What is wider than the window or cut off in it. */
function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    const isCut = (element: HTMLElement): boolean => {
      const { right, left, width, height } = element.getBoundingClientRect()
      if (width === 0 || element.closest('.no-scrollbar, .sr-only') !== null) return false
      const hides = getComputedStyle(element).overflow !== 'visible'
      return right > innerWidth + 1 || left < -1 || (hides && (element.scrollWidth > width + 1 || element.scrollHeight > height + 2))
    }
    const buttons = [...document.querySelectorAll<HTMLElement>('main button, main a, nav a')].filter(isCut)
    return [...(wide > 0 ? [`${wide} px too wide`] : []), ...buttons.map((one) => one.innerText)]
  })
}

test('UI-LAYOUT-002: a visitor’s layout applies at once, moves to an account without one, and shows on its other phone', {
  timeout: 180_000,
}, async () => {
  const user = await customer()
  const one = await person(browser, exchange.url)
  await one.go('/setting')
  await one.page.getByText(one.t('setting.onDevice')).waitFor()
  await size(one, 'extra').click()
  assert.equal(await textSizeOf(one.page), '125%')
  await one.page.getByRole('radio', { name: one.t('setting.left'), exact: true }).click()
  const charts = one.page.getByRole('group', { name: one.t('trade.miniChart') })
  // On a tall phone every desk has it until its owner chooses.
  for (const desk of ['trade.futures', 'trade.margin']) await charts.getByRole('button', { name: one.t(desk) }).click()
  await one.page.getByLabel(one.t('setting.firstDesk')).selectOption('margin')
  await one.page.getByRole('switch', { name: one.t('trade.kind.oco') }).click()

  // Set before the first paint, without the app.
  await one.page.route('**/assets/*.js', (route) => route.abort())
  await one.page.reload()
  assert.equal(await textSizeOf(one.page), '125%')
  await one.page.unroute('**/assets/*.js')
  await one.page.reload()
  await one.page.setViewportSize({ width: 320, height: 640 })
  const wrong: string[] = []
  for (const path of ['/', '/spot', '/contract', '/setting']) {
    await one.page.evaluate((to) => location.assign(`#${to}`), path)
    await one.page.waitForFunction((to) => document.querySelector('main h1') !== null && location.hash === `#${to}`, path)
    await one.page.waitForFunction(() => document.querySelector('main .skeleton') === null)
    wrong.push(...(await cut(one.page)).map((text) => `${path}: ${text}`))
  }
  assert.deepEqual(wrong, [])

  await one.context.addCookies([{ ...cookieOf(user), url: exchange.url }])
  const me = JSON.stringify((await user.call('GET', '/me')).body)
  await one.page.evaluate((kept) => localStorage.setItem('session', kept), me)
  const stored = one.page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences/layout'))
  await one.page.reload()
  await stored
  const expected = { book: 'left', charts: ['spot'], unasked: ['oco'], desk: 'margin', textSize: 'extra' }
  assert.deepEqual(await layoutOf(user), expected)

  const two = await person(browser, exchange.url, { user })
  await two.go('/spot?symbol=BTCUSDT')
  await two.page.waitForFunction(() => document.documentElement.style.fontSize === '125%')
  const chart = two.page.getByRole('button', { name: two.t('trade.miniChart'), exact: true })
  await two.page.waitForFunction((button) => button?.getAttribute('aria-pressed') === 'true', await chart.elementHandle())
  const tab = two.page.getByRole('navigation', { name: two.t('shell.tabs') }).getByRole('link', { name: two.t('shell.trade') })
  assert.equal(await tab.getAttribute('href'), '#/lever')
  const left = async (name: string) => (await two.page.getByRole('region', { name: two.t(name) }).boundingBox())?.x ?? 0
  assert.ok((await left('trade.book')) < (await left('trade.ticket')))
  const changed = two.page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences/layout'))
  await chart.click()
  await changed
  assert.deepEqual(await layoutOf(user), { ...expected, charts: [] })
  assert.deepEqual(
    [...one.complaints, ...two.complaints].filter((line) => !line.includes('assets/')),
    [],
  )
  await one.context.close()
  await two.context.close()
})

test('UI-LAYOUT-003: an order is sent without a question where its owner wants none, but not far into the book or at high leverage', {
  timeout: 180_000,
}, async () => {
  const user = await customer()
  await keeps(user, { unasked: ['market', 'limit', 'cancel-all'] })
  await user.call('POST', '/transfer', { clientId: 't', asset: 'USDT', from: 'spot', to: 'perp', amount: '1000' })
  assert.equal((await user.call('POST', '/perp/leverage', { symbol: 'BTCUSDTPERP', leverage: 6 })).status, 200)
  const someone = await person(browser, exchange.url, { user })
  const { page, t, go, format } = someone
  const dialog = page.getByRole('dialog')
  await go('/spot?symbol=BTCUSDT')
  await ticketOf(someone)
    .getByRole('button', { name: new RegExp(t('trade.kind.limit')) })
    .first()
    .click()
  await dialog.getByRole('radio', { name: new RegExp(`^${t('trade.kind.market')}`) }).click()
  const quantity = ticketOf(someone)
    .getByLabel(new RegExp(`^${t('trade.quantity')} `))
    .first()
  const buy = ticketOf(someone).getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) })
  await quantity.fill('0.05')
  await buy.and(page.locator(':enabled')).click()
  await dialog.getByText(t('setting.caution.reach', { percent: format.ppm(5_000) })).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await quantity.fill('0.005')
  await buy.click()
  await page.getByText(t('orders.bought', { quantity: `${format.number('0.005', 5, 5)} BTC` })).waitFor()
  assert.equal(await dialog.count(), 0)

  await go('/contract?symbol=BTCUSDTPERP')
  const field = (key: string) =>
    ticketOf(someone)
      .getByLabel(new RegExp(`^${t(key)} `))
      .first()
  await field('trade.price').fill('59000')
  await field('trade.size').fill('0.002')
  const long = ticketOf(someone).getByRole('button', { name: t('perp.buyLong'), exact: true })
  await long.and(page.locator(':enabled')).click()
  await dialog.getByText(t('setting.caution.leverage', { leverage: 5 })).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const leverage = (times: number) => ticketOf(someone).getByRole('button', { name: `${t('perp.leverage')}: ${times}×` })
  await leverage(6).click()
  await dialog.getByRole('slider', { name: t('perp.leverage') }).fill('5')
  await dialog.getByRole('button', { name: t('trade.confirm') }).click()
  await leverage(5).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await long.click()
  await page.getByText(t('orders.placed')).first().waitFor()
  assert.deepEqual(someone.complaints, [])
  await someone.context.close()
})

test('UI-PREFERENCE-002: a change that the account can’t keep is undone, and without a connection none is made', {
  timeout: 180_000,
}, async () => {
  const user = await customer()
  await keeps(user, { textSize: 'large' })
  const someone = await person(browser, exchange.url, { user })
  const { page, t, go, context } = someone
  const { wrong, see } = sights(page, 'layout', 'en')
  await go('/setting')
  await page.getByText(t('setting.withAccount')).waitFor()
  await page.waitForFunction(() => document.documentElement.style.fontSize === '112%')
  await see('setting')
  await page.route('**/preferences/layout', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  const failed = page.waitForEvent('requestfailed')
  await size(someone, 'small').click()
  await failed
  await page.getByText(t('common.unreachable')).waitFor()
  assert.equal(await textSizeOf(page), '112%')
  await page.unroute('**/preferences/layout')

  await context.setOffline(true)
  await size(someone, 'small').click()
  await page.getByText(t('setting.needsConnection')).waitFor()
  assert.equal(await textSizeOf(page), '112%')
  await context.setOffline(false)
  await size(someone, 'normal').click()
  assert.equal(await textSizeOf(page), '')
  for (let tries = 1; (await layoutOf(user))?.textSize !== 'normal'; tries += 1) {
    assert.ok(tries < 100, 'the account keeps it')
    await page.waitForTimeout(50)
  }
  assert.deepEqual(wrong, [])
  await context.close()
})

test('UI-CONTRACT-016: the order buttons of every desk are above the tab bar of large, short and small phones, in every language', {
  timeout: 480_000,
}, async () => {
  const user = await customer()
  // The button of an empty account is another one.
  for (const to of ['perp', 'margin-cross']) {
    const { status, body } = await user.call('POST', '/transfer', { clientId: to, asset: 'USDT', from: 'spot', to, amount: '100' })
    assert.ok(status < 300, JSON.stringify(body))
  }
  for (const lang of Object.keys(languages) as readonly Lang[]) {
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, t, go } = someone
    try {
      for (const path of ['/contract?symbol=BTCUSDTPERP', '/spot?symbol=BTCUSDT', '/lever?symbol=BTCUSDT']) {
        await go(path)
        const names = path.startsWith('/contract') ? [t('perp.buyLong'), t('perp.sellShort')] : [t('trade.buyCoin', { coin: 'BTC' })]
        const buttons = names.map((name) => ticketOf(someone).getByRole('button', { name, exact: true }))
        await buttons[0]!.waitFor()
        for (const [width, height] of phones) {
          await page.setViewportSize({ width, height })
          // A page that still arranges itself, or says for a moment that prices are old, is measured again.
          let ends: readonly number[] = []
          for (let tries = 0; ; tries++) {
            const bar = await page.getByRole('navigation', { name: t('shell.tabs') }).boundingBox()
            const boxes = await Promise.all(buttons.map((button) => button.boundingBox()))
            ends = boxes.map((box) => Math.round(box === null ? Infinity : box.y + box.height))
            if (bar !== null && ends.every((end) => end <= bar.y)) break
            assert.ok(tries < 100, `${lang} ${path} ${width}×${height}: ${ends.join()} above ${bar?.y}`)
            await page.waitForTimeout(50)
          }
          assert.equal(new Set(ends).size, 1, `${lang} ${path}: side by side`)
        }
      }
    } finally {
      await someone.context.close()
    }
  }
})

test('UI-CONTRACT-018: with the keyboard open, the order buttons leave the field in view', { timeout: 180_000 }, async () => {
  const someone = await person(browser, exchange.url, { user: await customer() })
  const { page, t, go } = someone
  try {
    await go('/contract?symbol=BTCUSDTPERP')
    const amount = ticketOf(someone)
      .getByLabel(new RegExp(`^${t('trade.size')} `))
      .first()
    await amount.focus()
    for (const height of [364, 544]) {
      await page.setViewportSize({ width: 390, height })
      await amount.evaluate((field) => field.scrollIntoView({ block: 'nearest' }))
      const isSeen = await amount.evaluate((field) => {
        const { x, y, width, height: own } = field.getBoundingClientRect()
        return [y + 2, y + own - 2].every((line) => document.elementFromPoint(x + width / 2, line) === field)
      })
      assert.ok(isSeen, `at ${height}`)
    }
    assert.deepEqual(someone.complaints, [])
  } finally {
    await someone.context.close()
  }
})

for (const path of ['/contract?symbol=BTCUSDTPERP', '/spot?symbol=BTCUSDT'])
  test(`UI-CONTRACT-017: on ${path} the options of a limit order are one tap away, and show when one is set`, {
    timeout: 300_000,
  }, async () => {
    const someone = await person(browser, exchange.url, { user: await customer() })
    const { page, t, go } = someone
    try {
      await go(path)
      const options = ticketOf(someone).getByRole('button', { name: t('trade.options'), exact: true })
      const colour = (): Promise<string> => options.locator('svg').evaluate((icon) => getComputedStyle(icon).color)
      const quiet = await colour()
      await options.click()
      await page.getByRole('checkbox', { name: t('trade.postOnly') }).click()
      if (process.env.CANDOR_PICTURES !== undefined)
        await page.screenshot({ path: `${process.env.CANDOR_PICTURES}/options${path.split('?')[0]!.replace('/', '-')}.png` })
      await options.click()
      await page.getByRole('checkbox', { name: t('trade.postOnly') }).waitFor({ state: 'detached' })
      assert.equal(await options.getAttribute('aria-expanded'), 'false')
      assert.notEqual(await colour(), quiet)
      assert.deepEqual(someone.complaints, [])
    } finally {
      await someone.context.close()
    }
  })
