/**
 * Markets, price alerts and the start page on the phone, with an index that the test sets. `CANDOR_LOCALES=en,hk,de` chooses languages;
 * `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { ownIndex } from './own-world.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
const { index } = ownIndex(() => exchange)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'market', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('de'))
  test(`UI-ALERT-001: in ${lang}, stars get an order, and an alert from a market’s menu tells its crossing`, {
    timeout: 300_000,
  }, async () => {
    await index({ btc: 60_000, eth: 3_000 })
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'market', lang)
    const favourites = async (): Promise<readonly string[]> => (await user.call('GET', '/preferences/favourites')).body.value?.symbols ?? []
    const until = async (isSo: () => Promise<boolean>): Promise<void> => {
      while (!(await isSo())) await page.waitForTimeout(50)
    }
    await go('/market')
    for (const pair of ['BTC/USDT', 'ETH/USDT'])
      await page
        .getByRole('button', { name: t('markets.starOf', { pair }) })
        .first()
        .click()
    await until(async () => (await favourites()).join() === 'BTCUSDT,ETHUSDT')
    await page.getByRole('button', { name: new RegExp(`^${t('markets.name')}, `) }).click()
    await see('list')
    await page.getByRole('tab', { name: t('markets.favourites') }).click()
    await page.getByRole('button', { name: t('markets.arrange') }).click()
    await page.getByRole('button', { name: t('common.moveHandle', { name: 'ETH/USDT' }) }).press('ArrowUp')
    await until(async () => (await favourites()).join() === 'ETHUSDT,BTCUSDT')
    await see('arrange')
    await page.getByRole('tab', { name: t('trade.spot'), exact: true }).click()

    await page.getByRole('button', { name: /^BTC/ }).first().click({ button: 'right' })
    await page
      .getByRole('dialog', { name: 'BTC/USDT' })
      .getByRole('link', { name: t('markets.alert') })
      .click()
    const sheet = page.getByRole('dialog', { name: t('alerts.new') })
    const create = sheet.getByRole('button', { name: t('alerts.create') })
    await create.click()
    await sheet.getByText(t('alerts.faultLevel')).waitFor()
    await sheet.getByLabel(t('alerts.source')).selectOption('index')
    await sheet.getByLabel(t('alerts.level', { coin: 'USDT' }), { exact: true }).fill('59000')
    await create.click()
    await sheet.getByText(t('alerts.reached')).waitFor()
    await see('reached')
    await sheet.getByLabel(t('alerts.level', { coin: 'USDT' }), { exact: true }).fill('61000')
    await create.click()
    await sheet.waitFor({ state: 'detached' })
    await page.getByText(t('alerts.armed')).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
    await see('alerts-small')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: t('alerts.delete') }).click()
    await page.getByText(t('alerts.empty')).waitFor()
    await page.getByRole('button', { name: t('alerts.undo') }).click()
    await page.getByText(t('alerts.armed')).waitFor()
    await index({ btc: 61_500 })
    await until(async () => (await user.call('GET', '/notices/unread')).body.unread > 0)
    await go('/notices')
    await page.getByText(t('notices.kind.price-alert.title')).waitFor()
    await see('told')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
