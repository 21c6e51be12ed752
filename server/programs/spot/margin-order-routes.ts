import type { BorrowMode } from '@candor/core/protocol/command/margin.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import { refusedHere } from '../auth.ts'
import type { Context } from '../context.ts'
import { missing } from '../errors.ts'
import { type ClientErrors, withClientErrors } from '../funds/values.ts'
import { accountMeant, isIsolatedParam, isIsolatedWord, type Whose, whose } from '../account-words.ts'
import type { ApiUser } from '../key-ring.ts'
import { orderAllowances, type OrderCounts } from '../order-counts.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { cancelAllOf, cancelSpotOrder } from './cancel.ts'
import { accountOf, type Desk, deskOf } from './desk.ts'
import { oldOcoParams, placeSpotOco } from './oco.ts'
import { cancelParams, type CancelValues, orderParams, symbol, whichParams } from './params.ts'
import { placeSpotOrder } from './place.ts'
import { preventedMatches, preventedParams, usualLimit } from './prevented.ts'
import { allOrders, allOrdersParams, myTrades, myTradesParams, openOrders, queryOrder } from './reads.ts'
import { unknownOrder } from './refusals.ts'

const root = '/sapi/v1/margin'
const read = { scope: 'read', method: 'GET' } as const
const trade = { scope: 'trade', weight: 6 } as const

/** Whether an order borrows and repays, by the words of clients. */
const borrowModes = {
  NO_SIDE_EFFECT: 'none',
  MARGIN_BUY: 'borrow',
  AUTO_REPAY: 'repay',
  AUTO_BORROW_REPAY: 'both',
} as const satisfies Record<string, BorrowMode>
const sideEffects = Object.keys(borrowModes) as (keyof typeof borrowModes)[]

const marginParams = { ...whose, sideEffectType: param.word(sideEffects), autoRepayAtCancel: isIsolatedParam } as const
type MarginParams = param.Values<typeof marginParams>

/** An order's loan is repaid when the order is cancelled, unless it asks for the loan to stay. */
function marginOf({ sideEffectType = 'NO_SIDE_EFFECT', autoRepayAtCancel, ...which }: MarginParams): MarginOrder {
  const borrow = borrowModes[sideEffectType]
  const isLent = borrow === 'borrow' || borrow === 'both'
  const repays = isLent && (autoRepayAtCancel === undefined || isIsolatedWord(autoRepayAtCancel))
  return { account: accountMeant(which), borrow, ...(repays ? { repaysAtEnd: true as const } : {}) }
}

/** Codes and messages that clients know for orders of Margin accounts; all others are those of spot orders. */
const clientErrors: ClientErrors = {
  BORROW_LIMIT: [-3006, 'Your borrow amount has exceed maximum borrow amount.'],
  POOL_EXHAUSTED: [-3045, "The system doesn't have enough asset now."],
  MARGIN_LEVEL_LOW: [-3023, "You can't transfer out/place order under current margin level."],
  ASSET_NOT_IN_ACCOUNT: [-3021, 'Margin account are not allowed to trade this trading pair.'],
}

/** Orders of Margin accounts: orders in spot markets that hold and pay with the Margin account's balance. */
export function marginOrderRoutes(context: Context, counts: OrderCounts): readonly Route[] {
  const desk = deskOf(context, counts)
  const order = `${root}/order`
  return [
    signedRoute({ ...trade, method: 'POST', path: order }, { ...orderParams, ...marginParams }, (values, owner, call) =>
      withClientErrors(clientErrors, placeSpotOrder(desk, owner, values, call, marginOf(values))),
    ),
    signedRoute({ ...trade, method: 'POST', path: `${order}/oco` }, { ...oldOcoParams, ...marginParams }, (values, owner, call) =>
      withClientErrors(clientErrors, placeSpotOco(desk, owner, values, call, marginOf(values))),
    ),
    signedRoute({ ...trade, weight: 10, method: 'DELETE', path: order }, { ...cancelParams, ...whose }, async (values, owner) => {
      await checkAccount(desk, owner, values)
      return cancelSpotOrder(desk, owner, values, accountMeant(values))
    }),
    signedRoute({ ...trade, weight: 1, method: 'DELETE', path: `${root}/openOrders` }, { symbol, ...whose }, (values, owner) =>
      cancelAllOf(desk, owner, values.symbol, accountMeant(values)),
    ),
    signedRoute({ ...read, weight: 10, path: order }, { ...whichParams, ...whose }, (values, owner) =>
      queryOrder(desk, owner, values, accountMeant(values)),
    ),
    signedRoute({ ...read, weight: 10, path: `${root}/openOrders` }, { symbol: param.symbol, ...whose }, (values, owner) => {
      if (isIsolatedWord(values.isIsolated) && values.symbol === undefined) throw missing('symbol')
      return openOrders(desk, owner, values.symbol, accountMeant(values))
    }),
    signedRoute({ ...read, weight: 200, path: `${root}/allOrders` }, { ...allOrdersParams, ...whose }, (values, owner) =>
      allOrders(desk, owner, values, accountMeant(values)),
    ),
    signedRoute({ ...read, weight: 10, path: `${root}/myTrades` }, { ...myTradesParams, ...whose }, (values, owner) =>
      myTrades(desk, owner, values, accountMeant(values)),
    ),
    signedRoute({ ...read, weight: 10, path: `${root}/myPreventedMatches` }, { ...preventedParams, ...whose }, (values, owner) =>
      preventedMatches(desk, owner, { ...values, limit: usualLimit }, accountMeant(values)),
    ),
    signedRoute({ ...read, weight: 20, path: `${root}/rateLimit/order` }, { symbol: param.symbol, ...whose }, (_values, owner, { at }) => {
      const allowance = orderAllowances[owner.class]
      const { tenSeconds, day } = counts.read(owner.user, at)
      return [
        { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: allowance.tenSeconds, count: tenSeconds },
        { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: allowance.day, count: day },
      ]
    }),
  ]
}

/**
 * Checks that the order is in the named account: the core cancels by client id in any account.
 *
 * throws  ApiError -2011 when the order is in another account
 */
async function checkAccount({ context, names }: Desk, owner: ApiUser, values: CancelValues & Whose): Promise<void> {
  const { orderId, origClientOrderId } = values
  if (orderId !== undefined || origClientOrderId === undefined) return
  const open = await context.ask.openOrders(owner.user, names.market(values.symbol).market.id)
  const named = open.find(({ clientId }) => clientId === origClientOrderId)
  if (named && accountOf(named) !== accountMeant(values)) throw refusedHere(context, owner, 'spot', unknownOrder())
}
