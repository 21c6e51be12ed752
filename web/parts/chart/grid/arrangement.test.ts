import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ChartGrid } from '@candor/core/protocol/wire/own/preferences.ts'
import { cellsOf, withCell } from './arrangement.ts'

const market = (symbol: string, kind: WireMarket['kind'] = 'spot'): WireMarket => ({ symbol, kind }) as WireMarket
const markets = [market('A'), market('B'), market('P', 'perp'), market('C'), market('D')]
const said = (grid: ChartGrid, start = 'C'): readonly string[] =>
  cellsOf(grid, markets, market(start)).map((cell) => `${cell.market.symbol} ${cell.interval}`)

test('UI-CHARTS-001: a grid shows the kept charts, then markets of the same kind from the opened one on', () => {
  const empty: ChartGrid = { count: 4, isLinked: true, charts: [] }
  assert.deepEqual(
    cellsOf(empty, markets, markets[3] as WireMarket).map((cell) => cell.market.symbol),
    ['C', 'A', 'B', 'D'],
  )
  const kept: ChartGrid = { count: 2, isLinked: true, charts: [{ symbol: 'P', interval: '1d' }] }
  assert.deepEqual(said(kept), ['P 1d', 'C 1h'])
  // A market that was delisted leaves its place.
  assert.deepEqual(said({ ...kept, charts: [{ symbol: 'X', interval: '1d' }, ...kept.charts] }), ['P 1d', 'C 1h'])
  // The same market may have several charts.
  assert.deepEqual(said({ ...kept, charts: [...kept.charts, { symbol: 'P', interval: '1m' }] }), ['P 1d', 'P 1m'])
})

test('UI-CHARTS-001: a changed chart moves no other one, and those out of sight are kept', () => {
  const grid: ChartGrid = {
    ...{ count: 2, isLinked: false },
    charts: [
      { symbol: 'A', interval: '1m' },
      { symbol: 'B', interval: '1h' },
      { symbol: 'D', interval: '1d' },
    ],
  }
  const cells = cellsOf(grid, markets, markets[0] as WireMarket)
  const { charts } = withCell(grid, cells, 1, { symbol: 'P' })
  assert.deepEqual(
    charts.map(({ symbol, interval }) => `${symbol} ${interval}`),
    ['A 1m', 'P 1h', 'D 1d'],
  )
  const first = withCell({ count: 1, isLinked: true, charts: [] }, [{ market: market('C'), interval: '15m' }], 0, { interval: '4h' })
  assert.deepEqual(first.charts, [{ symbol: 'C', interval: '4h' }])
})
