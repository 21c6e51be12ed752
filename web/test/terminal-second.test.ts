/** The desk of Second in a wide window, what crossing 1,024 px keeps, and panes that are dragged. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { ownIndex } from './own-world.ts'
import { arranging, cut, pane, resets, shown } from './pane.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

const desktop = { width: 1440, height: 900 }
const panes = ['account', 'chart', 'markets', 'orders', 'ticket']

let browser: Browser
let exchange: TestExchange
let user: TestUser
let ticks: ReturnType<typeof setInterval>
let one: Person
const { index } = ownIndex(() => exchange)

before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'second', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  let tick = 0
  ticks = setInterval(() => {
    tick += 1
    void index({ btc: 60_000 + (tick % 7) * 5 })
  }, 500)
  user = await exchange.user({ funds: { USDT: '9000' }, isCertified: true })
  for (const [path, body] of [
    ['/option/knowledge', { answers: { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 } }],
    ['/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'option', amount: '1000' }],
  ] as const) {
    const { status, body: answer } = await user.call('POST', path, body)
    assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
  }
  one = await person(browser, exchange.url, { user, window: [desktop.width, desktop.height] })
})
after(async () => {
  clearInterval(ticks)
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const isWhole = (page: Page) => page.waitForFunction(() => document.querySelector('main .skeleton') === null)

async function opens({ page, go }: Person, path: string): Promise<void> {
  await go(path)
  await pane(page, 'chart').waitFor()
  await isWhole(page)
}

test('UI-WIDE-009: Second has the panes of a desk without a book, a stake is typed, and its order runs in the chart and in the orders', async () => {
  const { page, t } = one
  await opens(one, '/Second?symbol=BTCUSDT')
  assert.deepEqual(await shown(page), panes)
  const ticket = pane(page, 'ticket')
  // Long enough to run until the last test.
  await ticket.getByRole('radio', { name: new RegExp(`^${t('option.minutes', { n: 15 })}`) }).click()
  await ticket.getByRole('textbox', { name: t('option.stake') }).fill('25')
  await ticket.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('settled.place'), exact: true }).click()
  await pane(page, 'orders')
    .getByRole('button', { name: /BTC\/USDT/ })
    .waitFor()
  const chart = pane(page, 'chart').getByRole('img')
  // The dashed line of the opening price.
  await chart.locator('line[stroke-dasharray]').waitFor({ state: 'attached' })
  const [around, inside] = await Promise.all([pane(page, 'chart').boundingBox(), chart.boundingBox()])
  assert.ok(around !== null && inside !== null && around.height - inside.height < 60, `${around?.height} around ${inside?.height}`)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('F6')
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-pane')), 'markets')
  await page.keyboard.press(']')
  await page.waitForFunction(() => location.hash.includes('symbol=') && !location.hash.includes('BTCUSDT'))
  await page.keyboard.press('[')
  await page.waitForFunction(() => location.hash.includes('BTCUSDT'))
  await pane(page, 'chart').waitFor()
  await arranging(one, async (layout) => {
    assert.equal(await layout.getByRole('switch').count(), panes.length)
    await layout.getByRole('switch', { name: t('terminal.show', { pane: t('terminal.pane.markets') }) }).click()
  })
  await pane(page, 'markets').waitFor({ state: 'detached' })
  await resets(one)
  await pane(page, 'markets').waitFor()
  await page.setViewportSize({ width: 1024, height: 768 })
  const tabs = page.getByRole('tablist', { name: t('terminal.tabs') })
  await tabs.waitFor()
  assert.deepEqual(await shown(page), ['chart', 'orders', 'ticket'])
  assert.equal(await tabs.getByRole('tab').count(), 3)
  await page.setViewportSize(desktop)
})

test('UI-WIDE-010: what was typed into the ticket of Spot, Futures or Second stays when the window becomes narrow and wide again', async () => {
  const { page, t } = one
  const field = (name: string): Locator => page.getByRole('textbox', { name: new RegExp(`^${RegExp.escape(name)}`) })
  const crosses = async (width: number, path: string): Promise<void> => {
    await page.setViewportSize({ width, height: 900 })
    if (width < 1024) await pane(page, 'chart').waitFor({ state: 'detached' })
    else await pane(page, 'chart').waitFor()
    assert.ok(page.url().includes(path))
  }
  for (const [path, size] of [
    ['/spot?symbol=BTCUSDT', 'trade.quantity'],
    ['/contract?symbol=BTCUSDTPERP', 'trade.size'],
  ] as const) {
    await opens(one, path)
    await field(t('trade.price')).fill('59123')
    await field(t(size)).fill('0.0123')
    for (const width of [800, 1440, 800, 1440]) {
      await crosses(width, path)
      await field(t(size)).waitFor()
      assert.deepEqual(one.numbersIn(await field(t('trade.price')).inputValue()), [59_123], `price of ${path} at ${width}`)
      assert.deepEqual(one.numbersIn(await field(t(size)).inputValue()), [0.0123], `size of ${path} at ${width}`)
    }
    // Another visit of the desk begins anew.
    await opens(one, '/Second?symbol=BTCUSDT')
    await opens(one, path)
    assert.equal(await field(t(size)).inputValue(), '')
  }
  await opens(one, '/Second?symbol=BTCUSDT')
  const stake = pane(page, 'ticket').getByRole('textbox', { name: t('option.stake') })
  const begun = await stake.inputValue()
  await stake.fill('37')
  for (const width of [800, 1440]) {
    await crosses(width, '/Second')
    const shown = width < 1024 ? page.getByRole('button', { name: new RegExp(`^${RegExp.escape(t('option.stake'))}: 37 `) }) : stake
    await shown.waitFor()
    if (width >= 1024) assert.deepEqual(one.numbersIn(await stake.inputValue()), [37])
  }
  await opens(one, '/spot?symbol=BTCUSDT')
  await opens(one, '/Second?symbol=BTCUSDT')
  assert.equal(await stake.inputValue(), begun)
})

test('UI-WIDE-011: a pane is dragged by its head onto another one, Escape cancels, and the two change their places', async () => {
  const { page, t } = one
  await opens(one, '/spot?symbol=BTCUSDT')
  const x = async (name: string): Promise<number> => (await pane(page, name).boundingBox())?.x ?? -1
  const before = { book: await x('book'), markets: await x('markets') }
  const drags = async (): Promise<void> => {
    const head = await pane(page, 'account').getByRole('heading').boundingBox()
    const target = await pane(page, 'markets').boundingBox()
    assert.ok(head !== null && target !== null)
    await page.mouse.move(head.x + 60, head.y + 10)
    await page.mouse.down()
    await page.mouse.move(target.x + 80, target.y + 120, { steps: 5 })
    await page.locator('[data-target="markets"]').waitFor()
  }
  await drags()
  await page.keyboard.press('Escape')
  await page.locator('[data-target]').waitFor({ state: 'detached' })
  await page.mouse.up()
  assert.equal(await x('markets'), before.markets)
  await drags()
  await page.mouse.up()
  await page.waitForFunction(() => (document.querySelector('[data-pane=account]')?.getBoundingClientRect().x ?? 999) < 99)
  assert.ok((await x('markets')) > before.book)
  assert.equal(await page.locator('[data-target]').count(), 0)
  // The ticket has a grip above its fields.
  const grip = await pane(page, 'ticket').locator('.tm-grip').boundingBox()
  const book = await pane(page, 'book').boundingBox()
  assert.ok(grip !== null && book !== null)
  await page.mouse.move(grip.x + 40, grip.y + 6)
  await page.mouse.down()
  await page.mouse.move(book.x + 80, book.y + 120, { steps: 5 })
  await page.locator('[data-target="book"]').waitFor()
  await page.mouse.up()
  await page.waitForFunction((at) => document.querySelector('[data-pane=ticket]')?.getBoundingClientRect().x === at, before.book)
  await resets(one)
  await page.waitForFunction((at) => document.querySelector('[data-pane=markets]')?.getBoundingClientRect().x === at, before.markets)
  assert.equal(await page.getByRole('region', { name: t('terminal.pane.markets'), exact: true }).count(), 1)
  assert.deepEqual(one.complaints, [])
})

for (const [at, lang] of langsOr('en', 'de').entries()) {
  test(`UI-WIDE-012: in ${lang}, the panes of Second are not cut off and have no accessibility faults`, async () => {
    const theme = at % 2 === 0 ? 'dark' : 'light'
    const someone = await person(browser, exchange.url, { lang, user, window: [desktop.width, desktop.height], theme })
    const { page } = someone
    const look = sights(page, 'second', lang)
    const wrong: string[] = []
    await opens(someone, '/Second?symbol=BTCUSDT')
    for (const width of [1024, 1280, 1440, 1920, 2560]) {
      await page.setViewportSize({ width, height: width === 1024 ? 768 : 900 })
      await page.waitForFunction((px) => (document.querySelector('.tm')?.clientWidth ?? 0) === px, width)
      await isWhole(page)
      wrong.push(...(await cut(page)).map((text) => `${width}: ${text}`))
      if (at === 0 || width === 1440) await look.see(String(width))
    }
    assert.deepEqual([...wrong, ...look.wrong], [])
    assert.deepEqual(someone.complaints, [])
    await someone.context.close()
  })
}
