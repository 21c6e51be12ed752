import type { Millis } from '@candor/core/money/brand.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import type { Candle } from '@candor/core/protocol/market.ts'
import type { ListedMarket } from './listing.ts'
import { averageText, dayOf } from './texts.ts'

const minuteMs = 60_000
const averageMinutes = 5

/**
 * Volume-weighted mean price of the running minute and the four before it, rounded down to 8 digits; the last price when nothing
 * traded.
 */
export function averagePrice(
  { market, view }: { readonly market: ListedMarket; readonly view: MarketView },
  now: Millis,
): { readonly mins: number; readonly price: string; readonly closeTime: number } {
  const since = now - (now % minuteMs) - (averageMinutes - 1) * minuteMs
  const minutes = view.candles.newest('1m', averageMinutes).filter(({ openTime, isReference }) => openTime >= since && !isReference)
  const sum = (of: (candle: Candle) => number) => minutes.reduce((total, candle) => total + BigInt(of(candle)), 0n)
  const lots = sum((candle) => candle.lots)
  const { price, time } = dayOf(market, view, now)
  return {
    mins: averageMinutes,
    price:
      lots > 0n
        ? averageText(
            market,
            sum((candle) => candle.quote),
            lots,
          )
        : price,
    closeTime: time,
  }
}
