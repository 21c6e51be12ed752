import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useMe } from '../../app/session.ts'
import { intervalList } from './intervals.ts'
import { type AxisName, type ChartType, type Keeping, keepingOf, type LineName, type PriceName } from './kept.ts'
import { syncLayout } from './sync.ts'

/** The user's view of a market: price and interval of the candles, their style, and what is drawn with them. */
export type View = {
  readonly keeping: Keeping
  readonly interval: Interval
  /** Intervals available for the chosen price. */
  readonly intervals: readonly Interval[]
  readonly setInterval: (next: Interval) => void
  readonly price: PriceName
  readonly setPrice: (next: PriceName) => void
  readonly type: ChartType
  readonly setType: (next: ChartType) => void
  readonly axis: AxisName
  readonly setAxis: (next: AxisName) => void
  readonly lines: readonly LineName[]
  readonly toggleLine: (name: LineName) => void
  /** Symbols of the markets that the chart is compared with. */
  readonly compared: readonly string[]
  readonly setCompared: (next: readonly string[]) => void
}

/** `slot`: which chart of the page it is, if there are several; each remembers its own view. */
export function useView(market: WireMarket, slot = ''): View {
  const [adopted, setAdopted] = useState(0)
  const [, render] = useState(0)
  const uid = useMe()?.uid
  // What another device made is drawn by a new chart.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const keeping = useMemo(() => keepingOf(market.symbol, slot), [market.symbol, slot, adopted])
  const changed = useCallback(() => render((count) => count + 1), [])
  useEffect(() => {
    // Further charts of a page are this device's own.
    if (uid === undefined || slot !== '') return
    return syncLayout(keeping, market.symbol, uid, () => setAdopted((count) => count + 1))
  }, [keeping, market.symbol, uid, slot])
  const { interval: chosen, type, price: wanted } = keeping.look()
  const { axis, lines, compared } = keeping.layout()
  const price = market.kind === 'perp' ? wanted : 'last'
  // Mark prices have no candles of one second.
  const hasSeconds = price === 'last'
  const look = (change: Parameters<Keeping['setLook']>[0]): void => {
    keeping.setLook(change)
    changed()
  }
  const layout = (change: Parameters<Keeping['setLayout']>[0]): void => {
    keeping.setLayout(change)
    changed()
  }
  return {
    keeping,
    interval: !hasSeconds && chosen === '1s' ? '1m' : chosen,
    intervals: hasSeconds ? intervalList : intervalList.filter((one) => one !== '1s'),
    setInterval: (interval) => look({ interval }),
    price,
    setPrice: (next) => look({ price: next }),
    type,
    setType: (next) => look({ type: next }),
    axis,
    setAxis: (next) => layout({ axis: next }),
    lines,
    toggleLine: (name) => layout({ lines: lines.includes(name) ? lines.filter((one) => one !== name) : [...lines, name] }),
    compared,
    setCompared: (next) => layout({ compared: next }),
  }
}
