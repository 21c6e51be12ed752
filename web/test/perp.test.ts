/**
 * A user's journey through futures: verify, fund, choose leverage, open a long position, protect it, halve it, reverse it, close it, and
 * read the records. On a real exchange, in real Chromium; in one language, or in those of `CANDOR_LOCALES=en,hk,ca,de,fr,it,pt`.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Browser, Locator } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { addsParts, closesAll } from './exits.ts'
import { walksExits } from './exit-lines.ts'
import { hasBook, langsOr, type Person, person, startBrowser } from './person.ts'
import { sharesResult } from './results.ts'
import { walksTour } from './tour.ts'

const symbol = 'BTCUSDTPERP'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '13', bots: true })
  await quotes(await exchange.user({ funds: { USDT: '500000' }, class: 'maker' }))
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('de')) {
  test(`UI-CONTRACT-003: in ${lang}, from verification to a closed position with every figure`, { timeout: 480_000 }, async () => {
    const user = await exchange.user({ funds: { USDT: '5000' } })
    const someone = await person(browser, exchange.url, { lang, user })
    try {
      await someone.go(`/contract?symbol=${symbol}`)
      await transfersIn(someone)
      await setsLeverage(someone)
      await opensLong(someone, user)
      await protects(someone, user)
      await closesHalf(someone)
      await reverses(someone)
      await hasBook(exchange, 'ETHUSDTPERP')
      await closesAll(someone, user)
      await restsWithExits(someone, user)
      await readsClosed(someone)
      assert.deepEqual(someone.complaints, [])
    } catch (error) {
      await someone.page.screenshot({ path: `${process.env.TMPDIR ?? '/tmp'}/candor-perp-${lang}.png` })
      throw error
    } finally {
      await someone.context.close()
    }
  })
}

test('UI-CONTRACT-004: the chart of a futures market shows candles of its trades, mark or index, and remembers the choice', {
  timeout: 300_000,
}, async () => {
  const someone = await person(browser, exchange.url)
  const { page, t, go } = someone
  const asked: string[] = []
  page.on('response', async (response) => {
    const { pathname, searchParams } = new URL(response.url())
    if (!pathname.endsWith('/candles')) return
    const { candles } = (await response.json().catch(() => ({ candles: [] }))) as { candles: unknown[] }
    asked.push(`${searchParams.get('price') ?? 'last'} ${searchParams.get('interval')} ${candles.length > 0 ? 'some' : 'none'}`)
  })
  const choose = async (name: string, expected: string): Promise<void> => {
    const isAsked = (): boolean => asked.some((one) => one.startsWith(expected))
    asked.length = 0
    await page.getByRole('radio', { name: t(name), exact: true }).click()
    for (let n = 0; n < 300 && !isAsked(); n += 1) await page.waitForTimeout(100)
    assert.ok(isAsked(), asked.join())
  }
  try {
    await go(`/contractkline?symbol=${symbol}`)
    await choose('perp.mark', 'mark 15m some')
    await choose('perp.index', 'index 15m some')
    await page.reload()
    await page.getByRole('radio', { name: t('perp.index'), exact: true, checked: true }).waitFor()
    await choose('perp.last', 'last 15m')
    assert.deepEqual(someone.complaints, [])
  } finally {
    await someone.context.close()
  }
})

test('UI-LINES-006: exits of a position are moved by finger and keys, and go back where they can not be', { timeout: 240_000 }, () =>
  walksExits(browser, exchange),
)

test('UI-CONTRACT-019: the fields set best bid, best ask and the coin, and the book its column and its price step', {
  timeout: 240_000,
}, async () => {
  const someone = await person(browser, exchange.url, { user: await exchange.user({ funds: { USDT: '5000' } }) })
  const { page, t, go, numbersIn } = someone
  const book = page.getByRole('region', { name: t('trade.book') })
  const field = (name: string): Locator =>
    ticket(someone)
      .getByLabel(new RegExp(`^${t(name)} `))
      .first()
  const price = async (): Promise<number> => numbersIn(await field('trade.price').inputValue())[0] ?? 0
  const sizes = async (): Promise<readonly number[]> => {
    const texts = await book.locator('button.tn span:last-child').allInnerTexts()
    return texts.flatMap(numbersIn)
  }
  try {
    await go(`/contract?symbol=${symbol}`)
    await book.locator('button.tn span:last-child').nth(9).waitFor()
    await ticket(someone)
      .getByRole('button', { name: t('trade.bestBid') })
      .click()
    const bid = await price()
    await ticket(someone)
      .getByRole('button', { name: t('trade.bestAsk') })
      .click()
    assert.ok((await price()) > bid)

    const unit = ticket(someone).getByRole('button', { name: new RegExp(`^${t('trade.amountIn')}`) })
    await field('trade.size').fill('0.01')
    await unit.click()
    await ticket(someone)
      .getByLabel(`${t('trade.size')} (USDT)`, { exact: true })
      .waitFor()
    assert.ok((numbersIn(await field('trade.size').inputValue())[0] ?? 0) > 100)

    await book.getByRole('button', { name: `${t('trade.size')} (BTC)` }).click()
    await book.getByRole('button', { name: `${t('trade.sum')} (BTC)` }).waitFor()
    const sums = await sizes()
    assert.ok(sums.length >= 10, `${sums.length} rows`)
    const asks = sums.slice(0, sums.length / 2)
    assert.deepEqual(
      asks,
      asks.toSorted((a, b) => b - a),
      'the sum grows away from the middle',
    )

    await book.getByRole('button', { name: new RegExp(`^${t('trade.grouping')}`) }).click()
    await page.getByRole('dialog').getByRole('radio', { name: '10', exact: true }).click()
    await book.getByRole('button', { name: `${t('trade.grouping')}: 10`, exact: true }).waitFor()
    assert.deepEqual(someone.complaints, [])
  } finally {
    await someone.context.close()
  }
})

test('UI-TOUR-003: a chip offers the tour once; it goes by keyboard, ends with Escape and starts again', { timeout: 180_000 }, () =>
  walksTour(browser, exchange),
)

/** Quotes five levels per side around the mark price, so that the test does not depend on the bots. */
async function quotes(maker: TestUser): Promise<void> {
  await maker.call('POST', '/sandbox/certify')
  const moved = await maker.call('POST', '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '400000' })
  assert.ok(moved.status < 300, JSON.stringify(moved.body))
  const mark = await markPrice(maker)
  for (const side of ['buy', 'sell'] as const) {
    for (let level = 1; level <= 5; level += 1) {
      const price = (Math.round(mark * (1 + (side === 'buy' ? -1 : 1) * level * 0.004) * 10) / 10).toFixed(1)
      const order = { clientId: `${side}-${level}`, symbol, side, type: 'limit', price, quantity: '0.2' }
      const { status, body } = await maker.call('POST', '/perp/orders', order)
      assert.ok(status < 300, JSON.stringify(body))
    }
  }
}

async function markPrice(user: TestUser): Promise<number> {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const { body } = await user.call('GET', '/perp/prices')
    const mark = body.marks?.find((one: { symbol: string }) => one.symbol === symbol)
    if (mark !== undefined) return Number(mark.mark)
    await new Promise((done) => setTimeout(done, 250))
  }
  throw new Error('there is no mark price')
}

