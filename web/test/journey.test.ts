/**
 * A user's whole journey: register with a code, get practice funds, watch a live book, buy, sell, change, cancel, read the history and
 * the records, log out. On a real exchange with bots, in real Chromium.
 * `CANDOR_LOCALES=en,hk,ca,de,fr,it,pt` runs other languages than the usual three, on both markets.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { feedMode } from '../../server/feeds/mode.ts'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { readNumber } from '../parts/fields/read.ts'
import { buysInParts } from './in-parts.ts'
import { choosesResidence, codeFor, hasBook, type Lang, langsOr, type Person, person, startBrowser } from './person.ts'

const recording = resolve(import.meta.dirname, '../../../shared/data/spot_btcusdt_20240808.gz')

let browser: Browser
before(async () => {
  browser = await startBrowser()
})
after(() => browser.close())

describe('on the simulated market', () => {
  let exchange: TestExchange
  before(async () => {
    exchange = await startExchange({ seed: '11', bots: true, hasHistory: true })
    await hasBook(exchange)
  })
  after(() => exchange[Symbol.asyncDispose]())

  for (const lang of langsOr('en', 'hk', 'de')) {
    test(`UI-ORDERS-001: the journey of a person in ${lang}, who swipes orders away`, { timeout: 300_000 }, () => journey(exchange, lang))
  }
})

describe('on the replay of a recorded market', { skip: existsSync(recording) ? false : 'the recording is not part of a clone' }, () => {
  let exchange: TestExchange
  before(async () => {
    exchange = await startExchange({ feed: feedMode(`replay:${recording}`), bots: true })
    await hasBook(exchange)
  })
  after(() => exchange[Symbol.asyncDispose]())

  for (const lang of langsOr('en')) {
    test(`the journey of a person in ${lang}`, { timeout: 300_000 }, () => journey(exchange, lang))
  }
})

async function journey(exchange: TestExchange, lang: Lang): Promise<void> {
  const someone = await person(browser, exchange.url, { lang })
  const { page, t, go } = someone
  try {
    await registers(someone, exchange.url, `${lang}.${Date.now()}@journey.example`)

    await go('/spot?symbol=BTCUSDT')
    await takesPracticeFunds(someone)
    await go('/property')
    await page.getByRole('button', { name: t('assets.faucet', { asset: 'USDT' }), exact: true }).click()
    await page.getByText(t('assets.faucetDone', { asset: 'USDT' })).waitFor()

    await go('/spot?symbol=BTCUSDT')
    await movesLive(someone)
    await buysAtMarket(someone)
    await sellsAtLimit(someone)
    await changesAndCancels(someone)
    await readsHistory(someone)
    await buysInParts(someone)
    await logsOut(someone)
    assert.deepEqual(someone.complaints, [])
  } catch (error) {
    await page.screenshot({ path: `${process.env.TMPDIR ?? '/tmp'}/candor-journey-${lang}.png` })
    throw error
  } finally {
    await someone.context.close()
  }
}

async function registers(someone: Person, url: string, email: string): Promise<void> {
  const { page, t, go } = someone
  await go('/register')
  await page.getByLabel(t('common.contact')).fill(email)
  await page.getByRole('button', { name: t('auth.sendCode') }).click()
  await page.getByText(t('gates.residenceMissing')).waitFor()
  await choosesResidence(someone, 'FR')
  await page.getByRole('button', { name: t('auth.sendCode') }).click()
  const code = page.locator('input[autocomplete="one-time-code"]')
  await code.waitFor()

  await code.fill('000000')
  const passwords = page.locator('input[autocomplete="new-password"]')
  await passwords.nth(0).fill('a long enough secret 7')
  await passwords.nth(1).fill('another one')
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.locator('button[type=submit]').click()
  await page.getByText(t('auth.passwordDiffers')).waitFor()

  await passwords.nth(1).fill('a long enough secret 7')
  await page.locator('button[type=submit]').click()
  await page.getByText(t('refusals.CODE_WRONG')).waitFor()

  await code.fill(await codeFor(url, email))
  await page.locator('button[type=submit]').click()
  await page.getByText(t('auth.welcome')).waitFor()
}

/** With an empty account, the ticket's button gets practice funds; the order that was typed stays, and its button comes back. */
async function takesPracticeFunds({ page, t, numbersIn }: Person): Promise<void> {
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  const quantity = ticket.getByLabel(new RegExp(`^${t('trade.quantity')} `)).first()
  const buy = ticket.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) })
  await quantity.fill('0.0123')
  await quantity.blur()
  // Which button there is follows from the balances, which come after the ticket.
  const practice = ticket.getByRole('button', { name: t('first.practice') })
  await practice.waitFor()
  assert.equal(await ticket.getByRole('alert').count(), 0, 'nothing complains about an empty account')
  assert.equal(await buy.count(), 0)
  await practice.dblclick()
  await page.getByText(t('first.practiceDone')).waitFor()
  await buy.waitFor()
  assert.deepEqual(numbersIn(await quantity.inputValue()), [0.0123])
}

