import type { OrderId } from '@candor/core/protocol/ids.ts'
import type { OrderAccount } from '../../store/query/programs/orders.ts'
import { quantityText } from '../../live/listing.ts'
import { refusedHere } from '../auth.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import { lotsOf } from './command.ts'
import { accountOf, type Desk, madeId, send } from './desk.ts'
import { findOrder, isList, knowOpen } from './find.ts'
import { orderReport, preventedLots, selfTradeWord, workingTime } from './order-view.ts'
import { checkWhich, clientId, decimal, whichParams } from './params.ts'
import { amendError, noSuchOrder } from './refusals.ts'

export const amendParams = { ...whichParams, newClientOrderId: clientId, newQty: param.mandatory(decimal) } as const

/**
 * Reduces an order's quantity; the order keeps its place in the queue and its client id. The client id of the request names only
 * the request.
 *
 * throws  ApiError -2013, -2038, or Refused
 */
export async function amendSpotOrder(
  { context, names }: Desk,
  owner: ApiUser,
  values: param.Values<typeof amendParams>,
  account: OrderAccount = 'spot',
): Promise<object> {
  checkWhich(values)
  const { user } = owner
  const { orderId = 0, origClientOrderId = '', newClientOrderId } = values
  const market = names.market(values.symbol)
  const lots = lotsOf(market, values.newQty, 'newQty')
  await knowOpen(context, user)
  const refused = () => refusedHere(context, owner, 'spot', noSuchOrder())
  const known = orderId === 0 ? undefined : context.orders.get(orderId as OrderId)
  if (
    known &&
    (known.user !== user || accountOf(known) !== account || (origClientOrderId !== '' && known.clientId !== origClientOrderId))
  ) {
    throw refused()
  }
  if (orderId === 0 && account === 'spot' && context.orders.isMargin(user, origClientOrderId)) throw refused()
  if (known === undefined && (await isList(context, user, orderId, origClientOrderId))) throw refused()
  const keepsId = newClientOrderId === undefined || newClientOrderId === (known?.clientId ?? origClientOrderId)
  const outcome = await send(context, owner, {
    type: 'spot.amend',
    user,
    clientId: keepsId ? madeId() : newClientOrderId,
    market: market.market.id,
    order: orderId as OrderId,
    orderClientId: orderId === 0 ? origClientOrderId : '',
    lots,
    keepsPriority: true,
  })
  if (outcome.refusal) throw amendError(outcome.refusal)
  await context.followed.reached(outcome.seq)
  const which = { orderId: outcome.order, origClientOrderId: undefined }
  const state = context.orders.get(outcome.order) ?? (await findOrder(context, user, market, account, which))
  if (!state) throw noSuchOrder()
  const { origQty, cummulativeQuoteQty, origQuoteOrderQty, ...report } = orderReport(context.listing, state)
  return {
    transactTime: outcome.isRepeat ? state.updatedAt : outcome.at,
    executionId: outcome.seq,
    amendedOrder: {
      ...report,
      origClientOrderId: state.clientId,
      qty: origQty,
      preventedQty: quantityText(market, preventedLots(state)),
      quoteOrderQty: origQuoteOrderQty,
      cumulativeQuoteQty: cummulativeQuoteQty,
      workingTime: workingTime(state),
      selfTradePreventionMode: selfTradeWord(state),
    },
  }
}
