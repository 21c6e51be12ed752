import fc from 'fast-check'
import type { Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { Print } from '../candle.ts'

/** Trades in order of time, with no pause to weeks between them. */
export function prints(): fc.Arbitrary<readonly Print[]> {
  const pause = fc.oneof(
    fc.nat({ max: 1500 }),
    fc.nat({ max: 90_000 }),
    fc.nat({ max: 10 * 3_600_000 }),
    fc.nat({ max: 20 * 86_400_000 }),
    fc.constantFrom(0, 60_000, 86_400_000, 86_340_000),
  )
  const takerSide = fc.constantFrom('buy' as const, 'sell' as const)
  const trade = fc.record({ pause, price: fc.integer({ min: 1, max: 200 }), lots: fc.integer({ min: 1, max: 50 }), takerSide })
  return fc.record({ start: fc.nat({ max: 1e12 }), trades: fc.array(trade, { maxLength: 60 }) }).map(({ start, trades }) => {
    let at = start as Millis
    return trades.map(({ pause, price, lots, takerSide }) => {
      at = (at + pause) as Millis
      return { at, price: price as Ticks, lots: lots as Lots, quote: (price * lots) as Units, takerSide }
    })
  })
}
