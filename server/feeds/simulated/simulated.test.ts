import assert from 'node:assert/strict'
import test from 'node:test'
import { indexOf } from '../median.ts'
import { priceScale } from '../price.ts'
import { coins } from './coins.ts'
import { walkHistory } from './history.ts'
import { simulatedVenues, SimulatedMarket, type SimulatedQuote } from './market.ts'
import { Random } from './random.ts'

const markets = [
  ...coins.map((coin) => ({ base: coin.symbol, quote: 'USDT' })),
  { base: 'ETH', quote: 'BTC' },
  { base: 'SOL', quote: 'BTC' },
]

function run(
  seed: string,
  steps: number,
  each: (market: SimulatedMarket, quotes: readonly SimulatedQuote[]) => void,
  startAt?: ReadonlyMap<string, number>,
): void {
  const market = new SimulatedMarket({ seed, markets, ...(startAt === undefined ? {} : { startAt }) })
  for (let step = 0; step < steps; step += 1) each(market, market.step())
}

test('FEEDS-SIM-001: the same seed gives the same market to the last digit, another seed another', () => {
  const pricesOf = (seed: string): number[] => {
    const prices: number[] = []
    run(seed, 400, (_market, quotes) => prices.push(...quotes.map((quote) => quote.price)))
    return prices
  }
  assert.deepEqual(pricesOf('7'), pricesOf('7'))
  assert.notDeepEqual(pricesOf('7'), pricesOf('8'))
})

test('random numbers are uniform, or normal where declared', () => {
  const random = new Random('statistics')
  const count = 100_000
  let sum = 0
  let normalSum = 0
  let squares = 0
  for (let index = 0; index < count; index += 1) {
    sum += random.next()
    const normal = random.normal()
    normalSum += normal
    squares += normal * normal
  }
  assert.ok(Math.abs(sum / count - 0.5) < 0.005)
  assert.ok(Math.abs(normalSum / count) < 0.015)
  assert.ok(Math.abs(squares / count - 1) < 0.02)
})

test('FEEDS-SIM-002: simulated prices move like a market: volatility, calm and wild times, correlated coins, gaps, a spread of venues', () => {
  const minutes: { btc: number; eth: number }[] = []
  const steps: number[] = []
  let step = 0
  let before = 0
  run('statistics', 8 * 14_400, (market) => {
    const btc = market.value('BTC')
    if (before > 0) steps.push(Math.abs(Math.log(btc / before)))
    before = btc
    if (step++ % 240 === 0) minutes.push({ btc, eth: market.value('ETH') })
  })
  const returns = minutes.slice(1).map((minute, index) => ({
    btc: Math.log(minute.btc / minutes[index].btc),
    eth: Math.log(minute.eth / minutes[index].eth),
  }))
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(mean(returns.map((each) => each.btc ** 2)))
  const annual = deviation * Math.sqrt(365 * 1_440)
  assert.ok(annual > 0.15 && annual < 1.5, `annual volatility ${annual}`)
  const kurtosis = mean(returns.map((each) => each.btc ** 4)) / deviation ** 4
  assert.ok(kurtosis > 4, `tails: ${kurtosis}`)
  const correlation = mean(returns.map((each) => each.btc * each.eth)) / deviation / Math.sqrt(mean(returns.map((each) => each.eth ** 2)))
  assert.ok(correlation > 0.4 && correlation < 0.98, `correlation ${correlation}`)

  const blocks: number[] = []
  for (let at = 0; at + 30 <= returns.length; at += 30)
    blocks.push(Math.sqrt(mean(returns.slice(at, at + 30).map((each) => each.btc ** 2))))
  assert.ok(Math.max(...blocks) > 2 * Math.min(...blocks), 'half hours differ')
  const usual = mean(steps)
  assert.ok(
    steps.some((size) => size > 12 * usual),
    'prices jump',
  )
  assert.ok(
    steps.every((size) => size < 0.05),
    'not beyond belief',
  )
})

test('FEEDS-SIM-003: simulated venues are silent and wrong at times, and the index stays within a tenth of a percent of the fair price', () => {
  let silent = 0
  let wrong = 0
  let worst = 0
  let good = 0
  const steps = 3 * 14_400
  run('venues', steps, (market, quotes) => {
    if (quotes.length < markets.length * simulatedVenues.length) silent += 1
    for (const pair of [markets[0], markets[3], markets[12]]) {
      const fair = (market.value(pair.base) / (pair.quote === 'USDT' ? 1 : market.value(pair.quote))) * priceScale
      const own = quotes.filter((quote) => quote.pair.base === pair.base && quote.pair.quote === pair.quote)
      if (own.some((quote) => Math.abs(quote.price / fair - 1) > 0.02)) wrong += 1
      const index = indexOf(own.map((quote) => ({ venue: quote.venue, price: quote.price, ageMs: 0 })))
      if (index?.isGood) {
        good += 1
        worst = Math.max(worst, Math.abs(index.price / fair - 1))
      }
    }
  })
  assert.ok(silent > 0 && silent < steps / 4, `silent in ${silent} of ${steps} steps`)
  assert.ok(wrong > 0 && wrong < steps / 20, `wrong in ${wrong} steps`)
  assert.ok(good > 2.8 * steps, `${good} good of ${3 * steps}`)
  assert.ok(worst < 0.001, `off by ${worst}`)
})

test('a simulated market starts at the given prices, and its crosses follow a pinned coin', () => {
  const market = new SimulatedMarket({ seed: '1', markets, startAt: new Map([['BTC', 61_837.5]]) })
  market.step()
  assert.ok(Math.abs(market.value('BTC') / 61_837.5 - 1) < 0.01)
  market.pin('BTC', 30_000)
  const quotes = market.step()
  assert.ok(!quotes.some((quote) => quote.pair.base === 'BTC'))
  const cross = quotes.find((quote) => quote.pair.base === 'ETH' && quote.pair.quote === 'BTC')
  assert.ok(Math.abs((cross?.price ?? 0) / priceScale / (market.value('ETH') / 30_000) - 1) < 0.01)
})

test('FEEDS-HISTORY-001: history ends at the present price without a gap, and all its candles are whole', () => {
  const end = new Map([
    ['BTC', 61_837.5],
    ['ETH', 2_400],
  ])
  const pairs = [markets[0], markets[1], { base: 'ETH', quote: 'BTC' }]
  const options = {
    seed: '3',
    markets: pairs,
    endValue: (symbol: string) => end.get(symbol) ?? 1,
    endMs: 86_400_000,
    stepMs: 60_000,
    candles: 1_440,
    moves: 6,
  }
  const history = walkHistory(options)
  assert.deepEqual(history, walkHistory(options))
  for (const [index, candles] of history.entries()) {
    assert.equal(candles.length, 1_440)
    assert.equal(candles[0].openTime, 0)
    assert.equal(candles.at(-1)?.openTime, 86_340_000)
    for (const [at, candle] of candles.entries()) {
      assert.ok(
        candle.low <= Math.min(candle.open, candle.close) && candle.high >= Math.max(candle.open, candle.close) && candle.volume > 0,
      )
      if (at > 0) assert.equal(candle.open, candles[at - 1].close)
      if (at > 0) assert.equal(candle.openTime, candles[at - 1].openTime + 60_000)
    }
    assert.equal(candles.at(-1)?.close, [61_837.5, 2_400, 2_400 / 61_837.5][index])
  }
})
