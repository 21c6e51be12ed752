/**
 * Events without a user's action: funding, liquidation and the results of Second, on a market whose index and clock the test moves.
 * Each outcome is announced, is in the records with every figure, and can be checked there. Each story runs in one language;
 * `CANDOR_LOCALES=en,hk,ca,de,fr,it,pt` runs all in others; `CANDOR_PICTURES=folder` saves pictures, in dark and light.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, WebSocketRoute } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { type Reader, readsParts } from './fills.ts'
import { readsClosed, readsWhy } from './liquidated.ts'
import { ownIndex, ownTime } from './own-world.ts'
import { type Lang, langsOr, person, startBrowser } from './person.ts'
import { pointsAtNotices } from './pointed.ts'
import { pictured } from './sights.ts'

const perpSymbol = 'BTCUSDTPERP'
const answers = { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 }

let browser: Browser
let exchange: TestExchange
const time = ownTime()
const { index, ticking } = ownIndex(() => exchange)
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ hasFeeds: false, time })
  await index({ btc: 60_000, eth: 3_000 })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const timeout = 120_000
for (const lang of langsOr('hk'))
  test(
    `UI-OUTCOME-001: in ${lang}, a long position pays funding, comes close to liquidation, is liquidated through the book, and the user reads why`,
    {
      timeout,
    },
    () => walk('perp', lang, perpEnds),
  )
for (const lang of langsOr('de'))
  test(
    `UI-OUTCOME-002: in ${lang}, orders of Second win, lose, tie and are void, each with its text, and each check confirms the result`,
    {
      timeout,
    },
    () => walk('second', lang, secondEnds),
  )
for (const lang of langsOr('en'))
  test(`UI-OUTCOME-003: in ${lang}, a margin account is safe, then warned, then liquidated, with a notice each time`, { timeout }, () =>
    walk('margin', lang, marginEnds),
  )
for (const lang of langsOr('en'))
  test(
    `UI-OUTCOME-004: in ${lang}, an order that the book fills only in part says so before, when it is sent, and in the history`,
    {
      timeout,
    },
    () => walk('partly', lang, (someone) => ticking(() => readsParts(someone, other, done, fiveMinutes))),
  )

test('NOTICE-BANNER-007: what ends on Futures and Second while the socket is down is told when it is back, once', { timeout }, async () => {
  await index({ btc: 60_000 })
  const user = await exchange.user({ funds: { USDT: '10000' }, isCertified: true })
  const maker = await other('perp')
  const place = (who: TestUser, clientId: string, order: object) => done(who, '/perp/orders', { clientId, symbol: perpSymbol, ...order })
  await done(user, '/option/knowledge', { answers })
  for (const to of ['perp', 'option'])
    await done(user, '/transfer', { clientId: to, asset: 'USDT', from: 'spot', to, amount: to === 'perp' ? '5000' : '100' })
  await place(user, 'rests', { side: 'sell', type: 'limit', price: '60100', quantity: '0.01' })
  const { order } = await done(user, '/option/orders', { clientId: 'o', symbol: 'BTCUSDT', direction: 'up', stake: '10', seconds: 30 })
  const { page, context, t, go, format, complaints } = await person(browser, exchange.url, { user })
  const banner = page.locator('[data-notice]')
  await pointsAtNotices(page)
  const sockets: WebSocketRoute[] = []
  let isDown = false
  await page.routeWebSocket(/\/app\/v1\/stream/, (socket) => {
    if (isDown) return void socket.close()
    socket.connectToServer()
    sockets.push(socket)
  })
  const noted = page.waitForResponse((answer) => answer.url().endsWith('/spot/orders/open'))
  await go('/me')
  await noted
  await until('the socket', async () => sockets[0])
  await user.call('POST', '/notices/read', { upTo: 1e12 })

  isDown = true
  for (const socket of sockets.splice(0)) await socket.close()
  await lasts(order, 60_120, async () => undefined)
  await place(maker, 'buys', { side: 'buy', type: 'limit', price: '60100', quantity: '0.01' })
  await until('the settlement', async () => (await user.call('GET', '/option/orders/history')).body.items[0])
  await until('the fill', async () => (await user.call('GET', '/perp/fills')).body.items[0])
  isDown = false
  const values = { kind: t('trade.kind.limit'), pair: 'BTC/USDT', quantity: `${format.exact('0.01000')} BTC` }
  const filled = banner.getByText(t('positions.filled', values))
  const won = banner.getByText(`${t('notices.kind.second-settled.title')}: ${t('option.result.win')}`)
  await filled.or(won).waitFor()
  // What is opened from its message counts as read.
  const told: string[] = []
  for (let seen = 0; seen < 2; seen += 1) {
    told.push((await filled.isVisible()) ? 'filled' : 'won')
    await banner.locator('.toast').getByRole('button').first().click()
    if (seen === 0) await filled.or(won).waitFor()
  }
  assert.deepEqual(told.toSorted(), ['filled', 'won'])
  await banner.locator('.toast').waitFor({ state: 'detached' })
  await until('both to be read', async () => ((await user.call('GET', '/notices/unread')).body.unread === 0 ? true : undefined))
  const { notices } = (await user.call('GET', '/notices')).body
  assert.deepEqual(
    notices
      .slice(0, 2)
      .map(({ kind }: any) => kind)
      .toSorted(),
    ['order-filled', 'second-settled'],
  )

  // A socket that comes back once more tells nothing again.
  const again = page.waitForResponse((answer) => answer.url().includes('/option/orders/history'))
  for (const socket of sockets.splice(0)) await socket.close()
  await again
  assert.equal(await banner.locator('.toast').count(), 0)
  assert.deepEqual(complaints, [])
  await context.close()
})

async function fiveMinutes(): Promise<void> {
  time.ahead += 301_000
  await index()
}

async function walk(name: string, lang: Lang, story: (someone: Reader) => Promise<void>): Promise<void> {
  await index({ btc: 60_000, eth: 3_000 })
  const user = await exchange.user({ funds: { USDT: '10000', BTC: '1' }, isCertified: true })
  const someone = await person(browser, exchange.url, { lang, user })
  const { page } = someone
  const see = (state: string): Promise<void> => pictured(page, `${state}-${lang}`)
  try {
    await story({ ...someone, user, see })
    assert.deepEqual(someone.complaints, [])
  } catch (error) {
    await page.screenshot({ path: `${process.env.TMPDIR ?? '/tmp'}/candor-outcome-${name}-${lang}.png` })
    throw error
  } finally {
    await someone.context.close()
  }
}

async function done(user: TestUser, path: string, body: object): Promise<any> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
  return answer
}

async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 500; tries += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((next) => setTimeout(next, 20))
  }
  throw new Error(`still waiting for ${what}`)
}

/** Creates a user with enough money for the other side. */
async function other(to: 'perp' | 'spot'): Promise<TestUser> {
  const user = await exchange.user({ funds: { USDT: '200000', ETH: '20', BTC: '2' }, isCertified: true, class: 'maker' })
  if (to === 'perp') await done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to, amount: '150000' })
  return user
}

