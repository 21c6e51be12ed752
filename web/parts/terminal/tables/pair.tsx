import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ReactNode } from 'react'
import { Coin } from '../../funds/coin.tsx'

/** The first cell of a row: the market, which opens in the desk, and what belongs to its name. */
export function Pair({
  symbol,
  market,
  path,
  children,
}: {
  readonly symbol: string
  readonly market: WireMarket | undefined
  readonly path: string
  readonly children?: ReactNode
}) {
  return (
    <span className="tb-pair">
      <Coin asset={market?.base ?? symbol} size={16} />
      <a href={`#${path}?symbol=${symbol}`}>{market === undefined ? symbol : `${market.base}/${market.quote}`}</a>
      {children}
    </span>
  )
}
