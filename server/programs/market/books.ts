import { Refused } from '../../refused.ts'
import type { Context } from '../context.ts'
import { levelText } from '../../live/texts.ts'
import { invalid } from '../errors.ts'
import { inZone, shapeOf } from '../intervals.ts'
import { klines } from './klines.ts'
import { Names } from '../names.ts'
import * as param from '../params.ts'
import { publicRoute, type Route } from '../route.ts'
import type { Family } from '../../live/program-names.ts'
import { checkTimes } from './trades.ts'

const symbol = param.mandatory(param.symbol)
const status = param.word(['TRADING', 'HALT', 'BREAK'])
const futuresLimits: ReadonlySet<number> = new Set([5, 10, 20, 50, 100, 500, 1_000])

export const barParams = {
  interval: param.mandatory(param.text(/^[0-9A-Za-z]{1,4}$/)),
  startTime: param.millis,
  endTime: param.millis,
}
export const klineWeight = ({ limit }: { readonly limit: number }): number => (limit < 100 ? 1 : limit < 500 ? 2 : limit <= 1_000 ? 5 : 10)

/** `depth` of both groups of paths: the whole book at one update, which a socket's changes continue. */
export function depthRoutes(context: Context): readonly Route[] {
  const route = (family: Family) => {
    const names = new Names(context.data, family)
    const isSpot = family === 'spot'
    const params = isSpot
      ? { symbol, limit: param.limit(100, 5_000), symbolStatus: status }
      : { symbol, limit: param.limit(500, 1_000), symbolStatus: status }
    const weight = isSpot ? spotDepthWeight : futuresDepthWeight
    return publicRoute(
      `${isSpot ? '/api/v3' : '/fapi/v1'}/depth`,
      ({ limit }) => weight(limit),
      params,
      ({ symbol: name, limit }) => {
        if (!isSpot && !futuresLimits.has(limit)) throw invalid('limit')
        const { market, view } = names.seen(name)
        if (view.depth.isStale) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
        const { update, bids, asks } = view.depth.view(limit)
        const sides = { bids: bids.map((level) => levelText(market, level)), asks: asks.map((level) => levelText(market, level)) }
        return isSpot ? { lastUpdateId: update, ...sides } : { lastUpdateId: update, E: context.now(), T: context.data.view.at, ...sides }
      },
    )
  }
  return [route('spot'), route('futures')]
}

const spotDepthWeight = (limit: number): number => (limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1_000 ? 50 : 250)
const futuresDepthWeight = (limit: number): number => (limit <= 50 ? 2 : limit <= 100 ? 5 : limit <= 500 ? 10 : 20)

/** `klines`, and `uiKlines`, which is the same here: nothing is smoothed. */
export function klineRoutes(context: Context): readonly Route[] {
  const spot = new Names(context.data, 'spot')
  const futures = new Names(context.data, 'futures')
  const spotParams = { symbol, ...barParams, timeZone: param.text(/^[+-]?[0-9]{1,2}(:[0-9]{2})?$/), limit: param.limit(500, 1_000) }
  const spotRoute = (path: string) =>
    publicRoute(path, 2, spotParams, ({ symbol: name, interval, startTime, endTime, timeZone = '0', limit }) => {
      const seen = spot.seen(name)
      const shape = inZone(shapeOf(interval), timeZone, 'timeZone')
      checkTimes(startTime, endTime)
      return klines(context.pool, seen, shape, { start: startTime, end: endTime, limit, now: context.now() })
    })
  return [
    spotRoute('/api/v3/klines'),
    spotRoute('/api/v3/uiKlines'),
    publicRoute('/fapi/v1/klines', klineWeight, { symbol, ...barParams, limit: param.limit(500, 1_500) }, (values) => {
      const { symbol: name, interval, startTime, endTime, limit } = values
      const seen = futures.seen(name)
      checkTimes(startTime, endTime)
      return klines(context.pool, seen, shapeOf(interval), { start: startTime, end: endTime, limit, now: context.now() })
    }),
  ]
}
