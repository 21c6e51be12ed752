import assert from 'node:assert/strict'
import { fieldOf, touches, type Stumble, ticketOf } from './scene.ts'

export const book: Stumble = {
  number: 10,
  does: 'the book has twelve levels a side below the chart, sums, the spread in its middle, and a long press takes price and quantity',
  async run(scene) {
    const { page, t, go, see, world, numbersIn } = scene
    await world.makesBook()
    await go('/contractkline?symbol=BTCUSDT')
    const levels = page.getByRole('region', { name: t('trade.book') })
    const rows = levels.locator('button.tn')
    await rows.nth(23).waitFor()
    await rows.nth(23).scrollIntoViewIfNeeded()
    await see('chart')

    await go('/spot?symbol=BTCUSDT')
    await rows.nth(17).waitFor()
    await levels.getByText(t('trade.spread', { value: '' }).trim()).waitFor()
    await levels.getByRole('button', { name: `${t('trade.size')} (BTC)` }).tap()
    await levels.getByRole('button', { name: `${t('trade.sum')} (BTC)` }).waitFor()
    const sums = (await rows.locator('span:last-child').allInnerTexts()).flatMap(numbersIn)
    const bids = sums.slice(sums.length / 2)
    assert.deepEqual(
      bids,
      bids.toSorted((a, b) => a - b),
    )
    await see('sums')
    const third = rows.nth(11)
    const [price] = numbersIn(await third.locator('span').nth(1).innerText())
    await touches(scene, third, { ms: 700 })
    const ticket = ticketOf(scene)
    const taken = async (name: string): Promise<number> => numbersIn(await fieldOf(scene, ticket, name).inputValue())[0] ?? 0
    await world.until('the quantity', async () => ((await taken('trade.quantity')) > 0 ? true : undefined))
    assert.equal(await taken('trade.price'), price)
    await see('taken')
  },
}
