import type { Borrow, Repay } from '@candor/core/protocol/command/margin.ts'
import { type MarketId, movementsFrom } from '@candor/core/protocol/ids.ts'
import { interestOf, loansOf, liquidationOrders } from '../../store/query/programs/loans.ts'
import { execute } from '../../live/context.ts'
import type { Context } from '../context.ts'
import { readAmount } from '../../live/listing.ts'
import { stamped } from '../auth.ts'
import { missing } from '../errors.ts'
import { amount, assetName, clientTranId, freshId, insufficient, page, type ClientErrors, withClientErrors } from '../funds/values.ts'
import { isIsolatedParam, isIsolatedWord } from '../account-words.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { checkTimes } from '../market/trades.ts'
import { Pairs } from './pairs.ts'

/** Codes and messages that clients know for refused loans. */
const clientErrors: ClientErrors = {
  BORROW_LIMIT: [-3006, 'Your borrow amount has exceed maximum borrow amount.'],
  POOL_EXHAUSTED: [-3045, "The system doesn't have enough asset now."],
  NOTHING_OWED: [-3015, 'Repay amount exceeds borrow amount.'],
  INSUFFICIENT_BALANCE: [-3041, insufficient],
  ASSET_NOT_IN_ACCOUNT: [-3027, 'Not a valid margin asset.'],
}

const borrowRepay = '/sapi/v1/margin/borrow-repay'
const get = (path: string, weight: number) => ({ method: 'GET', path: `/sapi/v1/margin/${path}`, weight, scope: 'read' }) as const

/** Loans of Margin accounts, repayments, interest and liquidations. */
export function loanRoutes(context: Context): readonly Route[] {
  const pairs = new Pairs(context)
  const symbolOf = (name: string | undefined): string => (name === undefined ? '' : pairs.market(name).market.symbol)

  return [
    signedRoute({ method: 'POST', path: borrowRepay, scope: 'trade', weight: 10 }, changeParams, async (values, owner) => {
      const isIsolated = isIsolatedWord(values.isIsolated)
      // Clients send a market with loans of the cross account, too, where it has no meaning.
      if (isIsolated && values.symbol === undefined) throw missing('symbol')
      const asset = pairs.asset(values.asset)
      const command: Borrow | Repay = {
        type: values.type === 'BORROW' ? 'margin.borrow' : 'margin.repay',
        ...{ user: owner.user, clientId: values.clientTranId ?? freshId() },
        market: isIsolated ? pairs.market(values.symbol as string).market.id : (0 as MarketId),
        asset: asset.id,
        amount: readAmount(asset, values.amount, 'amount'),
      }
      const { order } = await withClientErrors(clientErrors, execute(stamped(context, owner), owner.user, command))
      return { tranId: order - movementsFrom }
    }),

    signedRoute({ method: 'GET', path: borrowRepay, scope: 'read', weight: 10 }, loanParams, async (values, { user }) => {
      const { type, isolatedSymbol, txId, ...span } = values
      checkTimes(span.startTime, span.endTime)
      const market = symbolOf(isolatedSymbol)
      if (span.asset !== undefined) pairs.asset(span.asset)
      await context.freshness.settled(user)
      const kind = type === 'BORROW' ? 'borrow' : 'repay'
      const { total, rows } = await loansOf(context.pool, user, kind, { ...span, market, seq: txId })
      return {
        total,
        rows: rows.map(({ seq, at, cause, ...row }) => ({
          ...ofMarket(market),
          ...{ ...row, status: 'CONFIRMED', timestamp: at, txId: seq, type: cause === kind ? 'MANUAL' : 'AUTO' },
        })),
      }
    }),

    signedRoute(get('interestHistory', 1), historyParams, async ({ isolatedSymbol, ...span }, { user }) => {
      checkTimes(span.startTime, span.endTime)
      const market = symbolOf(isolatedSymbol)
      if (span.asset !== undefined) pairs.asset(span.asset)
      await context.freshness.settled(user)
      const { total, rows } = await interestOf(context.pool, user, { ...span, market })
      return {
        total,
        rows: rows.map(({ seq, at, asset, interest, principal, daily, is_first }) => ({
          ...ofMarket(market),
          ...{ txId: seq, interestAccuredTime: at, asset, rawAsset: asset, principal, interest, interestRate: daily },
          type: is_first ? 'ON_BORROW' : 'PERIODIC',
        })),
      }
    }),

    signedRoute(get('forceLiquidationRec', 1), { ...page, isolatedSymbol: param.symbol }, async ({ isolatedSymbol, ...span }, { user }) => {
      checkTimes(span.startTime, span.endTime)
      const market = isolatedSymbol === undefined ? undefined : symbolOf(isolatedSymbol)
      await context.freshness.settled(user)
      const { total, rows } = await liquidationOrders(context.pool, user, { ...span, market })
      return {
        total,
        rows: rows.map((row) => ({
          ...{ avgPrice: row.average ?? '0', executedQty: row.executed, orderId: row.order_id, price: row.price ?? '0' },
          ...{ qty: row.quantity ?? row.executed, side: row.side === 'buy' ? 'BUY' : 'SELL', symbol: row.symbol },
          ...{ timeInForce: row.time_in_force, isIsolated: row.is_isolated, updatedTime: row.updated_at },
        })),
      }
    }),
  ]
}

/** Only rows of an isolated account name a market. */
const ofMarket = (market: string): { readonly isolatedSymbol?: string } => (market === '' ? {} : { isolatedSymbol: market })

const loanType = param.mandatory(param.word(['BORROW', 'REPAY']))

const changeParams = {
  asset: param.mandatory(assetName),
  isIsolated: isIsolatedParam,
  symbol: param.symbol,
  amount: param.mandatory(amount),
  type: loanType,
  clientTranId,
}

/** Without `isolatedSymbol`: of the cross account. */
const historyParams = { asset: assetName, isolatedSymbol: param.symbol, ...page }
const loanParams = { ...historyParams, type: loanType, txId: param.id }
