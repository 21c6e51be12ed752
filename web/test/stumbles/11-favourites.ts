import assert from 'node:assert/strict'
import { touches, type Stumble } from './scene.ts'

export const favourites: Stumble = {
  number: 11,
  does: 'a star keeps a market with the account, a long press opens its menu, and the list is sorted by volume',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    await go('/market')
    await page
      .getByRole('button', { name: t('markets.starOf', { pair: 'ETH/USDT' }) })
      .first()
      .tap()
    await world.until('the star', async () => {
      const { body } = await user.call('GET', '/preferences/favourites')
      return body.value?.symbols.includes('ETHUSDT') ? true : undefined
    })
    const byVolume = page.getByRole('button', { name: new RegExp(`^${t('markets.volume')}, `) })
    // The list begins with the largest volume; a tap turns it round, another one back.
    await byVolume.tap()
    await byVolume.tap()
    await see('list')
    await page.getByRole('tab', { name: t('markets.favourites') }).tap()
    await page.getByRole('button', { name: /^BTC/ }).first().waitFor({ state: 'detached' })
    const row = page.getByRole('button', { name: /^ETH/ }).first()
    await row.waitFor()
    await touches(scene, row, { ms: 800 })
    const menu = page.getByRole('dialog', { name: 'ETH/USDT' })
    await menu.getByRole('button', { name: t('markets.unstar') }).waitFor()
    await see('menu')
    await menu.getByRole('button', { name: t('markets.trade', { pair: 'ETH/USDT' }) }).tap()
    await page.getByRole('button', { name: t('trade.choosePair', { pair: 'ETH/USDT' }) }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  },
}
