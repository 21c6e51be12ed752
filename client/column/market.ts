import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireRates } from '@candor/core/protocol/wire/days/rates.ts'
import type { WireCandles, WireConfig, WireDepth, WireTicker, WireTrade, WireVolume } from '@candor/core/protocol/wire/market.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** Markets, assets, fees, faucet and the sources of prices. */
export function config(http: Http, options?: CallOptions): Promise<WireConfig> {
  return http('GET', '/config', options)
}

/** One row per market; `sparkline` adds 24 hourly closes to each. */
export async function tickers(
  http: Http,
  query: { readonly sparkline?: boolean } = {},
  options?: CallOptions,
): Promise<readonly WireTicker[]> {
  const answer = await http<{ readonly tickers: readonly WireTicker[] }>('GET', '/tickers', {
    ...options,
    query: { sparkline: query.sparkline === true ? 1 : undefined },
  })
  return answer.tickers
}

/** Traded value of the whole exchange in USDT over 24 hours, 7 and 30 days. */
export function volume(http: Http, options?: CallOptions): Promise<WireVolume> {
  return http('GET', '/volume', options)
}

/** Reference rates of currencies for one US dollar, with their source and date. */
export function rates(http: Http, options?: CallOptions): Promise<WireRates> {
  return http('GET', '/rates', options)
}

export type CandlesQuery = {
  readonly interval: Interval
  /** Only candles that open before this time; default: the newest. */
  readonly endTime?: number
  /** 1 to 1000. */
  readonly limit?: number
  /** Futures only: candles of the mark or the index instead of trades, from a minute on. Default: `last`. */
  readonly price?: 'last' | 'mark' | 'index'
}

/** Candles, newest last. */
export function candles(http: Http, symbol: string, query: CandlesQuery, options?: CallOptions): Promise<WireCandles> {
  return http('GET', `/markets/${segment(symbol)}/candles`, { ...options, query: { ...query } })
}

/** `limit` levels a side, 5 to 1000. To follow the book live, see `socket/depth.ts`. */
export function depth(http: Http, symbol: string, query: { readonly limit?: number } = {}, options?: CallOptions): Promise<WireDepth> {
  return http('GET', `/markets/${segment(symbol)}/depth`, { ...options, query: { ...query } })
}

/** Trades of a market, newest first. */
export async function trades(
  http: Http,
  symbol: string,
  query: { readonly limit?: number } = {},
  options?: CallOptions,
): Promise<readonly WireTrade[]> {
  const answer = await http<{ readonly trades: readonly WireTrade[] }>('GET', `/markets/${segment(symbol)}/trades`, {
    ...options,
    query: { ...query },
  })
  return answer.trades
}
