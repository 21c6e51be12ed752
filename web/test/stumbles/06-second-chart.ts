import { type Stumble } from './scene.ts'

/** Answers of the admission. */
const answers = { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 }

export const secondChart: Stumble = {
  number: 6,
  does: 'the chart of Second begins with the tape from before, has axes, and shows strike, window and end of an order that is placed by two taps',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    await world.done(user, '/option/knowledge', { answers })
    await world.done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'option', amount: '500' })
    for (let step = 0; step < 40; step += 1) {
      world.time.ahead += 1_000
      await world.index({ btc: 60_000 + Math.round(60 * Math.sin(step / 5) + step) })
    }
    await go('/Second?symbol=BTCUSDT')
    const [before = ''] = t('option.chartSays', { pair: 'BTC/USDT', price: '|', low: '', high: '' }).split('|')
    await page.getByRole('img', { name: new RegExp(`^${RegExp.escape(before)}`) }).waitFor()
    await see('tape')
    const ticket = page.getByRole('region', { name: t('option.ticket') })
    await ticket.getByRole('radio').first().tap()
    await ticket.getByRole('button', { name: '10', exact: true }).tap()
    await ticket.getByRole('button', { name: new RegExp(`^${t('option.side.up')}`) }).tap()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('settled.place'), exact: true })
      .tap()
    await page.getByText(t('settled.accepted')).waitFor()
    await page.getByRole('tabpanel').getByRole('listitem').waitFor()
    const order = await world.until('the strike', async () => {
      const { body } = await user.call('GET', '/option/orders/open')
      return body.orders[0]?.strike === undefined ? undefined : body.orders[0]
    })
    for (const move of [20, 45, 30]) await world.index({ btc: Number(order.strike) + move })
    await page.locator('[role=img]').first().scrollIntoViewIfNeeded()
    await see('order')
    while (world.time.ahead + Date.now() < order.expiresAt + 100) {
      world.time.ahead += 1_000
      await world.index()
    }
    await world.index()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('common.done'), exact: true })
      .waitFor()
    await see('result')
  },
}
