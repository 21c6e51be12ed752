/** Slots of the commands about spot orders. */
import type { Ppm, Ticks } from '../../money/brand.ts'
import { cancelScopes, cancelStates, timesInForce } from '../command/spot.ts'
import type { AmendOrder, CancelAll, CancelOrder, PlaceOco, PlaceOrder } from '../command/spot.ts'
import { AMEND_HAS_TRIGGER, AMEND_TRIGGER, AMEND_TRIGGER_SLOTS } from './amend/trigger.ts'
import type { Codec } from './command.ts'
import { activationSlot, numberOf, orderFlags, orderShape, triggerOf, triggerSlot, wordOf } from './fields.ts'
import { marginBits, marginFlags, marginOrder, readStrategy, selfTradeFlags, selfTradeMode, writeStrategy } from './fields.ts'
import * as at from './layout.ts'
import type { OrderFlags } from './layout.ts'
import { integer, lengthOf } from './records.ts'
import { type Read, readClientId, readLots, readMarketId, readOrderId, readTicks, readUnits, readUserId } from './slots.ts'
import { clientIdSlots, packText, unpackText } from './text.ts'

const amendBits = at.AMEND_HAS_LOTS | at.AMEND_HAS_PRICE | at.AMEND_KEEPS | AMEND_HAS_TRIGGER

type SpotCommand = PlaceOrder | PlaceOco | AmendOrder | CancelOrder | CancelAll

