import type { Locator } from 'playwright-core'
import { fieldOf, type Stumble, ticketOf, types } from './scene.ts'

export const exits: Stumble = {
  number: 13,
  does: 'a position gets several exits, is closed in part at the market or a limit, and shared as a picture; TWAP and scaled orders are in the list of kinds',
  async run(scene) {
    const { page, t, go, user, see, world, format } = scene
    await world.done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
    await world.makesBook('BTCUSDTPERP')
    const open = { clientId: 'open', symbol: 'BTCUSDTPERP', side: 'buy', type: 'market', quantity: '0.04' }
    await world.done(user, '/perp/orders', open)
    await go('/contract?symbol=BTCUSDTPERP')
    const card = page.getByRole('tabpanel').getByRole('article').first()
    await card.getByRole('button', { name: t('perp.exits') }).tap()
    const sheet = page.getByRole('dialog', { name: t('positions.exitsTitle', { pair: 'BTC/USDT' }) })
    await sheet.getByRole('radio', { name: new RegExp(`^${t('exits.several')}`) }).tap()
    const exit = async (kind: 'takeProfit' | 'stopLoss', trigger: string, share: string, count: number): Promise<void> => {
      await sheet.getByRole('radio', { name: t(`perp.${kind}`), exact: true }).tap()
      await types(fieldOf(scene, sheet, 'trade.trigger'), trigger)
      await sheet.getByRole('button', { name: share, exact: true }).tap()
      await sheet.getByRole('button', { name: t(`exits.add.${kind}`) }).tap()
      await sheet.getByRole('listitem').nth(count).waitFor()
    }
    await exit('takeProfit', '64000', format.percent('25', 0), 0)
    await exit('takeProfit', '66000', format.percent('50', 0), 1)
    await exit('stopLoss', '57000', t('positions.wholePosition'), 2)
    await see('exits')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await see('card')

    await card.getByRole('button', { name: t('perp.close'), exact: true }).tap()
    const closing: Locator = page.getByRole('dialog')
    for (const percent of ['25', '50', '75', '100'])
      await closing.getByRole('radio', { name: format.percent(percent, 0), exact: true }).waitFor()
    await closing.getByRole('radio', { name: format.percent('25', 0), exact: true }).tap()
    await see('close')
    await closing.getByRole('button', { name: t('positions.closeNow', { quantity: `${format.number('0.01', 5)} BTC` }) }).tap()
    await card.getByText(format.number('0.03', 5), { exact: true }).waitFor()
    await closing.waitFor({ state: 'hidden' })

    await card.getByRole('button', { name: t('orders.shareResult') }).tap()
    const picture = page.getByRole('dialog', { name: t('share.title') })
    await picture.getByRole('img').first().waitFor()
    await see('share')
    await page.keyboard.press('Escape')
    await picture.waitFor({ state: 'hidden' })

    await ticketOf(scene)
      .getByRole('button', { name: t('trade.kind.limit'), exact: true })
      .tap()
    await page.getByRole('radio', { name: new RegExp(`^${t('algo.title.scaled')}`) }).waitFor()
    await see('kinds')
    await page.getByRole('radio', { name: new RegExp(`^${t('algo.title.twap')}`) }).tap()
    await page.getByRole('dialog', { name: t('algo.title.twap') }).waitFor()
    await see('twap')
  },
}
