/**
 * Conversions on the phone, with an index that the test sets. `CANDOR_LOCALES=en,hk,de` chooses languages; `CANDOR_PICTURES=folder`
 * saves pictures.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireConversion } from '@candor/core/protocol/wire/convert.ts'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { explaining } from './explaining.ts'
import { ownIndex } from './own-world.ts'
import { type Lang, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
let ticks: ReturnType<typeof setInterval>
const { index } = ownIndex(() => exchange)
const startTicks = (): void => void (ticks = setInterval(() => void index(), 500))
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'convert', hasFeeds: false })
  await index({ btc: 60_000, eth: 3_000 })
  startTicks()
  const maker = await exchange.user({ funds: { USDT: '2000000', BTC: '30' }, class: 'bench' })
  for (const [side, price] of [
    ['buy', '59970'],
    ['sell', '60030'],
  ] as const) {
    const order = { clientId: randomUUID(), symbol: 'BTCUSDT', side, type: 'limit', price, quantity: '5' }
    const placed = await maker.call('POST', '/spot/orders', order)
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
  }
})
after(async () => {
  clearInterval(ticks)
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const customer = (): Promise<TestUser> => exchange.user({ funds: { USDT: '5000', BTC: '0.1' } })
const conversions = async (user: TestUser): Promise<readonly WireConversion[]> =>
  (await user.call('GET', '/convert/conversions')).body.items
const button = ({ page, t }: Person, key: string) => page.getByRole('button', { name: t(key), exact: true })
const field = ({ page, t }: Person, key: 'convert.from' | 'convert.to') => page.getByLabel(t(key), { exact: true })

/** A person at the form, in the small and the usual window without anything wider than the screen. */
async function fits({ page }: Person, see: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth))
  await see()
  await page.setViewportSize({ width: 390, height: 844 })
}

async function countsAcceptances(page: Page): Promise<readonly string[]> {
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/accept') && sent.push(request.url()))
  return sent
}

/** Types and pastes numbers as people write them, and text that is none. */
async function numbers(someone: Person): Promise<void> {
  const { page, format } = someone
  const from = field(someone, 'convert.from')
  const shows = async (value: string): Promise<void> => assert.equal(await from.inputValue(), value)
  for (const text of ['1,000.5', '1.000,5', ' 1 000,5 USDT', "1'000.5", '１０００．５']) {
    await from.fill(text)
    await shows(format.field('1000.5'))
  }
  for (const text of ['1e5', '-5', '1,00,000', '٣', '9'.repeat(40), '1.2.3', '🙂']) {
    await from.fill(text)
    await shows(format.field('1000.5'))
  }
  await from.fill('')
  await from.pressSequentially('104533.1')
  await from.blur()
  await shows(format.field('104533.1'))
  // Backspace on the mark between the groups deletes the digit before it.
  await from.evaluate((input: HTMLInputElement) => {
    input.focus()
    input.setSelectionRange(4, 4)
  })
  await page.keyboard.press('Backspace')
  await shows(format.typing('10533.1'))
  assert.equal(await from.evaluate((input: HTMLInputElement) => input.selectionStart), 2)
  await page.keyboard.type('7x')
  await shows(format.typing('107533.1'))
  assert.equal(await from.evaluate((input: HTMLInputElement) => input.selectionStart), 3)
  await from.blur()
  await shows(format.field('107533.1'))
}

/** Asks for a quote of 1,000 USDT in BTC. */
async function previews(someone: Person): Promise<void> {
  await field(someone, 'convert.from').fill('1000')
  await button(someone, 'convert.preview').click()
  await button(someone, 'convert.confirm').waitFor()
}

async function at(lang: Lang, user: TestUser | undefined, steps: (someone: Person) => Promise<void>, query = ''): Promise<void> {
  const someone = await person(browser, exchange.url, { lang, ...(user === undefined ? {} : { user }) })
  await someone.go(`/exchange${query}`)
  await steps(someone)
  assert.deepEqual(someone.complaints, [])
  await someone.context.close()
}

