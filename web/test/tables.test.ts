/** The tables of the terminal, and what its ticket says of an order before it is sent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { ownIndex } from './own-world.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

const spot = 'BTCUSDT'
const perp = 'BTCUSDTPERP'
const second = 'ETHUSDTPERP'

let browser: Browser
let exchange: TestExchange
let user: TestUser
let ticks: ReturnType<typeof setInterval>
/** A window of the user. Tests share it. */
let one: Person
const { index } = ownIndex(() => exchange)

async function sent(who: TestUser, path: string, body: object): Promise<void> {
  const answer = await who.call('POST', path, body)
  assert.ok(answer.status < 300, `${path} ${JSON.stringify(answer.body)}`)
}

before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'tables', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  ticks = setInterval(() => void index(), 500)
  const maker = await exchange.user({ funds: { USDT: '4000000', BTC: '30' }, class: 'bench', isCertified: true })
  await sent(maker, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '2000000' })
  const quotes = [
    ['/spot/orders', spot, 60_000, '2'],
    ['/perp/orders', perp, 60_000, '2'],
    ['/perp/orders', second, 3_000, '20'],
  ] as const
  for (const [path, symbol, price, quantity] of quotes)
    for (const [side, sign] of [['buy', -1] as const, ['sell', 1] as const])
      for (const level of [1, 2, 3]) {
        const at = String(price + (sign * level * price) / 6_000)
        await sent(maker, path, { clientId: `${symbol}${side}${level}`, symbol, side, type: 'limit', price: at, quantity })
      }
  user = await exchange.user({ funds: { USDT: '30000', BTC: '0.5' }, isCertified: true })
  await sent(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '12000' })
  await sent(user, '/perp/leverage', { symbol: perp, leverage: 10 })
  await sent(user, '/perp/orders', { clientId: 'long', symbol: perp, side: 'buy', type: 'market', quantity: '0.2' })
  await sent(user, '/perp/orders', { clientId: 'short', symbol: second, side: 'sell', type: 'market', quantity: '1' })
  for (const [clientId, price, quantity] of [
    ['far', '55000', '0.02'],
    ['near', '59000', '0.01'],
    ['middle', '57000', '0.03'],
  ]) {
    await sent(user, '/perp/orders', { clientId, symbol: perp, side: 'buy', type: 'limit', price, quantity })
    await sent(user, '/spot/orders', { clientId: `${clientId}-spot`, symbol: spot, side: 'buy', type: 'limit', price, quantity })
  }
  await sent(user, '/spot/orders', { clientId: 'now', symbol: spot, side: 'buy', type: 'market', quantity: '0.05' })
  await sent(user, '/transfer', { clientId: 'margin', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '2000' })
  const margin = { account: 'margin-cross', borrow: 'none' }
  await sent(user, '/spot/orders', { clientId: 'own', symbol: spot, side: 'buy', type: 'market', quantity: '0.03', margin })
  one = await person(browser, exchange.url, { user, window: [1440, 900] })
})
after(async () => {
  clearInterval(ticks)
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const orders = (page: Page): Locator => page.locator('[data-pane="orders"]')
const rows = (page: Page): Locator => orders(page).locator('tbody tr[data-row]')
const open = async (product: 'spot' | 'perp'): Promise<readonly WireOrder[]> =>
  ((await user.call('GET', `/${product}/orders/open`)).body as { orders: readonly WireOrder[] }).orders
const positions = async (): Promise<readonly WirePosition[]> =>
  ((await user.call('GET', '/perp/account')).body as { positions: readonly WirePosition[] }).positions

/** Opens a desk, and a tab of its lists. */
async function opens({ page, go, t }: Person, path: string, tab: string): Promise<void> {
  await go(path)
  await orders(page)
    .getByRole('tab', { name: new RegExp(`^${RegExp.escape(t(tab))}`) })
    .click()
  await rows(page).first().waitFor()
}

/** The numbers of a column, from top to bottom. */
async function column({ page, numbersIn }: Person, name: string): Promise<readonly number[]> {
  const heads = await orders(page).locator('thead th').allInnerTexts()
  const at = heads.findIndex((text) => text.startsWith(name))
  assert.ok(at >= 0, `${name} is not among ${heads.join()}`)
  const texts = await rows(page).evaluateAll((all, place) => all.map((row) => row.children[place]?.textContent ?? ''), at)
  return texts.map((text) => numbersIn(text)[0] ?? Number.NaN)
}

test('UI-WIDE-030: positions, orders, fills and coins of the tables are those that the routes tell', async () => {
  const { page, t, format } = one
  await opens(one, `/contract?symbol=${perp}`, 'positions.positions')
  const held = await positions()
  assert.equal(await rows(page).count(), 2)
  for (const { id, quantity, entryPrice, leverage } of held) {
    const row = orders(page).locator(`[data-row="${id}"]`)
    const text = await row.innerText()
    for (const part of [`${leverage}×`, format.number(entryPrice as Decimal)]) assert.ok(text.includes(part), `${part} in ${text}`)
    assert.ok(one.numbersIn(text).includes(Number(quantity)), `${quantity} in ${text}`)
  }
  await opens(one, `/contract?symbol=${perp}`, 'orders.open')
  const prices = (list: readonly WireOrder[]): readonly number[] => list.map(({ price }) => Number(price)).sort((a, b) => a - b)
  assert.deepEqual(
    [...(await column(one, t('trade.price')))].sort((a, b) => a - b),
    prices(await open('perp')),
  )
  await opens(one, `/spot?symbol=${spot}`, 'orders.open')
  assert.deepEqual(
    [...(await column(one, t('trade.price')))].sort((a, b) => a - b),
    prices(await open('spot')),
  )
  await opens(one, `/spot?symbol=${spot}`, 'orders.fills')
  assert.deepEqual(await column(one, t('trade.quantity')), [0.05])
  await opens(one, `/lever?symbol=${spot}`, 'orders.fills')
  assert.deepEqual(await column(one, t('trade.quantity')), [0.03])
  await opens(one, `/spot?symbol=${spot}`, 'orders.history')
  assert.equal(await rows(page).count(), 1)
  await opens(one, `/spot?symbol=${spot}`, 'orders.assets')
  const balances = (await user.call('GET', '/balances')).body.accounts.find(({ kind }: { kind: string }) => kind === 'spot').balances
  const btc = balances.find(({ asset }: { asset: string }) => asset === 'BTC')
  assert.equal((await column(one, t('trade.available')))[0], Number(btc.available))
})

test('UI-WIDE-031: a header sorts its column by pointer and by Enter', async () => {
  const { page, t } = one
  await opens(one, `/contract?symbol=${perp}`, 'orders.open')
  const head = orders(page).getByRole('columnheader', { name: t('trade.price'), exact: true })
  await head.getByRole('button').click()
  assert.equal(await head.getAttribute('aria-sort'), 'descending')
  assert.deepEqual(await column(one, t('trade.price')), [59_000, 57_000, 55_000])
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('[aria-sort=ascending]') !== null)
  assert.deepEqual(await column(one, t('trade.price')), [55_000, 57_000, 59_000])
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('[aria-sort]') === null)
})

