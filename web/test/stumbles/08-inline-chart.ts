import assert from 'node:assert/strict'
import { type Stumble } from './scene.ts'

export const inlineChart: Stumble = {
  number: 8,
  does: 'the small chart is open on a tall phone, has intervals, and stays closed or open as its owner left it',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    await world.makes('sell', '60005', '0.01')
    await world.done(user, '/spot/orders', { clientId: 'a', symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '100' })
    await go('/spot?symbol=BTCUSDT')
    const button = page.getByRole('button', { name: t('trade.miniChart'), exact: true })
    const chart = page.getByRole('group', { name: t('trade.miniChart') })
    await chart.waitFor()
    assert.equal(await button.getAttribute('aria-pressed'), 'true')
    await chart.getByRole('button').nth(1).tap()
    await see('open')
    const kept = () => page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/preferences/layout'))
    let stored = kept()
    await button.tap()
    await stored
    await chart.waitFor({ state: 'detached' })
    await page.reload()
    await page.waitForFunction((one) => one?.getAttribute('aria-pressed') === 'false', await button.elementHandle())
    await see('closed')
    stored = kept()
    await button.tap()
    await stored
    await chart.waitFor()
  },
}
