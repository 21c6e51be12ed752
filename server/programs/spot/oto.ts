/** Lists whose orders the core stores one by one: OTO, OTOCO, and OCO pairs with a leg that trails or is an iceberg. */
import type { ListedOrder, ListKind, PlaceList } from '@candor/core/protocol/command/order-list.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import type { Call } from '../route.ts'
import { orderCommand, orderParts, selfTradeOf } from './command.ts'
import { derivedId, type Desk, madeId } from './desk.ts'
import { listIdMax, listSuffixes } from './list-names.ts'
import { legType, type OcoValues } from './oco.ts'
import type { OrderType } from './order-view.ts'
import {
  checkParts,
  clientId,
  decimal,
  orderType,
  responseType,
  selfTradeMode,
  side,
  symbol,
  timeInForce,
  trailingDelta,
} from './params.ts'
import { placeError } from './refusals.ts'
import { sendList } from './send-list.ts'

const common = { symbol, listClientOrderId: clientId, newOrderRespType: responseType, selfTradePreventionMode: selfTradeMode } as const
const working = {
  workingType: param.mandatory(param.word(['LIMIT', 'LIMIT_MAKER'])),
  workingSide: param.mandatory(side),
  workingClientOrderId: clientId,
  workingPrice: param.mandatory(decimal),
  workingQuantity: param.mandatory(decimal),
  workingIcebergQty: decimal,
  workingTimeInForce: timeInForce,
} as const
const pending = { pendingSide: param.mandatory(side), pendingQuantity: param.mandatory(decimal) } as const

export const otoParams = {
  ...common,
  ...working,
  ...pending,
  pendingType: param.mandatory(orderType),
  pendingClientOrderId: clientId,
  pendingPrice: decimal,
  pendingStopPrice: decimal,
  pendingTrailingDelta: trailingDelta,
  pendingIcebergQty: decimal,
  pendingTimeInForce: timeInForce,
} as const

export const otocoParams = {
  ...common,
  ...working,
  ...pending,
  pendingAboveType: param.mandatory(legType),
  pendingAboveClientOrderId: clientId,
  pendingAbovePrice: decimal,
  pendingAboveStopPrice: decimal,
  pendingAboveTrailingDelta: trailingDelta,
  pendingAboveIcebergQty: decimal,
  pendingAboveTimeInForce: timeInForce,
  pendingBelowType: param.mandatory(legType),
  pendingBelowClientOrderId: clientId,
  pendingBelowPrice: decimal,
  pendingBelowStopPrice: decimal,
  pendingBelowTrailingDelta: trailingDelta,
  pendingBelowIcebergQty: decimal,
  pendingBelowTimeInForce: timeInForce,
} as const

type Common = param.Values<typeof common>
type Word = Common['selfTradePreventionMode']
type Side = 'BUY' | 'SELL'

/** An order of the list as its parameters say, whose names begin with `prefix`. */
type Part = {
  readonly prefix: string
  readonly side: Side
  readonly quantity: string
  readonly type: OrderType
  readonly clientOrderId: string | undefined
  readonly price: string | undefined
  readonly stopPrice?: string | undefined
  readonly trailingDelta?: number | undefined
  readonly icebergQty: string | undefined
  readonly timeInForce: OcoValues['aboveTimeInForce']
}

type Placing = { readonly desk: Desk; readonly owner: ApiUser; readonly call: Pick<Call, 'at' | 'answerHeaders'> }

/** A working order and one that is placed when it is filled. throws  ApiError or Refused */
export function placeOto(placing: Placing, values: param.Values<typeof otoParams>): Promise<object> {
  const leg: Part = {
    prefix: 'pending',
    side: values.pendingSide,
    quantity: values.pendingQuantity,
    type: values.pendingType,
    clientOrderId: values.pendingClientOrderId,
    price: values.pendingPrice,
    stopPrice: values.pendingStopPrice,
    trailingDelta: values.pendingTrailingDelta,
    icebergQty: values.pendingIcebergQty,
    timeInForce: values.pendingTimeInForce,
  }
  return place(placing, values, 'oto', workingPart(values), [leg])
}

/** A working order and a pair that is placed when it is filled. throws  ApiError or Refused */
export function placeOtoco(placing: Placing, values: param.Values<typeof otocoParams>): Promise<object> {
  const shared = { side: values.pendingSide, quantity: values.pendingQuantity }
  const above: Part = {
    ...shared,
    prefix: 'pendingAbove',
    type: values.pendingAboveType,
    clientOrderId: values.pendingAboveClientOrderId,
    price: values.pendingAbovePrice,
    stopPrice: values.pendingAboveStopPrice,
    trailingDelta: values.pendingAboveTrailingDelta,
    icebergQty: values.pendingAboveIcebergQty,
    timeInForce: values.pendingAboveTimeInForce,
  }
  const below: Part = {
    ...shared,
    prefix: 'pendingBelow',
    type: values.pendingBelowType,
    clientOrderId: values.pendingBelowClientOrderId,
    price: values.pendingBelowPrice,
    stopPrice: values.pendingBelowStopPrice,
    trailingDelta: values.pendingBelowTrailingDelta,
    icebergQty: values.pendingBelowIcebergQty,
    timeInForce: values.pendingBelowTimeInForce,
  }
  return place(placing, values, 'otoco', workingPart(values), pairOf(values.pendingSide, above, below))
}

