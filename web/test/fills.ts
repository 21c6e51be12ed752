/** A book of a few orders: what a person reads before and after an order that it can fill only in part. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { TestUser } from '../../server/main/test/exchange.ts'
import type { Person } from './person.ts'

export type Reader = Person & { readonly user: TestUser; readonly see: (name: string) => Promise<void> }

type Send = (who: TestUser, path: string, body: object) => Promise<any>

/** A market sale of 0.15 BTC against bids for 0.03004, then an immediate purchase that a limit and the person's own order cut. */
async function fillsPartly(someone: Reader, maker: TestUser, done: Send): Promise<void> {
  const { page, t, go, user, format, see } = someone
  const place = (who: TestUser, clientId: string, order: object) =>
    done(who, '/spot/orders', { clientId, symbol: 'BTCUSDT', type: 'limit', ...order })
  await place(maker, 'b1', { side: 'buy', price: '59990', quantity: '0.02' })
  await place(maker, 'b2', { side: 'buy', price: '59800', quantity: '0.01004' })
  await go('/spot?symbol=BTCUSDT')
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  await ticket.getByRole('radio', { name: t('trade.sell'), exact: true }).click()
  await chooses(someone, ticket, 'limit', 'market')
  await ticket
    .getByLabel(new RegExp(`^${t('trade.quantity')} `))
    .first()
    .fill('0.15')

  // (0.02 × 59,990 + 0.01004 × 59,800) ÷ 0.03004 = 59,926.4…, 1,800.192 in all, less a fee of 0.1 %.
  const part = t('orders.partOf', { part: format.number('0.03004'), whole: `${format.number('0.15')} BTC` })
  const average = format.number('59926.49', 1, 2)
  await ticket.getByText(`≈ ${average}`).waitFor()
  await rowOf(page, ticket, t('orders.est.slippage')).getByText(format.ppm(1_100), { exact: true }).waitFor()
  await rowOf(page, ticket, t('orders.est.receive'))
    .getByText(`${format.usdt('1798.39')} USDT`, { exact: true })
    .waitFor()
  await ticket.getByRole('note').getByText(t('orders.est.short', { part })).waitFor()
  await see('partly-ticket')

  const sheet = page.getByRole('dialog')
  await ticket.getByRole('button', { name: t('trade.sellCoin', { coin: 'BTC' }) }).click()
  await rowOf(page, sheet, t('orders.est.fills')).getByText(part, { exact: true }).waitFor()
  await rowOf(page, sheet, t('orders.est.receive'))
    .getByText(`${format.usdt('1798.39')} USDT`, { exact: true })
    .waitFor()
  assert.equal(await sheet.getByText(t('orders.receive')).count(), 0, 'nothing is promised for sure')
  await see('partly-sheet')
  // The best bid goes while the sheet is open: the sheet follows, and what is told is what was done.
  await maker.call('DELETE', '/spot/orders')
  await place(maker, 'b3', { side: 'buy', price: '59700', quantity: '0.01' })
  await rowOf(page, sheet, t('orders.est.average'))
    .getByText(`${format.number('59700', 1, 1)} USDT`, { exact: true })
    .waitFor()
  await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).click()
  const sold = t('orders.partOf', { part: format.number('0.01'), whole: `${format.number('0.15')} BTC` })
  await page.getByText(t('orders.soldPart', { part: sold, price: `${format.price('59700', 1)} USDT` })).waitFor()
  await page.getByText(t('orders.restCancelled'), { exact: true }).waitFor()
  await see('partly-toast')

  // Asks up to 60,010, then an own one: an immediate order stops before it.
  await place(maker, 'a1', { side: 'sell', price: '60010', quantity: '0.01' })
  await place(user, 'own', { side: 'sell', price: '60020', quantity: '0.05' })
  await place(maker, 'a2', { side: 'sell', price: '60030', quantity: '1' })
  await page
    .getByRole('button', { name: t('common.close') })
    .first()
    .click()
  await ticket.getByRole('radio', { name: t('trade.buy'), exact: true }).click()
  await chooses(someone, ticket, 'market', 'limit')
  await ticket
    .getByLabel(new RegExp(`^${t('trade.price')} `))
    .first()
    .fill('60025')
  await ticket
    .getByLabel(new RegExp(`^${t('trade.quantity')} `))
    .first()
    .fill('0.1')
  await ticket.getByRole('button', { name: t('trade.options'), exact: true }).click()
  await ticket.getByText('IOC', { exact: true }).click()
  await ticket
    .getByRole('note')
    .getByText(t('orders.est.own', { price: `${format.exact('60020.0')} USDT` }))
    .waitFor()
  await see('own-ticket')
  await ticket.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) }).click()
  await rowOf(page, sheet, t('orders.est.receive'))
    .getByText(`${format.number('0.00999', 8)} BTC`, { exact: true })
    .waitFor()
  await see('own-sheet')
  await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).click()
  const bought = t('orders.partOf', { part: format.number('0.01'), whole: `${format.number('0.1')} BTC` })
  await page.getByText(t('orders.boughtPart', { part: bought, price: `${format.price('60010', 1)} USDT` })).waitFor()
  await page.getByText(`${t('orders.restCancelled')} · ${t('orders.reason.self-trade')}`).waitFor()
  await see('own-toast')

  await page
    .getByRole('button', { name: t('orders.history'), exact: true })
    .last()
    .click()
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await rows.nth(1).getByText(t('orders.cut'), { exact: true }).waitFor()
  await rows.nth(1).getByText(`${sold} (6%)`).waitFor()
  await see('partly-history')
  await rows.first().getByRole('button').click()
  await rowOf(page, sheet, t('orders.status'))
    .getByText(`${t('orders.cut')} · ${t('orders.reason.self-trade')}`)
    .waitFor()
  await rowOf(page, sheet, t('orders.filled')).getByText(bought, { exact: true }).waitFor()
  await see('partly-order')
  for (const who of [maker, user]) await who.call('DELETE', '/spot/orders')
}

