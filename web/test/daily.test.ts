/** Days, fees and the pages about the exchange in the browser. `CANDOR_LOCALES=en,hk,de` chooses languages. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { WirePerpTerms } from '@candor/core/protocol/wire/perp.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let customer: TestUser
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'daily' })
  customer = await exchange.user({ funds: { USDT: '5000' }, class: 'bench' })
  const transfer = { clientId: randomUUID(), asset: 'USDT', from: 'spot', to: 'perp', amount: '1200.5' }
  assert.equal((await customer.call('POST', '/transfer', transfer)).status, 200)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

/** Nothing is wider than the smallest phone. */
async function fits({ page }: Person, what: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), what)
  await page.setViewportSize({ width: 390, height: 844 })
}

const [lang = 'de'] = langsOr('de')

test(`UI-DAILY-001: in ${lang}, everybody sees the day of the markets, and is led to the login for the own days`, async () => {
  const someone = await person(browser, exchange.url, { lang })
  const { page, t, go, complaints, context } = someone
  const { wrong, see } = sights(page, 'daily', lang)
  await go('/daily')
  await page.getByRole('heading', { name: t('daily.funding.title') }).waitFor()
  const { markets } = (await customer.call('GET', '/config')).body as { markets: readonly { kind: string; perp?: WirePerpTerms }[] }
  const futures = markets.filter(({ kind }) => kind === 'perp').length
  await page
    .getByText(/^0\d:\d\d:\d\d$/)
    .nth(futures - 1)
    .waitFor()
  assert.equal(await page.locator('tbody tr').count(), futures)
  await page.getByText(t('home.volume30d')).waitFor()
  await see('markets')
  await fits(someone, 'markets')
  await page.getByRole('tab', { name: t('daily.mine') }).click()
  await page.getByRole('link', { name: t('trade.login') }).click()
  await page.waitForURL(/#\/login\?next=\/daily\?view=mine/)
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test(`UI-RATES-001: in ${lang}, the total is shown in a currency, with the source and the day of its rates, and hidden with all else`, async () => {
  const someone = await person(browser, exchange.url, { lang, user: customer })
  const { page, t, go, complaints, context, format } = someone
  const { wrong, see } = sights(page, 'currency', lang)
  await go('/property')
  const unit = (name: string) => page.getByRole('button', { name: `${name}. ${t('assets.switchUnit')}` })
  await unit('USDT').click()
  const sheet = page.getByRole('dialog', { name: t('costs.unit') })
  await sheet.getByRole('radio').nth(31).waitFor()
  await see('units')
  await fits(someone, 'units')
  await sheet.getByRole('radio', { name: /^JPY/ }).click()
  await unit('JPY').waitFor()
  await page.getByText(t('costs.rates', { date: format.date(Date.parse('2026-04-13T12:00:00Z')) })).waitFor()
  // 5,000 dollars at 186.75 yen and 1.1684 dollars for a euro.
  await page.getByText(format.number('799169', 0, 0), { exact: true }).waitFor()
  await fits(someone, 'total in yen')
  await page.getByRole('button', { name: t('assets.hide') }).click()
  await page.getByText(format.number('799169', 0, 0), { exact: true }).waitFor({ state: 'detached' })
  await go('/')
  await page.getByRole('button', { name: `JPY. ${t('home.switchUnit')}` }).click()
  await sheet.getByRole('radio', { name: /^USDT/ }).click()
  await page.getByRole('button', { name: `USDT. ${t('home.switchUnit')}` }).waitFor()
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test(`UI-DAILY-002: in ${lang}, a customer sees today’s profit by account, what it means, and the days of the month`, async () => {
  const someone = await person(browser, exchange.url, { lang, user: customer })
  const { page, t, go, complaints, context } = someone
  const { wrong, see } = sights(page, 'daily', lang)
  await go('/daily?view=mine')
  for (const account of ['spot', 'perp', 'margin', 'option', 'lend'])
    await page
      .getByRole('term')
      .filter({ hasText: t(`daily.account.${account}`) })
      .waitFor()
  await page.getByRole('button', { name: t('daily.how') }).click()
  await page.getByText(t('daily.definition.flows')).waitFor()
  await page.keyboard.press('Escape')
  await see('mine')
  await fits(someone, 'mine')
  await page.getByRole('button', { name: t('daily.previous') }).click()
  await page.getByRole('button', { name: t('daily.next') }).click()
  const today = new Date().toISOString().slice(0, 10)
  await page.locator(`a[href="#/daily?day=${today}"]`).last().click()
  await page.getByRole('heading', { name: t('daily.statement.title'), exact: true }).waitFor()
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test(`UI-DAILY-003: in ${lang}, the statement shows every account, fits the smallest phone, and is downloaded as PDF and CSV`, async () => {
  const someone = await person(browser, exchange.url, { lang, user: customer })
  const { page, t, go, format, complaints, context } = someone
  const { wrong, see } = sights(page, 'daily', lang)
  const today = new Date().toISOString().slice(0, 10)
  await go(`/daily?day=${today}`)
  await page.getByText(t('daily.statement.notFinal')).waitFor()
  await page
    .getByText(`+${format.number('5000', 2, 2)}`)
    .first()
    .waitFor()
  await see('statement')
  await fits(someone, 'statement')
  await page.getByRole('button', { name: t('accounts.name.perp'), exact: true }).click()
  await page
    .getByText(`+${format.number('1200.5', 2, 2)}`)
    .first()
    .waitFor()
  for (const [kind, start] of [
    ['pdf', '%PDF-1.4'],
    ['csv', 'day,final,row'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: t(`daily.statement.${kind}`), exact: true }).click(),
    ])
    assert.equal(download.suggestedFilename(), `candor-${today}.${kind}`)
    assert.ok(readFileSync(await download.path(), 'latin1').startsWith(start), kind)
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test(`UI-FEES-001: in ${lang}, everybody reads the terms in force`, async () => {
  const someone = await person(browser, exchange.url, { lang })
  const { page, t, go, format, complaints, context } = someone
  const { wrong, see } = sights(page, 'daily', lang)
  await go('/fees')
  const { rates } = (await customer.call('GET', '/option/terms')).body as { rates: readonly { profit: string; breakEven: string }[] }
  for (const { profit, breakEven } of rates) {
    const row = page.getByRole('row').filter({ hasText: format.percent(breakEven, 1) })
    await row.getByRole('cell', { name: format.percent(profit, 0), exact: true }).waitFor()
  }
  const { spreadPercent } = (await customer.call('GET', '/convert/terms')).body as { spreadPercent: string }
  await page
    .getByRole('row', { name: t('site.fees.spread') })
    .getByText(format.percent(spreadPercent, 2))
    .waitFor()
  await page.getByText(t('site.fees.noWithdrawals')).waitFor()
  await see('fees')
  await fits(someone, 'fees')
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test(`UI-FEES-003: in ${lang}, the account's page shows the own tiers of Spot and Futures, and opens their tables`, async () => {
  const someone = await person(browser, exchange.url, { lang, user: customer })
  const { page, t, go, complaints, context } = someone
  const { wrong, see } = sights(page, 'daily', lang)
  await go('/me')
  const tiers = page.getByRole('button').filter({ hasText: t('me.feeTier') })
  for (const product of ['me.spot', 'me.futures']) await tiers.getByText(t(product)).waitFor()
  await see('me')
  await fits(someone, 'me')
  await tiers.click()
  const tables = page.getByRole('dialog').getByRole('table')
  await tables.nth(1).waitFor()
  assert.deepEqual([await tables.count(), await tables.locator('[aria-current=true]').count()], [2, 2])
  await see('me-fees')
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})

test(`UI-SITE-001: in ${lang}, the pages about the exchange lead to what they name, and links without a hash lead to them`, async () => {
  const someone = await person(browser, exchange.url, { lang })
  const { page, t, go, complaints, context } = someone
  const { wrong, see } = sights(page, 'daily', lang)
  await page.goto(`${exchange.url}/features`)
  await page.waitForURL(/\/#\/features$/)
  await page.getByRole('heading', { name: t('site.features.title'), exact: true }).waitFor()
  await see('features')
  await fits(someone, 'features')
  await page
    .getByRole('link')
    .filter({ hasText: t('site.features.convert.text') })
    .click()
  await page.getByRole('heading', { name: t('convert.title'), exact: true }).waitFor()
  await go('/about')
  await page.getByText(t('site.about.sources', { up: 4, all: 4 })).waitFor()
  await see('about')
  await page.getByRole('link', { name: t('site.about.contact'), exact: true }).click()
  await page.getByText(t('site.contact.warning')).waitFor()
  await see('contact')
  await fits(someone, 'contact')
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
  await context.close()
})