function ticket({ page, t }: Person): Locator {
  return page.getByRole('region', { name: t('trade.ticket') })
}

function card({ page }: Person): Locator {
  return page.getByRole('tabpanel').getByRole('article').first()
}

/** The first transfer, from the button that stands in place of the order's: it asks for verification, and the typed order stays. */
async function transfersIn(someone: Person): Promise<void> {
  const { page, t, format } = someone
  await ticket(someone)
    .getByRole('button', { name: t('trade.kind.limit'), exact: true })
    .click()
  await page
    .getByRole('radio', { name: t('trade.kind.market') })
    .first()
    .click()
  const size = ticket(someone)
    .getByLabel(new RegExp(`^${t('trade.size')} `))
    .first()
  await size.fill('0.02')
  await size.blur()
  const buy = ticket(someone).getByRole('button', { name: t('perp.buyLong'), exact: true })
  await ticket(someone)
    .getByRole('button', { name: t('first.transfer', { asset: 'USDT' }) })
    .click()
  assert.equal(await buy.count(), 0)
  const sheet = page.getByRole('dialog', { name: t('accounts.move.title') })
  await sheet.getByRole('button', { name: /^50\s?%/ }).click()
  const amount = sheet.getByLabel(new RegExp(`^${t('margin.amount')} `)).first()
  await page.waitForFunction((input) => (input as HTMLInputElement).value !== '', await amount.elementHandle())
  assert.deepEqual(someone.numbersIn(await amount.inputValue()), [2500])
  await amount.fill('3000')
  await sheet.getByRole('button', { name: t('accounts.move.now') }).click()
  const gate = page.getByRole('dialog').last()
  await gate.getByText(t('certify.sandbox')).waitFor()
  await gate.getByRole('button', { name: t('certify.certify') }).click()
  await page.getByText(t('certify.done')).waitFor()
  await page.getByText(t('accounts.move.done', { amount: `${format.usdt('3000')} USDT` })).waitFor()
  await buy.waitFor()
  assert.deepEqual(someone.numbersIn(await size.inputValue()), [0.02])
  await ticket(someone)
    .getByText(`${format.usdt('3000')} USDT`)
    .waitFor()
}