/** A triggered stop of which one bid takes a part; its rest is tried for five minutes, and then its owner is told on any screen. */
async function stopsPartly({ page, t, go, user, format, see }: Reader, maker: TestUser, done: Send, pass: () => Promise<void>) {
  const place = (who: TestUser, clientId: string, order: object) => done(who, '/spot/orders', { clientId, symbol: 'BTCUSDT', ...order })
  await go('/market')
  const trigger = { kind: 'stop', price: '59000', direction: 'falls-to' }
  await place(user, 'stop', { side: 'sell', type: 'market', quantity: '0.02', trigger })
  await place(maker, 's1', { side: 'buy', type: 'limit', price: '59000', quantity: '0.001' })
  await place(maker, 's2', { side: 'buy', type: 'limit', price: '58990', quantity: '0.005' })
  await place(user, 's3', { side: 'sell', type: 'limit', price: '59000', quantity: '0.001' })
  await pass()
  const part = t('orders.partOf', { part: format.number('0.005'), whole: `${format.number('0.02')} BTC` })
  const sold = t('orders.soldPart', { part, price: `${format.price('58990', 1)} USDT` })
  await page.getByText(`${t('trade.kind.stop-market')} BTC/USDT · ${sold}`).waitFor()
  await see('stop-toast')
}

/** A Futures sale that opens a short of what two bids take, and a close that the asks fill only in part. */
async function opensAndClosesPartly(someone: Reader, maker: TestUser, done: Send): Promise<void> {
  const { page, t, go, user, format, see } = someone
  const place = (clientId: string, order: object) =>
    done(maker, '/perp/orders', { clientId, symbol: 'BTCUSDTPERP', type: 'limit', ...order })
  await done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
  await place('b1', { side: 'buy', price: '59990', quantity: '0.01' })
  await place('b2', { side: 'buy', price: '59950', quantity: '0.01' })
  await go('/contract?symbol=BTCUSDTPERP')
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  const sheet = page.getByRole('dialog')
  await chooses(someone, ticket, 'limit', 'market')
  const size = ticket.getByLabel(new RegExp(`^${t('trade.size')} `)).first()
  await size.fill('0.05')
  await rowOf(page, ticket, t('orders.est.fills'))
    .getByText(`– / ${format.number('0.02', 5)}`, { exact: true })
    .waitFor()
  await see('perp-ticket')
  await ticket.getByRole('button', { name: t('perp.sellShort'), exact: true }).click()
  await rowOf(page, sheet, t('orders.est.average'))
    .getByText(`${format.number('59970', 1, 1)} USDT`, { exact: true })
    .waitFor()
  // 0.05 % of 1,199.40.
  await rowOf(page, sheet, t('trade.fee'))
    .getByText(`${format.number('0.5997', 2, 8)} USDT`, { exact: true })
    .waitFor()
  await see('perp-sheet')
  await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).click()
  const part = (of: string, whole: string): string => t('orders.partOf', { part: format.number(of), whole: `${format.number(whole)} BTC` })
  await page.getByText(t('orders.soldPart', { part: part('0.02', '0.05'), price: `${format.price('59970', 1)} USDT` })).waitFor()
  await see('perp-toast')

  await place('a1', { side: 'sell', price: '60010', quantity: '0.005' })
  const card = page.getByRole('tabpanel').getByRole('article').first()
  await card.getByRole('button', { name: t('perp.close'), exact: true }).click()
  await rowOf(page, sheet, t('orders.est.fills')).getByText(part('0.005', '0.02'), { exact: true }).waitFor()
  await see('perp-close')
  await sheet.getByRole('button', { name: t('positions.closeNow', { quantity: `${format.number('0.02', 5)} BTC` }) }).click()
  await page.getByText(t('positions.closed', { quantity: part('0.005', '0.02') })).waitFor()
  const price = t('orders.atAverage', { price: `${format.price('60010', 1)} USDT` })
  await page.getByText(`${price} · ${t('orders.restCancelled')}`).waitFor()
  await see('perp-closed')
  await maker.call('DELETE', '/perp/orders')
}

/** The value of a row of figures. */
function rowOf(page: Page, inside: Locator, label: string): Locator {
  return inside.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')
}

async function chooses({ page, t }: Reader, ticket: Locator, from: string, to: string): Promise<void> {
  await ticket.getByRole('button', { name: t(`trade.kind.${from}`), exact: true }).click()
  await page
    .getByRole('radio', { name: t(`trade.kind.${to}`) })
    .first()
    .click()
}

/** All of them, one after the other. `other` opens an account with the means of a maker, `pass` lets five minutes go by. */
export async function readsParts(
  someone: Reader,
  other: (to: 'spot' | 'perp') => Promise<TestUser>,
  done: Send,
  pass: () => Promise<void>,
): Promise<void> {
  await fillsPartly(someone, await other('spot'), done)
  await stopsPartly(someone, await other('spot'), done, pass)
  await opensAndClosesPartly(someone, await other('perp'), done)
}
