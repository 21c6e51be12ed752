/** The terminal of wide windows: its panes, its layouts, and how it looks from a tablet to the widest screen. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Terminal, terminalPanes } from '@candor/core/protocol/wire/own/preferences.ts'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { ownIndex } from './own-world.ts'
import { arranging, cut, pane, resets, shown } from './pane.ts'
import { langsOr, type Person, person, startBrowser, textOf } from './person.ts'
import { sights } from './sights.ts'

const desktop = [1440, 900] as const
const levels = 30

let browser: Browser
let exchange: TestExchange
let user: TestUser
let ticks: ReturnType<typeof setInterval>
/** A window of the user with the desk of a market. Tests share it and leave it in the usual layout. */
let one: Person
const { index } = ownIndex(() => exchange)

before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'terminal', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  ticks = setInterval(() => void index(), 500)
  const maker = await exchange.user({ funds: { USDT: '2000000', BTC: '30' }, class: 'bench' })
  const orders = Array.from({ length: levels }, (_, level) => [
    { side: 'buy', price: String(59_990 - level * 10), quantity: '0.1' },
    { side: 'sell', price: String(60_010 + level * 10), quantity: '0.1' },
  ]).flat()
  for (const [at, order] of orders.entries()) {
    const placed = await maker.call('POST', '/spot/orders', { clientId: `m${at}`, symbol: 'BTCUSDT', type: 'limit', ...order })
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
  }
  user = await exchange.user({ funds: { USDT: '9000', BTC: '0.1' }, isCertified: true })
  await user.call('POST', '/spot/orders', {
    clientId: 'own',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.01',
  })
  one = await person(browser, exchange.url, { user, window: desktop })
  await one.go('/spot?symbol=BTCUSDT')
  await isOpen(one.page)
})
after(async () => {
  clearInterval(ticks)
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const box = async (page: Page, name: string) => {
  const found = await pane(page, name).boundingBox()
  assert.ok(found !== null, `${name} is not shown`)
  return found
}

async function isOpen(page: Page): Promise<void> {
  await pane(page, 'book').locator('button[aria-label*="59"]').first().waitFor()
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null)
}

test('UI-WIDE-001: a wide window shows a desk as panes, a narrower one the phone’s desk without a file of the terminal', async () => {
  const { page, t } = one
  assert.deepEqual(await shown(page), terminalPanes.toSorted())
  for (const name of terminalPanes)
    assert.equal(await page.getByRole('region', { name: t(`terminal.pane.${name}`), exact: true }).count(), 1, name)
  const narrow = await person(browser, exchange.url, { window: [1023, 900] })
  const files: string[] = []
  narrow.page.on('request', (request) => files.push(request.url()))
  await narrow.go('/spot?symbol=BTCUSDT')
  await narrow.page
    .getByRole('navigation', { name: t('shell.tabs') })
    .getByRole('link', { name: t('shell.trade') })
    .waitFor()
  await narrow.page.getByRole('region', { name: t('trade.book') }).waitFor()
  assert.deepEqual(
    files.filter((file) => /terminal|top-bar/.test(file)),
    [],
  )
  await narrow.page.setViewportSize({ width: 1024, height: 900 })
  await pane(narrow.page, 'chart').waitFor()
  assert.ok(files.some((file) => /terminal/.test(file)))
  await narrow.context.close()
})

test('UI-WIDE-002: four columns, with the trades beside the book on wider and two panes on narrower windows', async () => {
  const { page, t } = one
  const [markets, trades, chart, book, ticket, orders, account] = await Promise.all(terminalPanes.map((name) => box(page, name)))
  assert.ok(markets && trades && chart && book && ticket && orders && account)
  assert.deepEqual([markets.width, book.width, ticket.width], [216, 268, 296])
  assert.ok(markets.x < chart.x && chart.x < book.x && book.x < ticket.x && trades.x === markets.x && trades.y > markets.y)
  assert.deepEqual([orders.y, account.x], [account.y, ticket.x])
  assert.equal(Math.round(orders.x + orders.width + 4), Math.round(ticket.x))
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.waitForFunction(() => (document.querySelector('[data-pane=trades]')?.getBoundingClientRect().x ?? 0) > 800)
  await page.setViewportSize({ width: 1024, height: 768 })
  const tabs = page.getByRole('tablist', { name: t('terminal.tabs') })
  await tabs.waitFor()
  assert.deepEqual(await shown(page), ['book', 'chart', 'orders', 'ticket'])
  await tabs.getByRole('tab', { name: t('terminal.pane.trades'), exact: true }).click()
  await pane(page, 'trades').waitFor()
  await tabs.getByRole('tab', { name: t('terminal.trade'), exact: true }).click()
  await page.setViewportSize({ width: desktop[0], height: desktop[1] })
  await pane(page, 'account').waitFor()
})

test('UI-WIDE-003: a gutter moves with the arrow keys and with the pointer, as far as a pane can be used', async () => {
  const { page, t } = one
  const gutter = page.getByRole('separator', { name: t('terminal.size.book') })
  const width = async (): Promise<number> => (await box(page, 'book')).width
  const widthIs = (expected: number) =>
    page.waitForFunction((px) => document.querySelector('[data-pane=book]')?.getBoundingClientRect().width === px, expected)
  await gutter.focus()
  await page.keyboard.press('ArrowLeft')
  await widthIs(276)
  assert.equal(await gutter.getAttribute('aria-valuenow'), '276')
  const at = await gutter.boundingBox()
  assert.ok(at !== null)
  await page.mouse.move(at.x + 4, at.y + 200)
  await page.mouse.down()
  await page.mouse.move(at.x + 404, at.y + 200, { steps: 4 })
  await page.mouse.up()
  await widthIs(220)
  assert.equal(await width(), Number(await gutter.getAttribute('aria-valuemin')))
  await resets(one)
  await widthIs(268)
})

test('UI-WIDE-004: panes hide, swap and shrink, the others take the room, and what was typed stays', async () => {
  const { page, t } = one
  const amount = pane(page, 'ticket').getByRole('textbox', { name: new RegExp(RegExp.escape(t('trade.quantity'))) })
  await amount.fill('0.0123')
  const before = await box(page, 'chart')
  await pane(page, 'book')
    .getByRole('button', { name: t('terminal.hide', { pane: t('terminal.pane.book') }) })
    .click()
  await pane(page, 'book').waitFor({ state: 'detached' })
  await page.waitForFunction((px) => document.querySelector('[data-pane=chart]')?.getBoundingClientRect().width === px, before.width + 272)
  await arranging(one, async (sheet) => {
    await sheet.getByRole('switch', { name: t('terminal.show', { pane: t('terminal.pane.book') }) }).click()
    const swap = sheet.getByLabel(t('terminal.swapOf', { pane: t('terminal.pane.ticket') }))
    await swap.selectOption('markets')
  })
  await page.waitForFunction(() => (document.querySelector('[data-pane=ticket]')?.getBoundingClientRect().x ?? 999) < 99)
  assert.equal(await amount.inputValue(), '0.0123')
  await resets(one)
  await page.getByRole('button', { name: t('terminal.narrow') }).click()
  await page.waitForFunction(() => document.querySelector('[data-pane=markets]')?.getBoundingClientRect().width === 40)
  await page.getByRole('button', { name: t('terminal.wide') }).click()
  assert.equal(await amount.inputValue(), '0.0123')
  await amount.fill('')
})

test('UI-WIDE-005: a layout is saved under a name with the account, and another window has it', async () => {
  const { page, t } = one
  await pane(page, 'trades')
    .getByRole('button', { name: t('terminal.hide', { pane: t('terminal.pane.trades') }) })
    .click()
  const isStored = (): Promise<unknown> =>
    page.waitForResponse(async (answer) => {
      if (answer.request().method() !== 'PUT' || !answer.url().endsWith('/preferences/terminal')) return false
      return ((await answer.json()) as { value: Terminal }).value.named.length === 1
    })
  await arranging(one, async (sheet) => {
    await sheet.getByRole('textbox', { name: t('terminal.name') }).fill('Quiet')
    const stored = isStored()
    await sheet.getByRole('button', { name: t('terminal.save'), exact: true }).click()
    await stored
  })
  await resets(one)
  await pane(page, 'trades').waitFor()
  const other = await person(browser, exchange.url, { user, window: desktop })
  await other.go('/spot?symbol=BTCUSDT')
  await isOpen(other.page)
  await arranging(other, (sheet) => sheet.getByRole('button', { name: 'Quiet', exact: true }).click())
  await pane(other.page, 'trades').waitFor({ state: 'detached' })
  await arranging(other, (sheet) => sheet.getByRole('button', { name: t('terminal.delete', { name: 'Quiet' }) }).click())
  await resets(other)
  await other.context.close()
})

test('UI-WIDE-006: the book fills its pane with levels and their sums, and a level sets the price', async () => {
  const { page, t } = one
  const book = pane(page, 'book')
  const rows = book.getByRole('button', { name: new RegExp(`^${textOf('en', 'trade.bidRow').split('{{')[0] ?? ''}`) })
  const count = await rows.count()
  assert.ok(count >= 8 && count < levels, `${count} levels`)
  const inside = await book.evaluate((element) => {
    const balance = element.querySelector('[role=img]')?.getBoundingClientRect()
    const { bottom } = element.getBoundingClientRect()
    return balance === undefined ? -1 : bottom - balance.bottom
  })
  assert.ok(inside >= 0 && inside < 60, `${inside} px are left`)
  assert.ok((await rows.nth(2).locator('[data-sum]').getAttribute('data-sum'))?.startsWith('0.3'), await rows.nth(2).innerText())
  await rows.nth(2).click()
  const price = pane(page, 'ticket').getByRole('textbox', { name: new RegExp(`^${RegExp.escape(t('trade.price'))}`) })
  assert.deepEqual(one.numbersIn(await price.inputValue()), [59_970])
})

test('UI-WIDE-007: a bar at the top leads to the places of the tabs and to each desk', async () => {
  const { page, t } = one
  const bar = page.getByRole('navigation', { name: t('shell.tabs') })
  for (const [key, path] of [
    ['shell.market', '/market'],
    ['shell.assets', '/property'],
    ['trade.spot', '/spot'],
  ] as const) {
    await bar.getByRole('link', { name: t(key), exact: true }).click()
    await page.waitForFunction((to) => location.hash.startsWith(`#${to}`) && document.querySelector('main h1') !== null, path)
    assert.equal(await bar.locator('[aria-current=page]').innerText(), t(key))
  }
  await isOpen(page)
})

for (const [at, lang] of langsOr('en', 'de').entries()) {
  test(`UI-WIDE-008: in ${lang}, nothing is cut off or faulty at any width`, async () => {
    const someone = await person(browser, exchange.url, { lang, user, window: desktop, theme: at % 2 === 0 ? 'dark' : 'light' })
    const { page, go } = someone
    const look = sights(page, 'terminal', lang)
    const wrong: string[] = []
    for (const path of ['/spot?symbol=BTCUSDT', '/contract?symbol=BTCUSDTPERP', '/lever?symbol=BTCUSDT']) {
      await go(path)
      await pane(page, 'chart').waitFor()
      for (const width of path.startsWith('/spot') ? [1024, 1280, 1440, 1920, 2560] : [1024, 1280]) {
        await page.setViewportSize({ width, height: width === 1024 ? 768 : 900 })
        await page.waitForFunction((px) => (document.querySelector('.tm')?.clientWidth ?? 0) === px, width)
        await page.waitForFunction(() => document.querySelector('main .skeleton') === null)
        wrong.push(...(await cut(page)).map((text) => `${path} ${width}: ${text}`))
        const isSpot = path.startsWith('/spot')
        if (at === 0 ? isSpot || width === 1280 : isSpot && width === 1440) await look.see(`${path.slice(1, 5)}-${width}`)
      }
    }
    assert.deepEqual([...wrong, ...look.wrong], [])
    assert.deepEqual(someone.complaints, [])
    await someone.context.close()
  })
}
