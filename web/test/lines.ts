/** A walk along the user's own lines on the chart, with real touches. */
import assert from 'node:assert/strict'
import type { Browser, Locator } from 'playwright-core'
import type { TestExchange, TestUser } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { hasBook, type Person, person } from './person.ts'
import { pictured } from './sights.ts'

/** Fingers on the lines of the chart that a page shows. */
export type Hands = {
  readonly lineAt: (price: string) => Locator
  /** Drags the axis until the lines at these prices are in sight: a market without a past shows a narrow range. */
  readonly widens: (prices: readonly string[]) => Promise<void>
  /** Takes a line by its label and holds it `by` pixels lower. */
  readonly drag: (line: Locator, by: number) => Promise<void>
  readonly touch: (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) => Promise<unknown>
}

export async function handsOf({ page, context }: Pick<Person, 'page' | 'context'>): Promise<Hands> {
  const cdp = await context.newCDPSession(page)
  const lineAt = (price: string): Locator => page.locator(`[role=slider][aria-valuenow="${Number(price)}"]`)
  // Entry and liquidation have no handle.
  const tagAt = (price: string): Locator =>
    lineAt(price)
      .or(page.locator(`[data-price="${price}"] > :last-child`))
      .first()
  const touch: Hands['touch'] = (type, x = 0, y = 0) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  /** A place on the axis that no tag covers: a tag takes its line along. */
  const freeAt = (x: number, top: number): Promise<number> =>
    page.evaluate(
      ([left, from]) => {
        const isFree = (y: number): boolean => document.elementFromPoint(left, y)?.tagName === 'CANVAS'
        return Array.from({ length: 20 }, (_, step) => from + 10 + step * 8).find(isFree) ?? from + 10
      },
      [x, top] as const,
    )
  return {
    lineAt,
    touch,
    async widens(prices) {
      const plot = await page.getByRole('img').first().boundingBox()
      assert.ok(plot !== null)
      const axis = plot.x + plot.width - 20
      const areShown = async (): Promise<boolean> =>
        (await Promise.all(prices.map((price) => tagAt(price).isVisible()))).every((isShown) => isShown)
      for (let tries = 0; tries < 30 && !(await areShown()); tries += 1) {
        const from = await freeAt(axis, plot.y)
        await page.mouse.move(axis, from)
        await page.mouse.down()
        await page.mouse.move(axis, from + 140, { steps: 4 })
        await page.mouse.up()
      }
      for (const price of prices) await tagAt(price).waitFor()
    },
    async drag(line, by) {
      const box = await line.boundingBox()
      assert.ok(box !== null)
      const [x, y] = [box.x + 12, box.y + box.height / 2]
      await touch('touchStart', x, y)
      for (let step = 1; step <= 8; step += 1) await touch('touchMove', x, y + (by * step) / 8)
    },
  }
}

/** Moves an order's line by finger and keys, gives a move up, loses an order in the middle of a move, and cancels at the line. */
async function movesLines(someone: Person, user: TestUser, symbol: string): Promise<void> {
  const { page, t, go, format } = someone
  const bid = Number((await user.call('GET', `/markets/${symbol}/depth?limit=5`)).body.bids[0][0])
  const at = (factor: number): string => (Math.round(bid * factor * 10) / 10).toFixed(1)
  const order = { symbol, side: 'buy', type: 'limit', quantity: '0.002' }
  // Without a trade there is no candle, and no axis.
  await user.call('POST', '/spot/orders', { clientId: 'line-0', symbol, side: 'buy', type: 'market', spend: '100' })
  const [first, second] = [at(0.999), at(0.9985)]
  const { body: placed } = await user.call('POST', '/spot/orders', { clientId: 'line-1', price: first, ...order })
  await user.call('POST', '/spot/orders', { clientId: 'line-2', price: second, ...order })
  const priceOf = async (id: string): Promise<string | undefined> =>
    (await user.call('GET', '/spot/orders/open')).body.orders.find((one: { id: string }) => one.id === id)?.price

  await go(`/contractkline?symbol=${symbol}`)
  const lines = page.getByRole('slider', { name: new RegExp(`^${t('trade.buy')}`) })
  const change = page.getByRole('button', { name: new RegExp(`^${t('chart.own.changeTo', { price: '' }).trim()}`) })
  const { lineAt, widens, drag, touch } = await handsOf(someone)
  const line = lineAt(first)
  await line.waitFor({ state: 'attached' })
  await widens([first, second])
  assert.equal(await lines.count(), 2)
  assert.deepEqual(await violations(page), [])

  const scrolled = await page.evaluate(() => scrollY)
  await drag(line, 24)
  await page.getByText(`${format.exact(first)} →`).waitFor()
  await pictured(page, 'line-held')
  await touch('touchEnd')
  await change.waitFor()
  assert.equal(await page.evaluate(() => scrollY), scrolled, 'the page did not scroll')
  assert.equal(await priceOf(placed.order.id), first, 'nothing is sent before the confirmation')
  await pictured(page, 'line-asked')
  await page.keyboard.press('Escape')
  await line.waitFor()
  await change.waitFor({ state: 'detached' })

  await drag(line, 24)
  await touch('touchEnd')
  await change.click()
  await page.getByText(t('orders.changed')).waitFor()
  const moved = (await priceOf(placed.order.id)) ?? ''
  assert.ok(Number(moved) < Number(first), `${moved} is below ${first}`)

  // Until the list of orders has the new price, the line belongs to the move.
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  await lineAt(moved).focus()
  await page.keyboard.press('ArrowUp')
  const up = (Number(moved) + 0.1).toFixed(1)
  await page.getByRole('button', { name: t('chart.own.changeTo', { price: format.exact(up) }) }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-held]').waitFor({ state: 'detached' })
  assert.equal(await priceOf(placed.order.id), up)

  await drag(lineAt(up), 20)
  await user.call('DELETE', `/spot/orders/${placed.order.id}?symbol=${symbol}`)
  await page.getByText(t('chart.own.stop.gone')).waitFor()
  await touch('touchEnd')
  assert.equal(await change.count(), 0)

  await page.getByRole('button', { name: new RegExp(`^${t('orders.cancel')}: `) }).click()
  await page.getByRole('button', { name: t('orders.placeAgain') }).waitFor()
  await lines.waitFor({ state: 'detached' })
}

