/** Failures on a phone: no network, a restarted exchange, double taps, lost answers, an ended session. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { readNumber } from '../parts/fields/read.ts'
import { hasBook, type Person, person, startBrowser } from './person.ts'

const desk = '/spot?symbol=BTCUSDT'

let browser: Browser
before(async () => {
  browser = await startBrowser()
})
after(() => browser.close())

test('UI-STALE-001: without new data the app shows the age of prices in grey, and orders wait', {
  timeout: 300_000,
}, async (t) => {
  const exchange = await startExchange({ bots: true })
  t.after(() => exchange[Symbol.asyncDispose]())
  const user = await exchange.user({ funds: { USDT: '1000' } })
  await hasBook(exchange)
  const someone = await person(browser, exchange.url, { user })
  t.after(() => someone.context.close())
  const { page, go } = someone
  // Simulates `/wss` while the engine can't write its journal: no quotes, and their age once a second.
  let staleSince: number | undefined
  let say = (_text: string): void => undefined
  await page.routeWebSocket(/\/wss$/, (socket) => {
    say = (text) => socket.send(text)
    socket.connectToServer().onMessage((message) => {
      if (staleSince === undefined) socket.send(message)
    })
  })
  const teller = setInterval(() => {
    const stale = Math.ceil((Date.now() - (staleSince ?? 0)) / 1_000)
    if (staleSince !== undefined) say(JSON.stringify({ code: 200, data: { list: [] }, stale }))
  }, 1_000)
  t.after(() => clearInterval(teller))
  await go(desk)
  await quantityOf(someone).fill('0.00123')
  const buy = buyButton(someone)
  await isEnabled(buy, true)
  const [before = ''] = someone.t('shell.behind', { time: '\0', span: '' }).split('\0')
  const strip = page.getByRole('status').filter({ hasText: before.trim() })
  assert.equal(await strip.count(), 0)
  staleSince = Date.now() - 90_000
  await strip.waitFor()
  const [shown] = someone.numbersIn(((await strip.textContent()) ?? '').split('(')[1] ?? '')
  assert.ok(shown !== undefined && shown >= 90, `${await strip.textContent()}`)
  await isEnabled(buy, false)
  staleSince = undefined
  await strip.waitFor({ state: 'hidden' })
  await isEnabled(buy, true)
})

test('after a restart of the exchange, old prices turn grey, orders wait, and the book recovers by itself', {
  timeout: 300_000,
}, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-'))
  let exchange = await startExchange({ bots: true, settings: { dataFolder } })
  t.after(async () => {
    await exchange[Symbol.asyncDispose]()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  const { url } = exchange
  const user = await exchange.user({ funds: { USDT: '1000' } })
  await hasBook(exchange)
  const someone = await person(browser, url, { user })
  t.after(() => someone.context.close())
  const { page, go } = someone
  await go(desk)
  await quantityOf(someone).fill('0.00123')
  const buy = buyButton(someone)
  await isEnabled(buy, true)

  await exchange[Symbol.asyncDispose]()
  const strip = page.getByText(new RegExp(someone.t('shell.offlineSince', { time: '' }).trim()))
  await strip.waitFor()
  await isEnabled(buy, false)
  const greys = await page.evaluate(() => {
    const price = document.querySelector('main header .tn')
    const probe = document.body.appendChild(Object.assign(document.createElement('i'), { style: 'color:var(--fg3)' }))
    const pair = [price === null ? '' : getComputedStyle(price).color, getComputedStyle(probe).color]
    probe.remove()
    return pair
  })
  assert.equal(greys[0], greys[1], 'the price is grey')

  exchange = await startExchange({ bots: true, settings: { dataFolder, port: Number(new URL(url).port) } })
  await strip.waitFor({ state: 'hidden', timeout: 120_000 })
  await isEnabled(buy, true)
  await hasBook(exchange)
  await showsTheBook(someone, exchange)
  assert.equal(await quantityOf(someone).inputValue(), '0.00123', 'what was typed is still there')
})

describe('on one exchange', () => {
  let exchange: TestExchange
  before(async () => {
    exchange = await startExchange({ seed: '3', bots: true })
    await hasBook(exchange)
  })
  after(() => exchange[Symbol.asyncDispose]())

  const visit = async (user?: TestUser): Promise<Person> => person(browser, exchange.url, user === undefined ? {} : { user })
  const customer = (): Promise<TestUser> => exchange.user({ funds: { USDT: '5000', BTC: '0.1' } })

  test('two taps send one order, with and without a confirmation', async () => {
    const user = await customer()
    const someone = await visit(user)
    await someone.go(desk)
    await limitBuy(someone, '0.001')
    await confirmButton(someone).dblclick()
    await someone.page.getByText(someone.t('orders.placed')).first().waitFor()
    assert.equal(await openOrders(user), 1)

    await someone.page.evaluate(() => {
      const settings = JSON.parse(localStorage.getItem('settings') ?? '{}') as object
      localStorage.setItem('settings', JSON.stringify({ ...settings, confirmLimit: false }))
    })
    await someone.page.reload()
    await fillLimit(someone, '0.002')
    await buyButton(someone).dblclick()
    await someone.page.getByText(someone.t('orders.placed')).first().waitFor()
    await someone.page.waitForTimeout(500)
    assert.equal(await openOrders(user), 2)
    await someone.context.close()
  })

  test('after a lost answer, the second attempt finds the order of the first', async () => {
    const user = await customer()
    const someone = await visit(user)
    let lost = 0
    await someone.context.route('**/app/v1/spot/orders', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await someone.go(desk)
    await limitBuy(someone, '0.001')
    await confirmButton(someone).click()
    await someone.page.getByRole('dialog').getByRole('alert').waitFor()
    await confirmButton(someone).click()
    await someone.page.getByText(someone.t('orders.placed')).first().waitFor()
    assert.equal(lost, 1)
    assert.equal(await openOrders(user), 1)
    await someone.context.close()
  })

  test('UI-SESSION-001: a session ended elsewhere asks to log in over the screen, and the input stays', async () => {
    const user = await customer()
    const someone = await visit(user)
    const { page, t, go } = someone
    await go(desk)
    await limitBuy(someone, '0.00123')
    await user.call('POST', '/auth/logout')
    const sheet = page.getByRole('dialog', { name: t('shell.expired') })
    await sheet.waitFor()
    await sheet.getByLabel(t('common.contact')).fill(user.email)
    await sheet.locator('input[type=password]').fill(user.password)
    await sheet.locator('input[type=password]').press('Enter')
    await sheet.waitFor({ state: 'hidden' })
    assert.equal(await quantityOf(someone).inputValue(), '0.00123')
    await confirmButton(someone).click()
    await page.getByText(t('orders.placed')).first().waitFor()
    await someone.context.close()
  })

  test('UI-SESSION-002: a late refusal of a request from before the login does not ask to log in again', async () => {
    const user = await customer()
    const someone = await visit(user)
    const { page, t, go, context } = someone
    const released = Promise.withResolvers<void>()
    let held = 0
    await context.route('**/app/v1/balances', async (route) => {
      const response = await route.fetch()
      if (response.status() === 401) {
        held += 1
        await released.promise
      }
      await route.fulfill({ response })
    })
    await go(desk)
    await fillLimit(someone, '0.00123')
    await user.call('POST', '/auth/logout')
    const sheet = page.getByRole('dialog', { name: t('shell.expired') })
    await sheet.waitFor()
    await sheet.getByLabel(t('common.contact')).fill(user.email)
    await sheet.locator('input[type=password]').fill(user.password)
    await sheet.locator('input[type=password]').press('Enter')
    await sheet.waitFor({ state: 'hidden' })
    assert.ok(held > 0)
    const late = page.waitForResponse((response) => response.url().endsWith('/balances') && response.status() === 401)
    released.resolve()
    await (await late).finished()
    await buyButton(someone).click()
    await confirmButton(someone).click()
    await page.getByText(t('orders.placed')).first().waitFor()
    assert.equal(await sheet.isVisible(), false)
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })

  test('the error of a field is shown at the field', async () => {
    const someone = await visit(await customer())
    const { page, t, go } = someone
    await go(desk)
    const ticket = page.getByRole('region', { name: t('trade.ticket') })
    const says = (refusal: string): Promise<void> =>
      ticket
        .getByText(t(`refusals.${refusal}`))
        .first()
        .waitFor()
    const price = ticket.getByLabel(new RegExp(`^${t('trade.price')} `)).first()
    await price.waitFor()

    await buyButton(someone).click()
    await ticket.getByText(t('orders.wrong.amount')).waitFor()
    assert.ok(await quantityOf(someone).evaluate((input) => input === document.activeElement), 'the focus is where something is missing')
    assert.equal(await page.getByRole('dialog').isVisible(), false, 'nothing asks to confirm what is wrong')
    await quantityOf(someone).fill('abc')
    assert.equal(await quantityOf(someone).inputValue(), '', 'letters are not taken')
    await quantityOf(someone).fill('0,001')
    assert.equal(await quantityOf(someone).inputValue(), '0.001', 'a comma is a point')
    await quantityOf(someone).fill('0.123456789')
    assert.notEqual(await quantityOf(someone).inputValue(), '0.123456789', 'no digit that would not be sent')
    await quantityOf(someone).fill('9')
    await says('INSUFFICIENT_BALANCE')
    await quantityOf(someone).fill('0.00001')
    await ticket.getByText(t('orders.wrong.worth', { min: '|' }).split('|')[0] ?? '').waitFor()
    await price.fill('1')
    await ticket.getByText(t('orders.wrong.below', { price: '|' }).split('|')[0] ?? '').waitFor()
    await someone.context.close()
  })

  test('UI-TEXT-001: a refusal whose text is still loading never shows its key', async () => {
    const someone = await visit(await customer())
    const { page, t, go, context } = someone
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await context.route('**/assets/refusals-*.js', async (route) => {
      asked.resolve()
      await released.promise
      await route.continue()
    })
    await go(desk)
    await fillLimit(someone, '0.001')
    await quantityOf(someone).fill('9')
    await quantityOf(someone).blur()
    await page.locator('input[aria-invalid=true]').waitFor()
    await asked.promise
    assert.doesNotMatch(await page.locator('body').innerText(), /refusals\./)
    released.resolve()
    await page
      .getByRole('region', { name: t('trade.ticket') })
      .getByText(t('refusals.INSUFFICIENT_BALANCE'))
      .waitFor()
    await context.close()
  })

  test('going back restores the screen and its scroll position', async () => {
    const someone = await visit()
    const { page, go } = someone
    await go('/market')
    await page.getByRole('listitem').nth(9).waitFor()
    await page.evaluate(() => scrollTo(0, 260))
    await page.getByRole('listitem').nth(9).getByRole('button').last().click()
    await page.waitForFunction(() => location.hash.startsWith('#/spot'))
    await page.getByRole('region', { name: someone.t('trade.ticket') }).waitFor()
    assert.equal(await page.evaluate(() => scrollY), 0)
    await page.goBack()
    await page.waitForFunction(() => scrollY === 260)
    await someone.context.close()
  })

  test('the shell opens without a network', { timeout: 180_000 }, async () => {
    const someone = await visit()
    const { page, t, go, context } = someone
    await go('/market')
    await page.getByRole('listitem').nth(3).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith('shell-')))
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await context.setOffline(true)
    await page.reload()
    await page.locator('main h1').first().waitFor()
    await page.getByRole('navigation', { name: t('shell.tabs') }).waitFor()
    await page.getByRole('status').first().waitFor()
    await page.evaluate(() => location.assign('#/me'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.setOffline(false)
    await context.close()
  })
})

