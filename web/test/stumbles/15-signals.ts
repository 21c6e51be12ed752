import { programOf } from '../../../server/programs/test/program.ts'
import { type Stumble, types } from './scene.ts'

export const signals: Stumble = {
  number: 15,
  does: 'a key gets an address for alerts, an alert is tried, one that comes becomes an order, one over the limit is refused, and both are listed',
  funds: { USDT: '1000' },
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    await world.makes('sell', '60000', '1')
    await programOf(world.exchange.url, user)
    await go('/apikeys')
    await page.getByRole('button', { name: /test/ }).tap()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: new RegExp(RegExp.escape(t('apikeys.signals'))) }).tap()
    await sheet.getByText(t('signals.never')).waitFor()
    const turnOn = sheet.getByRole('button', { name: t('signals.turnOn') })
    await turnOn.tap()
    await sheet.getByRole('radio', { name: 'TradingView' }).tap()
    await types(sheet.getByLabel(t('signals.markets'), { exact: true }), 'btcusdt')
    await types(sheet.getByLabel(t('apikeys.password'), { exact: true }), user.password)
    await see('terms')
    await turnOn.tap()
    await sheet.getByText(t('signals.addressOnce')).waitFor()
    const address = (await sheet.locator('code').textContent()) ?? ''
    await see('address')
    await sheet.getByRole('button', { name: t('apikeys.saved') }).tap()
    await sheet.getByText(t('signals.isOn')).waitFor()
    await sheet.getByRole('button', { name: t('signals.trialSend'), exact: true }).tap()
    await sheet.getByRole('status').filter({ hasText: 'BTCUSDT' }).waitFor()
    await see('tried')
    for (const quantity of ['0.001', '1'])
      await fetch(address, { method: 'POST', body: JSON.stringify({ symbol: 'BTCUSDT', side: 'buy', quantity }) })
    await sheet.getByText(t('signals.placed')).waitFor()
    await sheet.getByText(t('signals.refused'), { exact: true }).tap()
    await sheet.getByText(t('refusals.SIGNAL_SIZE')).waitFor()
    await see('log')
  },
}
