/**
 * The desks with a keyboard alone, in a window of 1440 × 900: only the last test moves a mouse, over charts beside each other. On a real
 * exchange, in real Chromium.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { hasBook, type Person, person, startBrowser } from './person.ts'

let browser: Browser
let exchange: TestExchange
let user: TestUser
let someone: Person
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '13', bots: true })
  user = await exchange.user({ funds: { USDT: '20000' }, isCertified: true })
  await user.call('POST', '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
  for (const symbol of ['BTCUSDT', 'BTCUSDTPERP']) await hasBook(exchange, symbol)
  someone = await person(browser, exchange.url, { user })
  await someone.page.setViewportSize({ width: 1440, height: 900 })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const bidOf = async (symbol: string): Promise<number> =>
  Number((await user.call('GET', `/markets/${symbol}/depth?limit=5`)).body.bids[0][0])
const openOf = async (product: 'spot' | 'perp'): Promise<number> => (await user.call('GET', `/${product}/orders/open`)).body.orders.length

/** A spot market and the one after it. */
async function listed(symbol: string): Promise<readonly [string, string]> {
  const { body } = await user.call('GET', '/config')
  const symbols = (body.markets as { symbol: string; kind: string }[]).filter(({ kind }) => kind === 'spot').map((one) => one.symbol)
  return [symbol, symbols[symbols.indexOf(symbol) + 1] ?? '']
}

/** Opens a desk and waits until its keys answer, which the help shows. */
async function opens(path: string): Promise<Locator> {
  const { page, t, go } = someone
  await go(path)
  const help = page.getByRole('dialog', { name: t('shortcuts.title') })
  for (let tries = 0; tries < 100 && !(await help.isVisible()); tries += 1) {
    await page.keyboard.press('?')
    await page.waitForTimeout(100)
  }
  await help.waitFor()
  return help
}

/** Presses Tab until the focus is on a place. */
async function tabsTo(place: Locator): Promise<void> {
  const { page } = someone
  await place.waitFor()
  const isThere = (): Promise<boolean> => place.evaluate((element) => element === document.activeElement)
  for (let tries = 0; tries < 25 && !(await isThere()); tries += 1) await page.keyboard.press('Tab')
  assert.ok(await isThere(), `the focus did not come to ${place}`)
}

async function focused(place: Locator): Promise<void> {
  await someone.page.waitForFunction((element) => element === document.activeElement, await place.elementHandle())
}

/** Presses a letter until the ticket, which listens a moment after the help, has the focus in its price. */
async function turns(letter: string): Promise<void> {
  const { page } = someone
  const price = inTicket('trade.price')
  await price.waitFor()
  const isThere = (): Promise<boolean> => price.evaluate((element) => element === document.activeElement)
  for (let tries = 0; tries < 100 && !(await isThere()); tries += 1) {
    await page.keyboard.press(letter)
    await page.waitForTimeout(100)
  }
  await focused(price)
}

/** Presses Enter once prices are fresh, with old ones it shows nothing, and waits until the focus is in the sheet. */
async function previews(button: string, shown: Locator): Promise<void> {
  const { page, t } = someone
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  await ticket.locator('button:enabled').filter({ hasText: button }).last().waitFor()
  await page.keyboard.press('Enter')
  await shown.waitFor()
  await page.waitForFunction((sheet) => sheet?.contains(document.activeElement), await shown.elementHandle())
}

const inTicket = (key: string): Locator =>
  someone.page
    .getByRole('region', { name: someone.t('trade.ticket') })
    .getByLabel(new RegExp(`^${someone.t(key)} \\(`))
    .first()

