import { fieldOf, type Stumble, ticketOf, types } from './scene.ts'

export const partialFill: Stumble = {
  number: 1,
  does: 'an immediate sale of 0.15 BTC that finds bids for 0.03004 says before and after what it sold, and what was cancelled',
  async run(scene) {
    const { page, t, go, format, see, world } = scene
    await world.makes('buy', '59990', '0.02')
    await world.makes('buy', '59800', '0.01004')
    await go('/spot?symbol=BTCUSDT')
    const ticket = ticketOf(scene)
    await ticket.getByRole('radio', { name: t('trade.sell'), exact: true }).tap()
    await types(fieldOf(scene, ticket, 'trade.price'), '59700')
    await types(fieldOf(scene, ticket, 'trade.quantity'), '0.15')
    await ticket.getByRole('button', { name: t('trade.options'), exact: true }).tap()
    await ticket.getByText('IOC', { exact: true }).tap()
    const part = t('orders.partOf', { part: format.number('0.03004'), whole: `${format.number('0.15')} BTC` })
    await ticket.getByRole('note').getByText(part).waitFor()
    await see('ticket')
    await ticket.getByRole('button', { name: t('trade.sellCoin', { coin: 'BTC' }) }).tap()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(part, { exact: true }).waitFor()
    await see('sheet')
    await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).tap()
    const [before = ''] = t('orders.soldPart', { part, price: '|' }).split('|')
    await page.getByText(before).first().waitFor()
    await page.getByText(t('orders.restCancelled'), { exact: true }).waitFor()
    await see('told')

    // The history tells the same.
    await page
      .getByRole('button', { name: t('orders.history'), exact: true })
      .last()
      .tap()
    const row = page.getByRole('tabpanel').getByRole('listitem').first()
    await row.getByText(t('orders.cut'), { exact: true }).waitFor()
    await row.getByText(part).waitFor()
    await row.getByRole('button').tap()
    await sheet.getByText(part, { exact: true }).waitFor()
    await see('order')
  },
}
