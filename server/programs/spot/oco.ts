import type { PlaceOco } from '@candor/core/protocol/command/spot.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import type { Call } from '../route.ts'
import { lotsOf, selfTradeOf, ticksOf } from './command.ts'
import { derivedId, type Desk, madeId } from './desk.ts'
import { listIdMax } from './list-names.ts'
import { clientId, decimal, notRequired, responseType, selfTradeMode, side, symbol, timeInForce, trailingDelta } from './params.ts'
import { placeError } from './refusals.ts'
import { sendList } from './send-list.ts'

export const legType = param.word(['LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'])

export const ocoParams = {
  symbol,
  listClientOrderId: clientId,
  side: param.mandatory(side),
  quantity: param.mandatory(decimal),
  aboveType: param.mandatory(legType),
  aboveClientOrderId: clientId,
  abovePrice: decimal,
  aboveStopPrice: decimal,
  aboveTrailingDelta: trailingDelta,
  aboveIcebergQty: decimal,
  aboveTimeInForce: timeInForce,
  belowType: param.mandatory(legType),
  belowClientOrderId: clientId,
  belowPrice: decimal,
  belowStopPrice: decimal,
  belowTrailingDelta: trailingDelta,
  belowIcebergQty: decimal,
  belowTimeInForce: timeInForce,
  newOrderRespType: responseType,
  selfTradePreventionMode: selfTradeMode,
} as const
export type OcoValues = param.Values<typeof ocoParams>

/** Parameters of the older path: one limit price and one stop price, whichever is above. */
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
  /** Missing for a leg that becomes a market order. */
  readonly price: string | undefined
  /** Trigger of a take-profit leg; with one of these it is not a LIMIT_MAKER. */
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
 * One of the legs takes a profit, resting in the book or waiting for its trigger; the other is a stop against a loss.
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
  // A sell takes its profit above the market price and stops its loss below it; a buy the other way round.
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
 * Places two orders, one of which cancels the other, for the spot account or a Margin account, and answers with the list.
 *
 * throws  ApiError or Refused
 */
export async function placeSpotOco(
  desk: Desk,
  owner: ApiUser,
  oco: Oco,
  call: Pick<Call, 'at' | 'answerHeaders'>,
  margin?: MarginOrder,
): Promise<object> {
  const market = desk.names.market(oco.symbol)
  if (oco.stopLimitPrice === undefined && oco.stopLimitTimeInForce !== undefined) throw missing('stopLimitPrice')
  const listName = oco.listClientOrderId ?? madeId()
  const command = ocoCommand(market, owner.user, oco, listName, margin)
  return sendList(desk, owner, { market, command, kind: 'oco', first: command.limitClientId, answer: oco.newOrderRespType }, call)
}

function ocoCommand(market: ListedMarket, user: UserId, oco: Oco, listName: string, margin: MarginOrder | undefined): PlaceOco {
  // The core derives longer names for the legs from the list's own; if that is too long already, the legs are named here.
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

/** The time in force of a leg; nothing for GTC, which is the default. */
function atOnce<Name extends string>(name: Name, word: Word | undefined): { readonly [N in Name]?: 'IOC' | 'FOK' } {
  return (word === undefined || word === 'GTC' ? {} : { [name]: word }) as { readonly [N in Name]?: 'IOC' | 'FOK' }
}
