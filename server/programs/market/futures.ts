import { formatFixed, formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { openInterest, settledRates } from '../../store/query/programs/perp.ts'
import type { BarShape } from '../../store/query/market/bars.ts'
import { Refused } from '../../refused.ts'
import type { Context } from '../context.ts'
import { type ListedMarket, priceText } from '../../live/listing.ts'
import { barParams, klineWeight } from './books.ts'
import { badInterval } from '../errors.ts'
import { shapeOf } from '../intervals.ts'
import { markKlines } from './klines.ts'
import { programName } from '../../live/program-names.ts'
import { Names, type Seen } from '../names.ts'
import * as param from '../params.ts'
import { publicRoute, type Route } from '../route.ts'
import { checkTimes } from './trades.ts'

const symbol = param.mandatory(param.symbol)
/** Rates are sent as fractions of the value; the core has them in 1e-9. */
const rateDigits = 9
const indexDigits = 8
/** The tables have settled rates in percent. */
const percentDigits = 7
const rateText = (rate: number): string => formatFixed(rate, rateDigits)

/** Data that only Futures have: marks, index, funding and open interest. */
export function futuresRoutes(context: Context): readonly Route[] {
  const names = new Names(context.data, 'futures')
  return [
    publicRoute(
      '/fapi/v1/premiumIndex',
      ({ symbol: name }) => (name === undefined ? 10 : 1),
      { symbol: param.symbol },
      ({ symbol: name }) => {
        if (name !== undefined) return premium(context, names.seen(name)) ?? notYet()
        return names.all().flatMap((seen) => premium(context, seen) ?? [])
      },
    ),
    ...fundingRoutes(context, names),
    publicRoute('/fapi/v1/openInterest', 1, { symbol }, async ({ symbol: name }) => {
      const { market } = names.seen(name)
      await context.freshness.reached(context.followed.seq)
      return { symbol: name, openInterest: await openInterest(context.pool, market.market.symbol), time: context.now() }
    }),
    ...markKlineRoutes(context, names),
  ]
}

/** Mark, index and funding of a Futures market; undefined before the first index price. */
function premium({ data }: Context, { market, name }: Seen): object | undefined {
  const now = data.contracts.now(market.market.id)
  if (!now) return undefined
  const index = formatUnits(now.index, indexDigits)
  return {
    symbol: name,
    markPrice: priceText(market, now.mark),
    indexPrice: index,
    estimatedSettlePrice: index,
    lastFundingRate: rateText(now.fundingRate),
    interestRate: rateText(market.market.perp?.fundingInterest ?? 0),
    nextFundingTime: now.fundingAt,
    time: data.view.at,
  }
}

function notYet(): never {
  throw new Refused('UNAVAILABLE', { retryAfter: 1 })
}

function fundingRoutes(context: Context, names: Names): readonly Route[] {
  const rateParams = { symbol: param.symbol, startTime: param.millis, endTime: param.millis, limit: param.limit(100, 1_000) }
  return [
    publicRoute('/fapi/v1/fundingRate', 1, rateParams, async ({ symbol: name, startTime, endTime, limit }) => {
      const market = name === undefined ? undefined : names.market(name)
      checkTimes(startTime, endTime)
      await context.freshness.reached(context.followed.seq)
      const range = { symbol: market?.market.symbol, start: startTime, end: endTime, limit }
      const called = new Map(context.data.listing.markets.map((listed) => [listed.market.symbol, programName(listed)]))
      return (await settledRates(context.pool, range)).map(({ market: own, at, rate, mark }) => ({
        symbol: called.get(own) ?? own,
        fundingTime: at,
        fundingRate: rateText(parseUnits(rate, percentDigits) ?? 0),
        markPrice: mark,
      }))
    }),
    publicRoute('/fapi/v1/fundingInfo', 1, {}, () =>
      names.all().map(({ market: { market }, name }) => ({
        symbol: name,
        adjustedFundingRateCap: rateText(market.perp?.fundingCap ?? 0),
        adjustedFundingRateFloor: rateText(-(market.perp?.fundingCap ?? 0)),
        fundingIntervalHours: market.perp?.fundingHours ?? 0,
        disclaimer: false,
      })),
    ),
  ]
}

function markKlineRoutes(context: Context, names: Names): readonly Route[] {
  const params = { ...barParams, limit: param.limit(500, 1_500) }
  type Range = {
    readonly interval: string
    readonly startTime: number | undefined
    readonly endTime: number | undefined
    readonly limit: number
  }
  const bars = (market: ListedMarket, price: 'mark' | 'index', { interval, startTime, endTime, limit }: Range) => {
    const shape = shapeOf(interval)
    // Marks are stored by the minute.
    if (shape.unit === '1s') throw badInterval()
    checkTimes(startTime, endTime)
    const range = { start: startTime, end: endTime, limit, now: context.now() }
    return markKlines(context.pool, market, price, shape as BarShape & { readonly unit: '1m' | '1h' }, range)
  }
  return [
    publicRoute('/fapi/v1/markPriceKlines', klineWeight, { symbol, ...params }, (values) =>
      bars(names.market(values.symbol), 'mark', values),
    ),
    publicRoute('/fapi/v1/indexPriceKlines', klineWeight, { pair: symbol, ...params }, (values) =>
      bars(names.market(values.pair), 'index', values),
    ),
  ]
}