export const spotCodecs: { readonly [T in SpotCommand['type']]: Codec<Extract<SpotCommand, { readonly type: T }>> } = {
  'spot.place': {
    length: ({ strategy }) => at.PLACE_LENGTH + (strategy === undefined ? 0 : at.STRATEGY_SLOTS),
    write: writePlace,
    read: readPlace,
  },
  'spot.placeOco': {
    length: ({ limitTrigger }) => at.OCO_LENGTH + (limitTrigger === undefined ? 0 : 1),
    write(command, data, start) {
      let flags = command.side === 'sell' ? at.SELL : 0
      flags |= selfTradeFlags(command.selfTrade)
      if (command.stopLimit !== undefined) flags |= at.OCO_HAS_STOP_LIMIT
      if (command.limitClientId !== undefined) flags |= at.OCO_HAS_LIMIT_ID
      if (command.stopClientId !== undefined) flags |= at.OCO_HAS_STOP_ID
      if (command.limitTrigger !== undefined) flags |= at.OCO_HAS_LIMIT_TRIGGER
      if (command.limitPrice === undefined) flags |= at.OCO_LIMIT_TAKES
      flags |= numberOf(timesInForce, command.limitTimeInForce ?? 'GTC') << at.OCO_LIMIT_TIF_SHIFT
      flags |= numberOf(timesInForce, command.stopTimeInForce ?? 'GTC') << at.OCO_STOP_TIF_SHIFT
      if (command.margin !== undefined) flags |= marginFlags(command.margin)
      data[start + at.OCO_MARKET] = integer(command.market, 'market')
      data[start + at.OCO_FLAGS] = flags
      data[start + at.OCO_LOTS] = integer(command.lots, 'lots')
      data[start + at.OCO_LIMIT] = integer(command.limitPrice ?? 0, 'limitPrice')
      data[start + at.OCO_STOP] = integer(command.stopPrice, 'stopPrice')
      data[start + at.OCO_STOP_LIMIT] = integer(command.stopLimit ?? 0, 'stopLimit')
      packText(command.limitClientId ?? '', data, start + at.OCO_LIMIT_ID, clientIdSlots)
      packText(command.stopClientId ?? '', data, start + at.OCO_STOP_ID, clientIdSlots)
      if (command.limitTrigger !== undefined) data[start + at.OCO_LIMIT_TRIGGER] = integer(command.limitTrigger, 'limitTrigger')
    },
    read(data, start) {
      const flags = data[start + at.OCO_FLAGS] as OrderFlags
      if ((flags & ~at.OCO_FLAG_BITS) !== 0 || repaysWithoutMargin(flags)) throw new Error(`unknown flags in an OCO: ${flags}`)
      return {
        type: 'spot.placeOco',
        user: readUserId(data, start + at.USER),
        clientId: readClientId(data, start),
        ...((flags & at.OCO_HAS_LIMIT_ID) !== 0 ? { limitClientId: unpackText(data, start + at.OCO_LIMIT_ID, clientIdSlots) } : {}),
        ...((flags & at.OCO_HAS_STOP_ID) !== 0 ? { stopClientId: unpackText(data, start + at.OCO_STOP_ID, clientIdSlots) } : {}),
        market: readMarketId(data, start + at.OCO_MARKET),
        side: (flags & at.SELL) !== 0 ? 'sell' : 'buy',
        lots: readLots(data, start + at.OCO_LOTS),
        ...((flags & at.OCO_LIMIT_TAKES) === 0 ? { limitPrice: readTicks(data, start + at.OCO_LIMIT) } : {}),
        ...((flags & at.OCO_HAS_LIMIT_TRIGGER) !== 0 ? { limitTrigger: readTicks(data, start + at.OCO_LIMIT_TRIGGER) } : {}),
        ...legTimeInForce('limitTimeInForce', flags >>> at.OCO_LIMIT_TIF_SHIFT),
        stopPrice: readTicks(data, start + at.OCO_STOP),
        ...((flags & at.OCO_HAS_STOP_LIMIT) !== 0 ? { stopLimit: readTicks(data, start + at.OCO_STOP_LIMIT) } : {}),
        ...legTimeInForce('stopTimeInForce', flags >>> at.OCO_STOP_TIF_SHIFT),
        selfTrade: selfTradeMode(flags),
        ...((flags & marginBits) === 0 ? {} : { margin: marginOrder(flags) }),
      }
    },
  },
  'spot.amend': {
    length: ({ triggerPrice }) => at.AMEND_LENGTH + (triggerPrice === undefined ? 0 : AMEND_TRIGGER_SLOTS),
    write(command, data, start) {
      data[start + at.REF_MARKET] = integer(command.market, 'market')
      data[start + at.REF_ORDER] = integer(command.order, 'order')
      packText(command.orderClientId, data, start + at.REF_CLIENT_ID, clientIdSlots)
      data[start + at.AMEND_FLAGS] =
        (command.lots === undefined ? 0 : at.AMEND_HAS_LOTS) |
        (command.price === undefined ? 0 : at.AMEND_HAS_PRICE) |
        (command.keepsPriority === undefined ? 0 : at.AMEND_KEEPS) |
        (command.triggerPrice === undefined ? 0 : AMEND_HAS_TRIGGER)
      data[start + at.AMEND_LOTS] = integer(command.lots ?? 0, 'lots')
      data[start + at.AMEND_PRICE] = integer(command.price ?? 0, 'price')
      if (command.triggerPrice !== undefined) {
        data[start + at.AMEND_MATCH] = 0
        data[start + AMEND_TRIGGER] = integer(command.triggerPrice, 'triggerPrice')
      }
    },
    read(data, start) {
      const flags = data[start + at.AMEND_FLAGS]!
      if ((flags & ~amendBits) !== 0) throw new Error(`unknown flags in an amend: ${flags}`)
      return {
        type: 'spot.amend',
        user: readUserId(data, start + at.USER),
        clientId: readClientId(data, start),
        market: readMarketId(data, start + at.REF_MARKET),
        order: readOrderId(data, start + at.REF_ORDER),
        orderClientId: unpackText(data, start + at.REF_CLIENT_ID, clientIdSlots),
        ...((flags & at.AMEND_HAS_LOTS) !== 0 ? { lots: readLots(data, start + at.AMEND_LOTS) } : {}),
        ...((flags & at.AMEND_HAS_PRICE) !== 0 ? { price: readTicks(data, start + at.AMEND_PRICE) } : {}),
        ...((flags & at.AMEND_KEEPS) !== 0 ? { keepsPriority: true as const } : {}),
        ...((flags & AMEND_HAS_TRIGGER) !== 0 ? { triggerPrice: readTicks(data, start + AMEND_TRIGGER) } : {}),
      }
    },
  },
  'spot.cancel': {
    length: ({ only }) => at.CANCEL_LENGTH + (only === undefined ? 0 : 1),
    write(command, data, start) {
      data[start + at.REF_MARKET] = integer(command.market, 'market')
      data[start + at.REF_ORDER] = integer(command.order, 'order')
      packText(command.orderClientId, data, start + at.REF_CLIENT_ID, clientIdSlots)
      if (command.only !== undefined) data[start + at.CANCEL_STATE] = 1 + numberOf(cancelStates, command.only)
    },
    read: (data, start) => ({
      type: 'spot.cancel',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      market: readMarketId(data, start + at.REF_MARKET),
      order: readOrderId(data, start + at.REF_ORDER),
      orderClientId: unpackText(data, start + at.REF_CLIENT_ID, clientIdSlots),
      ...(lengthOf(data[start]!) > at.CANCEL_LENGTH ? { only: wordOf(cancelStates, data[start + at.CANCEL_STATE]! - 1) } : {}),
    }),
  },
  'spot.cancelAll': {
    length: ({ only, endsTwaps }) => at.CANCEL_ALL_LENGTH + (endsTwaps === true ? 2 : only === undefined ? 0 : 1),
    write(command, data, start) {
      data[start + at.CANCEL_ALL_MARKET] = integer(command.market, 'market')
      const scope = command.only === undefined ? 0 : 1 + numberOf(cancelScopes, command.only)
      if (scope > 0 || command.endsTwaps === true) data[start + at.CANCEL_ALL_ONLY] = scope
      if (command.endsTwaps === true) data[start + at.CANCEL_ALL_TWAPS] = 1
    },
    read: (data, start) => ({
      type: 'spot.cancelAll',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      market: readMarketId(data, start + at.CANCEL_ALL_MARKET),
      ...cancelScopeOf(data, start),
    }),
  },
}

