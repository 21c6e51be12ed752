import { fieldOf, touches, type Stumble, types } from './scene.ts'

export const orders: Stumble = {
  number: 12,
  does: 'an order is swiped away and placed again, changed in its row with errors at the field, all are cancelled by a hold, and the history has dates',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    const place = (clientId: string, price: string) =>
      world.done(user, '/spot/orders', { clientId, symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.002' })
    await place('one', '59000')
    await go('/entrust')
    const rows = page.getByRole('article').filter({ has: page.getByRole('button', { name: t('orders.cancel'), exact: true }) })
    await rows.first().waitFor()
    await touches(scene, rows.first(), { x: -140 })
    await page.locator('button[aria-hidden]', { hasText: t('orders.cancel') }).waitFor()
    await see('swiped')
    await page.locator('button[aria-hidden]', { hasText: t('orders.cancel') }).tap()
    await page
      .getByRole('button', { name: t('orders.placeAgain'), exact: true })
      .last()
      .tap()
    await rows.first().waitFor()
    await see('again')

    await page
      .getByRole('button', { name: t('orders.change'), exact: true })
      .first()
      .tap()
    const row = page.getByRole('form', { name: t('orders.changeTitle', { pair: 'BTC/USDT' }) })
    await types(fieldOf(scene, row, 'trade.price'), '90000')
    await row.getByRole('button', { name: t('orders.change'), exact: true }).tap()
    await row.getByRole('alert').first().waitFor()
    await see('wrong')
    await types(fieldOf(scene, row, 'trade.price'), '59100')
    await row.getByRole('button', { name: t('orders.change'), exact: true }).tap()
    await page.getByText(t('orders.changed')).first().waitFor()

    await place('two', '58900')
    await rows.nth(1).waitFor()
    const all = page.getByRole('button', { name: t('orders.cancelAll'), exact: true })
    await touches(scene, all, { ms: 2_000 })
    await page.getByText(t('orders.noneOpen')).waitFor()
    await see('none')
    await page.getByRole('tab', { name: t('orders.history') }).tap()
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
    await page.getByLabel(t('closed.dates.label')).selectOption('7')
    await page.getByRole('tabpanel').getByRole('listitem').nth(2).waitFor()
    await see('dates')
  },
}
