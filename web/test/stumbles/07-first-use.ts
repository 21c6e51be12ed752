import assert from 'node:assert/strict'
import { fieldOf, type Stumble, ticketOf, types } from './scene.ts'

export const firstUse: Stumble = {
  number: 7,
  does: 'with an empty account the main button gets practice funds or transfers them, the typed order stays, and home lists the next steps',
  funds: {},
  async run(scene) {
    const { page, t, go, see, numbersIn } = scene
    await go('/spot?symbol=BTCUSDT')
    const ticket = ticketOf(scene)
    const quantity = fieldOf(scene, ticket, 'trade.quantity')
    await types(quantity, '0.0123')
    await quantity.blur()
    await see('empty')
    await ticket.getByRole('button', { name: t('first.practice') }).tap()
    await page.getByText(t('first.practiceDone')).waitFor()
    await ticket.getByRole('button', { name: t('trade.buyCoin', { coin: 'BTC' }) }).waitFor()
    assert.deepEqual(numbersIn(await quantity.inputValue()), [0.0123])
    await see('funded')

    await go('/contract?symbol=BTCUSDTPERP')
    const size = fieldOf(scene, ticket, 'trade.size')
    await types(size, '0.02')
    await size.blur()
    await ticket.getByRole('button', { name: t('first.transfer', { asset: 'USDT' }) }).tap()
    const sheet = page.getByRole('dialog', { name: t('accounts.move.title') })
    await sheet.getByRole('button', { name: /^50\s?%/ }).tap()
    await see('transfer')
    await sheet.getByRole('button', { name: t('accounts.move.now') }).tap()
    await sheet.waitFor({ state: 'hidden' })
    await ticket.getByRole('button', { name: t('perp.buyLong'), exact: true }).waitFor()
    assert.deepEqual(numbersIn(await size.inputValue()), [0.02])
    await see('futures')

    await go('/')
    await page.getByText(t('home.next'), { exact: true }).waitFor()
    await page.getByText(t('home.next'), { exact: true }).scrollIntoViewIfNeeded()
    await see('steps')
  },
}
