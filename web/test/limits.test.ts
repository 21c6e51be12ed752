/** Limits that a ticket shows before the tap. On a real exchange, in real Chromium; in one language, or in those of `CANDOR_LOCALES`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { violations } from './axe.ts'
import { pictured } from './sights.ts'

/** The limit per account is 200,000 USDT. */
const symbol = 'SOLUSDTPERP'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '19' })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

describe('caps on open interest', () => {
  for (const lang of langsOr('en')) {
    test(`UI-CONTRACT-012: in ${lang}, near the user's own cap the ticket shows the room left, and refuses a larger size before the tap`, {
      timeout: 180_000,
    }, async () => {
      const user = await exchange.user({ funds: { USDT: '900000' }, isCertified: true })
      await does(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '900000' })
      const mark = await markPrice(user)
      const price = (mark * 0.98).toFixed(2)
      const quantity = String(Math.floor(150_000 / Number(price)))
      await does(user, '/perp/orders', { clientId: 'near', symbol, side: 'buy', type: 'limit', price, quantity })
      const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { lang, user })
      const ticket = page.getByRole('region', { name: t('trade.ticket') })
      const size = ticket.getByLabel(new RegExp(`^${t('trade.size')} `)).first()
      await go(`/contract?symbol=${symbol}`)
      const row = ticket.locator('dl > div', { hasText: t('perp.cap.user') })
      const long = format.number((200_000 - Number(price) * Number(quantity)).toFixed(2), 0, 2)
      await row.getByText(long).waitFor()
      await row.getByText(format.number('200000', 0, 0)).waitFor()
      await ticket.getByRole('slider').fill('100')
      await size.and(page.locator(':not([value=""])')).waitFor()
      assert.equal(await ticket.getByText(t('refusals.POSITION_TOO_LARGE')).count(), 0, 'the slider stays within the caps')
      await size.fill('2000')
      await ticket.getByRole('button', { name: t('perp.buyLong'), exact: true }).click()
      await ticket.getByText(t('refusals.POSITION_TOO_LARGE')).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0, 'nothing is asked to be confirmed')
      assert.deepEqual(await violations(page), [])
      await row.scrollIntoViewIfNeeded()
      await pictured(page, `perp-cap-${lang}`)
      await go(`/contractkline?symbol=${symbol}`)
      await page.getByRole('tab', { name: t('chart.info') }).click()
      await page.getByText(t('positions.accountMax')).scrollIntoViewIfNeeded()
      await page.getByText(`${format.number('200000', 0, 0)} USDT`).waitFor()
      await pictured(page, `perp-info-${lang}`)
      await context.close()
      assert.deepEqual(complaints, [])
    })
  }
})

describe('the own leverage ceiling', () => {
  for (const lang of langsOr('en')) {
    test(`UI-CONTRACT-014: in ${lang}, the leverage sheet ends at the user's ceiling and explains it, and so does the margin desk`, {
      timeout: 180_000,
    }, async () => {
      const user = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
      const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { lang, user })
      // A sandbox has no ceilings, so those of production are added to the answers.
      const until = Date.UTC(2026, 10, 29, 12)
      let ceiling: object = { leverage: 5, reason: 'new', until }
      await context.route('**/app/v1/perp/account', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), ceiling } })
      })
      await context.route(/\/app\/v1\/margin\/accounts/, async (route) => {
        const response = await route.fetch()
        const { accounts } = (await response.json()) as { accounts: object[] }
        await route.fulfill({ response, json: { accounts: accounts.map((account) => ({ ...account, ceiling })) } })
      })
      const isNew = t('trade.ceiling.new', { leverage: 5, date: format.dateTime(until) })
      const isRegion = t('trade.ceiling.region', { leverage: 2 })
      const sheet = page.getByRole('dialog')
      const opens = async (says: string, most: string): Promise<void> => {
        await go('/contract?symbol=BTCUSDTPERP')
        await page.getByRole('button', { name: `${t('perp.leverage')}: 1×` }).click()
        await sheet.getByText(says).waitFor()
        assert.equal(await sheet.getByRole('slider').getAttribute('max'), most)
      }
      await opens(isNew, '5')
      assert.deepEqual(await violations(page), [])
      await pictured(page, `leverage-new-${lang}`)
      ceiling = { leverage: 2, reason: 'region', until: null }
      await page.reload()
      await opens(isRegion, '2')
      await pictured(page, `leverage-region-${lang}`)
      await go('/lever?symbol=BTCUSDT')
      await page.getByText(isRegion).waitFor()
      assert.deepEqual(await violations(page), [])
      await pictured(page, `margin-region-${lang}`)
      await page.getByRole('button', { name: t('margin.borrow'), exact: true }).click()
      await sheet.getByText(isRegion).waitFor()
      await pictured(page, `borrow-region-${lang}`)
      await context.close()
      assert.deepEqual(complaints, [])
    })
  }
})

async function does(user: TestUser, path: string, body: object): Promise<void> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
}

async function markPrice(user: TestUser): Promise<number> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    const { body } = await user.call('GET', '/perp/prices')
    const mark = body.marks?.find((one: { symbol: string }) => one.symbol === symbol)
    if (mark?.phase === 'open') return Number(mark.mark)
    await new Promise((done) => setTimeout(done, 250))
  }
  throw new Error('there is no mark price')
}