async function setsLeverage(someone: Person): Promise<void> {
  const { page, t } = someone
  await ticket(someone)
    .getByRole('button', { name: `${t('perp.leverage')}: 1×` })
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('slider', { name: t('perp.leverage') }).fill('5')
  await sheet.getByRole('button', { name: t('trade.confirm') }).click()
  await ticket(someone)
    .getByRole('button', { name: `${t('perp.leverage')}: 5×` })
    .waitFor()
}

async function opensLong(someone: Person, user: TestUser): Promise<void> {
  const { page, t, format, numbersIn } = someone
  await ticket(someone)
    .getByLabel(new RegExp(`^${t('trade.size')} `))
    .first()
    .fill('0.02')
  await ticket(someone)
    .getByRole('button', { name: t('perp.buyLong'), exact: true })
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(t('positions.marginOf', { leverage: 5, mode: t('perp.mode.isolated') })).waitFor()
  const promised = await sheet.locator('dl > div', { hasText: t('perp.estimatedLiquidation') }).innerText()
  // Two taps send one order.
  await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).dblclick()
  await card(someone).getByText(t('perp.long'), { exact: true }).waitFor()
  await card(someone).getByText(format.number('0.02', 5), { exact: true }).waitFor()
  const { body } = await user.call('GET', '/perp/account')
  assert.equal(body.positions.length, 1)
  assert.equal(Number(body.positions[0].quantity), 0.02)
  // The preview uses the best price. The fill may be a level away.
  const seen = numbersIn(promised).at(-1) ?? 0
  const real = Number(body.positions[0].liquidationPrice)
  assert.ok(Math.abs(seen / real - 1) < 0.02, `shown ${seen}, is ${real}`)
}

async function protects(someone: Person, user: TestUser): Promise<void> {
  const { page, t, numbersIn } = someone
  await card(someone)
    .getByRole('button', { name: t('perp.exits') })
    .click()
  const sheet = page.getByRole('dialog')
  const shown = await card(someone)
    .locator('dl > div', { hasText: t('positions.entry') })
    .innerText()
  const mark = numbersIn(shown)[0] ?? 0
  const at = (factor: number): string => (Math.round(mark * factor * 10) / 10).toFixed(1)
  const takeProfit = sheet.getByLabel(new RegExp(`^${t('perp.takeProfit')} `)).first()
  await takeProfit.fill(at(0.9))
  await sheet.getByText(t('positions.mustBeAbove')).waitFor()
  await takeProfit.fill(at(1.1))
  await sheet
    .getByLabel(new RegExp(`^${t('perp.stopLoss')} `))
    .first()
    .fill(at(0.95))
  await sheet.getByRole('button', { name: t('trade.confirm') }).click()
  await page.getByText(t('positions.exitsSaved')).waitFor()
  await card(someone).getByText(t('perp.takeProfit'), { exact: true }).waitFor()
  await page.getByRole('tab', { name: `${t('orders.open')} 2` }).waitFor()
  await addsParts(someone, { user, card: card(someone), at })
}

