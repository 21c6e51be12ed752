import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { OrderId, TradeId } from '@candor/core/protocol/ids.ts'
import { forcedOrders, marginChanges, perpEntries, type PerpEntryRow, perpFills } from '../../store/query/programs/perp-history.ts'
import { ApiError } from '../errors.ts'
import { programName } from '../../live/program-names.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { checkTimes } from '../market/trades.ts'
import type { Desk } from './order-routes.ts'
import { contractOrder, positionWords } from './order-view.ts'
import { find } from './orders.ts'

const times = { startTime: param.millis, endTime: param.millis }
const symbol = param.mandatory(param.symbol)
const dayMs = 86_400_000
/** Bound of the lines of one command, each of which has a number of its own. */
const linesMax = 2 ** 16

/** Reasons that move money of a Futures account, by the words that programs know. */
const incomes = {
  TRANSFER: ['transfer'],
  REALIZED_PNL: ['realised', 'deleverage'],
  FUNDING_FEE: ['funding'],
  COMMISSION: ['fee'],
  INSURANCE_CLEAR: ['liquidation-fee', 'insurance'],
} as const satisfies Record<string, readonly EntryReason[]>
type Income = keyof typeof incomes
const incomeTypes = Object.keys(incomes) as Income[]
const incomeOf = new Map<EntryReason, Income>(incomeTypes.flatMap((type) => incomes[type].map((reason) => [reason, type] as const)))

/** Trades, income, changes of margin, and orders that liquidated. */
export function historyRoutes({ context, names }: Desk): readonly Route[] {
  const read = (path: string, weight: number) => ({ method: 'GET', path, scope: 'read', weight }) as const
  const fillParams = { symbol, orderId: param.id, ...times, fromId: param.id, limit: param.limit(500, 1_000) }
  const incomeParams = {
    symbol: param.symbol,
    incomeType: param.word(incomeTypes),
    ...times,
    page: param.withDefault(param.integer(1, 10_000), 1),
    limit: param.limit(100, 1_000),
  }
  const movedParams = { symbol, type: param.word(['1', '2']), ...times, limit: param.limit(500, 1_000) }
  const forcedParams = { symbol: param.symbol, autoCloseType: param.word(['LIQUIDATION', 'ADL']), ...times, limit: param.limit(50, 100) }
  return [
    signedRoute(read('/fapi/v1/userTrades', 5), fillParams, async (values, { user }) => {
      const market = names.market(values.symbol)
      const { orderId, startTime: start, endTime: end, fromId, limit } = values
      checkTimes(start, end)
      if (start !== undefined && end !== undefined && end - start > 7 * dayMs)
        throw new ApiError(-4166, 'Search window is restricted to recent 7 days only.')
      if (fromId !== undefined && (start !== undefined || end !== undefined))
        throw new ApiError(-1128, 'Combination of optional parameters invalid.')
      await context.freshness.settled(user)
      const range = { order: orderId as OrderId | undefined, fromId: fromId as TradeId | undefined, start, end, limit }
      return (await perpFills(context.pool, user, market.market.symbol, range)).map((fill) => ({
        symbol: values.symbol,
        id: fill.id,
        orderId: fill.order_id,
        side: fill.is_buyer ? 'BUY' : 'SELL',
        price: fill.price,
        qty: fill.quantity,
        realizedPnl: fill.realised,
        quoteQty: fill.quote,
        commission: fill.fee,
        commissionAsset: market.quote.symbol,
        time: fill.at_ms,
        positionSide: positionWords[fill.position],
        buyer: fill.is_buyer,
        maker: fill.is_maker,
      }))
    }),
    signedRoute(read('/fapi/v1/income', 30), incomeParams, async (values, { user }) => {
      const { symbol: name, incomeType, startTime: start, endTime: end, page, limit } = values
      const market = name === undefined ? undefined : names.market(name)
      checkTimes(start, end)
      await context.freshness.settled(user)
      const reasons = incomeType === undefined ? [...incomeOf.keys()] : incomes[incomeType]
      const range = { symbol: market?.market.symbol, reasons, start, end, limit, offset: (page - 1) * limit }
      const called = new Map(context.listing.markets.map((listed) => [listed.market.symbol, programName(listed)]))
      return (await perpEntries(context.pool, user, range)).map((entry) => incomeView(entry, called))
    }),
    signedRoute(read('/fapi/v1/positionMargin/history', 1), movedParams, async (values, { user }) => {
      const { symbol: name, type, startTime: start, endTime: end, limit } = values
      const { market, quote } = names.market(name)
      checkTimes(start, end)
      await context.freshness.settled(user)
      const range = { isIn: type === undefined ? undefined : type === '1', start, end, limit }
      return (await marginChanges(context.pool, user, market.symbol, range)).map(({ at_ms, side, amount }) => ({
        ...{ symbol: name, type: amount.startsWith('-') ? 2 : 1, deltaType: 'USER_ADJUST', amount: amount.replace('-', '') },
        ...{ asset: quote.symbol, time: at_ms, positionSide: positionWords[side] },
      }))
    }),
    signedRoute(read('/fapi/v1/forceOrders', 20), forcedParams, async (values, { user }) => {
      const { symbol: name, autoCloseType, startTime: start, endTime: end, limit } = values
      const market = name === undefined ? undefined : names.market(name)
      checkTimes(start, end)
      // Auto-deleveraging closes a position without an order of its owner: the trade happens outside the book.
      if (autoCloseType === 'ADL') return []
      await context.freshness.settled(user)
      const forced = await forcedOrders(context.pool, user, { symbol: market?.market.symbol, start, end, limit })
      return Promise.all(
        forced.map(async ({ id, market: own }) => {
          const listed = context.listing.marketNamed(own)
          return contractOrder(listed, await find(context, user, listed, { id, clientId: undefined }))
        }),
      )
    }),
  ]
}

/** A transfer has the number with which it was answered; all other entries have numbers of their own. */
function incomeView(
  { seq, line, reason, amount, asset, at_ms, symbol: market, trade_id }: PerpEntryRow,
  called: ReadonlyMap<string, string>,
): object {
  const incomeType = incomeOf.get(reason) as Income
  return {
    symbol: market === null ? '' : (called.get(market) ?? market),
    incomeType,
    income: amount,
    asset,
    time: at_ms,
    info: trade_id === null ? reason : String(trade_id),
    tranId: incomeType === 'TRANSFER' ? seq : seq * linesMax + line,
    tradeId: trade_id === null ? '' : String(trade_id),
  }
}