const cancelScopeOf: Read<Pick<CancelAll, 'only' | 'endsTwaps'>> = (data, start) => {
  const length = lengthOf(data[start]!)
  const scope = length > at.CANCEL_ALL_ONLY ? data[start + at.CANCEL_ALL_ONLY]! : 0
  const only = scope === 0 ? {} : { only: wordOf(cancelScopes, scope - 1) }
  return length > at.CANCEL_ALL_TWAPS ? { ...only, endsTwaps: true } : only
}

/** Only an order of a margin account can repay a loan. */
function repaysWithoutMargin(flags: OrderFlags): boolean {
  return (flags & at.REPAYS_AT_END) !== 0 && (flags & marginBits) === 0
}

/** Time in force of a leg that becomes a limit order; absent for GTC. */
function legTimeInForce<Name extends string>(name: Name, bits: number): { readonly [N in Name]?: 'IOC' | 'FOK' } {
  const word = wordOf(timesInForce, bits & 3)
  return (word === 'GTC' ? {} : { [name]: word }) as { readonly [N in Name]?: 'IOC' | 'FOK' }
}

function writePlace(command: PlaceOrder, data: Float64Array, start: number): void {
  let flags = orderFlags(command, command.trigger) | selfTradeFlags(command.selfTrade)
  if (command.price !== undefined) flags |= at.HAS_PRICE
  if (command.lots !== undefined) flags |= at.HAS_LOTS
  if (command.spend !== undefined) flags |= at.HAS_SPEND
  if (command.display !== undefined) flags |= at.HAS_DISPLAY
  if (command.expires !== undefined) flags |= at.EXPIRES
  if (command.strategy !== undefined) flags |= at.HAS_STRATEGY
  data[start + at.PLACE_MARKET] = integer(command.market, 'market')
  data[start + at.PLACE_FLAGS_AT] = flags
  data[start + at.PLACE_PRICE] = integer(command.price ?? 0, 'price')
  data[start + at.PLACE_LOTS] = integer(command.lots ?? 0, 'lots')
  data[start + at.PLACE_SPEND] = integer(command.spend ?? 0, 'spend')
  data[start + at.PLACE_DISPLAY] = integer(command.display ?? 0, 'display')
  data[start + at.PLACE_TRIGGER] = triggerSlot(command.trigger)
  data[start + at.PLACE_ACTIVATION] = activationSlot(command.trigger)
  if (command.strategy !== undefined) writeStrategy(command.strategy, data, start + at.PLACE_STRATEGY)
}

function readPlace(data: Float64Array, start: number): PlaceOrder {
  const flags = data[start + at.PLACE_FLAGS_AT] as OrderFlags
  if ((flags & ~at.PLACE_FLAGS) !== 0 || repaysWithoutMargin(flags)) throw new Error(`unknown flags in an order: ${flags}`)
  const trigger = triggerOf(flags, data[start + at.PLACE_TRIGGER] as Ticks | Ppm, data[start + at.PLACE_ACTIVATION] as Ticks)
  const strategy =
    (flags & at.HAS_STRATEGY) === 0 ? undefined : readStrategy(data[start + at.PLACE_STRATEGY]!, data[start + at.PLACE_STRATEGY + 1]!)
  return {
    type: 'spot.place',
    user: readUserId(data, start + at.USER),
    clientId: readClientId(data, start),
    market: readMarketId(data, start + at.PLACE_MARKET),
    ...orderShape(flags),
    ...((flags & at.HAS_PRICE) !== 0 ? { price: readTicks(data, start + at.PLACE_PRICE) } : {}),
    ...((flags & at.HAS_LOTS) !== 0 ? { lots: readLots(data, start + at.PLACE_LOTS) } : {}),
    ...((flags & at.HAS_SPEND) !== 0 ? { spend: readUnits(data, start + at.PLACE_SPEND) } : {}),
    ...((flags & at.HAS_DISPLAY) !== 0 ? { display: readLots(data, start + at.PLACE_DISPLAY) } : {}),
    ...(trigger === undefined ? {} : { trigger }),
    selfTrade: selfTradeMode(flags),
    ...((flags & at.EXPIRES) !== 0 ? { expires: true as const } : {}),
    ...(strategy === undefined ? {} : { strategy }),
  }
}
