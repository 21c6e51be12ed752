/** Slots of the command that places a list of orders. */
import type { Ppm, Ticks } from '../../../money/brand.ts'
import type { ListedOrder, PlaceList } from '../../command/order-list.ts'
import type { SelfTradeMode } from '../../command/spot.ts'
import type { Codec } from '../command.ts'
import { activationSlot, orderFlags, orderShape, selfTradeFlags, selfTradeMode, triggerOf, triggerSlot } from '../fields.ts'
import * as at from '../layout.ts'
import type { OrderFlags } from '../layout.ts'
import { integer } from '../records.ts'
import { type Read, readClientId, readLots, readMarketId, readTicks, readUserId, type Write } from '../slots.ts'
import { clientIdSlots, packText, unpackText } from '../text.ts'
import * as own from './layout.ts'

export const orderListCodec: Codec<PlaceList> = {
  length: ({ working, legs }) => own.ORDERS_FIRST + own.LISTED_SLOTS * (legs.length + (working === undefined ? 0 : 1)),
  write(command, data, start) {
    const { legs, working, selfTrade } = command
    data[start + own.ORDERS_MARKET] = integer(command.market, 'market')
    data[start + own.ORDERS_SHAPE] = legs.length + (working === undefined ? 0 : own.ORDERS_WORK)
    let place = start + own.ORDERS_FIRST
    for (const order of working === undefined ? legs : [working, ...legs]) {
      writeOrder({ ...order, selfTrade }, data, place)
      place += own.LISTED_SLOTS
    }
  },
  read(data, start) {
    const shape = data[start + own.ORDERS_SHAPE]!
    const isWorking = shape > own.ORDERS_WORK
    const count = isWorking ? shape - own.ORDERS_WORK : shape
    if (count !== 1 && count !== 2) throw new Error(`a list of orders has no shape ${shape}`)
    const first = start + own.ORDERS_FIRST
    const legs = Array.from({ length: count }, (_, n) => readOrder(data, first + (isWorking ? n + 1 : n) * own.LISTED_SLOTS))
    return {
      type: 'spot.placeList',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      market: readMarketId(data, start + own.ORDERS_MARKET),
      ...(isWorking ? { working: readOrder(data, first) } : {}),
      legs: legs as unknown as PlaceList['legs'],
      selfTrade: selfTradeMode(data[first + own.LISTED_FLAGS] as OrderFlags),
    }
  },
}

const writeOrder: Write<ListedOrder & { readonly selfTrade: SelfTradeMode }> = (order, data, place) => {
  let flags = orderFlags(order, order.trigger) | selfTradeFlags(order.selfTrade) | at.HAS_LOTS
  if (order.price !== undefined) flags |= at.HAS_PRICE
  if (order.display !== undefined) flags |= at.HAS_DISPLAY
  data[place + own.LISTED_FLAGS] = flags
  data[place + own.LISTED_PRICE] = integer(order.price ?? 0, 'price')
  data[place + own.LISTED_LOTS] = integer(order.lots, 'lots')
  data[place + own.LISTED_DISPLAY] = integer(order.display ?? 0, 'display')
  data[place + own.LISTED_TRIGGER] = triggerSlot(order.trigger)
  data[place + own.LISTED_ACTIVATION] = activationSlot(order.trigger)
  packText(order.clientId, data, place + own.LISTED_CLIENT_ID, clientIdSlots)
}

const readOrder: Read<ListedOrder> = (data, place) => {
  const flags = data[place + own.LISTED_FLAGS] as OrderFlags
  if ((flags & ~own.LISTED_FLAG_BITS) !== 0 || (flags & at.HAS_LOTS) === 0) throw new Error(`unknown flags in a list of orders: ${flags}`)
  const trigger = triggerOf(flags, data[place + own.LISTED_TRIGGER] as Ticks | Ppm, data[place + own.LISTED_ACTIVATION] as Ticks)
  const { side, orderType, timeInForce, isPostOnly } = orderShape(flags)
  return {
    clientId: unpackText(data, place + own.LISTED_CLIENT_ID, clientIdSlots),
    side,
    orderType,
    timeInForce,
    ...((flags & at.HAS_PRICE) === 0 ? {} : { price: readTicks(data, place + own.LISTED_PRICE) }),
    lots: readLots(data, place + own.LISTED_LOTS),
    isPostOnly,
    ...((flags & at.HAS_DISPLAY) === 0 ? {} : { display: readLots(data, place + own.LISTED_DISPLAY) }),
    ...(trigger === undefined ? {} : { trigger }),
  }
}