// — Perp

let isFirst = true

async function perpEnds(someone: Reader): Promise<void> {
  const { page, t, go, user, format, see } = someone
  const [seller, bidder] = [await other('perp'), await other('perp')]
  const place = (who: TestUser, clientId: string, order: object) =>
    done(who, '/perp/orders', { clientId, symbol: perpSymbol, type: 'limit', ...order })
  await done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
  await done(user, '/perp/leverage', { symbol: perpSymbol, leverage: 10 })
  await place(seller, 's', { side: 'sell', price: '60000', quantity: '0.5' })
  const { order } = await place(user, 'l', { side: 'buy', type: 'market', quantity: '0.5' })
  await go(`/contract?symbol=${perpSymbol}`)
  const card = page.getByRole('tabpanel').getByRole('article').first()
  await card
    .getByText(format.number('60000', 1, 1))
    .first()
    .waitFor()

  // Funding after eight hours: 0.01 % of 30,000 in a calm market, another rate after the liquidation of a language before.
  const period = 8 * 3_600_000
  time.ahead += period - (time.wall() % period) + 50
  await index()
  const funding = await until('funding', async () => (await user.call('GET', '/perp/funding')).body.items[0])
  if (isFirst) assert.deepEqual([funding.amount, funding.rate], ['-3', '0.01'])
  isFirst = false
  const isPaid = funding.amount.startsWith('-')
  const bare = funding.amount.replace('-', '')
  await page.getByText(t(isPaid ? 'positions.fundingPaid' : 'positions.fundingReceived', { amount: `${format.usdt(bare)} USDT` })).waitFor()
  await go('/entrust?product=perp&tab=funding')
  const paid = page.getByRole('tabpanel').getByRole('listitem').first()
  await paid.getByText(new RegExp(`^[−+]?${format.usdt(bare).replace('.', '\\.')} USDT$`)).waitFor()
  await paid
    .getByText(`${t('closed.rate')} ${format.percent(funding.rate, 4)} · ${t('trade.size')} ${format.number('0.5', 5)} BTC`)
    .waitFor()
  await see('funding')

  // The price falls in steps, and the card shows the shrinking distance to liquidation.
  await go(`/contract?symbol=${perpSymbol}`)
  const [{ liquidationPrice }] = (await user.call('GET', '/perp/account')).body.positions
  for (const mark of [58_000, 56_000, 55_500]) {
    await index({ btc: mark })
    await card
      .getByText(t('positions.distance', { percent: format.percent(((mark - Number(liquidationPrice)) * 100) / mark, 1) }))
      .waitFor()
  }
  await card.getByText(t('positions.near')).waitFor()
  const warning = page.getByText(t('positions.nearLiquidation', { pair: 'BTC/USDT' }))
  await warning.waitFor()
  await card.scrollIntoViewIfNeeded()
  await see('near-liquidation')
  await place(bidder, 'b1', { side: 'buy', price: '55300', quantity: '0.2' })
  await place(bidder, 'b2', { side: 'buy', price: '54200', quantity: '0.2' })
  await index({ btc: 55_300 })
  const notice = page.getByText(t('positions.beingLiquidated', { pair: 'BTC/USDT' }))
  await notice.waitFor()
  await warning.waitFor({ state: 'detached' })
  await see('being-liquidated')
  for (const mark of [54_500, 54_100]) await index({ btc: mark })
  // Nobody buys the rest: the fund takes it over.
  await bidder.call('DELETE', '/perp/orders')
  await index({ btc: 45_000 })
  const ended = await until('the end of the position', async () => (await user.call('GET', '/perp/positions/closed')).body.items[0])
  assert.deepEqual([ended.id, ended.cause, ended.result], [order.id, 'liquidation', 'loss'])

  // The notice leads there from any screen, even from the list of closed positions itself.
  await go('/entrust?product=perp&tab=closed')
  await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
  await page.getByRole('button', { name: t('closed.whyShort'), exact: true }).click()
  await notice.waitFor({ state: 'detached' })
  await readsWhy(someone, ended.id)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await readsClosed(someone, ended)
}

