import type { Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { useMarkOf } from './marks.ts'
import { Profit } from '../funds/profit.tsx'
import { scalesOf, standingOf } from './risk.ts'

/** Profit and loss of all open positions at their live marks. */
export function TotalProfit({ positions, config }: { readonly positions: readonly WirePosition[]; readonly config: WireConfig }) {
  const marks = useMarkOf(positions.map((position) => position.symbol))
  let sum = 0
  let scale = 6
  let quote = 'USDT'
  for (const position of positions) {
    const market = config.markets.find((one) => one.symbol === position.symbol)
    if (market === undefined) continue
    const scales = scalesOf(config, market)
    scale = scales.quoteScale
    quote = market.quote
    sum += parseUnits(standingOf(position, marks(position.symbol), scales)?.profit ?? '0', scale) ?? 0
  }
  return <Profit value={formatUnits(sum as Units, scale)} asset={quote} />
}
