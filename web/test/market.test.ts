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
    await page.locator('main').getByText(t('notices.kind.price-alert.title')).waitFor()
    await see('told')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-MARKETS-003: in ${lang}, the list of markets over a desk has stars, columns and the menu of each market`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'desk-markets', lang)
    await go('/spot?symbol=BTCUSDT')
    await page.getByRole('button', { name: t('trade.choosePair', { pair: 'BTC/USDT' }) }).click()
    const list = page.getByRole('dialog').filter({ has: page.getByRole('tablist') })
    const pairs = async (): Promise<readonly string[]> =>
      (await list.getByRole('listitem').allInnerTexts()).map((text) => /^\w+\s*\/\w+/.exec(text)?.[0].replace(/\s/g, '') ?? text)
    const byName = list.getByRole('button', { name: new RegExp(`^${t('markets.name')}, `) })
    await byName.click()
    assert.deepEqual(await pairs(), (await pairs()).toSorted())
    await byName.click()
    assert.deepEqual(await pairs(), (await pairs()).toSorted().toReversed())
    await list.getByRole('button', { name: t('markets.starOf', { pair: 'ETH/USDT' }) }).click()
    await list.getByRole('tab', { name: t('markets.favourites') }).click()
    assert.deepEqual(await pairs(), ['ETH/USDT'])
    await see('stars')
    await list.getByRole('button', { name: /^ETH/ }).click({ button: 'right' })
    const menu = page.getByRole('dialog', { name: 'ETH/USDT' })
    await menu.getByRole('button', { name: t('markets.unstar') }).waitFor()
    await see('menu')
    await menu.getByRole('button', { name: t('markets.trade', { pair: 'ETH/USDT' }) }).click()
    await page.getByRole('button', { name: t('trade.choosePair', { pair: 'ETH/USDT' }) }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-HOME-003: in ${lang}, home turns announcements on request, names the next step, and keeps the order of its owner`, {
    timeout: 300_000,
  }, async () => {
    const rows = (text: string, ...values: unknown[]) => exchange.store.pool.query(text, values)
    const langs = ['en', 'hk', 'ca', 'de', 'fr', 'it', 'pt']
    const now = Date.now()
    await rows('alter table announcements disable trigger all')
    for (const at of [1, 2])
      await rows(
        'insert into announcements (texts, shown_from, shown_until, published_by, published_at) values ($1, $2, $3, $4, $2)',
        JSON.stringify(Object.fromEntries(langs.map((one) => [one, { title: `News ${at}`, text: 'Ten minutes.' }]))),
        ...[now - 10_000 + at, now + 86_400_000, '00000000-0000-4000-8000-000000000001'],
      )
    await rows('alter table announcements enable trigger all')
    const user = await exchange.user({ funds: { USDT: '100' } })
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'home', lang)
    await go('/')
    const strip = page.getByRole('complementary', { name: t('home.newest') })
    await strip.getByText('News 2').waitFor()
    // They turn by themselves until they are paused.
    await strip.getByRole('button', { name: t('home.newsPause') }).click()
    await strip.getByRole('button', { name: t('home.newsPlay') }).waitFor()
    const isNewest = await strip.getByText('News 2').isVisible()
    await strip.getByRole('button', { name: t('home.newsNext') }).click()
    await strip.getByText(isNewest ? 'News 1' : 'News 2').waitFor()
    const next = page.getByRole('region', { name: t('home.next') })
    await next.getByText(`, ${t('home.stepDone')}`).waitFor({ state: 'attached' })
    assert.equal(await next.getByRole('link').first().getAttribute('href'), '#/safety')
    await next.getByRole('button', { name: t('first.stepsHide') }).click()
    await next.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: t('first.undo') }).click()
    await next.waitFor()
    await see('home')
    await page.getByRole('button', { name: t('home.arrange') }).click()
    const sheet = page.getByRole('dialog', { name: t('home.arrange') })
    await sheet.getByRole('button', { name: t('common.moveHandle', { name: t('home.quick') }) }).press('ArrowUp')
    await sheet.getByRole('switch', { name: t('home.volume') }).click()
    await see('arrange')
    for (;;) {
      const { value } = (await user.call('GET', '/preferences/home')).body
      if (value?.cards.join() === 'quick,next,markets,links') break
      await page.waitForTimeout(50)
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await page.reload()
    await page.getByRole('navigation', { name: t('home.quick') }).waitFor()
    assert.equal(await page.getByText(t('home.volume'), { exact: true }).count(), 0)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
    await see('small')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
