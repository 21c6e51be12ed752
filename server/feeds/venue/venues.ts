import type { Pair } from '../board.ts'
import { binance } from './binance.ts'
import { coinbase } from './coinbase.ts'
import { kraken } from './kraken.ts'
import { okx } from './okx.ts'
import type { Venue } from './venue.ts'

export const venues: readonly Venue[] = [binance, okx, coinbase, kraken]

/** Pairs to ask a venue for so that our markets can be priced: in the venue's own dollar instead of USDT, plus USDT itself. */
export function pairsOn(venue: Venue, markets: readonly Pair[]): readonly Pair[] {
  const pairs = markets.map(({ base, quote }) => ({ base, quote: quote === 'USDT' ? venue.dollar : quote }))
  return venue.dollar === 'USD' && markets.some(({ quote }) => quote === 'USDT') ? [...pairs, { base: 'USDT', quote: 'USD' }] : pairs
}