test('UI-WIDE-032: a hidden column stays hidden in another window until it is shown again', async () => {
  const { page, t } = one
  await opens(one, `/contract?symbol=${perp}`, 'positions.positions')
  const turn = async (who: Person): Promise<void> => {
    await orders(who.page)
      .getByRole('button', { name: t('terminal.columns') })
      .click()
    const stored = who.page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences/terminal'),
    )
    const sheet = who.page.getByRole('dialog', { name: t('terminal.columns') })
    await sheet.getByRole('switch', { name: t('positions.entry') }).click()
    assert.equal((await stored).status(), 200)
    await who.page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
  }
  const entry = (of: Page): Locator => orders(of).getByRole('columnheader', { name: t('positions.entry') })
  assert.equal(await entry(page).count(), 1)
  await turn(one)
  await entry(page).waitFor({ state: 'detached' })
  const other = await person(browser, exchange.url, { user, window: [1440, 900] })
  await opens(other, `/contract?symbol=${perp}`, 'positions.positions')
  await entry(other.page).waitFor({ state: 'detached' })
  await turn(other)
  await entry(other.page).waitFor()
  await other.context.close()
  // Narrower, the columns fall away from the least important on; the result stays.
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.waitForFunction(() => (document.querySelector('.tm')?.clientWidth ?? 0) === 1024)
  await orders(page)
    .getByRole('columnheader', { name: t('positions.fundingTitle') })
    .waitFor({ state: 'detached' })
  const fits = await orders(page).evaluate((pane) => {
    const table = pane.querySelector('table')
    return table !== null && table.getBoundingClientRect().right <= pane.getBoundingClientRect().right
  })
  assert.ok(fits)
  await orders(page)
    .getByRole('columnheader', { name: t('positions.unrealised') })
    .waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('UI-WIDE-033: an order is changed and cancelled from its row, and a position is closed', async () => {
  const { page, t, format } = one
  await opens(one, `/contract?symbol=${perp}`, 'orders.open')
  const rowOf = (price: number): Locator => rows(page).filter({ hasText: format.number(String(price) as Decimal) })
  await rowOf(57_000)
    .getByRole('button', { name: t('orders.change') })
    .click()
  const form = orders(page).getByRole('form')
  await form.getByLabel(new RegExp(`^${t('trade.price')}`)).fill('56500')
  await page.keyboard.press('Enter')
  await rowOf(56_500).waitFor()
  assert.ok((await open('perp')).some(({ price }) => Number(price) === 56_500))
  await rowOf(55_000)
    .getByRole('button', { name: t('orders.cancel') })
    .click()
  await rowOf(55_000).waitFor({ state: 'detached' })
  await page.getByText(t('orders.placeAgain')).first().waitFor()
  assert.equal((await open('perp')).length, 2)
  await opens(one, `/contract?symbol=${perp}`, 'positions.positions')
  const eth = rows(page).filter({ hasText: 'ETH/USDT' })
  await eth.getByRole('button', { name: t('perp.exits'), exact: true }).click()
  await page.getByRole('dialog').first().waitFor()
  await page.keyboard.press('Escape')
  await eth.getByRole('button', { name: t('perp.close'), exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: /ETH/ }).click()
  await eth.waitFor({ state: 'detached' })
  assert.equal((await positions()).length, 1)
})

test('UI-WIDE-034: without an amount the ticket tells the largest size, with one what the confirmation tells', async () => {
  const { page, t } = one
  await opens(one, `/contract?symbol=${perp}`, 'positions.positions')
  const ticket = page.locator('[data-pane="ticket"]')
  const line = (label: string): Locator =>
    ticket.locator('[data-sent] tbody tr').filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${RegExp.escape(label)}`) }) })
  const cells = (label: string): Promise<readonly string[]> => line(label).locator('td').allInnerTexts()
  await line(t('terminal.sent.max')).waitFor()
  await ticket.getByRole('textbox', { name: new RegExp(`^${t('trade.price')}`) }).fill('59500')
  await page.waitForFunction(() => /[1-9]/.test(document.querySelector('[data-sent] tbody tr:nth-child(2) td')?.textContent ?? ''))
  assert.deepEqual(await cells(t('terminal.sent.after')), ['–', '–'])
  const [most] = await cells(t('terminal.sent.max'))
  assert.ok((one.numbersIn(most ?? '')[0] ?? 0) > 0, most)
  await ticket.getByRole('textbox', { name: new RegExp(`^${t('trade.size')}`) }).fill('0.05')
  await line(t('terminal.sent.after')).filter({ hasText: '0.25' }).waitFor()
  assert.deepEqual(
    (await cells(t('terminal.sent.after'))).map((text) => one.numbersIn(text)[0]),
    [0.25, 0.15],
  )
  const [liquidation] = await cells(t('perp.estimatedLiquidation'))
  const [fills] = await cells(t('terminal.sent.fills'))
  assert.equal(fills, t('terminal.sent.rests'))
  await ticket.getByRole('button', { name: t('perp.buyLong'), exact: true }).click()
  const sheet = page.getByRole('dialog')
  const promised = await sheet.locator('dl > div', { hasText: t('perp.estimatedLiquidation') }).innerText()
  assert.deepEqual(one.numbersIn(promised).at(-1), one.numbersIn(liquidation ?? '')[0])
  await page.keyboard.press('Escape')
})

test('UI-WIDE-034: the ticket of Margin tells the loan of an order of each side', async () => {
  const { page, t } = one
  await one.go(`/lever?symbol=${spot}`)
  const ticket = page.locator('[data-pane="ticket"]')
  const field = (label: string): Locator => ticket.getByRole('textbox', { name: new RegExp(`^${RegExp.escape(label)}`) })
  const loan = ticket.locator('[data-sent] tbody tr').filter({ has: page.getByRole('rowheader', { name: t('margin.borrowed') }) })
  const loans = async (): Promise<readonly (number | undefined)[]> =>
    (await loan.locator('td').allInnerTexts()).map((text) => one.numbersIn(text)[0])
  await field(t('trade.price')).fill('59000')
  await field(t('trade.quantity')).fill('0.01')
  await loan.filter({ hasText: '0.00' }).waitFor()
  assert.deepEqual(await loans(), [0, 0])
  await ticket.getByText(t('margin.autoBorrow'), { exact: true }).click()
  await loan.filter({ hasText: /[1-9]/ }).waitFor()
  const [buying = 0, selling] = await loans()
  // About 200 USDT are left of 2,000, and 0.03 bitcoin were bought.
  assert.ok(buying > 300 && buying < 500, `${buying}`)
  assert.equal(selling, 0)
})

test('UI-MARKETS-004: markets without a price have dashes, and a ticket of theirs begins without a price', async () => {
  const { page, t } = one
  await one.go('/spot?symbol=SOLUSDT')
  const row = page.locator('[data-pane="markets"] a', { hasText: 'SOL/USDT' }).first()
  await row.waitFor()
  await page.waitForFunction(() => document.querySelector('[data-pane="markets"] .skeleton') === null)
  assert.match((await row.innerText()).replaceAll(/\s+/g, ' ').trim(), /^SOL(\/USDT)? – –$/)
  const price = page.locator('[data-pane="ticket"]').getByRole('textbox', { name: new RegExp(`^${RegExp.escape(t('trade.price'))}`) })
  assert.equal(await price.inputValue(), '')
})

test('UI-WIDE-035: an open chart takes the colours of a theme that the system changes', async () => {
  const { page } = one
  await one.go(`/contract?symbol=${perp}`)
  await page.locator('[data-pane="chart"] canvas').first().waitFor()
  /** How many points of the chart have the colour of the lines behind its prices. */
  const points = (): Promise<number> =>
    page.evaluate(() => {
      const [r, g, b] = (
        getComputedStyle(document.documentElement)
          .getPropertyValue('--line')
          .trim()
          .match(/[\da-f]{2}/gi) ?? []
      ).map((part) => Number.parseInt(part, 16))
      let count = 0
      for (const canvas of document.querySelectorAll<HTMLCanvasElement>('[data-pane="chart"] canvas')) {
        if (canvas.width === 0 || canvas.height === 0) continue
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === r && data[at + 1] === g && data[at + 2] === b && data[at + 3] === 255) count += 1
      }
      return count
    })
  const hasLines = async (): Promise<void> => {
    for (let tries = 0; tries < 200 && (await points()) < 300; tries += 1) await page.evaluate(() => new Promise(requestAnimationFrame))
    assert.ok((await points()) >= 300)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await hasLines()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light')
  await hasLines()
  await page.emulateMedia({ colorScheme: 'dark' })
})

test('UI-WIDE-036: a Spot account that never had a coin has 0 available', async () => {
  const poor = await exchange.user({ isCertified: true })
  const { page, t, go, context } = await person(browser, exchange.url, { user: poor })
  await go(`/spot?symbol=${spot}`)
  const available = page.getByRole('region', { name: t('trade.ticket') }).locator('dl > div', { hasText: t('trade.available') })
  await available.filter({ hasText: /0\.00 USDT/ }).waitFor()
  await context.close()
})

for (const lang of langsOr('en', 'de')) {
  test(`UI-WIDE-032: in ${lang}, the tables fit and have no fault, dark and light`, async () => {
    const someone = await person(browser, exchange.url, { lang, user, window: [1440, 900] })
    const { page } = someone
    const look = sights(page, 'tables', lang)
    const wrong: string[] = []
    for (const [path, tab] of [
      [`/contract?symbol=${perp}`, 'positions.positions'],
      [`/spot?symbol=${spot}`, 'orders.open'],
      [`/lever?symbol=${spot}`, 'margin.accountTab'],
    ] as const) {
      await opens(someone, path, tab)
      for (const width of path.startsWith('/lever') ? [1440] : [1024, 1440, 1920]) {
        await page.setViewportSize({ width, height: width === 1024 ? 768 : 900 })
        await page.waitForFunction((px) => (document.querySelector('.tm')?.clientWidth ?? 0) === px, width)
        await page.emulateMedia({ colorScheme: width === 1440 ? 'light' : 'dark' })
        const over = await orders(page).evaluate((pane) => {
          const { right } = pane.getBoundingClientRect()
          return [...pane.querySelectorAll('table, .tb-actions button')].filter((part) => part.getBoundingClientRect().right > right + 1)
            .length
        })
        if (over > 0) wrong.push(`${path} ${width}: ${over} parts are cut off`)
        if (lang === 'en' || width === 1440) await look.see(`${path.slice(1, 5)}-${width}`)
      }
    }
    assert.deepEqual([...wrong, ...look.wrong], [])
    assert.deepEqual(someone.complaints, [])
    await someone.context.close()
  })
}
