import type { PlaceOco } from '@candor/core/protocol/command/spot.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { nameList } from '../../../store/query/api-orders.ts'
import type { ListedMarket } from '../../market/listing.ts'
import { ApiError, missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import type { Call } from '../route.ts'
import { lotsOf, selfTradeOf, ticksOf } from './command.ts'
import { derivedId, type Desk, madeId, send } from './desk.ts'
import { listIdMax } from './list-names.ts'
import { placedList } from './lists.ts'
import { clientId, decimal, notRequired, responseType, selfTradeMode, side, symbol, timeInForce } from './params.ts'
import { placeError } from './refusals.ts'

const legType = param.word(['LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'])

export const ocoParams = {
  symbol,
  listClientOrderId: clientId,
  side: param.mandatory(side),
  quantity: param.mandatory(decimal),
  aboveType: param.mandatory(legType),
  aboveClientOrderId: clientId,
  abovePrice: decimal,
  aboveStopPrice: decimal,
  aboveTimeInForce: timeInForce,
  belowType: param.mandatory(legType),
  belowClientOrderId: clientId,
  belowPrice: decimal,
  belowStopPrice: decimal,
  belowTimeInForce: timeInForce,
  newOrderRespType: responseType,
  selfTradePreventionMode: selfTradeMode,
} as const
export type OcoValues = param.Values<typeof ocoParams>

/** The path that came before: one limit price and one stop price, whichever is above. */
export const oldOcoParams = {
  symbol,
  listClientOrderId: clientId,
  side: param.mandatory(side),
  quantity: param.mandatory(decimal),
  limitClientOrderId: clientId,
  price: param.mandatory(decimal),
  stopClientOrderId: clientId,
  stopPrice: param.mandatory(decimal),
  stopLimitPrice: decimal,
  stopLimitTimeInForce: timeInForce,
  newOrderRespType: responseType,
  selfTradePreventionMode: selfTradeMode,
} as const

type Common = Pick<OcoValues, 'symbol' | 'listClientOrderId' | 'side' | 'quantity' | 'newOrderRespType' | 'selfTradePreventionMode'>
type Legs = {
  readonly limitClientOrderId: string | undefined
  readonly price: string
  readonly stopClientOrderId: string | undefined
  readonly stopPrice: string
  readonly stopLimitPrice: string | undefined
  readonly stopLimitTimeInForce: string | undefined
}
export type Oco = Common & Legs

type Leg = {
  readonly name: 'above' | 'below'
  readonly type: OcoValues['aboveType']
  readonly id: string | undefined
  readonly price: string | undefined
  readonly stopPrice: string | undefined
  readonly timeInForce: string | undefined
}

const unsupported = (what: string) => new ApiError(-1020, `This operation is not supported: ${what}.`)
const badRelation = () => placeError('OCO_PRICES_INVALID')

/**
 * One of the legs is a limit order that never takes, the other a stop against a loss.
 *
 * throws  ApiError -1102, -1106, -1020, -2010
 */
export function readLegs(values: OcoValues): Oco {
  const above: Leg = {
    name: 'above',
    type: values.aboveType,
    id: values.aboveClientOrderId,
    price: values.abovePrice,
    stopPrice: values.aboveStopPrice,
    timeInForce: values.aboveTimeInForce,
  }
  const below: Leg = {
    name: 'below',
    type: values.belowType,
    id: values.belowClientOrderId,
    price: values.belowPrice,
    stopPrice: values.belowStopPrice,
    timeInForce: values.belowTimeInForce,
  }
  if ([above.type, below.type].some((type) => type.startsWith('TAKE_PROFIT'))) {
    throw unsupported('the leg that gains is of type LIMIT_MAKER')
  }
  const [limit, stop] = values.side === 'SELL' ? [above, below] : [below, above]
  // Sold is above the price for a gain and below it against a loss, bought the other way.
  if (limit.type !== 'LIMIT_MAKER' || stop.type === 'LIMIT_MAKER') throw badRelation()
  if (limit.price === undefined) throw missing(`${limit.name}Price`)
  if (stop.stopPrice === undefined) throw missing(`${stop.name}StopPrice`)
  if (limit.stopPrice !== undefined) throw notRequired(`${limit.name}StopPrice`)
  if (limit.timeInForce !== undefined) throw notRequired(`${limit.name}TimeInForce`)
  const isLimit = stop.type === 'STOP_LOSS_LIMIT'
  if (isLimit && stop.price === undefined) throw missing(`${stop.name}Price`)
  if (isLimit && stop.timeInForce === undefined) throw missing(`${stop.name}TimeInForce`)
  if (!isLimit && stop.price !== undefined) throw notRequired(`${stop.name}Price`)
  if (!isLimit && stop.timeInForce !== undefined) throw notRequired(`${stop.name}TimeInForce`)
  return {
    ...values,
    limitClientOrderId: limit.id,
    price: limit.price,
    stopClientOrderId: stop.id,
    stopPrice: stop.stopPrice,
    stopLimitPrice: stop.price,
    stopLimitTimeInForce: stop.timeInForce,
  }
}

/**
 * Places two orders of which one cancels the other, for the spot account or a lever account, and answers with the list.
 *
 * throws  ApiError or Refused
 */
export async function placeSpotOco(
  { context, names, counts }: Desk,
  owner: ApiUser,
  oco: Oco,
  call: Pick<Call, 'at' | 'answerHeaders'>,
  margin?: MarginOrder,
): Promise<object> {
  const market = names.market(oco.symbol)
  if (oco.stopLimitTimeInForce !== undefined && oco.stopLimitTimeInForce !== 'GTC') throw unsupported('the stop leg of a list is GTC')
  if (oco.stopLimitPrice === undefined && oco.stopLimitTimeInForce !== undefined) throw missing('stopLimitPrice')
  const listName = oco.listClientOrderId ?? madeId()
  const command = ocoCommand(market, owner.user, oco, listName, margin)
  counts.take(owner.user, owner.class, 2, call.at, call.answerHeaders)
  // Its name is kept before it is sent: it is found by it whatever happens to the answer.
  const named = command.limitClientId
  if (named !== undefined) await nameList(context.pool, owner.user, named, listName, false)
  const outcome = await send(context, owner, command)
  if (outcome.refusal) throw placeError(outcome.refusal)
  if (named !== undefined && !outcome.isRepeat) await nameList(context.pool, owner.user, named, listName, true)
  return placedList(context, owner, market, outcome, listName, oco.newOrderRespType ?? 'RESULT')
}

function ocoCommand(market: ListedMarket, user: UserId, oco: Oco, listName: string, margin: MarginOrder | undefined): PlaceOco {
  // The core gives legs names that are longer than the list's own: a list of a long name names its legs itself.
  const isLong = listName.length > listIdMax
  const limitId = oco.limitClientOrderId ?? (isLong ? derivedId('limit', listName) : undefined)
  const stopId = oco.stopClientOrderId ?? (isLong ? derivedId('stop', listName) : undefined)
  return {
    type: 'spot.placeOco',
    user,
    clientId: listName,
    ...(limitId === undefined ? {} : { limitClientId: limitId }),
    ...(stopId === undefined ? {} : { stopClientId: stopId }),
    market: market.market.id,
    side: oco.side === 'BUY' ? 'buy' : 'sell',
    lots: lotsOf(market, oco.quantity, 'quantity'),
    limitPrice: ticksOf(market, oco.price, 'price'),
    stopPrice: ticksOf(market, oco.stopPrice, 'stopPrice'),
    ...(oco.stopLimitPrice === undefined ? {} : { stopLimit: ticksOf(market, oco.stopLimitPrice, 'stopLimitPrice') }),
    selfTrade: selfTradeOf(oco.selfTradePreventionMode),
    ...(margin === undefined ? {} : { margin }),
  }
}