function buyButton({ page, t }: Person): Locator {
  return page.getByRole('region', { name: t('trade.ticket') }).getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) })
}

function confirmButton({ page, t }: Person): Locator {
  return page.getByRole('dialog').getByRole('button', { name: t('trade.confirm'), exact: true })
}

function quantityOf({ page, t }: Person): Locator {
  return page
    .getByRole('region', { name: t('trade.ticket') })
    .getByLabel(new RegExp(`^${t('trade.quantity')} `))
    .first()
}

/** Fills in a limit order that rests, 3 % below the market. */
async function fillLimit(someone: Person, quantity: string): Promise<void> {
  const { page, t, format } = someone
  const price = page
    .getByRole('region', { name: t('trade.ticket') })
    .getByLabel(new RegExp(`^${t('trade.price')} `))
    .first()
  await page.waitForFunction((element) => (element as HTMLInputElement | null)?.value !== '', await price.elementHandle())
  await price.fill((Math.round(Number(readNumber(await price.inputValue(), format.marks)) * 0.97 * 10) / 10).toFixed(1))
  await quantityOf(someone).fill(quantity)
  await isEnabled(buyButton(someone), true)
}

async function limitBuy(someone: Person, quantity: string): Promise<void> {
  await fillLimit(someone, quantity)
  await buyButton(someone).click()
  await confirmButton(someone).waitFor()
}