test('UI-SHORTCUT-002: on /spot an order is placed and cancelled by keys alone', { timeout: 120_000 }, async () => {
  const { page, t } = someone
  const help = await opens('/spot?symbol=BTCUSDT')
  await help.getByText(t('shortcuts.does.cancelAll')).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })

  const price = ((await bidOf('BTCUSDT')) * 0.98).toFixed(1)
  await turns('b')
  await page.keyboard.type(price)
  await tabsTo(inTicket('trade.quantity'))
  // A letter in a field is text, which the field refuses, and no command.
  await page.keyboard.type('0.00s2')
  const buy = t('trade.buyCoin', { coin: 'BTC' })
  const shown = page.getByRole('dialog', { name: buy })
  await previews(buy, shown)
  assert.equal(await openOf('spot'), 0, 'one stroke sends nothing')
  await page.keyboard.press('Enter')
  await page.getByText(t('orders.placed')).first().waitFor()
  assert.equal(await openOf('spot'), 1)
  await shown.waitFor({ state: 'hidden' })

  await page.keyboard.press('Escape')
  await page.keyboard.down('Shift')
  await page.keyboard.press('C')
  await page.getByText(t('shortcuts.holdLonger')).waitFor()
  assert.equal(await openOf('spot'), 1, 'a short stroke cancels nothing')
  await page.keyboard.down('C')
  await page.getByText(t('shortcuts.holding_one', { count: 1 })).waitFor()
  await page.getByText(t('orders.cancelledCount_one', { count: 1 })).waitFor()
  await page.keyboard.up('C')
  await page.keyboard.up('Shift')
  assert.equal(await openOf('spot'), 0)
  assert.deepEqual(someone.complaints, [])
})

test('UI-SHORTCUT-003: on /contract the side of Enter is chosen by letter, and F6 leads to the orders', { timeout: 120_000 }, async () => {
  const { page, t } = someone
  const help = await opens('/contract?symbol=BTCUSDTPERP')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })

  const price = ((await bidOf('BTCUSDTPERP')) * 1.02).toFixed(1)
  await turns('s')
  await page.getByText(t('shortcuts.enter.sell')).waitFor()
  await page.keyboard.type(price)
  await tabsTo(inTicket('trade.size'))
  await page.keyboard.type('0.01')
  const shown = page.getByRole('dialog', { name: t('positions.shortCoin', { coin: 'BTC' }) })
  await previews(t('perp.sellShort'), shown)
  await page.keyboard.press('Enter')
  await shown.waitFor({ state: 'hidden' })
  assert.equal(await openOf('perp'), 1)

  const isIn = (pane: string) => page.evaluate((name) => document.activeElement?.getAttribute('data-pane') === name, pane)
  for (let tries = 0; tries < 8 && !(await isIn('orders')); tries += 1) await page.keyboard.press('F6')
  assert.ok(await isIn('orders'))
  await tabsTo(page.getByRole('tab', { name: t('positions.positions') }))
  await page.keyboard.press('ArrowRight')
  await tabsTo(page.getByRole('button', { name: t('orders.cancel'), exact: true }))
  await page.keyboard.press('Enter')
  await page.getByText(t('orders.cancelled')).first().waitFor()
  assert.equal(await openOf('perp'), 0)
  assert.deepEqual(someone.complaints, [])
})

test('UI-SHORTCUT-005: the palette opens a market on the desk, a command and a page, and stars a market', {
  timeout: 120_000,
}, async () => {
  const { page, t } = someone
  const help = await opens('/spot?symbol=BTCUSDT')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  const field = page.getByRole('combobox', { name: t('shortcuts.search') })
  const chosen = page.getByRole('option', { selected: true })
  const finds = async (text: string, label: string): Promise<void> => {
    // The desk of another market listens once it is there.
    for (let tries = 0; tries < 100 && !(await field.isVisible()); tries += 1) {
      await page.keyboard.press('Control+k')
      await page.waitForTimeout(100)
    }
    await focused(field)
    await page.keyboard.type(text)
    await chosen.filter({ hasText: label }).waitFor()
  }
  // Also from a field.
  await turns('b')
  await finds('ethereum', 'ETH/USDT')
  assert.deepEqual(await violations(page), [])
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences/favourites'))
  await page.keyboard.press('Shift+Enter')
  await stored
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.hash === '#/spot?symbol=ETHUSDT')
  assert.equal((await user.call('GET', '/preferences/favourites')).body.value.symbols.length, 1)

  await finds(t('shortcuts.does.help'), t('shortcuts.does.help'))
  await page.keyboard.press('Enter')
  await help.waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })

  const [eth, next] = await listed('ETHUSDT')
  await page.keyboard.press(']')
  await page.waitForFunction((hash) => location.hash === hash, `#/spot?symbol=${next}`)
  for (let tries = 0; tries < 100 && !page.url().endsWith(`=${eth}`); tries += 1) {
    await page.keyboard.press('[')
    await page.waitForTimeout(100)
  }
  assert.ok(page.url().endsWith(`=${eth}`))

  await finds(t('shell.settings'), t('shell.settings'))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.hash === '#/setting')
  assert.deepEqual(someone.complaints, [])
})

