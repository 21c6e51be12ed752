import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useEffect } from 'react'
import { useMarkets } from '../../app/config.ts'
import { navigate } from '../../app/location.ts'
import { tellMarket } from './windows.ts'
import { type CancelAll, useCancelAll } from '../order/use-cancel-all.ts'
import { useDeskHandlers } from './registry.ts'

/** Keys of a desk: its other markets, and the end of all open orders of its product. */
export function usePanelKeys({
  market,
  home,
  quote,
  count,
  cancelAll,
}: {
  readonly market: WireMarket
  /** Path of the desk. */
  readonly home: string
  /** The desk trades only markets in this coin. */
  readonly quote?: string
  /** Open orders. */
  readonly count: number
  readonly cancelAll: CancelAll
}): void {
  const cancel = useCancelAll(cancelAll)
  useMarketKeys(market, quote, (symbol) => navigate(`${home}?symbol=${symbol}`, { replace: true }))
  useDeskHandlers({ cancelAll: { count, send: () => cancel.isPending || cancel.mutate(undefined) } })
}

/** Keys that show another market of the same kind. */
export function useMarketKeys(market: WireMarket, quote: string | undefined, open: (symbol: string) => void): void {
  const kind = useMarkets(market.kind)
  useKeysOf(quote === undefined ? kind : kind.filter((one) => one.quote === quote), market, open)
}

/** Keys that show another one of the markets. Windows that were opened from here follow. */
export function useKeysOf(markets: readonly WireMarket[], market: WireMarket, open: (symbol: string) => void): void {
  const has = (symbol: string): boolean => markets.some((one) => one.symbol === symbol)
  useDeskHandlers({
    step(by) {
      const at = markets.findIndex(({ symbol }) => symbol === market.symbol)
      const next = markets[(at + by + markets.length) % markets.length]
      if (next !== undefined) open(next.symbol)
    },
    marketOpener: (symbol) => (has(symbol) ? () => open(symbol) : undefined),
  })
  useEffect(() => tellMarket(market.symbol), [market.symbol])
}
