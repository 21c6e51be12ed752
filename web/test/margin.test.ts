/**
 * A user's journey through margin accounts and lending: verify, fund, borrow, place an order that borrows, repay all; then lend coins and
 * redeem them, and transfer money with a preview of the effect. On a real exchange, in real Chromium; in one language, or in those of
 * `CANDOR_LOCALES=en,hk,ca,de,fr,it,pt`.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { hasBook, type Lang, langsOr, type Person, person, startBrowser } from './person.ts'
import { violations } from './axe.ts'

const symbol = 'BTCUSDT'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '19', bots: true })
  await hasBook(exchange)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

async function walk(name: string, lang: Lang, user: TestUser, steps: (someone: Person) => Promise<void>): Promise<void> {
  const someone = await person(browser, exchange.url, { lang, user })
  try {
    await steps(someone)
    assert.deepEqual(someone.complaints, [])
  } catch (error) {
    await someone.page.screenshot({ path: `${process.env.TMPDIR ?? '/tmp'}/candor-${name}-${lang}.png` })
    throw error
  } finally {
    await someone.context.close()
  }
}

for (const lang of langsOr('hk'))
  test(`UI-LEVER-005: in ${lang}, from verification to a loan, an order that borrows, and full repayment`, {
    timeout: 480_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '5000' } })
    await walk('margin', lang, user, async (someone) => {
      await someone.go(`/lever?symbol=${symbol}`)
      await isAskedForCertification(someone)
      await transfersIn(someone, user)
      await borrows(someone, user)
      await ordersWithLoan(someone, user)
      await repaysAll(someone, user)
      await readsLoans(someone)
    })
  })

for (const lang of langsOr('de'))
  test(`UI-LEVER-007: in ${lang}, an OCO borrows, the index ticks, only this account's orders are cancelled, and liquidations have reasons`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '3000' }, isCertified: true })
    await move(user, { to: 'margin-cross', amount: '1000' })
    // An OCO is placed around the last price, so there must be one.
    await done(user, '/spot/orders', { clientId: 'first', symbol, side: 'buy', type: 'market', spend: '50' })
    await walk('lists', lang, user, async (someone) => {
      await someone.go(`/lever?symbol=${symbol}`)
      await seesIndexTick(someone)
      await placesList(someone, user)
      await cancelsMarginOrders(someone, user)
      const { page, t, go } = someone
      await go('/entrust?tab=history')
      await page.getByRole('link', { name: t('orders.marginLiquidations') }).click()
      await page.getByText(t('loans.liquidations.none')).waitFor()
    })
  })

for (const lang of langsOr('de'))
  test(`UI-TRANSFER-003: in ${lang}, a transfer shows its effect on the margin level, and then has that effect`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '3000' }, isCertified: true })
    await move(user, { to: 'margin-cross', amount: '1000' })
    await done(user, '/margin/borrow', { clientId: 'loan', asset: 'USDT', amount: '500' })
    await walk('transfer', lang, user, async ({ page, t, go, format, numbersIn }) => {
      await go('/transfer?to=margin-cross')
      await amountField(page, t('margin.amount')).fill('600')
      const effect = page.locator('main section[aria-busy=false] dl > div', { hasText: t('margin.level') })
      await effect.waitFor()
      const before = Number((await levelOf(user)).toFixed(2))
      const [shown, promised] = numbersIn(await effect.locator('dd').innerText())
      assert.equal(shown, before)
      await page.getByRole('button', { name: t('accounts.move.now') }).dblclick()
      await page.getByText(t('accounts.move.done', { amount: `${format.usdt('600')} USDT` })).waitFor()
      assert.equal(Number((await levelOf(user)).toFixed(2)), promised)
      // Two taps sent one transfer, which is listed below with both accounts.
      const recent = page.getByText(t('accounts.move.path', { from: t('accounts.name.spot'), to: t('accounts.name.margin-cross') }))
      await recent.nth(1).waitFor()
      assert.equal(await recent.count(), 2)
      // The collateral of the loan can't be transferred, and the form says so in advance.
      await page.getByRole('button', { name: t('accounts.move.turn') }).click()
      await amountField(page, t('margin.amount')).fill('2100')
      await page.getByText(t('accounts.move.bound')).waitFor()
      await page.getByText(t('refusals.AMOUNT_BOUND')).waitFor()
      assert.ok(await page.getByRole('button', { name: t('accounts.move.now') }).isDisabled())
    })
  })

for (const lang of langsOr('en'))
  test(`UI-LEND-003: in ${lang}, coins are lent, earn and are redeemed, and the part that is lent out is queued`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user({ funds: { USDT: '2000' }, isCertified: true })
    await walk('lend', lang, user, async ({ page, t, go, format }) => {
      await go('/lend')
      await page.getByRole('listitem').filter({ hasText: /^USDT/ }).getByRole('button').click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('img', { name: new RegExp(format.percent('0.0005', 4).replace(/\s/, '\\s')) }).waitFor()
      await amountField(page, t('margin.amount')).fill('1500')
      await sheet.getByRole('button', { name: t('lend.supplyNow', { amount: `${format.usdt('1500')} USDT` }) }).dblclick()
      await page.getByText(t('lend.suppliedDone', { amount: `${format.usdt('1500')} USDT` })).waitFor()
      const card = page.getByRole('article', { name: 'USDT' })
      await card.getByText(format.usdt('1500'), { exact: true }).waitFor()
      const fresh = t('lend.freshMine', { amount: `${format.usdt('1500')} USDT`, time: '|' }).split('|')
      await card.getByText(new RegExp(`^${fresh.map(RegExp.escape).join('\\d?\\d\\D00.*')}$`)).waitFor()
      await card.getByRole('button', { name: t('lend.withdraw') }).click()
      await amountField(page, t('margin.amount')).fill('400')
      await sheet
        .locator('dl > div', { hasText: t('lend.atOnce') })
        .getByText(`${format.usdt('400')} USDT`)
        .waitFor()
      await sheet.getByRole('button', { name: t('lend.withdrawNow', { amount: `${format.usdt('400')} USDT` }) }).dblclick()
      await page.getByText(t('lend.withdrawn', { amount: `${format.usdt('400')} USDT` })).waitFor()
      await card.getByText(format.usdt('1100'), { exact: true }).waitFor()
    })
    const { body } = await user.call('GET', '/lend/claims')
    assert.equal(Number(body.claims[0].claim), 1_100)
  })

test('UI-LEVER-006: desk, sheets, lending, transfers and assets have no accessibility faults, dark and light', {
  timeout: 360_000,
}, async () => {
  const user = await exchange.user({ funds: { USDT: '5000' }, isCertified: true })
  await move(user, { to: 'margin-isolated', symbol, amount: '500' })
  await done(user, '/margin/borrow', { clientId: 'loan', symbol, asset: 'USDT', amount: '1000' })
  await done(user, '/lend/supply', { clientId: 'lent', asset: 'USDT', amount: '100' })
  const wrong: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    const { page, context, t, go } = await person(browser, exchange.url, { user, theme })
    // A price that has just changed has a coloured background for a moment.
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme })
    const looks = async (name: string): Promise<void> => {
      wrong.push(...(await violations(page)).map((line) => `${theme} ${name}: ${line}`))
    }
    const sheet = async (name: string, button: Locator): Promise<void> => {
      await button.click()
      await page.getByRole('dialog').waitFor()
      await looks(name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    const account = page.getByRole('region', { name: t('margin.accountTab') })
    await go(`/lever?symbol=${symbol}`)
    await account.getByText(t('margin.mode.isolated'), { exact: true }).click()
    await account.getByText(t('margin.liquidationPrice')).waitFor()
    await looks('desk')
    for (const name of ['transfer', 'borrow', 'repay'])
      await sheet(name, account.getByRole('button', { name: t(`margin.${name}`), exact: true }))
    await page.getByRole('tab', { name: t('loans.title') }).click()
    await page.getByText(t('loans.cause.borrow')).first().waitFor()
    await looks('loans')
    await page.getByRole('tab', { name: t('loans.liquidations.title') }).click()
    await page.getByText(t('loans.liquidations.none')).waitFor()
    await looks('liquidations')
    await go('/lend')
    const claim = page.getByRole('article', { name: 'USDT' })
    await claim.waitFor()
    await looks('lend')
    await sheet('pool', page.getByRole('listitem').first().getByRole('button'))
    await sheet('withdraw', claim.getByRole('button', { name: t('lend.withdraw') }))
    await go('/transfer')
    await page.getByRole('heading', { name: t('accounts.move.recent') }).waitFor()
    await looks('transfer')
    await go('/property')
    await page.getByText(t('accounts.profit.calendar'), { exact: true }).click()
    await page.getByRole('table').waitFor()
    await looks('assets')
    await context.close()
  }
  assert.deepEqual(wrong, [])
})

function ticket({ page, t }: Person): Locator {
  return page.getByRole('region', { name: t('trade.ticket') })
}

function account({ page, t }: Person): Locator {
  return page.getByRole('region', { name: t('margin.accountTab') })
}

function amountField(page: Page, label: string): Locator {
  return page.getByLabel(new RegExp(`^${label} \\(`)).first()
}

async function isAskedForCertification(someone: Person): Promise<void> {
  const { page, t } = someone
  await account(someone)
    .getByRole('button', { name: t('margin.transfer') })
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('certify.certify') }).click()
  await page.getByText(t('certify.done')).waitFor()
  await sheet.waitFor({ state: 'hidden' })
}

async function transfersIn(someone: Person, user: TestUser): Promise<void> {
  const { page, t, format } = someone
  await account(someone)
    .getByRole('button', { name: t('margin.transfer') })
    .click()
  const sheet = page.getByRole('dialog')
  await amountField(page, t('margin.amount')).fill('1000')
  await sheet.getByRole('button', { name: t('accounts.move.now') }).dblclick()
  await page.getByText(t('accounts.move.done', { amount: `${format.usdt('1000')} USDT` })).waitFor()
  await account(someone)
    .getByText(`${format.usdt('1000')} USDT`)
    .waitFor()
  await account(someone).getByText(t('margin.word.none')).waitFor()
  assert.equal(Number((await cross(user)).assetsUsdt), 1_000)
}

async function borrows(someone: Person, user: TestUser): Promise<void> {
  const { page, t, format } = someone
  await account(someone)
    .getByRole('button', { name: t('margin.borrow'), exact: true })
    .click()
  const sheet = page.getByRole('dialog')
  await amountField(page, t('margin.amount')).fill('500')
  await sheet.getByText(t('loans.firstHour')).waitFor()
  const lent = (key: string): RegExp => new RegExp(t(key, { amount: '500([.,]00)? USDT' }))
  await sheet.getByRole('button', { name: lent('loans.borrowNow') }).dblclick()
  await page.getByText(lent('loans.borrowedDone')).first().waitFor()
  // 1,500 USDT against 500 and the first hour's interest.
  await account(someone).getByText(format.number('2.99')).waitFor()
  await account(someone).getByText(t('margin.word.safe')).waitFor()
  const { balances } = await cross(user)
  assert.equal(Number(balances.find((one) => one.asset === 'USDT')?.borrowed), 500)
}

async function ordersWithLoan(someone: Person, user: TestUser): Promise<void> {
  const { page, t, format } = someone
  await ticket(someone)
    .getByRole('button', { name: t('trade.kind.limit'), exact: true })
    .click()
  await page
    .getByRole('radio', { name: t('trade.kind.market') })
    .first()
    .click()
  await ticket(someone)
    .getByRole('button', { name: `${t('trade.amountIn')}: BTC` })
    .first()
    .click()
  await ticket(someone)
    .getByLabel(new RegExp(`^${t('trade.total')} `))
    .first()
    .fill('2500')
  await page.keyboard.press('Tab')
  await ticket(someone).getByText(t('refusals.INSUFFICIENT_BALANCE')).waitFor()
  await ticket(someone).getByText(t('margin.autoBorrow')).click()
  const [before = '', after = ''] = t('margin.borrowsLine', { amount: `${format.usdt('1000')} USDT`, rate: '|' }).split('|')
  await ticket(someone)
    .getByText(new RegExp(`^${RegExp.escape(before)}0[.,]0005\\d*\\s?%${RegExp.escape(after)}$`))
    .waitFor()
  await ticket(someone)
    .getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }), exact: true })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('trade.confirm'), exact: true })
    .dblclick()
  await page
    .getByText(t('orders.bought', { quantity: '' }).trim())
    .first()
    .waitFor()
  const { balances, level } = await cross(user)
  assert.ok(Number(balances.find((one) => one.asset === 'BTC')?.available) > 0)
  assert.ok(Number(balances.find((one) => one.asset === 'USDT')?.borrowed) > 1_490)
  assert.ok(Number(level) > 1.5 && Number(level) < 1.8, `level ${level}`)
}

async function repaysAll(someone: Person, user: TestUser): Promise<void> {
  const { page, t } = someone
  await move(user, { to: 'margin-cross', amount: '2000' })
  await page.reload()
  await account(someone)
    .getByRole('button', { name: t('margin.repay'), exact: true })
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('margin.all'), exact: true }).click()
  await sheet
    .getByRole('button', { name: new RegExp(`^${RegExp.escape(t('loans.repayNow', { amount: '|' }).split('|')[0] ?? '')}1\\D\\d{3}\\D`) })
    .dblclick()
  await account(someone).getByText(t('margin.word.none')).waitFor()
  const { balances, level } = await cross(user)
  assert.equal(level, null)
  assert.ok(balances.every((one) => Number(one.borrowed) + Number(one.interest) === 0))
}

async function seesIndexTick({ page, t }: Person): Promise<void> {
  const [before = ''] = t('trade.index', { value: '|' }).split('|')
  const line = page.getByRole('region', { name: t('trade.book') }).getByText(new RegExp(`^${RegExp.escape(before)}\\d`))
  const first = await line.innerText()
  await page.waitForFunction(([text, start]) => !document.body.innerText.includes(start + text), [
    first.slice(before.length),
    before,
  ] as const)
}

async function placesList(someone: Person, user: TestUser): Promise<void> {
  const { page, t } = someone
  const { body: depth } = await user.call('GET', `/markets/${symbol}/depth?limit=5`)
  const mid = (Number(depth.bids[0][0]) + Number(depth.asks[0][0])) / 2
  await ticket(someone)
    .getByRole('button', { name: t('trade.kind.limit'), exact: true })
    .click()
  await page.getByRole('radio', { name: t('trade.kind.oco') }).click()
  const field = (label: string) =>
    ticket(someone)
      .getByLabel(new RegExp(`^${label} \\(`))
      .first()
  await field(t('trade.limitPrice')).fill((mid * 0.98).toFixed(0))
  await field(t('trade.trigger')).fill((mid * 1.02).toFixed(0))
  await field(t('trade.quantity')).fill((1_500 / mid).toFixed(4))
  await ticket(someone).getByText(t('margin.autoBorrow')).click()
  await ticket(someone)
    .getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }), exact: true })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('trade.confirm'), exact: true })
    .dblclick()
  await page.getByText(t('orders.placed')).first().waitFor()
  const { orders } = (await user.call('GET', '/spot/orders/open')).body
  assert.deepEqual(
    orders.map((order: { margin: unknown }) => order.margin),
    [1, 2].map(() => ({ account: 'margin-cross', borrow: 'borrow' })),
  )
  const { balances } = await cross(user)
  assert.ok(Number(balances.find((one) => one.asset === 'USDT')?.borrowed) > 400)
}

async function cancelsMarginOrders({ page, t }: Person, user: TestUser): Promise<void> {
  const { body: depth } = await user.call('GET', `/markets/${symbol}/depth?limit=5`)
  const price = (Number(depth.bids[0][0]) * 0.95).toFixed(0)
  await done(user, '/spot/orders', { clientId: 'own', symbol, side: 'buy', type: 'limit', price, quantity: '0.01' })
  await page.getByRole('tab', { name: t('orders.open') }).click()
  await page.getByRole('button', { name: t('orders.cancelAll'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('orders.cancelAll'), exact: true })
    .click()
  await page.getByText(t('loans.noAccountOrders')).waitFor()
  const { orders } = (await user.call('GET', '/spot/orders/open')).body
  assert.deepEqual(
    orders.map(({ clientId }: { clientId: string }) => clientId),
    ['own'],
  )
}

async function readsLoans({ page, t }: Person): Promise<void> {
  await page.getByRole('tab', { name: t('loans.title') }).click()
  for (const cause of ['borrow', 'auto-borrow', 'interest', 'repay'])
    await page
      .getByText(t(`loans.cause.${cause}`))
      .first()
      .waitFor()
}

type Account = {
  readonly assetsUsdt: string
  readonly level: string | null
  readonly balances: readonly { readonly asset: string; readonly available: string; readonly borrowed: string; readonly interest: string }[]
}

async function cross(user: TestUser): Promise<Account> {
  return (await user.call('GET', '/margin/accounts')).body.accounts[0]
}

async function levelOf(user: TestUser): Promise<number> {
  return Number((await cross(user)).level)
}

async function move(user: TestUser, change: { readonly to: string; readonly symbol?: string; readonly amount: string }): Promise<void> {
  await done(user, '/transfer', { clientId: `move-${change.amount}`, asset: 'USDT', from: 'spot', ...change })
}

async function done(user: TestUser, path: string, body: object): Promise<void> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, JSON.stringify(answer))
}
