/** Reading without a connection: the last known state after a reload, nothing to send, and the present one as soon as it is back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

test('UI-OFFLINE-001, UI-OFFLINE-002: a reload without a connection shows the last balances and orders, and nothing can be ordered; back online all is present again', {
  timeout: 180_000,
}, async (t) => {
  const user = await exchange.user({ funds: { USDT: '4321' } })
  const order = { clientId: 'a', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100000', quantity: '0.00111', timeInForce: 'GTC' }
  const placed = await user.call('POST', '/spot/orders', order)
  assert.equal(placed.status, 200, JSON.stringify(placed.body))
  const { page, context, go, format, t: say } = await person(browser, exchange.url, { user })
  t.after(() => context.close())
  const [available, later] = ['4210', '9210'].map((sum) => page.getByText(format.number(sum as never)).first())
  const openOrder = page.getByText(format.number('0.00111' as never)).first()

  await go('/property')
  await available!.waitFor()
  await go('/spot?symbol=BTCUSDT')
  await openOrder.waitFor()
  // From the second load on, every file comes through the worker.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await openOrder.waitFor()
  await go('/property')
  await available!.waitFor()

  await context.setOffline(true)
  await page.reload()
  await available!.waitFor()
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

  // What happens meanwhile is seen without a reload.
  await exchange.link.submit({ type: 'funds.faucet', user: user.id, clientId: 'b', asset: 1, amount: 5_000_000_000 } as never)
  await go('/property')
  await context.setOffline(false)
  await later!.waitFor()
  await page.getByText(new RegExp(say('shell.offlineSince', { time: '' }).trim())).waitFor({ state: 'hidden' })

  // Another person on this phone sees nothing of it.
  await page.evaluate(() => localStorage.setItem('session', JSON.stringify({ uid: '999999999' })))
  await context.setOffline(true)
  await page.reload()
  await page.getByText(new RegExp(say('shell.offlineSince', { time: '' }).trim())).waitFor()
  assert.equal(await available!.count(), 0)
})