async function openOrders(user: TestUser): Promise<number> {
  const { body } = await user.call('GET', '/spot/orders/open')
  return ((body.items ?? body.orders ?? body) as readonly unknown[]).length
}

async function isEnabled(button: Locator, wanted: boolean): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await button.isEnabled()) === wanted) return
    await new Promise((done) => setTimeout(done, 100))
  }
  assert.fail(`the button should be ${wanted ? 'enabled' : 'disabled'}`)
}

/** The three best levels per side on the screen equal those of the exchange. Both change, so several attempts are allowed. */
async function showsTheBook({ page, t }: Person, exchange: TestExchange): Promise<void> {
  const book = page.getByRole('region', { name: t('trade.book') })
  let seen = ''
  let wanted = ''
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { bids } = (await (await fetch(`${exchange.url}/app/v1/markets/BTCUSDT/depth?limit=20`)).json()) as { bids: [string, string][] }
    wanted = bids
      .slice(0, 3)
      .map(([price]) => Number(price).toFixed(1))
      .join()
    const labels = await book
      .getByRole('button', { name: new RegExp(`^${t('trade.bidRow', { price: '', quantity: '', coin: '' }).split(' ')[0]} `) })
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''))
    seen = labels
      .slice(0, 3)
      .map((label) => Number((/[\d,]+\.\d+/.exec(label)?.[0] ?? '').replaceAll(',', '')).toFixed(1))
      .join()
    if (seen === wanted) return
    await new Promise((done) => setTimeout(done, 200))
  }
  assert.equal(seen, wanted)
}
