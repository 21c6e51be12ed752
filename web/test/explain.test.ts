/** A customer asks why the fills of an order are as they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { explaining } from './explaining.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'explain', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

let orders = 0
async function place(user: TestUser, side: 'buy' | 'sell', price: string, quantity: string): Promise<string> {
  const order = { clientId: `o${++orders}`, symbol: 'BTCUSDT', side, type: 'limit', price, quantity }
  const { status, body } = await user.call('POST', '/spot/orders', order)
  assert.equal(status, 200, JSON.stringify(body))
  return body.order.id
}

for (const lang of langsOr('fr'))
  test(`UI-EXPLAIN-001: in ${lang}, the details of an order tell why each fill is as it is: the queue before it, whose price, how much of it, and the fee`, {
    timeout: 300_000,
  }, async () => {
    await using _explainer = explaining(exchange)
    const user = await exchange.user({ funds: { USDT: '100000', BTC: '10' } })
    const other = await exchange.user({ funds: { USDT: '100000', BTC: '10' } })
    const seller = await exchange.user({ funds: { BTC: '10' } })
    await place(other, 'sell', '1010', '0.1')
    await place(other, 'sell', '1020', '0.2')
    const taken = await place(user, 'buy', '1020', '0.25')
    await place(other, 'buy', '995', '0.3')
    await place(other, 'buy', '990', '0.07')
    const rested = await place(user, 'buy', '990', '0.4')
    await place(seller, 'sell', '990', '0.5')

    const { page, context, t, go, complaints, format } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'explain', lang)
    const sheet = page.getByRole('dialog', { name: t('explain.title'), exact: true })
    const says = (text: string): Promise<void> => sheet.getByText(text, { exact: true }).waitFor()
    const btc = (text: string): string => `${format.exact(text)} BTC`
    const usdt = (text: string): string => `${format.exact(text)} USDT`
    const why = page.getByRole('button', { name: t('closed.whyShort'), exact: true })

    await go(`/entrust?product=spot&tab=history&order=${taken}`)
    await why.nth(1).click()
    const shown = { better: btc('0.10000'), price: usdt('1020.0'), shown: btc('0.20000') }
    await says(t(lang === 'hk' ? 'explain.takerBetter_other' : 'explain.takerBetter_one', { count: 1, ...shown }))
    await says(t('explain.takerTook', { better: btc('0.10000'), before: btc('0.00000') }))
    await says(t('explain.priceTaker', { price: usdt('1020.0') }))
    await says(t('explain.limit', { limit: usdt('1020.0') }))
    await says(t('explain.partOf', { quantity: btc('0.15000'), whole: btc('0.25000'), before: btc('0.10000') }))
    await says(t('explain.source.market'))
    await see('taker')
    await page.keyboard.press('Escape')

    await go('/spot')
    await go(`/entrust?product=spot&tab=open&order=${rested}`)
    await why.click()
    await sheet.getByText(t('explain.makerCame'), { exact: true }).waitFor()
    const words = await sheet.innerText()
    const rest = t('explain.makerRest', { time: '\u0000', better: btc('0.30000'), ahead: btc('0.07000') })
    for (const part of rest.split('\u0000')) assert.ok(words.includes(part), `${part} in ${words}`)
    await says(t('explain.makerTook', { better: btc('0.30000'), before: btc('0.07000') }))
    await says(t('explain.priceMaker', { price: usdt('990.0') }))
    await see('maker')
    // Another language begins with an empty book.
    for (const one of [user, other]) assert.equal((await one.call('DELETE', '/spot/orders')).status, 200)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
