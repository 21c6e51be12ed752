/** Steps with several exits of one position, and with the picture of its result. */
import assert from 'node:assert/strict'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Locator } from 'playwright-core'
import type { TestUser } from '../../server/main/test/exchange.ts'
import type { Person } from './person.ts'
import { sharesResult } from './results.ts'

/** A user, the card of a position that has two exits, and prices as parts of its entry. */
type Protected = { readonly user: TestUser; readonly card: Locator; readonly at: (factor: number) => string }

/** Two exits of parts beside those of the whole; one moves, the other is cancelled. */
export async function addsParts(someone: Person, { user, card, at }: Protected): Promise<void> {
  const { page, t, format } = someone
  await card.getByRole('button', { name: t('perp.exits') }).click()
  const sheet = page.getByRole('dialog', { name: t('positions.exitsTitle', { pair: 'BTC/USDT' }) })
  await sheet.getByRole('radio', { name: `${t('exits.several')} (2)` }).click()
  const field = (name: string): Locator => sheet.getByLabel(new RegExp(`^${t(name)} `)).first()
  const add = async (kind: 'takeProfit' | 'stopLoss'): Promise<void> => {
    // Two taps add one exit.
    await sheet.getByRole('button', { name: t(`exits.add.${kind}`) }).dblclick()
  }
  await field('trade.trigger').fill(at(0.9))
  await sheet.getByText(t('positions.mustBeAbove')).waitFor()
  await field('trade.trigger').fill(at(1.2))
  await sheet.getByRole('button', { name: format.percent('25', 0), exact: true }).click()
  await sheet.getByRole('radio', { name: t('trade.kind.limit'), exact: true }).click()
  await field('trade.price').fill(at(1.19))
  await add('takeProfit')
  await sheet.getByRole('listitem').nth(2).waitFor()
  await sheet.getByRole('radio', { name: t('perp.stopLoss'), exact: true }).click()
  await sheet.getByRole('radio', { name: t('trade.kind.market'), exact: true }).click()
  await field('trade.trigger').fill(at(0.9))
  await add('stopLoss')
  await sheet.getByRole('listitem').nth(3).waitFor()
  await sheet
    .getByRole('button', { name: t('exits.change', { kind: t('perp.takeProfit'), price: format.exact(at(1.2) as Decimal) }) })
    .click()
  const changing = sheet.getByRole('form', { name: t('orders.changeTitle', { pair: 'BTC/USDT' }) })
  await changing
    .getByLabel(new RegExp(`^${t('trade.trigger')} `))
    .first()
    .fill(at(1.25))
  await changing.getByRole('button', { name: t('orders.change'), exact: true }).click()
  await sheet.getByText(format.exact(at(1.25) as Decimal), { exact: true }).waitFor()
  await sheet
    .getByRole('button', { name: t('exits.cancel', { kind: t('perp.stopLoss'), price: format.exact(at(0.9) as Decimal) }) })
    .click()
  await sheet.getByRole('listitem').nth(3).waitFor({ state: 'hidden' })
  const { body } = await user.call('GET', '/perp/orders/open')
  const parts = body.orders.filter(({ perp }: WireOrder) => perp?.closing === false)
  assert.deepEqual(
    parts.map((one: WireOrder) => [
      Number(one.trigger?.kind === 'stop' ? one.trigger.price : 0),
      Number(one.price),
      Number(one.quantity),
      one.perp?.reduceOnly,
    ]),
    [[Number(at(1.25)), Number(at(1.19)), 0.005, true]],
  )
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await card.getByText('+1', { exact: true }).waitFor()
  await sharesResult(someone, () => card.getByRole('button', { name: t('orders.shareResult') }).click(), `BTC/USDT, ${t('perp.long')} 5×`)
}

/** A second position beside the first; both are closed by holding a button. */
export async function closesAll({ page, t }: Person, user: TestUser): Promise<void> {
  const second = { clientId: 'second', symbol: 'ETHUSDTPERP', side: 'buy', type: 'market', quantity: '0.1' }
  const { status, body } = await user.call('POST', '/perp/orders', second)
  assert.ok(status < 300, JSON.stringify(body))
  await page.getByRole('button', { name: t('positions.closeAll.open') }).click()
  const sheet = page.getByRole('dialog', { name: t('positions.closeAll.title') })
  const hold = sheet.getByRole('button', { name: t('positions.closeAll.hold') })
  await hold.click()
  await sheet.getByText(t('positions.closeAll.hint')).waitFor()
  await hold.focus()
  await page.keyboard.down('Enter')
  const [before = '', after = ''] = t('positions.closed', { quantity: '|' }).split('|')
  const closed = sheet.getByText(new RegExp(`^${RegExp.escape(before)}.+${RegExp.escape(after)}$`))
  await closed.nth(1).waitFor()
  await page.keyboard.up('Enter')
  await sheet.getByRole('button', { name: t('common.done') }).click()
  await page.getByText(t('positions.noPositions')).waitFor()
}

/** A resting limit order carries both exits; after a cancel nothing is left. */
