import { type AggregateRow, aggregatesIn, type TradeRange, type TradeRow, tradesIn } from '../../store/query/programs/trades.ts'
import type { Context } from '../context.ts'
import { amountText, priceText, quantityText } from '../../live/listing.ts'
import { ApiError, badCombination } from '../errors.ts'
import { Names, type Seen } from '../names.ts'
import * as param from '../params.ts'
import { publicRoute, type Route } from '../route.ts'
import type { Family } from '../../live/program-names.ts'

const symbol = param.mandatory(param.symbol)
const rangeParams = {
  symbol,
  fromId: param.id,
  startTime: param.millis,
  endTime: param.millis,
  limit: param.limit(500, 1_000),
}

/**
 * `trades`, `historicalTrades` and `aggTrades`. Those of Futures have no `isBestMatch` and no `M`: clients tell them from spot by
 * that.
 */
export function tradeRoutes(context: Context, family: Family): readonly Route[] {
  const names = new Names(context.data, family)
  const isSpot = family === 'spot'
  const root = isSpot ? '/api/v3' : '/fapi/v1'
  const stored = async (seen: Seen, range: TradeRange) => {
    await upToDate(context)
    const rows = await tradesIn(context.pool, seen.market.market.symbol, range)
    return rows.map((row) => tradeOf(row, isSpot))
  }
  const tradeParams = { symbol, limit: param.limit(500, 1_000) }
  return [
    publicRoute(`${root}/trades`, isSpot ? 25 : 5, tradeParams, ({ symbol: name, limit }) => {
      const seen = names.seen(name)
      const recent = seen.view.trades.newest(limit)
      const isAll = recent.length === limit || recent.at(-1)?.trade === 1
      return isAll ? recent.toReversed().map((trade) => recentTrade(seen, trade, isSpot)) : stored(seen, { limit })
    }),
    publicRoute(`${root}/historicalTrades`, isSpot ? 25 : 20, { ...tradeParams, fromId: param.id }, ({ symbol: name, limit, fromId }) =>
      stored(names.seen(name), { limit, fromId }),
    ),
    publicRoute(`${root}/aggTrades`, isSpot ? 4 : 20, rangeParams, async ({ symbol: name, fromId, startTime, endTime, limit }) => {
      const { market } = names.seen(name)
      if (fromId !== undefined && (startTime ?? endTime) !== undefined) throw badCombination()
      checkTimes(startTime, endTime)
      await upToDate(context)
      const rows = await aggregatesIn(context.pool, market.market.symbol, { fromId, start: startTime, end: endTime, limit })
      return rows.map((row) => aggregateOf(row, isSpot))
    }),
  ]
}

/** Waits for the tables, but not for long: a client that saw a trade on a socket finds it here. */
async function upToDate({ freshness, followed }: Context): Promise<void> {
  await freshness.reached(followed.seq)
}

/** throws  ApiError -1127 */
export function checkTimes(start: number | undefined, end: number | undefined): void {
  if (start !== undefined && end !== undefined && start > end) throw new ApiError(-1127, 'Start time is greater than end time.')
}

type Recent = ReturnType<Seen['view']['trades']['newest']>[number]

function recentTrade({ market }: Seen, { trade, price, lots, quote, at, takerSide }: Recent, isSpot: boolean): object {
  return tradeOf(
    {
      id: trade,
      price: priceText(market, price),
      quantity: quantityText(market, lots),
      quote: amountText(market.quote, quote),
      at,
      takerSide,
    },
    isSpot,
  )
}

function tradeOf({ id, price, quantity, quote, at, takerSide }: TradeRow, isSpot: boolean): object {
  const trade = { id, price, qty: quantity, quoteQty: quote, time: at, isBuyerMaker: takerSide === 'sell' }
  return isSpot ? { ...trade, isBestMatch: true } : trade
}

function aggregateOf({ first, last, price, quantity, at, takerSide }: AggregateRow, isSpot: boolean): object {
  const aggregate = { a: first, p: price, q: quantity, f: first, l: last, T: at, m: takerSide === 'sell' }
  return isSpot ? { ...aggregate, M: true } : aggregate
}
