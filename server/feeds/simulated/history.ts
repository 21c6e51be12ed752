import type { Pair } from '../board.ts'
import { coinOf } from './coins.ts'
import { Random } from './random.ts'
import { homewardSeconds, Returns } from './returns.ts'

/** Prices in the quote, volume in the base, as plain numbers; rounded to ticks and lots when stored. */
export type WalkCandle = {
  readonly openTime: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export type WalkHistoryOptions = {
  readonly seed: string
  readonly markets: readonly Pair[]
  /** USDT value of a coin at the end. */
  readonly endValue: (symbol: string) => number
  /** End of the newest candle; a multiple of `stepMs`. */
  readonly endMs: number
  readonly stepMs: number
  readonly candles: number
  /** Moves within one candle, from which its high and low come. */
  readonly moves: number
}

/**
 * A plausible past of the simulated market: the same walk run backwards from its present values, so that the last close is the
 * present price and all markets are consistent. Oldest first, by market in the given order.
 */
export function walkHistory(options: WalkHistoryOptions): readonly (readonly WalkCandle[])[] {
  const { markets, stepMs, moves } = options
  const random = new Random(`${options.seed}:history:${stepMs}`)
  const coins = [...new Set(markets.flatMap(({ base, quote }) => [base, quote]))]
    .filter((symbol) => symbol !== 'USDT')
    .sort()
    .map(coinOf)
  const returns = new Returns(random, coins)
  const values = new Map(coins.map((coin) => [coin.symbol, options.endValue(coin.symbol)]))
  const priceOf = ({ base, quote }: Pair): number => (values.get(base) ?? 1) / (quote === 'USDT' ? 1 : (values.get(quote) ?? 1))
  const seconds = stepMs / moves / 1_000
  const history: WalkCandle[][] = markets.map(() => [])

  for (let back = 1; back <= options.candles; back += 1) {
    const openTime = options.endMs - back * stepMs
    const bars = markets.map((pair) => {
      const close = priceOf(pair)
      return { open: close, high: close, low: close, close, travelled: 0 }
    })
    for (let move = 0; move < moves; move += 1) {
      const step = returns.step(seconds)
      for (const [index, coin] of coins.entries()) {
        const value = values.get(coin.symbol) ?? coin.price
        const homeward = (Math.log(options.endValue(coin.symbol) / value) * seconds) / homewardSeconds
        values.set(coin.symbol, value * Math.exp(homeward - step[index]))
      }
      for (const [index, pair] of markets.entries()) {
        const bar = bars[index]
        const price = priceOf(pair)
        bar.travelled += Math.abs(Math.log(price / bar.open))
        bar.open = price
        bar.high = Math.max(bar.high, price)
        bar.low = Math.min(bar.low, price)
      }
    }
    for (const [index, pair] of markets.entries()) {
      const { travelled, ...bar } = bars[index]
      history[index].push({ openTime, ...bar, volume: volumeOf(pair, values, stepMs, travelled, random) })
    }
  }
  for (const candles of history) candles.reverse()
  return history
}

/** Some hundred thousand USDT a minute; more when prices move much, and more by day, with some chance. */
function volumeOf(pair: Pair, values: ReadonlyMap<string, number>, stepMs: number, travelled: number, random: Random): number {
  const turnover = (stepMs / 60_000) * 120_000 * (0.4 + 600 * travelled) * Math.exp(0.6 * random.normal())
  return turnover / (values.get(pair.base) ?? 1)
}
