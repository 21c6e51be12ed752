import type { DeskName } from '@candor/core/protocol/wire/own/preferences.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'

/** The desk of margin accounts trades only markets quoted in the coin that they lend. */
export function quoteOf(desk: DeskName, market: WireMarket): string | undefined {
  return desk === 'margin' ? market.quote : undefined
}

/** Whether a desk trades a market. `quote`: of the open market. */
export function isTradedOn(desk: DeskName, { kind, quote: own, hasOption }: WireMarket, quote: string): boolean {
  if (desk === 'option') return hasOption
  return desk === 'margin' ? kind === 'spot' && own === quote : kind === desk
}