/** Whether the core has to store an OCO's legs one by one. */
export function isListed({ aboveTrailingDelta, belowTrailingDelta, aboveIcebergQty, belowIcebergQty }: OcoValues): boolean {
  return [aboveTrailingDelta, belowTrailingDelta, aboveIcebergQty, belowIcebergQty].some((value) => value !== undefined)
}

/** A pair with a leg that trails or is an iceberg. throws  ApiError or Refused */
export function placeListedOco(placing: Placing, values: OcoValues): Promise<object> {
  const shared = { side: values.side, quantity: values.quantity }
  const above: Part = {
    ...shared,
    prefix: 'above',
    type: values.aboveType,
    clientOrderId: values.aboveClientOrderId,
    price: values.abovePrice,
    stopPrice: values.aboveStopPrice,
    trailingDelta: values.aboveTrailingDelta,
    icebergQty: values.aboveIcebergQty,
    timeInForce: values.aboveTimeInForce,
  }
  const below: Part = {
    ...shared,
    prefix: 'below',
    type: values.belowType,
    clientOrderId: values.belowClientOrderId,
    price: values.belowPrice,
    stopPrice: values.belowStopPrice,
    trailingDelta: values.belowTrailingDelta,
    icebergQty: values.belowIcebergQty,
    timeInForce: values.belowTimeInForce,
  }
  return place(placing, values, 'oco', undefined, pairOf(values.side, above, below))
}

function workingPart(values: param.Values<typeof working>): Part {
  return {
    prefix: 'working',
    side: values.workingSide,
    quantity: values.workingQuantity,
    type: values.workingType,
    clientOrderId: values.workingClientOrderId,
    price: values.workingPrice,
    icebergQty: values.workingIcebergQty,
    timeInForce: values.workingTimeInForce,
  }
}

/** The leg that takes a profit and the stop, for a sell above and below the price, for a buy the other way round. */
function pairOf(own: Side, above: Part, below: Part): readonly [Part, Part] {
  const [profit, loss] = own === 'SELL' ? [above, below] : [below, above]
  if (isLoss(profit) || !isLoss(loss)) throw placeError('OCO_PRICES_INVALID')
  return [profit, loss]
}

const isLoss = ({ type }: Part): boolean => type.startsWith('STOP_LOSS')

function place(
  { desk, owner, call }: Placing,
  values: Common,
  kind: ListKind,
  first: Part | undefined,
  others: readonly [Part] | readonly [Part, Part],
): Promise<object> {
  const market = desk.names.market(values.symbol)
  const { selfTradePreventionMode: mode } = values
  const listName = values.listClientOrderId ?? madeId()
  const endings = first === undefined ? (['limit', 'stop'] as const) : (['next', 'stop'] as const)
  const nameOf = (part: Part, ending: keyof typeof listSuffixes): string =>
    part.clientOrderId ?? (listName.length > listIdMax ? derivedId(ending, listName) : listName + listSuffixes[ending])
  const legs = others.map((part, n) => listed(market, owner, part, nameOf(part, endings[n]!), mode)) as unknown as PlaceList['legs']
  const command: PlaceList = {
    type: 'spot.placeList',
    user: owner.user,
    clientId: listName,
    market: market.market.id,
    ...(first === undefined ? {} : { working: listed(market, owner, first, nameOf(first, 'limit'), mode) }),
    legs,
    selfTrade: selfTradeOf(mode),
  }
  const { clientId: name } = command.working ?? command.legs[0]
  const isDerived = name === listName + listSuffixes.limit
  return sendList(desk, owner, { market, command, kind, first: isDerived ? undefined : name, answer: values.newOrderRespType }, call)
}

/** throws  ApiError, with the part's own names for what is missing or not allowed */
function listed(market: ListedMarket, { user }: ApiUser, part: Part, name: string, mode: Word): ListedOrder {
  const { prefix, type } = part
  const own = (what: string): string => prefix + what[0]!.toUpperCase() + what.slice(1)
  const { price, stopPrice, trailingDelta: delta, icebergQty, timeInForce: time, quantity } = part
  const given = { price, stopPrice, trailingDelta: delta, icebergQty, timeInForce: time, quantity }
  const renamed = Object.fromEntries(Object.entries(given).map(([what, value]) => [own(what), value]))
  const { needed, refused } = orderParts[type]
  checkParts(renamed, needed.map(own), refused.map(own))
  const isStop = type !== 'LIMIT' && type !== 'LIMIT_MAKER' && type !== 'MARKET'
  if (isStop && stopPrice === undefined && delta === undefined) throw missing(own('stopPrice'))
  const order = orderCommand(market, user, {
    ...given,
    symbol: market.market.symbol,
    side: part.side,
    type,
    quoteOrderQty: undefined,
    newClientOrderId: name,
    newOrderRespType: undefined,
    selfTradePreventionMode: mode,
  })
  return {
    clientId: name,
    side: order.side,
    orderType: order.orderType,
    timeInForce: order.timeInForce,
    ...(order.price === undefined ? {} : { price: order.price }),
    lots: order.lots!,
    isPostOnly: order.isPostOnly,
    ...(order.display === undefined ? {} : { display: order.display }),
    ...(order.trigger === undefined ? {} : { trigger: order.trigger }),
  }
}
