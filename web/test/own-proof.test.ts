/** A customer checks their own balances and receipts on the screen of proofs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import { fileVerdict } from '@candor/core/proof/any-file.ts'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { isSigned } from '../parts/proof/signed.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'
import { nextHead, nextStatement } from './stories.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'own-proof', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('pt'))
  test(`UI-PROOF-005: in ${lang}, a customer sees on the device that each balance is in the sums, and how it compares with now`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000', BTC: '0.5' } })
    await exchange.user({ funds: { USDT: '250' } })
    await nextStatement(exchange)
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints, format } = someone
    const { wrong, see } = sights(page, 'own-proof', lang)
    await go('/proof')
    await page.getByText(t('verify.own.proved'), { exact: true }).waitFor()
    const rowOf = (asset: string) => page.locator('dl > div').filter({ hasText: t('verify.own.claims', { asset }) })
    await rowOf('USDT').getByText(t('verify.own.same')).waitFor()
    await rowOf('BTC').getByText(t('verify.own.same')).waitFor()
    assert.match(await rowOf('USDT').innerText(), new RegExp(RegExp.escape(format.sum('1000' as Decimal, 'USDT', true))))
    // The sums of everybody, as the newest checked head names them.
    await page.getByText(t('verify.totals.signed'), { exact: true }).waitFor()
    const total = page.locator('dl > div').filter({ has: page.getByText('USDT', { exact: true }) })
    assert.match(await total.last().innerText(), new RegExp(RegExp.escape(format.sum('1250' as Decimal, 'USDT'))))
    await see('proved')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: t('verify.own.save') }).click()])
    const verdict = await fileVerdict(isSigned, readFileSync(await download.path(), 'utf8'))
    assert.ok(verdict.kind === 'liabilities' && verdict.wrong === undefined)
    assert.equal(verdict.uid, user.uid)
    // What came in later is not in the statement.
    await user.call('POST', '/sandbox/faucet', { clientId: 'later', asset: 'USDT' })
    await page.reload()
    await rowOf('USDT').getByText(t('verify.own.now')).waitFor()
    // An exchange that shows less than it should: the leaf no longer leads to the sum.
    await context.route('**/app/v1/proof/liabilities', async (route) => {
      const text = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'application/json',
        body: text.replace(/"amount":(\d+)/, (_, amount: string) => `"amount":${Number(amount) + 1}`),
      })
    })
    await page.reload()
    await page.getByText(t('verify.own.wrong'), { exact: true }).waitFor()
    assert.equal(await page.getByText(t('verify.own.proved'), { exact: true }).count(), 0)
    await see('wrong')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('ca'))
  test(`UI-PROOF-008: in ${lang}, a customer checks a receipt on the device and downloads all of them; a changed one is refused`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '1000' } })
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity: '1' }
    const { status, body } = await user.call('POST', '/spot/orders', { clientId: 'first', ...order })
    assert.equal(status, 200, JSON.stringify(body))
    await nextHead(exchange)
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'receipts', lang)
    await go('/proof')
    const row = page
      .locator('li')
      .filter({ has: page.getByText(t('activity.did.spotPlace'), { exact: true }) })
      .first()
    const check = row.getByRole('button', { name: new RegExp(`^${RegExp.escape(t('verify.receipt.check'))}`) })
    await check.click()
    await row.getByText(t('verify.receipt.proved'), { exact: true }).waitFor()
    await row.locator('summary').click()
    await row.getByText('spot.place', { exact: true }).waitFor()
    await see('proved')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: t('verify.receipt.all') }).click()])
    const verdict = await fileVerdict(isSigned, readFileSync(await download.path(), 'utf8'))
    assert.ok(verdict.kind === 'receipts' && verdict.wrong === undefined)
    assert.ok(verdict.proved.some(({ receipt }) => receipt.command?.name === 'spot.place'))
    await context.route(/\/proof\/receipts\/\d+$/, async (route) => {
      const text = await (await route.fetch()).text()
      await route.fulfill({ contentType: 'application/json', body: text.replace('"price\\":\\"100', '"price\\":\\"900') })
    })
    await check.click()
    await row.getByText(t('verify.read.wrong'), { exact: true }).waitFor()
    await see('wrong')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })
