/** Reading without a connection: the last known state after a reload, nothing to send, and the present one as soon as it is back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { person, startBrowser } from './person.ts'
import { pictured } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '5' })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

test('UI-OFFLINE-001: a reload without a connection shows the last balances and orders, nothing can be ordered, and others see none of it', {
  timeout: 180_000,
}, async (t) => {
  const user = await exchange.user({ funds: { USDT: '4321' } })
  const order = { clientId: 'a', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100000', quantity: '0.00111', timeInForce: 'GTC' }
  const placed = await user.call('POST', '/spot/orders', order)
  assert.equal(placed.status, 200, JSON.stringify(placed.body))
  const { page, context, go, format, t: say } = await person(browser, exchange.url, { user })
  t.after(() => context.close())
  const available = page.getByText(format.number('4210' as Decimal)).first()
  const openOrder = page.getByText(format.number('0.00111' as Decimal)).first()

  await go('/property')
  await available.waitFor()
  await go('/spot?symbol=BTCUSDT')
  await openOrder.waitFor()
  // From the second load on, every file comes through the worker.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await openOrder.waitFor()
  await go('/property')
  await available.waitFor()

  await context.setOffline(true)
  await page.reload()
  await available.waitFor()
  await page.getByText(new RegExp(say('shell.offlineSince', { time: '' }).trim())).waitFor()
  await pictured(page, 'offline-property')
  await go('/spot?symbol=BTCUSDT')
  await openOrder.waitFor()
  const ticket = page.getByRole('region', { name: say('trade.ticket') })
  await ticket
    .getByLabel(new RegExp(`^${say('trade.quantity')} `))
    .last()
    .fill('0.001')
  const buy = ticket.getByRole('button', { name: say('trade.buyCoin', { coin: 'BTC' }) })
  assert.equal(await buy.isEnabled(), false)
  await ticket.getByRole('status').getByText(say('trade.waitsForPrices')).waitFor()

  // Another person on this phone sees nothing of it.
  await page.evaluate(() => localStorage.setItem('session', JSON.stringify({ uid: '999999999' })))
  await context.setOffline(true)
  await page.reload()
  await page.getByText(new RegExp(say('shell.offlineSince', { time: '' }).trim())).waitFor()
  assert.equal(await available.count(), 0)
})

test('UI-OFFLINE-002: what happened while there was no connection is seen without a reload', { timeout: 120_000 }, async (t) => {
  const user = await exchange.user({ funds: { USDT: '77' } })
  const { page, context, go, format, t: say } = await person(browser, exchange.url, { user })
  t.after(() => context.close())
  const sum = (text: string) => page.getByText(format.number(text as Decimal)).first()
  const strip = page.getByText(new RegExp(say('shell.offlineSince', { time: '' }).trim()))
  await go('/property')
  await sum('77').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await sum('77').waitFor()
  await context.setOffline(true)
  await page.reload()
  await strip.waitFor()
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
  const { status } = await user.call('POST', '/sandbox/faucet', { clientId: 'b', asset: 'USDT' })
  assert.equal(status, 200)
  const { accounts } = (await user.call('GET', '/balances')).body
  await context.setOffline(false)
  await sum(accounts[0].balances.find(({ asset }: { asset: string }) => asset === 'USDT').available).waitFor()
  await strip.waitFor({ state: 'hidden' })
  // Orders can be sent again, in the page that could not send them.
  await page.evaluate(() => location.assign('#/spot?symbol=BTCUSDT'))
  const buy = page.getByRole('region', { name: say('trade.ticket') }).getByRole('button', { name: say('trade.buyCoin', { coin: 'BTC' }) })
  await buy.and(page.locator(':enabled')).waitFor()
  assert.equal(await page.evaluate(() => 'isSame' in globalThis), true)
  await page.evaluate(() => location.assign('#/property'))
  await sum(accounts[0].balances.find(({ asset }: { asset: string }) => asset === 'USDT').available).waitFor()

  // UI-SESSION-003: a logout in another page of the app.
  const kept = () => page.evaluate(() => localStorage.getItem('answers'))
  const hide = () => page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await hide()
  assert.match((await kept()) ?? '', /balances/)
  const other = await context.newPage()
  // Not the app itself, whose own question about the session could store it again.
  await other.goto(`${exchange.url}/manifest.webmanifest`)
  await other.evaluate(() => localStorage.removeItem('session'))
  await sum('77').or(sum(accounts[0].balances[0].available)).waitFor({ state: 'hidden' })
  await hide()
  assert.equal(await kept(), null)
})

test('UI-OFFLINE-004: another page’s new version is offered here once the sheet is closed, and reloads only when it is accepted', {
  timeout: 120_000,
}, async (t) => {
  const { page, context, go, t: say } = await person(browser, exchange.url)
  t.after(() => context.close())
  const offer = page.getByText(say('shell.update'))
  await go('/spot?symbol=BTCUSDT')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  const change = () => page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
  // The code that listens comes some seconds after the page.
  while ((await offer.count()) === 0) {
    await change()
    await page.waitForTimeout(100)
  }
  await page
    .getByRole('status')
    .getByRole('button', { name: say('common.close') })
    .click()
  await offer.waitFor({ state: 'hidden' })
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
  await page.getByRole('button', { name: /BTC/ }).first().click()
  await page.getByRole('dialog').waitFor()
  await change()
  // Longer than it takes to look again.
  await page.waitForTimeout(1_500)
  assert.equal(await offer.count(), 0)
  await page.keyboard.press('Escape')
  await offer.first().waitFor()
  assert.equal(await page.evaluate(() => 'isSame' in globalThis), true)
  await page
    .getByRole('button', { name: say('shell.updateNow') })
    .first()
    .click()
  await page.waitForFunction(() => !('isSame' in globalThis))
})
