/** Exits of a Futures position on the chart: dragged by finger and keys, one that would act at once, and one behind the liquidation. */
import assert from 'node:assert/strict'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Browser } from 'playwright-core'
import type { TestExchange, TestUser } from '../../server/main/test/exchange.ts'
import { handsOf } from './lines.ts'
import { langsOr, type Person, person } from './person.ts'
import { pictured } from './sights.ts'

const symbol = 'BTCUSDTPERP'

/** A long of 0.02 BTC at leverage 10, with exits by factors of its entry: of the whole, and a take profit of a half. */
async function opens(user: TestUser): Promise<{ readonly at: (factor: number) => string; readonly liquidation: string }> {
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await user.call('POST', path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
  }
  await post('/sandbox/certify', {})
  await post('/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '3000' })
  await post('/perp/leverage', { symbol, leverage: 10 })
  await post('/perp/orders', { clientId: 'open', symbol, side: 'buy', type: 'market', quantity: '0.02' })
  const { positions } = (await user.call('GET', '/perp/account')).body
  const entry = Number(positions[0].entryPrice)
  const at = (factor: number): string => (Math.round(entry * factor * 10) / 10).toFixed(1)
  const exit = (clientId: string, factor: number, more: object) =>
    post('/perp/orders', {
      ...{ clientId, symbol, side: 'sell', type: 'market', ...more, triggerBy: 'mark' },
      trigger: { kind: 'stop', price: at(factor), direction: factor > 1 ? 'rises-to' : 'falls-to' },
    })
  await exit('whole-profit', 1.06, { closing: true })
  await exit('half-profit', 1.04, { reduceOnly: true, quantity: '0.01' })
  await exit('whole-loss', 0.93, { closing: true })
  return { at, liquidation: positions[0].liquidationPrice }
}

async function dragsExits(someone: Person, user: TestUser): Promise<void> {
  const { page, t, go, format } = someone
  const { at, liquidation } = await opens(user)
  const exits = async (): Promise<readonly number[]> => {
    const { orders } = (await user.call('GET', '/perp/orders/open')).body as { orders: readonly WireOrder[] }
    return orders.map(({ trigger }) => Number(trigger?.kind === 'stop' ? trigger.price : 0)).sort((a, b) => b - a)
  }
  await go(`/contractkline?symbol=${symbol}`)
  const { lineAt, widens, drag, touch } = await handsOf(someone)
  const [profit, half, loss] = [at(1.06), at(1.04), at(0.93)]
  await lineAt(loss).waitFor({ state: 'attached' })
  await widens([profit, half, loss, liquidation])
  const change = page.getByRole('button', { name: new RegExp(`^${t('chart.own.changeTo', { price: '' }).trim()}`) })

  // Given up, it is back; released and confirmed, it is saved.
  await drag(lineAt(half), -12)
  await page.getByText(`${format.exact(half as Decimal)} →`).waitFor()
  await page.getByText(t('chart.own.profit')).first().waitFor()
  await pictured(page, 'exit-held')
  await touch('touchEnd')
  await change.waitFor()
  await pictured(page, 'exit-asked')
  await page.keyboard.press('Escape')
  await lineAt(half).waitFor()
  await drag(lineAt(half), 12)
  await touch('touchEnd')
  await change.click()
  await page.getByText(t('orders.changed')).waitFor()
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  const [top, moved = 0, bottom] = await exits()
  assert.deepEqual([top, bottom], [Number(profit), Number(loss)])
  assert.ok(moved < Number(half), `${moved} is below ${half}`)

  // By keys: each exit is a line of its own.
  await lineAt(loss).focus()
  await page.keyboard.press('ArrowDown')
  const lower = (Number(loss) - 0.1).toFixed(1)
  await page.getByRole('button', { name: t('chart.own.changeTo', { price: format.exact(lower as Decimal) }) }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  assert.deepEqual(await exits(), [Number(profit), moved, Number(lower)])

  // Across the mark price a stop loss would act at once: it goes back, and nothing is sent.
  const [from, to] = [await lineAt(lower).boundingBox(), await lineAt(String(moved)).boundingBox()]
  assert.ok(from !== null && to !== null)
  await drag(lineAt(lower), to.y - from.y)
  await page.getByText(t('refusals.TRIGGER_IMMEDIATE')).first().waitFor()
  await touch('touchEnd')
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  await lineAt(lower).waitFor()
  assert.deepEqual(await exits(), [Number(profit), moved, Number(lower)])

  // Far below, the liquidation comes first.
  const perTick = (from.y - to.y) / ((moved - Number(lower)) * 10)
  await drag(lineAt(lower), Math.ceil((Number(lower) - Number(liquidation)) * 10 * perTick) + 4)
  await page.getByText(t('chart.own.afterLiquidation')).waitFor()
  await page.keyboard.press('Escape')
  await touch('touchEnd')
  await lineAt(lower).waitFor()
}

/** A trader's exits on the chart of Futures. */
export async function walksExits(browser: Browser, exchange: TestExchange): Promise<void> {
  for (const lang of langsOr('en')) {
    const user = await exchange.user({ funds: { USDT: '5000' } })
    const someone = await person(browser, exchange.url, { lang, user })
    try {
      await dragsExits(someone, user)
      assert.deepEqual(someone.complaints, [])
    } finally {
      await someone.context.close()
    }
  }
}