/** Sets a price alert by a long press on the chart, and takes the price of another press into a ticket. */
async function presses({ page, t, go, numbersIn }: Person, user: TestUser, symbol: string): Promise<void> {
  await go(`/contractkline?symbol=${symbol}`)
  const chart = page.getByRole('img').first()
  await page.locator('canvas').first().waitFor()
  const box = await chart.boundingBox()
  assert.ok(box !== null)
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd') =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width * 0.6, y: box.y + 30 }] })
  const offer = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${t(name, { price: '' }).trim()}`) })
  const press = async (): Promise<void> => {
    for (let tries = 0; tries < 5 && (await offer('chart.own.alertAt').count()) === 0; tries += 1) {
      await touch('touchStart')
      await page.waitForTimeout(700)
      await touch('touchEnd')
      await offer('chart.own.alertAt')
        .waitFor({ timeout: 2_000 })
        .catch(() => undefined)
    }
  }
  await press()
  await offer('chart.own.alertAt').click()
  await page.getByText(t('alerts.created')).waitFor()
  const { body } = await user.call('GET', '/alerts')
  assert.deepEqual([body.alerts.length, body.alerts[0].symbol], [1, symbol])

  await press()
  await pictured(page, 'chart-pressed')
  const order = offer('chart.own.orderAt')
  const [price] = numbersIn((await order.textContent()) ?? '')
  await order.click()
  const field = page
    .getByRole('region', { name: t('trade.ticket') })
    .getByLabel(new RegExp(`^${t('trade.price')} `))
    .first()
  await field.waitFor()
  assert.deepEqual(numbersIn(await field.inputValue()), [price])
}

/** A user's whole walk along the lines of the spot chart. */
export async function walksLines(browser: Browser, exchange: TestExchange): Promise<void> {
  const user = await exchange.user({ funds: { USDT: '5000' } })
  const someone = await person(browser, exchange.url, { user })
  try {
    await hasBook(exchange)
    await movesLines(someone, user, 'BTCUSDT')
    await presses(someone, user, 'BTCUSDT')
    assert.deepEqual(someone.complaints, [])
  } finally {
    await someone.context.close()
  }
}

/** Chooses a logarithmic axis on one phone, which the other phone of the same user shows. */
export async function sharesLayout(browser: Browser, exchange: TestExchange): Promise<void> {
  const user = await exchange.user()
  const [one, two] = [await person(browser, exchange.url, { user }), await person(browser, exchange.url, { user })]
  const axis = async ({ page, t, go }: Person): Promise<Locator> => {
    await go('/contractkline?symbol=BTCUSDT')
    await page.locator('canvas').first().waitFor()
    await page.getByRole('button', { name: t('chart.lines.title') }).click()
    return page.getByRole('dialog').getByRole('radio', { name: t('chart.axis.logarithm') })
  }
  try {
    const stored = one.page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/charts/BTCUSDT'))
    await (await axis(one)).click()
    assert.equal((await stored).status(), 200)
    const chosen = await axis(two)
    await two.page.waitForFunction((radio) => radio?.getAttribute('aria-checked') === 'true', await chosen.elementHandle())
    assert.deepEqual([...one.complaints, ...two.complaints], [])
  } finally {
    await one.context.close()
    await two.context.close()
  }
}
