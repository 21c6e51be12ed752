import assert from 'node:assert/strict'
import { readNumber } from '../../parts/fields/read.ts'
import { fieldOf, pastes, type Stumble, ticketOf, types } from './scene.ts'

export const numbers: Stumble = {
  number: 3,
  does: 'numbers are typed and pasted as the language or the source writes them, grouped in the field, and kept over a change of side and unit',
  async run(scene) {
    const { page, t, go, format, see, lang } = scene
    await go('/spot?symbol=BTCUSDT')
    const ticket = ticketOf(scene)
    const price = fieldOf(scene, ticket, 'trade.price')
    const quantity = fieldOf(scene, ticket, 'trade.quantity')
    const shows = async (field: typeof price, value: string): Promise<void> => {
      assert.equal(Number(readNumber(await field.inputValue(), format.marks)), Number(value))
    }
    // The language decides about a text with two readings.
    await pastes(scene, quantity, '1,000')
    await shows(quantity, lang === 'de' ? '1' : '1000')
    for (const text of ['104,500.5', '104.500,5', '104 500.5', '104500.5', 'USDT 104,500.5']) {
      await pastes(scene, price, text)
      assert.equal(await price.inputValue(), format.number('104500.5'), text)
    }
    await pastes(scene, price, '104.533,1')
    assert.equal(await price.inputValue(), format.number('104533.1'))
    await see('pasted')
    // A thumb types the sign of its own keyboard.
    await types(quantity, format.marks.decimal === ',' ? '0,0123' : '0.0123')
    await quantity.blur()
    await shows(quantity, '0.0123')
    await ticket.getByRole('radio', { name: t('trade.sell'), exact: true }).tap()
    await shows(quantity, '0.0123')
    await see('side')
    await ticket.getByRole('button', { name: `${t('trade.amountIn')}: BTC` }).tap()
    await shows(fieldOf(scene, ticket, 'trade.total'), '1285.75713')
    await see('unit')
    await ticket.getByRole('button', { name: `${t('trade.amountIn')}: USDT` }).tap()
    await shows(quantity, '0.0123')

    await go('/property')
    await page
      .getByText(format.number('1', 8, 8), { exact: true })
      .first()
      .waitFor()
    await page.getByText(format.usdt('10000'), { exact: true }).first().waitFor()
    await see('assets')
  },
}