/** The book must keep updating: a screen that renders from mutable state would stop after its first frame. */
async function movesLive({ page, t }: Person): Promise<void> {
  const book = page.getByRole('region', { name: t('trade.book') })
  await book.getByRole('button').nth(3).waitFor()
  const first = await book.innerText()
  await page.waitForFunction(
    ([label, text]) => (document.querySelector(`section[aria-label="${label}"]`) as HTMLElement).innerText !== text,
    [t('trade.book'), first] as const,
    { timeout: 60_000 },
  )
}

async function buysAtMarket({ page, t }: Person): Promise<void> {
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  await ticket.getByRole('button', { name: t('trade.kind.limit'), exact: true }).click()
  await page
    .getByRole('radio', { name: t('trade.kind.market') })
    .first()
    .click()
  await ticket.getByRole('button', { name: `${t('trade.amountIn')}: BTC` }).click()
  await ticket
    .getByLabel(new RegExp(`^${t('trade.total')}`))
    .first()
    .fill('200')
  const buy = ticket.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) })
  await buy.click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: t('trade.confirm'), exact: true })
  // Two taps send one order.
  await confirm.dblclick()
  await page
    .getByText(t('orders.bought', { quantity: '' }).trim())
    .first()
    .waitFor()
}

async function sellsAtLimit({ page, t, format }: Person): Promise<void> {
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  await ticket.getByRole('radio', { name: t('trade.sell') }).click()
  await ticket.getByRole('button', { name: t('trade.kind.market'), exact: true }).click()
  await page
    .getByRole('radio', { name: t('trade.kind.limit') })
    .first()
    .click()
  await ticket.getByRole('button', { name: `${t('trade.amountIn')}: USDT` }).click()
  const price = ticket.getByLabel(new RegExp(`^${t('trade.price')} `)).first()
  const now = Number(readNumber(await price.inputValue(), format.marks))
  await price.fill((Math.round(now * 1.1 * 10) / 10).toFixed(1))
  const quantity = ticket.getByLabel(new RegExp(`^${t('trade.quantity')} `)).first()
  await quantity.fill('99')
  const sell = ticket.getByRole('button', { name: t('trade.sellCoin', { coin: 'BTC' }) })
  await sell.click()
  await ticket.getByText(t('refusals.INSUFFICIENT_BALANCE')).waitFor()
  await quantity.fill('0.001')
  await sell.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('trade.confirm'), exact: true })
    .click()
  await page.getByText(t('orders.placed')).first().waitFor()
  await page
    .getByRole('button', { name: t('orders.cancel'), exact: true })
    .first()
    .waitFor()
}

async function changesAndCancels(someone: Person): Promise<void> {
  const { page, t } = someone
  await page
    .getByRole('button', { name: t('orders.change'), exact: true })
    .first()
    .click()
  // The row itself becomes the form: Escape leaves the order as it is and gives the focus back, Enter sends the change.
  const row = page.getByRole('form', { name: t('orders.changeTitle', { pair: 'BTC/USDT' }) })
  const quantity = row.getByLabel(new RegExp(`^${t('trade.quantity')} `)).first()
  await quantity.waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.ok(
    await row
      .getByLabel(new RegExp(`^${t('trade.price')} `))
      .first()
      .evaluate((input) => input === document.activeElement),
  )
  await page.keyboard.press('Escape')
  const change = page.getByRole('button', { name: t('orders.change'), exact: true }).first()
  await page.waitForFunction((button) => button === document.activeElement, await change.elementHandle())
  await page.keyboard.press('Enter')
  await quantity.fill('')
  await page.keyboard.press('Enter')
  await row.getByText(t('orders.wrong.amount')).waitFor()
  await quantity.fill('0.0005')
  await row.getByText(t('orders.keepsPlace')).waitFor()
  await quantity.press('Enter')
  await page.getByText(t('orders.changed')).first().waitFor()
  await swipes(someone)
  await cancelsAllByHold(someone)
}