for (const lang of langsOr('de'))
  test(`UI-CONVERT-010: in ${lang}, a person asks for a quote, confirms it with two taps that count once, and finds receipt, balance and history`, {
    timeout: 300_000,
  }, async () => {
    const user = await customer()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, t, go, format, complaints, context } = someone
    const { wrong, see } = sights(page, 'convert', lang)
    const sent = await countsAcceptances(page)
    await go('/property')
    await page.getByRole('link', { name: t('assets.convert'), exact: true }).click()
    await page.getByText(t('convert.none')).waitFor()
    await button(someone, 'convert.preview').click()
    await page.getByText(t('convert.missing')).waitFor()
    assert.ok(await field(someone, 'convert.from').evaluate((element) => element === document.activeElement))
    await see('missing')
    await field(someone, 'convert.to').fill('0.01')
    await page.waitForFunction(
      (id) => (document.getElementById(id) as HTMLInputElement).value !== '',
      (await field(someone, 'convert.from').getAttribute('id')) ?? '',
    )
    // 600 USDT by the index, and the spread.
    assert.equal(await field(someone, 'convert.from').inputValue(), format.typing('600.600601'))
    await numbers(someone)
    await field(someone, 'convert.from').fill('5000.01')
    await field(someone, 'convert.from').blur()
    await page.getByText(t('refusals.INSUFFICIENT_BALANCE')).waitFor()
    await fits(someone, () => see('small'))
    await field(someone, 'convert.from').fill('1000')
    await page.getByText(t('refusals.INSUFFICIENT_BALANCE')).waitFor({ state: 'detached' })
    await see('form')
    await button(someone, 'convert.preview').dblclick()
    const sheet = page.getByRole('dialog', { name: t('convert.quoteTitle') })
    await button(someone, 'convert.confirm').waitFor()
    await sheet.getByText(t('convert.firm')).waitFor()
    // The best price of the book is above the index.
    const get = '0.01664167'
    await sheet.getByText(`${format.number(get, 8)} BTC`, { exact: true }).waitFor()
    await sheet
      .getByText(`${format.usdt('1000' as Decimal)} USDT`)
      .first()
      .waitFor()
    await see('quote')
    // The pictures took part of the quote's time.
    await page.keyboard.press('Escape')
    await button(someone, 'convert.preview').click()
    await button(someone, 'convert.confirm').dblclick()
    await page.getByText(t('convert.converting'), { exact: true }).first().waitFor()
    await see('converting')
    await page.getByText(t('convert.received')).waitFor()
    await see('receipt')
    assert.equal(sent.length, 1)
    const [filled] = await conversions(user)
    assert.deepEqual([filled?.state, filled?.give, filled?.get], ['filled', '1000', get])
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${format.number(get, 8)} BTC`).waitFor()
    await dialog.getByText(filled!.id, { exact: true }).waitFor()
    await fits(someone, () => see('receipt-small'))
    await button(someone, 'convert.again').click()
    const row = page.getByRole('button', {
      name: new RegExp(`${RegExp.escape(t('convert.state.filled'))}.*${RegExp.escape(format.number(get, 8))} BTC`),
    })
    await row.waitFor()
    await page.getByText(format.usdt('4000'), { exact: true }).first().waitFor()
    await see('history')
    await row.click()
    await page
      .getByRole('dialog', { name: t('convert.state.filled') })
      .getByText(filled!.id, { exact: true })
      .waitFor()
    const { accounts } = (await user.call('GET', '/balances')).body
    const btc = accounts[0].balances.find(({ asset }: { asset: string }) => asset === 'BTC')
    assert.deepEqual([btc.available, btc.held], ['0.11664167', '0'])
    assert.deepEqual([...wrong, ...complaints], [])
    await context.close()
  })

for (const lang of langsOr('de'))
  test(`UI-CONVERT-011: in ${lang}, a quote that has expired is renewed in its place`, { timeout: 120_000 }, async () => {
    const user = await customer()
    await at(lang, user, async (someone) => {
      const { page, t } = someone
      const { wrong, see } = sights(page, 'convert', lang)
      await previews(someone)
      await page.getByRole('dialog').getByText(t('convert.expired')).waitFor()
      assert.equal(await button(someone, 'convert.confirm').count(), 0)
      await see('expired')
      await button(someone, 'convert.refresh').click()
      await button(someone, 'convert.confirm').click()
      await page.getByText(t('convert.received')).waitFor()
      assert.deepEqual(
        (await conversions(user)).map(({ state }) => state),
        ['filled'],
      )
      assert.deepEqual(wrong, [])
    })
  })

for (const lang of langsOr('de'))
  test(`UI-CONVERT-012: in ${lang}, a conversion that the moved price ended says so, and that the sum is available again`, {
    timeout: 120_000,
  }, async () => {
    await at(lang, await customer(), async (someone) => {
      const { page, t, format } = someone
      const { wrong, see } = sights(page, 'convert', lang)
      await previews(someone)
      // The next tick decides, so it must be the one that moves.
      clearInterval(ticks)
      await button(someone, 'convert.confirm').click()
      await page.getByText(t('convert.converting'), { exact: true }).first().waitFor()
      await index({ btc: 60_100 })
      startTicks()
      await page.getByText(t('convert.ended.moved')).waitFor()
      await index({ btc: 60_000 })
      await page.getByText(t('convert.back', { amount: `${format.usdt('1000')} USDT` })).waitFor()
      await see('moved')
      assert.deepEqual(wrong, [])
    })
  })

test('UI-CONVERT-013: an acceptance whose answer was lost is found by reading the conversion, and is not sent again', {
  timeout: 120_000,
}, async () => {
  const user = await customer()
  await at('en', user, async (someone) => {
    const { page, t } = someone
    const sent = await countsAcceptances(page)
    await page.route('**/accept', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await previews(someone)
    await button(someone, 'convert.confirm').click()
    await page.getByText(t('convert.received')).waitFor()
    assert.deepEqual([sent.length, (await conversions(user)).length], [1, 1])
  })
})

test('UI-CONVERT-014: visitors see the estimate and are led to the login and back; closed conversions lead to Spot; the daily limit to the check', {
  timeout: 120_000,
}, async () => {
  await at(
    'en',
    undefined,
    async (someone) => {
      const { page, t } = someone
      await field(someone, 'convert.from').fill('0.01')
      await page.waitForFunction(() =>
        [...document.querySelectorAll('main input')].every((input) => (input as HTMLInputElement).value !== ''),
      )
      await page.getByRole('link', { name: t('convert.login') }).click()
      await page.waitForURL(/#\/login\?next=%2Fexchange%3Ffrom%3DBTC%26to%3DUSDT$/)
    },
    '?from=BTC&to=USDT',
  )
  const user = await customer()
  await at('en', user, async (someone) => {
    const { page, t } = someone
    await page.route('**/convert/quotes', (route) =>
      route.fulfill({ status: 403, json: { code: 'TURNOVER_LIMIT', message: 'too much', requestId: 'r' } }),
    )
    await field(someone, 'convert.from').fill('1000')
    await button(someone, 'convert.preview').click()
    await page
      .getByRole('dialog', { name: t('certify.daily') })
      .getByRole('link', { name: t('certify.certify') })
      .click()
    await page.waitForURL(/#\/kyc/)
    await page.route('**/convert/terms', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), isOpen: false } })
    })
    await someone.go('/exchange')
    await page.reload()
    await page.getByText(t('convert.closed')).waitFor()
    await page.getByRole('link', { name: t('convert.toSpot') }).click()
    await page.waitForURL(/#\/spot/)
  })
})

for (const lang of langsOr('it'))
  test(`UI-EXPLAIN-002: in ${lang}, the details of a conversion tell by which prices its sums follow, and which index decided it`, {
    timeout: 120_000,
  }, async () => {
    await using _explainer = explaining(exchange)
    const user = await customer()
    const asked = { clientId: 'why', from: 'USDT', to: 'BTC', give: '1000' }
    const { body } = await user.call('POST', '/convert/quotes', asked)
    assert.equal((await user.call('POST', `/convert/quotes/${body.id}/accept`, {})).status, 200)
    while ((await conversions(user))[0]?.state !== 'filled') await new Promise((resolve) => setTimeout(resolve, 100))
    await at(lang, user, async (someone) => {
      const { page, t, format } = someone
      const { wrong, see } = sights(page, 'explain-conversion', lang)
      await page.locator('section li button').first().click()
      await button(someone, 'convert.why').click()
      const sheet = page.getByRole('dialog', { name: t('explain.sums'), exact: true })
      const usdt = (text: string): string => `${format.exact(text)} USDT`
      await sheet.getByText(t('explain.byBook', { coin: 'BTC', price: usdt('60030'), index: usdt('60000') }), { exact: true }).waitFor()
      const [before] = t('explain.decided', { time: '\u0000', from: '', to: '', fromBefore: '', toBefore: '', drift: '' }).split('\u0000')
      assert.ok((await sheet.innerText()).includes(before!))
      await see('filled')
      assert.deepEqual(wrong, [])
    })
  })