// — Second

async function secondEnds(someone: Reader): Promise<void> {
  const { page, t, go, user, format, see } = someone
  await done(user, '/option/knowledge', { answers })
  await done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'option', amount: '500' })
  await go('/Second?symbol=BTCUSDT')
  const stories = [
    { result: 'win', says: 'above', end: 60_120, amount: `+${format.number('8', 2, 6)} USDT` },
    { result: 'lose', says: 'below', end: 59_950, amount: `−${format.number('10', 2, 6)} USDT` },
    { result: 'tie', says: 'tie', end: 60_000, amount: `${format.number('0', 2, 6)} USDT` },
    { result: 'void', says: 'gap', end: undefined, amount: `${format.number('0', 2, 6)} USDT` },
  ] as const
  const ids: string[] = []
  for (const { result, says, end, amount } of stories) {
    await index({ btc: 60_000 })
    const { order } = await done(user, '/option/orders', { clientId: result, symbol: 'BTCUSDT', direction: 'up', stake: '10', seconds: 30 })
    ids.unshift(order.id)
    await ticking(() => page.getByRole('tabpanel').getByRole('listitem').first().waitFor())
    await lasts(order, end, async () => {
      await page.getByText(t('option.gate.silent', { seconds: 3 })).waitFor()
      await see('silent')
    })
    const sheet = page.getByRole('dialog', { name: t(`option.result.${result}`), exact: true })
    await sheet.getByText(t(`settled.resultSays.${says}`)).waitFor()
    await sheet.getByText(amount, { exact: true }).first().waitFor()
    await see(`result-${result}`)
    await sheet.getByRole('button', { name: t('common.done'), exact: true }).click()
    await page.getByText(t('settled.noneRunning')).waitFor()
  }

  await go('/optionentrust')
  await page.getByRole('tab', { name: t('settled.tab.history') }).click()
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await rows.nth(3).waitFor()
  await see('settled')
  for (const [at, { result, says, amount }] of stories.toReversed().entries()) {
    await rows
      .nth(at)
      .getByText(t(`option.result.${result}`), { exact: true })
      .waitFor()
    await rows.nth(at).getByRole('button').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(t(`settled.resultSays.${says}`)).waitFor()
    const figures = await sheet
      .locator('dl > div')
      .evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent)))
    const figure = (label: string): string | null | undefined => figures.find(([name]) => name === label)?.[1]
    assert.equal(figure(t('settled.winLose')), t(`option.result.${result}`))
    assert.equal(figure(t('settled.net')), amount)
    assert.equal(figure(t('settled.number')), ids[at])
    await sheet.getByRole('button', { name: t('settled.verify'), exact: true }).click()
    await sheet.getByText(t('settled.verdict.equal'), { exact: true }).waitFor({ timeout: 60_000 })
    await sheet.getByText(t(`settled.resultSays.${says}`)).waitFor()
    assert.equal(await sheet.getByText(t('settled.differs'), { exact: true }).count(), 0)
    await see(`verified-${result}`)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
  }
  const summary = page.getByRole('region', { name: t('settled.summary') })
  await summary.getByText(`−${format.number('2', 2, 6)} USDT`).waitFor()
}

