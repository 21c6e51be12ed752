/** An order that is too much for a customer without a certificate leads to the identity check. */
import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Browser, Locator } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { hasBook, type Lang, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

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

/** Production's answers: a sandbox, which tests have, knows no limit. */
const refusal = { code: 'TURNOVER_LIMIT', message: 'too much', requestId: 'r' }
const turnover = { limit: '10000', used: '7250.5', open: '1749.25' }

/** A customer whose orders are refused as in production. */
async function limited(t: TestContext, lang: Lang, symbol: string): Promise<Person> {
  const user = await exchange.user({ funds: { USDT: '1000000', BTC: '1' } })
  const someone = await person(browser, exchange.url, { user, lang })
  t.after(() => someone.context.close())
  const { page, go } = someone
  await page.route('**/spot/orders', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 403, json: refusal }) : route.continue(),
  )
  await page.route('**/app/v1/me', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), turnover } })
  })
  await go(`/spot?symbol=${symbol}`)
  return someone
}

async function buy({ page, t }: Person, coin: string): Promise<Locator> {
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  const quantity = ticket.getByLabel(new RegExp(`^${t('trade.quantity')} `)).first()
  await quantity.fill('1')
  await ticket.getByRole('button', { name: t('trade.buyCoin', { coin }), exact: true }).click()
  const confirm = page.getByRole('button', { name: t('trade.confirm'), exact: true })
  await confirm.click()
  await confirm.waitFor({ state: 'hidden' })
  return page.getByRole('dialog', { name: t('certify.daily') })
}

for (const lang of langsOr('de')) {
  test(`SPOT-TURNOVER-009: in ${lang}, a refused order names the limit, what is left and when it starts anew, and leads to the check`, {
    timeout: 300_000,
  }, async (context) => {
    const someone = await limited(context, lang, 'BTCUSDT')
    const { page, t, format } = someone
    const { wrong, see } = sights(page, 'turnover', lang)
    const sheet = await buy(someone, 'BTC')
    await sheet.getByText(t('certify.dailyWhy', { limit: `${format.usdt('10000' as Decimal)} USDT` })).waitFor()
    await sheet.getByText(`${format.usdt('1000.25' as Decimal)} USDT`).waitFor()
    const midnight = Date.now() - (Date.now() % 86_400_000) + 86_400_000
    await sheet.getByText(format.dateTime(midnight)).waitFor()
    await see('limit')
    await sheet.getByRole('link', { name: t('certify.certify') }).click()
    await page.waitForURL(/#\/kyc/)
    await someone.go('/me')
    await page.getByText(t('me.dailyOf', { left: format.usdt('1000.25' as Decimal), limit: format.usdt('10000' as Decimal) })).waitFor()
    await see('me')
    assert.deepEqual([someone.complaints, wrong], [[], []])
  })

  test(`SPOT-TURNOVER-010: in ${lang}, the app says that no order of an unverified customer can wait in ETH/BTC, and why`, {
    timeout: 300_000,
  }, async (context) => {
    const someone = await limited(context, lang, 'ETHBTC')
    const { page, t } = someone
    const { wrong, see } = sights(page, 'turnover-rests', lang)
    const sheet = await buy(someone, 'ETH')
    await sheet.getByText(t('certify.dailyRests', { pair: 'ETH/BTC', quote: 'BTC' })).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await see('small')
    await sheet.getByRole('link', { name: t('certify.certify') }).click()
    await page.waitForURL(/#\/kyc/)
    assert.deepEqual([someone.complaints, wrong], [[], []])
  })
}