/** A tap on *Cancel all* asks; a hold by the keyboard, which a test can end when it has worked, cancels without a question. */
async function cancelsAllByHold({ page, t }: Person): Promise<void> {
  const all = page.getByRole('button', { name: t('orders.cancelAll'), exact: true })
  await all.click()
  await page.getByRole('dialog').getByText(t('orders.holdHint')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await all.focus()
  await page.keyboard.down('Enter')
  await page.getByText(t('orders.noneOpen')).waitFor()
  await page.keyboard.up('Enter')
  assert.equal(await page.getByRole('dialog').count(), 0, 'a hold asks nothing')
}

/** Swipes the only open order: too short, then uncovering the button, then all the way; places it again each time with two taps. */
async function swipes({ page, t, context }: Person): Promise<void> {
  const row = page.getByRole('article').filter({ has: page.getByRole('button', { name: t('orders.cancel'), exact: true }) })
  const phone = await context.newCDPSession(page)
  const swipe = async (part: number, down = 0): Promise<void> => {
    await row.first().scrollIntoViewIfNeeded()
    const box = (await row.first().boundingBox())!
    const [x, y] = [box.x + box.width * 0.9, box.y + 12]
    await phone.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    for (let step = 1; step <= 8; step++) {
      const point = { x: x - (box.width * part * step) / 8, y: y + (down * step) / 8 }
      await phone.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
    }
    await phone.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const placesAgain = async (): Promise<void> => {
    await page.getByText(t('orders.againLast')).first().waitFor()
    await page.getByText(t('orders.noneOpen')).waitFor()
    await page
      .getByRole('button', { name: t('orders.placeAgain'), exact: true })
      .last()
      .dblclick()
    await row.first().waitFor()
    assert.equal(await row.count(), 1)
  }
  const covered = page.locator('button[aria-hidden]', { hasText: t('orders.cancel') })
  await swipe(0.1)
  await covered.waitFor({ state: 'detached' })
  assert.equal(await row.count(), 1)
  await swipe(0.4)
  await covered.click()
  await placesAgain()
  await swipe(0.8)
  await placesAgain()
}

async function readsHistory({ page, t, go }: Person): Promise<void> {
  await go('/entrust')
  await page.getByRole('tab', { name: t('orders.history') }).click()
  const closed = page.getByRole('tabpanel').getByRole('listitem')
  await closed.nth(1).waitFor()
  assert.equal(await closed.count(), 4, 'the market order, one though tapped twice, and the limit order, cancelled and placed again twice')
  await page.getByLabel(t('closed.dates.label')).selectOption('own')
  await page.getByLabel(t('closed.dates.to'), { exact: true }).fill('2020-01-31')
  await page.getByText(t('closed.dates.none')).waitFor()
  await page.reload()
  await page.getByText(t('closed.dates.none')).waitFor()
  await page.getByLabel(t('closed.dates.label')).selectOption('1')
  await closed.nth(3).waitFor()
  await page.getByRole('tab', { name: t('orders.fills') }).click()
  await page.getByText(t('orders.as.taker')).first().waitFor()
  await go('/propertyRecord')
  await page
    .getByRole('button')
    .filter({ hasText: t('records.type.trade') })
    .nth(1)
    .waitFor()
  await page.getByText(t('records.type.faucet')).nth(1).waitFor()
  // What was bought has an average cost, in the list, in the coin's sheet and at the desk.
  await go('/property')
  await page
    .getByRole('button')
    .filter({ hasText: 'BTC' })
    .filter({ hasText: t('costs.short') })
    .click()
  await page.getByRole('dialog').getByText(t('costs.unrealised')).waitFor()
  await page.keyboard.press('Escape')
  await go('/spot?symbol=BTCUSDT')
  await page.getByRole('tab', { name: t('orders.assets') }).click()
  await page.getByRole('tabpanel').getByText(t('costs.short')).waitFor()
}

async function logsOut({ page, t, go }: Person): Promise<void> {
  await go('/me')
  await page.getByRole('button', { name: t('me.logout') }).click()
  const dialog = page.getByRole('dialog')
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: t('me.logout') }).click()
  await page.waitForFunction(() => localStorage.getItem('session') === null)
}