test('UI-CHARTS-002: linked charts show one crosshair, the account keeps them, and a window of its own follows the market', {
  timeout: 120_000,
}, async () => {
  const { page, context, t, go } = someone
  await user.call('POST', '/spot/orders', { clientId: 'candle', symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '100' })
  exchange.quiet()
  const chart = (place: number, pair: string): Locator =>
    page.getByRole('region', { name: t('shortcuts.charts.one', { place, pair }), exact: true })
  await go('/contractkline?symbol=BTCUSDT')
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences/chart-grid'))
  await page
    .getByRole('radiogroup', { name: t('shortcuts.charts.count') })
    .getByRole('radio', { name: '2' })
    .click()
  await stored
  const [first, second] = [chart(1, 'BTC/USDT'), chart(2, 'ETH/USDT')]
  for (const one of [first, second]) await one.locator('canvas').nth(3).waitFor()
  assert.deepEqual(await violations(page), [])

  const drawn = (): Promise<string> =>
    second.locator('canvas').evaluateAll((all) => all.map((one) => (one as HTMLCanvasElement).toDataURL()).join())
  const changes = async (before: string): Promise<string> => {
    let now = before
    for (let tries = 0; tries < 100 && now === before; tries += 1) {
      await page.waitForTimeout(50)
      now = await drawn()
    }
    assert.notEqual(now, before)
    return now
  }
  const box = await first.getByRole('img').boundingBox()
  assert.ok(box !== null)
  // The plot of the other chart is complete before it is compared.
  let plain = await drawn()
  for (let same = 0; same < 5; ) {
    await page.waitForTimeout(100)
    const now = await drawn()
    same = now === plain ? same + 1 : 0
    plain = now
  }
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.4)
  const crossed = await changes(plain)
  await page.mouse.move(2, 2)
  await changes(crossed)

  const answered = page.waitForResponse(
    (answer) => answer.url().includes('/markets/ETHUSDT/candles') && answer.url().includes('interval=4h'),
  )
  await second.getByRole('button', { name: t('chart.indicators') }).focus()
  await page.keyboard.press('5')
  await answered
  // The account has it a moment after the chart.
  let kept: { readonly count: number; readonly charts: readonly { readonly symbol: string; readonly interval: string }[] }
  do kept = (await user.call('GET', '/preferences/chart-grid')).body.value
  while (kept.charts[1]?.interval !== '4h')
  assert.equal(kept.count, 2)
  assert.deepEqual(kept.charts[1], { symbol: 'ETHUSDT', interval: '4h' })

  const opened = context.waitForEvent('page')
  await second.getByRole('button', { name: t('shortcuts.charts.apart') }).click()
  const apart = await opened
  await apart.getByRole('heading', { name: 'ETH/USDT' }).waitFor()
  const [, next] = await listed('ETHUSDT')
  await page.keyboard.press(']')
  await apart.waitForFunction((symbol) => location.hash.includes(`symbol=${symbol}&`), next)
  await apart.close()
  assert.deepEqual(someone.complaints, [])
})
