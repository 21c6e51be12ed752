import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { intervalList } from './intervals.ts'
import { keep, type Kept, kept, type PriceName } from './kept.ts'

/** The user's view of a market: price and interval of the candles, and their style. Stored on this device. */
export type View = {
  readonly interval: Interval
  /** Intervals available for the chosen price. */
  readonly intervals: readonly Interval[]
  readonly setInterval: (next: Interval) => void
  readonly price: PriceName
  readonly setPrice: (next: PriceName) => void
  readonly type: Kept['type']
  readonly setType: (next: Kept['type']) => void
}

export function useView(market: WireMarket): View {
  const [chosen, setChosen] = useState<Interval>(kept().interval)
  const [price, setPrice] = useState<PriceName>(market.kind === 'perp' ? kept().price : 'last')
  const [type, setType] = useState(kept().type)
  // Mark prices have no candles of one second.
  const hasSeconds = price === 'last'
  return {
    interval: !hasSeconds && chosen === '1s' ? '1m' : chosen,
    intervals: hasSeconds ? intervalList : intervalList.filter((one) => one !== '1s'),
    setInterval(next) {
      setChosen(next)
      keep({ interval: next })
    },
    price,
    setPrice(next) {
      setPrice(next)
      keep({ price: next })
    },
    type,
    setType(next) {
      setType(next)
      keep({ type: next })
    },
  }
}
