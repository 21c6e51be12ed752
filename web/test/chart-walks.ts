/** Walks on the chart of Spot: markets laid over it, and a drawing by finger. */
import assert from 'node:assert/strict'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Browser, Locator } from 'playwright-core'
import type { TestExchange, TestUser } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { handsOf } from './lines.ts'
import { hasBook, langsOr, type Lang, type Person, person } from './person.ts'
import { pictured } from './sights.ts'

type Walk = (someone: Person, user: TestUser) => Promise<void>

/** A user on the chart of a market that has traded: without a trade there is no candle. */
async function onChart(browser: Browser, exchange: TestExchange, lang: Lang, walk: Walk): Promise<void> {
  const user = await exchange.user({ funds: { USDT: '5000' } })
  const someone = await person(browser, exchange.url, { lang, user })
  try {
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      await hasBook(exchange, symbol)
      await user.call('POST', '/spot/orders', { clientId: `first-${symbol}`, symbol, side: 'buy', type: 'market', spend: '100' })
    }
    await someone.go('/contractkline?symbol=BTCUSDT')
    await someone.page.locator('canvas').first().waitFor()
    await walk(someone, user)
    assert.deepEqual(someone.complaints, [])
  } finally {
    await someone.context.close()
  }
}

export async function comparesMarkets(browser: Browser, exchange: TestExchange): Promise<void> {
  for (const lang of langsOr('de')) await onChart(browser, exchange, lang, compares)
}

async function compares({ page, t }: Person): Promise<void> {
  const layouts = (): Promise<unknown> => page.evaluate(() => JSON.parse(localStorage.getItem('chart layout BTCUSDT') ?? '{}').compared)
  await page.getByRole('button', { name: t('chart.lines.title') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('chart.compare.add') })
    .click()
  const sheet = page.getByRole('dialog', { name: t('chart.compare.title') })
  await sheet.getByLabel(t('markets.search')).fill('ETH')
  await sheet.getByRole('button', { name: /^ETH/ }).first().click()
  await sheet.waitFor({ state: 'hidden' })
  const compared = page.getByRole('list', { name: t('chart.compare.title') })
  // The change stands there once the bars are loaded.
  const row = compared.getByRole('listitem').filter({ hasText: 'ETH/USDT' }).filter({ hasText: '%' })
  await row.waitFor()
  assert.deepEqual(await layouts(), ['ETHUSDT'])
  await pictured(page, 'chart-compared')
  assert.deepEqual(await violations(page), [])

  await page.getByRole('button', { name: t('chart.lines.title') }).click()
  await page.getByText(t('chart.compare.axis')).waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await row.waitFor()
  await row.getByRole('button', { name: t('chart.compare.remove', { pair: 'ETH/USDT' }) }).click()
  await compared.waitFor({ state: 'detached' })
  assert.deepEqual(await layouts(), [])
}

export async function drawsByFinger(browser: Browser, exchange: TestExchange): Promise<void> {
  for (const lang of langsOr('de')) await onChart(browser, exchange, lang, draws)
}

async function draws(someone: Person): Promise<void> {
  const { page, t } = someone
  type Point = { readonly timestamp: number; readonly value: number }
  const drawings = (): Promise<readonly { readonly points: readonly Point[] }[]> =>
    page.evaluate(() => JSON.parse(localStorage.getItem('chart layout BTCUSDT') ?? '{}').drawings ?? [])
  await page.getByRole('button', { name: t('chart.draw') }).click()
  const sheet = page.getByRole('dialog', { name: t('chart.draw') })
  await sheet.getByRole('checkbox', { name: t('chart.magnet') }).click()
  await sheet.getByRole('button', { name: t('chart.tool.segment'), exact: true }).click()
  await sheet.waitFor({ state: 'hidden' })
  const set = page.getByRole('button', { name: t('chart.hint.set') })
  await page.getByText(t('chart.hint.move', { point: 1 })).waitFor()
  await set.click()
  await page.getByText(t('chart.hint.move', { point: 2 })).waitFor()
  // The point that was set can't be the next one too.
  assert.equal(await set.isDisabled(), true)

  // The finger is far from the cross, which moves as far as the finger does.
  const pad = await page.locator('[data-pad]').boundingBox()
  assert.ok(pad !== null)
  const { touch } = await handsOf(someone)
  const [x, y] = [pad.x + 40, pad.y + pad.height * 0.8]
  await touch('touchStart', x, y)
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', x + step * 10, y - step * 10)
  await touch('touchEnd')
  await pictured(page, 'draw-pad')
  await set.click()
  await page.locator('[data-pad]').waitFor({ state: 'detached' })
  const [segment] = await drawings()
  assert.equal(segment?.points.length, 2)
  const [from, to] = (segment?.points ?? []) as unknown as readonly [Point, Point]
  assert.ok(to.timestamp > from.timestamp && to.value > from.value, JSON.stringify(segment))
}

