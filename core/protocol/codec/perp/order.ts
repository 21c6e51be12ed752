/** Slots of a Futures order, in its command and in `order.accepted`. */
import type { Millis, Ppm, Ticks } from '../../../money/brand.ts'
import { priceMatches } from '../../command/perp.ts'
import type { PlacePerp } from '../../command/perp.ts'
import { perpSelfTradeModes } from '../../command/order.ts'
import type { PerpOrder } from '../../event/index.ts'
import type { MatchNumber } from '../../ids.ts'
import { activationSlot, numberOf, orderFlags, orderShape, readExits, triggerOf, triggerSlot, wordOf, writeExits } from '../fields.ts'
import * as at from '../layout.ts'
import type { OrderFlags } from '../layout.ts'
import { integer } from '../records.ts'
import { readClientId, readLots, readMarketId, readTicks, readUserId } from '../slots.ts'

/** Writes a `perp.place` at `start`. */
export function writePlace(command: PlacePerp, data: Float64Array, start: number): void {
  let flags = orderFlags({ ...command, perp: { ...command, isLiquidation: false } }, command.trigger)
  flags |= numberOf(perpSelfTradeModes, command.selfTrade) << at.SELF_TRADE_SHIFT
  if (command.price !== undefined) flags |= at.HAS_PRICE
  if (command.lots !== undefined) flags |= at.HAS_LOTS
  if (command.exits !== undefined) flags |= at.HAS_EXITS
  const hasTerms = command.goodTill !== undefined || command.priceMatch !== undefined
  if (hasTerms) flags |= at.HAS_TERMS
  data[start + at.PLACE_MARKET] = integer(command.market, 'market')
  data[start + at.PLACE_FLAGS_AT] = flags
  data[start + at.PLACE_PRICE] = integer(command.price ?? 0, 'price')
  data[start + at.PLACE_LOTS] = integer(command.lots ?? 0, 'lots')
  data[start + at.PLACE_SPEND] = 0
  data[start + at.PLACE_DISPLAY] = 0
  data[start + at.PLACE_TRIGGER] = triggerSlot(command.trigger)
  data[start + at.PLACE_ACTIVATION] = activationSlot(command.trigger)
  if (hasTerms) data.fill(0, start + at.PLACE_TAKE_PROFIT, start + at.PLACE_TERMS_LENGTH)
  if (command.exits !== undefined) writeExits(command.exits, data, start + at.PLACE_TAKE_PROFIT)
  if (command.goodTill !== undefined) data[start + at.PLACE_GOOD_TILL] = integer(command.goodTill, 'goodTill')
  if (command.priceMatch !== undefined) data[start + at.PLACE_MATCH] = 1 + numberOf(priceMatches, command.priceMatch)
}

/** Reads what `writePlace` wrote. */
export function readPlace(data: Float64Array, start: number): PlacePerp {
  const flags = data[start + at.PLACE_FLAGS_AT] as OrderFlags
  const { perp, side, orderType, timeInForce, isPostOnly } = orderShape(flags)
  if ((flags & ~at.PERP_FLAGS) !== 0 || perp === undefined) throw new Error(`unknown flags in an order: ${flags}`)
  const trigger = triggerOf(flags, data[start + at.PLACE_TRIGGER] as Ticks | Ppm, data[start + at.PLACE_ACTIVATION] as Ticks)
  return {
    type: 'perp.place',
    user: readUserId(data, start + at.USER),
    clientId: readClientId(data, start),
    market: readMarketId(data, start + at.PLACE_MARKET),
    side,
    orderType,
    timeInForce,
    isPostOnly,
    position: perp.position,
    isReduceOnly: perp.isReduceOnly,
    isClosing: perp.isClosing,
    triggerBy: perp.triggerBy,
    ...((flags & at.HAS_PRICE) !== 0 ? { price: readTicks(data, start + at.PLACE_PRICE) } : {}),
    ...((flags & at.HAS_LOTS) !== 0 ? { lots: readLots(data, start + at.PLACE_LOTS) } : {}),
    ...(trigger === undefined ? {} : { trigger }),
    ...ownTermsAt(flags, data, start + at.PLACE_TAKE_PROFIT),
    selfTrade: wordOf(perpSelfTradeModes, (flags & at.SELF_TRADE_MASK) >>> at.SELF_TRADE_SHIFT),
  }
}

/** What an order has that most do not: `exits`, `goodTill` and `priceMatch`. `start`: where the slots of the exits begin. */
export function ownTermsAt(flags: OrderFlags, data: Float64Array, start: number): OwnTerms {
  return {
    ...((flags & at.HAS_EXITS) === 0 ? {} : { exits: readExits(data[start] as Ticks, data[start + 1] as Ticks, data[start + 2]!) }),
    ...((flags & at.HAS_TERMS) === 0 ? {} : readEnd(data[start + 3] as Millis, data[start + 4] as MatchNumber)),
  }
}

/** A date and a place of the price, each 0 for none. */
export function readEnd(goodTill: Millis, match: MatchNumber): Pick<PerpOrder, 'goodTill' | 'priceMatch'> {
  return {
    ...(goodTill === 0 ? {} : { goodTill }),
    ...(match === 0 ? {} : { priceMatch: wordOf(priceMatches, match - 1) }),
  }
}

type OwnTerms = Pick<PerpOrder, 'exits' | 'goodTill' | 'priceMatch'>
