import { type Stumble } from './scene.ts'

export const portfolio: Stumble = {
  number: 14,
  does: 'each holding has its average cost and profit, and the total is shown in another unit',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    // What a coin is worth follows its last trade.
    for (const [price, quantity, spend] of [
      ['60000', '0.05', '3000'],
      ['61200', '0.001', '61.2'],
    ] as const) {
      await world.makes('sell', price, quantity)
      await world.done(user, '/spot/orders', { clientId: price, symbol: 'BTCUSDT', side: 'buy', type: 'market', spend })
    }
    await go('/property')
    const holding = page
      .getByRole('button')
      .filter({ hasText: 'BTC' })
      .filter({ hasText: t('costs.short') })
    await holding.scrollIntoViewIfNeeded()
    await see('holdings')
    await holding.tap()
    await page.getByRole('dialog').getByText(t('costs.unrealised')).waitFor()
    await see('coin')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `USDT. ${t('assets.switchUnit')}` }).tap()
    const sheet = page.getByRole('dialog', { name: t('costs.unit') })
    await sheet.getByRole('radio', { name: /^BTC/ }).tap()
    await page.getByRole('button', { name: `BTC. ${t('assets.switchUnit')}` }).waitFor()
    await see('unit')
  },
}