async function closesHalf(someone: Person): Promise<void> {
  const { page, t, format } = someone
  await card(someone)
    .getByRole('button', { name: t('perp.close'), exact: true })
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('radio', { name: format.percent('50', 0), exact: true }).click()
  await sheet.getByRole('button', { name: t('positions.closeNow', { quantity: `${format.number('0.01', 5)} BTC` }) }).click()
  await card(someone).getByText(format.number('0.01', 5), { exact: true }).waitFor()
}

async function reverses(someone: Person): Promise<void> {
  const { page, t } = someone
  await card(someone)
    .getByRole('button', { name: t('positions.reverse') })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('positions.reverseNow') })
    .click()
  await card(someone).getByText(t('perp.short'), { exact: true }).waitFor()
  // The exits of the long position were cancelled with it.
  await page.getByRole('tab', { name: t('orders.open'), exact: true }).waitFor()
}

/**
 * With a position in a second market: a tap on the button of *Close all* explains it, a hold by the keyboard, which a test can end when
 * it has worked, closes both.
 */
async function restsWithExits(someone: Person, user: TestUser): Promise<void> {
  const { page, t, format } = someone
  const mark = await markPrice(user)
  const at = (factor: number): string => (Math.round(mark * factor * 10) / 10).toFixed(1)
  await ticket(someone)
    .getByRole('button', { name: t('trade.kind.market'), exact: true })
    .click()
  await page
    .getByRole('radio', { name: t('trade.kind.limit') })
    .first()
    .click()
  const field = (name: string): Locator =>
    ticket(someone)
      .getByLabel(new RegExp(`^${t(name)} `))
      .first()
  await field('trade.price').fill(at(0.95))
  await field('trade.size').fill('0.01')
  await ticket(someone)
    .getByRole('checkbox', { name: t('perp.exits') })
    .check({ force: true })
  await field('perp.takeProfit').fill(at(1.05))
  await field('perp.stopLoss').fill(at(0.96))
  await ticket(someone)
    .getByRole('button', { name: t('perp.buyLong'), exact: true })
    .click()
  await ticket(someone).getByText(t('refusals.TRIGGER_IMMEDIATE')).waitFor()
  await field('perp.stopLoss').fill(at(0.9))
  await ticket(someone)
    .getByRole('button', { name: t('perp.buyLong'), exact: true })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('trade.confirm'), exact: true })
    .click()
  await page.getByRole('tab', { name: `${t('orders.open')} 1` }).click()
  const numbers = [1.05, 0.9].map((factor) => format.exact(at(factor) as Decimal))
  await card(someone).getByText(numbers.join(' / ')).waitFor()
  const { body } = await user.call('GET', '/perp/orders/open')
  assert.deepEqual(body.orders[0].perp.exits, { takeProfit: { price: at(1.05), by: 'mark' }, stopLoss: { price: at(0.9), by: 'mark' } })
  await card(someone)
    .getByRole('button', { name: t('orders.cancel') })
    .click()
  await page.getByRole('tab', { name: t('orders.open'), exact: true }).waitFor()
  assert.deepEqual((await user.call('GET', '/perp/orders/open')).body.orders, [])
}

async function readsClosed(someone: Person): Promise<void> {
  const { page, t, go, format } = someone
  await go('/entrust?product=perp&tab=closed')
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await rows.nth(2).waitFor()
  assert.equal(await rows.count(), 3, 'the long position that was reversed, and two that were closed together')
  await rows.nth(2).getByRole('button').click()
  const sheet = page.getByRole('dialog')
  const names = [
    'openPrice',
    'openQuantity',
    'openAmount',
    'totalOpenAmount',
    'settlePrice',
    'settleProfit',
    'completedAt',
    'holdingTime',
    'result',
  ]
  for (const name of names) await sheet.getByText(t(`closed.${name}`), { exact: true }).waitFor()
  assert.ok((await sheet.locator('dl > div', { hasText: t('closed.openQuantity') }).innerText()).includes(format.number('0.02')))
  const share = sheet.getByRole('button', { name: t('orders.shareResult') })
  await sharesResult(someone, () => share.click(), `BTC/USDT, ${t('perp.long')} 5×`)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: t('orders.fills') }).click()
  await page.getByText(t('orders.as.taker')).nth(3).waitFor()
}
