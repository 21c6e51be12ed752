import type { Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Candle, Market } from '@candor/core/protocol/market.ts'
import type { Pair } from './board.ts'
import type { Log } from './log.ts'
import { dividePrice, parsePrice, priceScale } from './price.ts'
import { walkHistory, type WalkCandle } from './simulated/history.ts'
import type { GetJson, Venue, VenueCandle } from './venue/venue.ts'

/** Stores candles from before the market's first own trade; existing rows stay unchanged. */
export type InsertReferenceCandles = (market: MarketId, interval: '1m' | '1h', candles: readonly Candle[]) => Promise<void>

export type HistoryMarket = { readonly market: Market; readonly pair: Pair }

export type ReferenceHistoryOptions = {
  readonly markets: readonly HistoryMarket[]
  readonly insert: InsertReferenceCandles
  /** Wall clock, ms. */
  readonly nowMs: number
  readonly seed: string
  /** Current USDT value of a coin. */
  readonly usdtOf: (symbol: string) => number
  /** Venues in the order in which they are asked; without any, all history is simulated. */
  readonly venues: readonly Venue[]
  /** USD for one USDT at 1e-8, to convert candles of USD venues. */
  readonly usdtUsd: number | undefined
  readonly get?: GetJson
  readonly log: Log
}

const spans = [
  { interval: '1h', stepMs: 3_600_000, candles: 90 * 24, moves: 12 },
  { interval: '1m', stepMs: 60_000, candles: 3 * 24 * 60, moves: 6 },
] as const
/** Pages of candles per market and interval from one venue, and the total time for asking venues: the start should not take longer. */
const pagesMax = 6
const askMaxMs = 20_000
const candlesMin = { '1m': 24 * 60, '1h': 60 * 24 } as const

/**
 * Gives every market an initial chart: candles from venues that answer, otherwise from the simulated walk. All are marked as
 * reference.
 */
export async function insertReferenceHistory(options: ReferenceHistoryOptions): Promise<void> {
  const missing = new Map<'1m' | '1h', HistoryMarket[]>([
    ['1m', []],
    ['1h', []],
  ])
  const endAt = performance.now() + askMaxMs
  await fourAtOnce(options.markets, async (each) => {
    for (const { interval, stepMs } of spans) {
      const candles = await venueCandles(options, each, interval, stepMs, endAt)
      if (candles.length < 2) missing.get(interval)?.push(each)
      else await options.insert(each.market.id, interval, candles)
    }
  })
  await insertWalk(options, missing.get('1h') ?? [], missing.get('1m') ?? [])
}

async function venueCandles(
  options: ReferenceHistoryOptions,
  each: HistoryMarket,
  interval: '1m' | '1h',
  stepMs: number,
  endAt: number,
): Promise<Candle[]> {
  const get = options.get ?? getJson
  for (const venue of options.venues) {
    const isUsd = each.pair.quote === 'USDT' && venue.dollar === 'USD'
    if ((isUsd && options.usdtUsd === undefined) || performance.now() > endAt) continue
    const pair = isUsd ? { base: each.pair.base, quote: 'USD' } : each.pair
    const rows = new Map<number, VenueCandle>()
    let endMs = Math.floor(options.nowMs / stepMs) * stepMs
    try {
      for (let page = 0; page < pagesMax && rows.size < candlesMin[interval] && performance.now() < endAt; page += 1) {
        const answer = await venue.candles(get, venue.restUrl, pair, interval, endMs)
        for (const row of answer) if (row[0] < endMs) rows.set(row[0], row)
        const oldest = Math.min(...answer.map((row) => row[0]))
        if (!(oldest < endMs)) break
        endMs = oldest
      }
    } catch (error) {
      options.log.warn({ venue: venue.name, market: each.market.symbol, err: error }, 'a price venue gives no candles')
    }
    const candles = [...rows.values()]
      .sort((a, b) => a[0] - b[0])
      .map((row) => fromVenue(each.market, row, stepMs, isUsd ? options.usdtUsd : undefined))
      .filter((candle) => candle !== undefined)
    if (candles.length > 1) return candles
  }
  return []
}

