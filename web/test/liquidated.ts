/** Why a position was liquidated and how it ended, read on the screens step by step and compared with the exchange. */
import assert from 'node:assert/strict'
import type { Reader } from './fills.ts'

/** The venues whose prices the index of the test has. */
export const venues = ['binance', 'okx', 'coinbase', 'kraken']

/** Checks each step with sources, prices, sums, order and ledger against the exchange. */
export async function readsWhy({ page, t, user, format, see }: Reader, id: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  const { body } = await user.call('GET', `/perp/liquidations/${id}`)
  const { steps } = body
  assert.ok(steps.length >= 3 && steps.some((step: any) => step.orderId !== null), 'it went through the book')
  const cards = sheet.getByRole('article')
  await cards.nth(steps.length - 1).waitFor()
  assert.equal(await cards.count(), steps.length)
  await sheet.getByText(t(`closed.whyLead_other`, { count: steps.length })).waitFor()
  await see('why')
  const price = (text: string): string => format.number(text, 1, 2)
  const money = (text: string): string => `${format.sum(text, 'USDT', true).replace('-', '−')} USDT`
  for (const [at, step] of steps.entries()) {
    const said = await cards.nth(at).innerText()
    const says = (text: string): void => assert.ok(said.includes(text), `step ${at + 1} says “${text}”: ${said}`)
    says(t('closed.whyStep', { number: at + 1, of: steps.length }))
    says(t('closed.whyPricesSays', { mark: price(step.mark), index: price(step.index) }))
    assert.deepEqual(
      step.sources.map(({ venue }: any) => venue),
      venues,
    )
    for (const source of step.sources) says(format.number(source.price, 2, 2))
    const values = { equity: money(step.equity), maintenance: money(step.maintenance), percent: format.ppm(step.maintenancePpm) }
    says(t('closed.whyMarginSays', values))
    if (step.orderId === null) says(t('closed.whyNoOrder'))
    else says(t('closed.whyFilled', { closed: `${format.exact(step.closedQuantity)} BTC`, price: price(step.averagePrice) }))
    if (Number(step.insured) > 0) says(t('closed.whyInsured', { insured: money(step.insured) }))
    for (const one of step.deleveraged)
      says(t('closed.whyDeleveraged', { quantity: `${format.exact(one.quantity)} BTC`, price: price(one.price) }))
    // The ledger entries of a command are sums: they are shown at its last step, and the other steps refer to it.
    const last = steps.findLastIndex(({ seq }: any) => seq === step.seq)
    assert.equal(step.entries.length > 0, at === last)
    if (at < last) says(t('closed.whyLedgerWith', { number: last + 1 }))
    for (const entry of step.entries) {
      says(t(`closed.entries.${entry.reason}`))
      says(format.number(entry.amount, 2, 6).replace('-', '−'))
      says(format.number(entry.balance, 2, 6))
    }
  }
  const rest = steps.at(-1)
  assert.ok(rest.orderId === null && Number(rest.closedQuantity) > 0 && rest.deleveraged.length === 0, 'the fund took the rest over')
  await cards.nth(steps.length - 1).scrollIntoViewIfNeeded()
  await see('why-last')
}

export async function readsClosed({ page, t, go, format, see }: Reader, ended: any): Promise<void> {
  await go('/entrust?product=perp&tab=closed')
  const line = page.getByRole('tabpanel').getByRole('listitem').first()
  await line.getByText(t('closed.cause.liquidation')).waitFor()
  await see('closed')
  await line.getByRole('button').click()
  const sheet = page.getByRole('dialog')
  const money = (text: string): string => `${format.sum(text, 'USDT', true)} USDT`
  const price = (text: string): string => `${format.price(text, 1)} USDT`
  const loss = (text: string): string => `−${format.usdt(text.replace('-', ''))} USDT`
  const figures: Readonly<Record<string, string>> = {
    'closed.result': t('closed.results.loss'),
    'closed.settleProfit': loss(ended.settleProfit),
    'closed.openPrice': price(ended.openPrice),
    'closed.openQuantity': `${format.exact(ended.openQuantity)} BTC`,
    'closed.openAmount': money(ended.openAmount),
    'closed.totalOpenAmount': money(ended.totalOpenAmount),
    'closed.settlePrice': price(ended.settlePrice),
    'positions.realised': loss(ended.realised),
    'closed.fees': money(ended.fees),
    'positions.fundingTitle': loss(ended.funding),
    'closed.closedBy': t('closed.cause.liquidation'),
    'closed.completedAt': format.dateTime(ended.completedAt),
  }
  const rows = await sheet.locator('dl > div').evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent)))
  for (const [key, value] of Object.entries(figures))
    assert.equal(rows.find(([label]) => label === t(key))?.[1], value, `${key}: ${JSON.stringify(rows)}`)
  await see('closed-sheet')
  await sheet.getByRole('button', { name: t('closed.why'), exact: true }).click()
  await sheet.getByRole('article').first().waitFor()
  await page.keyboard.press('Escape')
}
