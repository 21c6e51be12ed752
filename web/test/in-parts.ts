import type { Person } from './person.ts'

/** Places a TWAP order, follows it above the open orders, ends it, and finds it among those that have ended. */
export async function buysInParts({ page, t, go }: Person): Promise<void> {
  await go('/spot?symbol=BTCUSDT')
  const ticket = page.getByRole('region', { name: t('trade.ticket') })
  await ticket.getByRole('button', { name: t('trade.kind.limit'), exact: true }).click()
  await page.getByRole('radio', { name: t('algo.title.twap') }).click()
  const sheet = page.getByRole('dialog')
  const buy = sheet.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }), exact: true })
  await buy.click()
  await sheet.getByText(t('refusals.QUANTITY_INVALID')).waitFor()
  await sheet.getByLabel(new RegExp(`^${t('trade.quantity')} `)).fill('0.02')
  await sheet.getByText(t('algo.endsAt')).waitFor()
  await saves(page, 'twap-sheet')
  await buy.click()
  const confirm = page.getByRole('dialog').last()
  await confirm.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }), exact: true }).waitFor()
  await saves(page, 'twap-confirm')
  await confirm.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }), exact: true }).dblclick()
  await page.getByText(t('algo.placed')).first().waitFor()
  // Another list may be shown since earlier.
  await page.getByRole('tab', { name: t('orders.tab.orders'), exact: true }).click()
  const running = page.getByRole('region', { name: t('algo.running') })
  await running.getByText(t('algo.title.twap')).waitFor()
  await running.scrollIntoViewIfNeeded()
  await saves(page, 'twap-card')
  await running.getByRole('button', { name: t('algo.stop'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('algo.stop'), exact: true })
    .click()
  await running.waitFor({ state: 'detached' })
  await go('/entrust?product=spot&tab=open')
  await running.getByRole('button', { name: t('algo.ended') }).click()
  const ended = page.getByRole('dialog')
  await ended.getByText(t('algo.end.cancelled')).waitFor()
  await saves(page, 'twap-ended')
  await page.keyboard.press('Escape')
  await ended.waitFor({ state: 'hidden' })
  await go('/spot?symbol=BTCUSDT')
}

/** Saves a picture into the folder that `CANDOR_PICTURES` names, if it names one. */
async function saves(page: Person['page'], name: string): Promise<void> {
  const folder = process.env['CANDOR_PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}
