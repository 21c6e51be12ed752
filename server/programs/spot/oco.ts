import type { PlaceOco } from '@candor/core/protocol/command/spot.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { expectListClientId, forgetListClientId, keepListClientId } from '../../store/query/programs/orders.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { missing } from '../errors.ts'
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

type Word = NonNullable<OcoValues['aboveTimeInForce']>
type Common = Pick<OcoValues, 'symbol' | 'listClientOrderId' | 'side' | 'quantity' | 'newOrderRespType' | 'selfTradePreventionMode'>
type Legs = {
  readonly limitClientOrderId: string | undefined
  /** Absent of a leg that acts as a market order. */
  readonly price: string | undefined
  /** Of a leg that gains and sleeps: with these it is no LIMIT_MAKER. */
  readonly limitStopPrice?: string | undefined
  readonly limitTimeInForce?: Word | undefined
  readonly stopClientOrderId: string | undefined
  readonly stopPrice: string
  readonly stopLimitPrice: string | undefined
  readonly stopLimitTimeInForce: Word | undefined
}
export type Oco = Common & Legs

type Leg = {
  readonly name: 'above' | 'below'
  readonly type: OcoValues['aboveType']
  readonly id: string | undefined
  readonly price: string | undefined
  readonly stopPrice: string | undefined
  readonly timeInForce: Word | undefined
}

const badRelation = () => placeError('OCO_PRICES_INVALID')

/**
 * One of the legs waits for a gain, in the book or for its trigger, the other is a stop against a loss.
 *
 * throws  ApiError -1102, -1106, -2010
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
  const [limit, stop] = values.side === 'SELL' ? [above, below] : [below, above]
  // Sold is above the price for a gain and below it against a loss, bought the other way.
  if (isLoss(limit) || !isLoss(stop)) throw badRelation()
  checkLeg(limit)
  checkLeg(stop)
  return {
    ...values,
    limitClientOrderId: limit.id,
    price: limit.price,
    limitStopPrice: limit.stopPrice,
    limitTimeInForce: limit.timeInForce,
    stopClientOrderId: stop.id,
    stopPrice: stop.stopPrice as string,
    stopLimitPrice: stop.price,
    stopLimitTimeInForce: stop.timeInForce,
  }
}

const isLoss = ({ type }: Leg): boolean => type.startsWith('STOP_LOSS')

/** throws  ApiError -1102, -1106 for the first part that the leg's type needs, or may not have */
function checkLeg({ name, type, price, stopPrice, timeInForce: time }: Leg): void {
  const sleeps = type !== 'LIMIT_MAKER'
  const sleepsWithPrice = type.endsWith('_LIMIT')
  for (const [part, value, isNeeded] of [
    ['Price', price, !sleeps || sleepsWithPrice],
    ['StopPrice', stopPrice, sleeps],
    ['TimeInForce', time, sleepsWithPrice],
  ] as const) {
    if (isNeeded && value === undefined) throw missing(name + part)
    if (!isNeeded && value !== undefined) throw notRequired(name + part)
  }
}

/**
 * Places two orders of which one cancels the other, for the spot account or a margin account, and answers with the list.
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
  if (oco.stopLimitPrice === undefined && oco.stopLimitTimeInForce !== undefined) throw missing('stopLimitPrice')
  const listName = oco.listClientOrderId ?? madeId()
  const command = ocoCommand(market, owner.user, oco, listName, margin)
  counts.take(owner.user, owner.class, 2, call.at, call.answerHeaders)
  // Its name is kept before it is sent: it is found by it whatever happens to the answer.
  const named = command.limitClientId
  const expected = named && (await expectListClientId(context.pool, owner.user, named, listName))
  const outcome = await send(context, owner, command)
  if (outcome.refusal) {
    if (named && expected) await forgetListClientId(context.pool, owner.user, named, expected)
    throw placeError(outcome.refusal)
  }
  if (named !== undefined && !outcome.isRepeat) await keepListClientId(context.pool, owner.user, named, listName)
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
    ...(oco.price === undefined ? {} : { limitPrice: ticksOf(market, oco.price, 'price') }),
    ...(oco.limitStopPrice === undefined ? {} : { limitTrigger: ticksOf(market, oco.limitStopPrice, 'stopPrice') }),
    ...atOnce('limitTimeInForce', oco.limitTimeInForce),
    stopPrice: ticksOf(market, oco.stopPrice, 'stopPrice'),
    ...(oco.stopLimitPrice === undefined ? {} : { stopLimit: ticksOf(market, oco.stopLimitPrice, 'stopLimitPrice') }),
    ...atOnce('stopTimeInForce', oco.stopLimitTimeInForce),
    selfTrade: selfTradeOf(oco.selfTradePreventionMode),
    ...(margin === undefined ? {} : { margin }),
  }
}

/** GTC is what a leg is without a word. */
function atOnce<Name extends string>(name: Name, word: Word | undefined): { readonly [N in Name]?: 'IOC' | 'FOK' } {
  return (word === undefined || word === 'GTC' ? {} : { [name]: word }) as { readonly [N in Name]?: 'IOC' | 'FOK' }
}
