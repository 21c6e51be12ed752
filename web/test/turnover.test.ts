/** An order that is too much for a customer without a certificate leads to the identity check. */
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { hasBook, type Lang, langsOr, person, startBrowser } from './person.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ bots: true })
  await hasBook(exchange)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

/** Production's answer: a sandbox, which tests have, knows no limit. */
const refusal = { code: 'TURNOVER_LIMIT', message: 'too much', requestId: 'r' }

for (const lang of langsOr('en', 'hk', 'de')) {
  test(`SPOT-TURNOVER-009: in ${lang}, a refused order says why and leads to the identity check`, {
    timeout: 300_000,
  }, async (t) => {
    const user = await exchange.user({ funds: { USDT: '1000000' } })
    const someone = await person(browser, exchange.url, { user, lang: lang as Lang })
    t.after(() => someone.context.close())
    const { page, go } = someone
    await page.route('**/spot/orders', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 403, json: refusal }) : route.continue(),
    )
    await go('/spot?symbol=BTCUSDT')
    const ticket = page.getByRole('region', { name: someone.t('trade.ticket') })
    const quantity = ticket.getByLabel(new RegExp(`^${someone.t('trade.quantity')} `)).first()
    await quantity.fill('1')
    await ticket.getByRole('button', { name: someone.t('trade.buyCoin', { coin: 'BTC' }), exact: true }).click()
    const confirm = page.getByRole('button', { name: someone.t('trade.confirm'), exact: true })
    await confirm.click()
    await page.getByText(someone.t('refusals.TURNOVER_LIMIT')).waitFor()
    await confirm.waitFor({ state: 'hidden' })
    if (process.env.CANDOR_PICTURES !== undefined) await page.screenshot({ path: `${process.env.CANDOR_PICTURES}/turnover-${lang}.png` })
    await page.getByRole('button', { name: someone.t('certify.certify') }).click()
    await page.waitForURL(/#\/kyc/)
  })
}