/** Hours that the minutes cover are built from them, so that both charts agree. */
async function insertWalk(
  options: ReferenceHistoryOptions,
  hourly: readonly HistoryMarket[],
  minutely: readonly HistoryMarket[],
): Promise<void> {
  if (hourly.length + minutely.length === 0) return
  const markets = options.markets
  const pairs = markets.map(({ pair }) => pair)
  const [hours, minutes] = spans
  const minuteEnd = Math.floor(options.nowMs / minutes.stepMs) * minutes.stepMs
  const fine = walkHistory({ ...minutes, seed: options.seed, markets: pairs, endValue: options.usdtOf, endMs: minuteEnd })

  const fineStart = fine[0][0].openTime
  const hourStart = Math.ceil(fineStart / hours.stepMs) * hours.stepMs
  const startValues = new Map<string, number>()
  for (const [index, pair] of pairs.entries()) {
    if (pair.quote === 'USDT') startValues.set(pair.base, fine[index][Math.round((hourStart - fineStart) / minutes.stepMs)].open)
  }
  const coarse = walkHistory({
    ...hours,
    seed: options.seed,
    markets: pairs,
    endValue: (symbol) => startValues.get(symbol) ?? options.usdtOf(symbol),
    endMs: hourStart,
    candles: hours.candles - Math.floor((minuteEnd - hourStart) / hours.stepMs),
  })

  await fourAtOnce(markets, async (each, index) => {
    const { market } = each
    const insert = (interval: '1h' | '1m', candles: readonly WalkCandle[]): Promise<void> =>
      options.insert(
        market.id,
        interval,
        candles.map((candle) => fromWalk(market, candle)),
      )
    const covered = joined(fine[index], hours.stepMs).filter(
      ({ openTime }) => openTime >= hourStart && openTime + hours.stepMs <= minuteEnd,
    )
    if (hourly.includes(each)) await insert('1h', [...coarse[index], ...covered])
    if (minutely.includes(each)) await insert('1m', fine[index])
  })
}

async function fourAtOnce<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const entries = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) await work(item, index)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

function joined(candles: readonly WalkCandle[], stepMs: number): WalkCandle[] {
  const byTime = new Map<number, WalkCandle>()
  for (const candle of candles) {
    const openTime = Math.floor(candle.openTime / stepMs) * stepMs
    const known = byTime.get(openTime)
    byTime.set(
      openTime,
      known === undefined
        ? { ...candle, openTime }
        : {
            openTime,
            open: known.open,
            high: Math.max(known.high, candle.high),
            low: Math.min(known.low, candle.low),
            close: candle.close,
            volume: known.volume + candle.volume,
          },
    )
  }
  return [...byTime.values()]
}

function fromWalk(market: Market, candle: WalkCandle): Candle {
  const ticks = (price: number): Ticks => toTicks(market, Math.round(price * priceScale))
  const { openTime, open, high, low, close, volume } = candle
  return reference(market, { openTime, open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close), volume })
}

function fromVenue(market: Market, row: VenueCandle, stepMs: number, usdtUsd: number | undefined): Candle | undefined {
  const [time, ...rest] = row
  const volume = Number(rest[4])
  const prices = rest.slice(0, 4).map((value) => parsePrice(typeof value === 'number' ? value : String(value)))
  if (!Number.isSafeInteger(time) || time % stepMs !== 0 || !(volume >= 0) || prices.includes(undefined)) return undefined
  const converted = (prices as number[]).map((price) => (usdtUsd === undefined ? price : dividePrice(price, usdtUsd)))
  if (converted.includes(undefined)) return undefined
  const [open, high, low, close] = (converted as number[]).map((price) => toTicks(market, price)) as [Ticks, Ticks, Ticks, Ticks]
  return reference(market, { openTime: time, open, high, low, close, volume })
}

/** The nearest tick, at least one. */
function toTicks(market: Market, price: number): Ticks {
  return Math.max(1, Math.round(price / (parsePrice(market.tick) ?? 1))) as Ticks
}

/** Prices of a bar in ticks; `volume` in whole coins. */
type Bar = Readonly<Record<'open' | 'high' | 'low' | 'close', Ticks>> & { readonly openTime: number; readonly volume: number }

/** Lots and value are for display only; nothing is summed from them. */
function reference(market: Market, { openTime, open, high, low, close, volume }: Bar): Candle {
  const lots = Math.round(volume / Number(market.lot))
  const quote = lots * close * market.quotePerTickLot
  const isExact = Number.isSafeInteger(quote)
  return {
    openTime: openTime as Millis,
    open,
    high: Math.max(open, high, low, close) as Ticks,
    low: Math.min(open, high, low, close) as Ticks,
    close,
    lots: (isExact ? lots : 0) as Lots,
    quote: (isExact ? quote : 0) as Units,
    takerLots: 0 as Lots,
    takerQuote: 0 as Units,
    trades: 0,
    isReference: true,
  }
}

const getJson: GetJson = async (url) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000), headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`status ${response.status} from ${new URL(url).host}`)
  return response.json()
}
