import assert from 'node:assert/strict'
import { fieldOf, type Stumble, ticketOf, types } from './scene.ts'

export const shortPhone: Stumble = {
  number: 5,
  does: 'on a phone of 390×664 both buttons of the Futures desk are in view, also after scrolling, and send the order',
  async run(scene) {
    const { page, t, go, user, see, world } = scene
    await world.done(user, '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
    await world.makesBook('BTCUSDTPERP')
    await page.setViewportSize({ width: 390, height: 664 })
    await go('/contract?symbol=BTCUSDTPERP')
    const ticket = ticketOf(scene)
    const buttons = ['perp.buyLong', 'perp.sellShort'].map((name) => ticket.getByRole('button', { name: t(name), exact: true }))
    const isInView = async (when: string): Promise<void> => {
      const bar = await page.getByRole('navigation', { name: t('shell.tabs') }).boundingBox()
      for (const button of buttons) {
        const box = await button.boundingBox()
        assert.ok(box !== null && bar !== null && box.y >= 0 && box.y + box.height <= bar.y, `${when}: ${JSON.stringify(box)}`)
      }
    }
    await buttons[0]!.waitFor()
    await isInView('at first')
    await see('desk')
    await types(fieldOf(scene, ticket, 'trade.size'), '0.002')
    await isInView('while typing')
    await buttons[0]!.tap()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: t('trade.confirm'), exact: true }).tap()
    await sheet.waitFor({ state: 'detached' })
    await page.mouse.wheel(0, 240)
    await see('scrolled')
  },
}
