/** The chart of a market: own lines, comparisons and drawings, with real touches on a real exchange. */
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { comparesMarkets, drawsByFinger, movesStops } from './chart-walks.ts'
import { sharesLayout, walksLines } from './lines.ts'
import { startBrowser } from './person.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: '13', bots: true })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

test('UI-LINES-004: own orders are lines on the chart, moved by finger and keys, and cancelled there', { timeout: 240_000 }, () =>
  walksLines(browser, exchange),
)

test('UI-LINES-007: stops of Spot are moved by finger and keys, and changed in their row', { timeout: 240_000 }, () =>
  movesStops(browser, exchange),
)

test('UI-CHART-001: the layout of a chart is the same on the other phone of its user', { timeout: 240_000 }, () =>
  sharesLayout(browser, exchange),
)

test(
  'UI-CHART-004: a market is laid over the chart from its sheet, stays with the layout and is removed at its name',
  {
    timeout: 240_000,
  },
  () => comparesMarkets(browser, exchange),
)

test('UI-DRAW-001: a finger moves a cross beside itself, and a button sets the points of a drawing', { timeout: 240_000 }, () =>
  drawsByFinger(browser, exchange),
)
