import { touches, type Stumble } from './scene.ts'

export const chartLines: Stumble = {
  number: 9,
  does: 'own orders are lines on the chart, which a finger moves, and which are cancelled there',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    const place = (clientId: string, order: object) => world.done(user, '/spot/orders', { clientId, symbol: 'BTCUSDT', ...order })
    for (let at = 0; at < 6; at += 1) {
      await world.makes('sell', String(60_000 + ((at * 70) % 160)), '0.01')
      await place(`t${at}`, { side: 'buy', type: 'market', quantity: '0.01' })
      world.time.ahead += 60_000
      await world.index()
    }
    const { order } = await place('line', { side: 'buy', type: 'limit', price: '60010', quantity: '0.002' })
    await go('/contractkline?symbol=BTCUSDT')
    const line = page.locator('[role=slider][aria-valuenow="60010"]')
    await line.waitFor()
    await see('line')
    await touches(scene, line, { y: 24 })
    const words = t('chart.own.changeTo', { price: '|' }).split('|').map(RegExp.escape)
    const change = page.getByRole('button', { name: new RegExp(`^${words.join('.+')}$`) })
    await change.waitFor()
    await see('moved')
    await change.tap()
    await page.getByText(t('orders.changed')).waitFor()
    await world.until('the new price', async () => {
      const { body } = await user.call('GET', '/spot/orders/open')
      return body.orders.some((one: { id: string; price: string }) => one.price !== order.price) ? true : undefined
    })
    await page.locator('[data-held]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: new RegExp(`^${t('orders.cancel')}: `) }).tap()
    await page.getByRole('button', { name: t('orders.placeAgain') }).waitFor()
    await see('cancelled')
  },
}
