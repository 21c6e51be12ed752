/** The account's activity. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'activity', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('de'))
  test(`UI-ACTIVITY-002: in ${lang}, a person sees what was done by kind, opens an entry, and saves a file`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity: '0.1', timeInForce: 'GTC' }
    assert.equal((await user.call('POST', '/spot/orders', { clientId: 'a1', ...order })).status, 200)
    await user.call('PATCH', '/me', { lang: 'en' })
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'activity', lang)
    const placed = page.getByRole('button', { name: new RegExp(RegExp.escape(t('activity.did.spotPlace'))) })
    await go('/activity')
    await page.getByRole('tab', { name: t('activity.order'), exact: true }).click()
    while ((await placed.count()) === 0) {
      await page.reload()
      await page.getByRole('tab', { name: t('activity.order'), exact: true }).click()
      await page.getByRole('tabpanel').locator('button, p').first().waitFor()
    }
    await page.getByRole('tab', { name: t('activity.all'), exact: true }).click()
    await page.getByText(t('safety.did.login')).waitFor()
    await see('list')
    await page.setViewportSize({ width: 320, height: 640 })
    await see('list-small')
    await placed.click()
    const sheet = page.getByRole('dialog', { name: t('activity.did.spotPlace') })
    await sheet.getByText(t('activity.seq')).waitFor()
    await see('entry-small')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: t('activity.csv') }).click()
    assert.equal((await saved).suggestedFilename(), 'activity.csv')
    await page.getByLabel(t('activity.until')).fill('2020-01-01')
    await page.getByText(t('activity.empty')).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