/** Moves a buying stop and a leg of an OCO, and one across the price, where it may not be. Then changes the leg in its row. */
export async function movesStops(browser: Browser, exchange: TestExchange): Promise<void> {
  for (const lang of langsOr('en')) await onChart(browser, exchange, lang, dragsStops)
}

async function dragsStops(someone: Person, user: TestUser): Promise<void> {
  const { page, t, go, format } = someone
  const symbol = 'BTCUSDT'
  const bid = Number((await user.call('GET', `/markets/${symbol}/depth?limit=5`)).body.bids[0][0])
  const at = (factor: number): string => (Math.round(bid * factor * 10) / 10).toFixed(1)
  const [rise, fall, gain] = [at(1.012), at(0.988), at(1.02)]
  const stop = { symbol, side: 'buy', type: 'market', quantity: '0.002', trigger: { kind: 'stop', price: rise, direction: 'rises-to' } }
  for (const [path, body] of [
    ['/spot/orders', { clientId: 'rise', ...stop }],
    [
      '/spot/orders/oco',
      { clientId: 'pair', symbol, side: 'sell', quantity: '0.0005', limitPrice: gain, stopPrice: fall, stopLimit: fall },
    ],
  ] as const) {
    const answer = await user.call('POST', path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
  }
  /** Trigger and price of the pair's legs, and the trigger of the buying stop. */
  const state = async (): Promise<readonly (readonly [string | undefined, string | undefined])[]> => {
    const { orders } = (await user.call('GET', '/spot/orders/open')).body as { orders: readonly WireOrder[] }
    return ['rise', 'pair-limit', 'pair-stop'].map((name) => {
      const order = orders.find(({ clientId }) => clientId === name)
      return [order?.trigger?.kind === 'stop' ? order.trigger.price : undefined, order?.price]
    })
  }
  await go(`/contractkline?symbol=${symbol}`)
  const { lineAt, widens, drag, touch } = await handsOf(someone)
  await lineAt(rise).waitFor({ state: 'attached' })
  await widens([rise, fall])
  const change = page.getByRole('button', { name: new RegExp(`^${t('chart.own.changeTo', { price: '' }).trim()}`) })
  await drag(lineAt(rise), -10)
  await page.getByText(`${format.exact(rise as Decimal)} →`).waitFor()
  await pictured(page, 'stop-held')
  await touch('touchEnd')
  await change.click()
  await page.getByText(t('orders.changed')).waitFor()
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  const [[moved = ''] = []] = await state()
  assert.ok(Number(moved) > Number(rise), `${moved} is above ${rise}`)

  await lineAt(fall).focus()
  await page.keyboard.press('ArrowDown')
  const lower = (Number(fall) - 0.1).toFixed(1)
  await page.getByRole('button', { name: t('chart.own.changeTo', { price: format.exact(lower as Decimal) }) }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  const rest = [
    [moved, undefined],
    [undefined, gain],
  ]
  assert.deepEqual(await state(), [...rest, [lower, fall]])

  // Across the price it would act at once: it goes back, and nothing is sent.
  const [from, to] = [await lineAt(lower).boundingBox(), await lineAt(moved).boundingBox()]
  assert.ok(from !== null && to !== null)
  await drag(lineAt(lower), to.y - from.y)
  await page.getByText(t('refusals.TRIGGER_IMMEDIATE')).first().waitFor()
  await touch('touchEnd')
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  assert.deepEqual(await state(), [...rest, [lower, fall]])

  // In its row, a leg has its trigger and its limit, and no quantity of its own.
  await go('/entrust')
  const row = page.getByRole('listitem').filter({ hasText: format.exact(lower as Decimal) })
  await row.getByRole('button', { name: t('orders.change'), exact: true }).click()
  const form = page.getByRole('form', { name: t('orders.changeTitle', { pair: 'BTC/USDT' }) })
  const field = (name: string): Locator => form.getByLabel(new RegExp(`^${t(name)} `)).first()
  await field('trade.trigger').fill(fall)
  assert.equal(await field('trade.quantity').count(), 0)
  await form.getByText(t('orders.waitsAnew')).waitFor()
  await pictured(page, 'stop-row')
  assert.deepEqual(await violations(page), [])
  await field('trade.price').press('Enter')
  await form.waitFor({ state: 'detached' })
  assert.deepEqual(await state(), [...rest, [fall, fall]])
}