/**
 * Lets the time of an order pass with a tick every two seconds, the last ten at `end`. Without `end` the index is silent from the
 * strike on, and the screen says so.
 */
async function lasts(
  order: { readonly strikeFrom: number; readonly expiresAt: number },
  end: number | undefined,
  isSilent: () => Promise<void>,
): Promise<void> {
  time.ahead += Math.max(0, order.strikeFrom - time.wall()) + 10
  await index()
  if (end === undefined) await isSilent()
  while (end !== undefined && time.wall() < order.expiresAt) {
    time.ahead += 2_000
    await index(order.expiresAt - time.wall() < 10_000 ? { btc: end } : {})
  }
  time.ahead += end === undefined ? order.expiresAt - time.wall() + 3_100 : 0
  await index()
}

// — Margin accounts

async function marginEnds(someone: Reader): Promise<void> {
  const { page, t, go, user, format, see } = someone
  // The price band follows the trades of the last minutes. Those of earlier tests must be older than that.
  time.ahead += 10 * 60_000
  await index()
  const maker = await other('spot')
  const place = (who: TestUser, order: object) => done(who, '/spot/orders', { symbol: 'ETHUSDT', ...order })
  await done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '1000' })
  await done(user, '/margin/borrow', { clientId: 'loan', asset: 'USDT', amount: '3000' })
  await place(maker, { clientId: 'ask', side: 'sell', type: 'limit', price: '3000', quantity: '1.4' })
  await place(user, { clientId: 'buy', side: 'buy', type: 'market', spend: '3999', margin: { account: 'margin-cross', borrow: 'none' } })
  await maker.call('DELETE', '/spot/orders')
  await go('/lever?symbol=ETHUSDT')
  const account = page.getByRole('region', { name: t('margin.accountTab') })
  const says = (word: string) => account.locator(`[role=meter][aria-valuetext$="${t(`margin.word.${word}`)}"]`)
  await says('safe').waitFor()

  await index({ eth: 2_590 })
  const name = t('accounts.name.margin-cross')
  await page.getByText(t('loans.notice.watch', { account: name })).waitFor()
  await says('watch').waitFor()
  const watched = (await user.call('GET', '/margin/accounts')).body.accounts[0]
  assert.deepEqual(
    [watched.state, await account.getByRole('meter').getAttribute('aria-valuetext')],
    ['watch', `${format.number(watched.level, 2, 2)} ${t('margin.word.watch')}`],
  )
  await see('margin-watch')

  // The new notice replaces the old one.
  await index({ eth: 2_470 })
  await page.getByText(t('loans.notice.liquidating', { account: name })).waitFor()
  assert.equal(await page.getByText(t('loans.notice.watch', { account: name })).count(), 0)
  // Nobody buys yet, so the account stays in liquidation and the screen says so.
  await says('liquidating').waitFor()
  await see('margin-liquidating')
  await place(maker, { clientId: 'bid', side: 'buy', type: 'limit', price: '2465', quantity: '3' })
  await index()
  const calm = await until('the end of the liquidation', async () => {
    const { body } = await user.call('GET', '/margin/accounts')
    return body.accounts[0].state === 'liquidating' ? undefined : body.accounts[0]
  })
  assert.ok(Number(calm.debtUsdt) < Number(watched.debtUsdt))
  const { body: steps } = await user.call('GET', '/margin/liquidations')
  assert.ok(steps.items.length > 0 && steps.items.every((step: any) => step.orderId !== null))
  await says('liquidating').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: t('loans.title') }).click()
  await page.getByText(t('loans.cause.liquidation')).first().waitFor()
  await see('margin-liquidated')
  // The notice leads to the reasons.
  await page
    .getByRole('button', { name: t('loans.notice.details') })
    .first()
    .click()
  const why = page.getByRole('article', { name }).first()
  await why.getByText(t('loans.liquidations.border')).waitFor()
  await why.getByText(t('loans.liquidations.order', { id: steps.items[0].orderId })).waitFor()
  await maker.call('DELETE', '/spot/orders')
}
