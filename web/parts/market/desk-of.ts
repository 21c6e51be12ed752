import type { WireMarket } from '@candor/core/protocol/wire/market.ts'

/** The path of the desk that trades a market. */
export function deskOf({ kind, symbol }: Pick<WireMarket, 'kind' | 'symbol'>): string {
  return `${kind === 'perp' ? '/contract' : '/spot'}?symbol=${symbol}`
}
