import { type Stumble } from './scene.ts'

export const told: Stumble = {
  number: 4,
  does: 'a fill elsewhere is told once at the top with View, is unread behind the bell over a reload, and leads to the order',
  async run(scene) {
    const { page, t, go, user, see, world, format } = scene
    const place = (clientId: string, price: string) =>
      world.done(user, '/spot/orders', { clientId, symbol: 'BTCUSDT', side: 'sell', type: 'limit', price, quantity: '0.01' })
    await place('one', '60000')
    await go('/')
    // Whoever waits for an order of a second is answered at the ticket.
    world.time.ahead += 5_000
    await world.makes('buy', '60000', '0.01')
    const text = `BTC/USDT · ${t('orders.sold', { quantity: `${format.exact('0.01000')} BTC` })}`
    const notice = page.locator('[data-notice]')
    await notice.getByText(text).waitFor()
    // It stays while somebody points at it.
    await notice.locator('.toast').hover()
    await see('told')
    const unread = page.getByRole('link', { name: new RegExp(`^${RegExp.escape(t('notices.title'))}: `) })
    await unread.waitFor()
    await page.reload()
    await unread.waitFor()
    await see('bell')
    await unread.tap()
    const entry = page.getByRole('listitem').filter({ hasText: t('notices.kind.order-filled.title') })
    await entry.first().waitFor()
    await see('list')

    // View leads to the order itself, from any screen.
    await place('two', '60001')
    world.time.ahead += 5_000
    await go('/market')
    await world.makes('buy', '60001', '0.01')
    await notice.getByRole('button', { name: t('notices.view') }).tap()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(t('orders.filled'), { exact: true }).first().waitFor()
    await see('order')
  },
}
