/** A customer asks why a position and a Margin account were liquidated, on an exchange whose index the test sends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { ruinMargin, ruinPosition } from '../../server/app/test/ruined.ts'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { explaining } from './explaining.ts'
import { ownIndex } from './own-world.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
const { index } = ownIndex(() => exchange)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'ruined', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('de'))
  test(`UI-EXPLAIN-003: in ${lang}, the reasons of a liquidated position and the steps of a Margin account lead to the price that set the liquidation off, what was required, each step, and what was left`, {
    timeout: 300_000,
  }, async () => {
    await using _explainer = explaining(exchange)
    const user = await exchange.user({ funds: { USDT: '6000' }, isCertified: true })
    const { positionId } = await ruinPosition({ exchange, user, index })
    await ruinMargin({ exchange, user, index })

    const { page, context, t, go, complaints, format } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'explain-liquidation', lang)
    const sheet = page.getByRole('dialog', { name: t('explain.liquidation.title'), exact: true })
    const says = (text: string): Promise<void> => sheet.getByText(text, { exact: true }).first().waitFor()
    const usdt = (text: string): string => `${format.exact(text).replace('-', '−')} USDT`
    const btc = (text: string): string => `${format.exact(text)} BTC`

    const { steps } = (await user.call('GET', `/perp/liquidations/${positionId}`)).body
    await go(`/entrust?product=perp&tab=closed&why=${positionId}`)
    await page.getByRole('button', { name: t('closed.whyJournal'), exact: true }).click()
    const marked = { pair: 'BTC/USDT', before: format.exact('60000.0'), mark: format.exact('55300.0'), index: format.exact('55300') }
    await says(t('explain.liquidation.marked', marked))
    await says(t('explain.liquidation.due', { due: format.exact('55384.6') }))
    await says(t(lang === 'hk' ? 'explain.liquidation.cancelled_other' : 'explain.liquidation.cancelled_one', { count: 1 }))
    for (const sum of ['-2350', '3000', '650', '691.25']) await says(usdt(sum))
    await says(t('explain.liquidation.rule'))
    await says(t('explain.liquidation.order', { id: steps[0].orderId, asked: btc('0.12500') }))
    await says(t('explain.liquidation.left', { left: btc('0.37500'), equity: usdt('615.4375'), required: usdt('518.4375') }))
    await says(t('explain.liquidation.takenOver', { quantity: btc('0.11864'), price: format.exact('52383.2') }))
    await says(t('explain.liquidation.gone'))
    await says(t('explain.liquidation.nothing', { balance: usdt('1985.006288') }))
    await see('futures')
    await sheet.getByText(t('explain.liquidation.gone'), { exact: true }).scrollIntoViewIfNeeded()
    await see('futures-end')

    await go('/lever?tab=liquidations')
    await page
      .getByRole('button', { name: t('loans.liquidations.why'), exact: true })
      .first()
      .click()
    const [fell = ''] = t('explain.liquidation.fell', { level: '\u0000', limit: '' }).split('\u0000')
    await sheet.getByText(fell, { exact: false }).first().waitFor()
    await says(`${format.exact('1.331667')} ETH × ${format.exact('2470')}`)
    await says(usdt('3289.21749'))
    await sheet.getByText(t('explain.liquidation.tradingFee'), { exact: true }).first().waitFor()
    await see('margin')
    assert.deepEqual(wrong, [])
    assert.deepEqual(complaints, [])
    await context.close()
  })
