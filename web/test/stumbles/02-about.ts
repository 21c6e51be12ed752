import { choosesKind, fieldOf, type Stumble, ticketOf, types } from './scene.ts'

export const about: Stumble = {
  number: 2,
  does: 'a market order shows the average price from the depth of the book, the slippage, what can be filled, and “about”',
  async run(scene) {
    const { page, t, go, format, see, world } = scene
    await world.makes('sell', '60010', '0.01')
    await world.makes('sell', '60130', '0.02')
    await go('/spot?symbol=BTCUSDT')
    const ticket = ticketOf(scene)
    await choosesKind(scene, 'limit', 'market')
    const quantity = fieldOf(scene, ticket, 'trade.quantity')
    await types(quantity, '0.03')
    // (60,010 + 2 × 60,130) ÷ 3
    await ticket.getByText(`≈ ${format.number('60090', 1, 1)}`).waitFor()
    await ticket
      .locator('dl > div', { hasText: t('orders.est.slippage') })
      .getByText(/\d/)
      .waitFor()
    await ticket
      .locator('dl > div', { hasText: t('orders.est.receive') })
      .getByText(/BTC/)
      .waitFor()
    await see('ticket')
    await types(quantity, '0.1')
    const part = t('orders.partOf', { part: format.number('0.03'), whole: `${format.number('0.1')} BTC` })
    await ticket.getByRole('note').getByText(part).waitFor()
    await see('short')
    await types(quantity, '0.03')
    await ticket.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) }).tap()
    const sheet = page.getByRole('dialog')
    await sheet
      .locator('dl > div', { hasText: t('orders.est.average') })
      .getByText(/60.?090/)
      .waitFor()
    await sheet.locator('dl > div', { hasText: t('orders.est.receive') }).waitFor()
    await see('sheet')
    await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).tap()
    await page.getByText(t('orders.bought', { quantity: `${format.number('0.03', 5, 5)} BTC` })).waitFor()
    await see('told')
  },
}
