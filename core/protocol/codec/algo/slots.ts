/** Slots of the commands and events of orders that the exchange carries out in parts. */
import type { Lots, Millis, Ticks } from '../../../money/brand.ts'
import type { OrderId, Parts } from '../../ids.ts'
import { type AlgoCommand, algoKinds, type PlaceAlgo, scaledShapes } from '../../command/algo.ts'
import { type PositionSide, positionSides } from '../../command/perp.ts'
import { type AlgoEvent, algoEnds } from '../../event/algo.ts'
import { type Refusal, refusals } from '../../refusal.ts'
import type { Codec } from '../command.ts'
import { numberOf, wordOf } from '../fields.ts'
import { type OrderFlags, POSITION_MASK, POSITION_SHIFT, REDUCE_ONLY, SELL, USER } from '../layout.ts'
import { integer } from '../records.ts'
import { type Read, readClientId, readLots, readMarketId, readMillis, readOrderId, readTicks, readUnits, readUserId } from '../slots.ts'
import { clientIdSlots, unpackText } from '../text.ts'
import * as at from './layout.ts'

type CommandOf<T extends AlgoCommand['type']> = Extract<AlgoCommand, { readonly type: T }>
type EventOf<T extends AlgoEvent['type']> = Extract<AlgoEvent, { readonly type: T }>

const TWAP = algoKinds.indexOf('twap')

export const algoCodecs: { readonly [T in AlgoCommand['type']]: Codec<CommandOf<T>> } = {
  'algo.place': {
    length: () => at.ALGO_PLACE_LENGTH,
    write(command, data, start) {
      const { plan } = command
      data[start + at.ALGO_MARKET] = integer(command.market, 'market')
      data[start + at.ALGO_FLAGS] = algoFlags(command)
      data[start + at.ALGO_KIND] = 1 + numberOf(algoKinds, plan.kind)
      data[start + at.ALGO_LOTS] = integer(command.lots, 'lots')
      data[start + at.ALGO_PARTS] = integer(command.parts, 'parts')
      data[start + at.ALGO_FROM] = plan.kind === 'twap' ? integer(plan.worst, 'worst') : integer(plan.from, 'from')
      data[start + at.ALGO_TO] = plan.kind === 'twap' ? 0 : integer(plan.to, 'to')
      data[start + at.ALGO_DURATION] = plan.kind === 'twap' ? integer(plan.durationMs, 'durationMs') : 0
      data[start + at.ALGO_SHAPE] = plan.kind === 'twap' ? 0 : numberOf(scaledShapes, plan.shape)
    },
    read: (data, start) => readPlace(data, start),
  },
  'algo.cancel': {
    length: () => at.ALGO_CANCEL_LENGTH,
    write(command, data, start) {
      data[start + at.ALGO_NUMBER] = integer(command.algo, 'algo')
    },
    read: (data, start) => ({
      type: 'algo.cancel',
      user: readUserId(data, start + USER),
      clientId: readClientId(data, start),
      algo: readOrderId(data, start + at.ALGO_NUMBER),
    }),
  },
}

/** Side, reduce-only and position of an order in parts, as its parts have them too. */
function algoFlags({ side, isReduceOnly, position }: PlaceAlgo): OrderFlags {
  const place = position === undefined ? 0 : (1 + numberOf(positionSides, position)) << POSITION_SHIFT
  return ((side === 'sell' ? SELL : 0) | (isReduceOnly ? REDUCE_ONLY : 0) | place) as OrderFlags
}

/** The position that flags name; undefined for an order of Spot. */
export function positionOfFlags(flags: OrderFlags): PositionSide | undefined {
  const number = (flags & POSITION_MASK) >>> POSITION_SHIFT
  return number === 0 ? undefined : wordOf(positionSides, number - 1)
}

const readPlace: Read<PlaceAlgo> = (data, start) => {
  const flags = data[start + at.ALGO_FLAGS] as OrderFlags
  if ((flags & ~(SELL | REDUCE_ONLY | POSITION_MASK)) !== 0) throw new Error(`unknown flags in an order in parts: ${flags}`)
  const position = positionOfFlags(flags)
  const kind = wordOf(algoKinds, data[start + at.ALGO_KIND]! - 1)
  const from = readTicks(data, start + at.ALGO_FROM)
  return {
    type: 'algo.place',
    user: readUserId(data, start + USER),
    clientId: readClientId(data, start),
    market: readMarketId(data, start + at.ALGO_MARKET),
    side: (flags & SELL) !== 0 ? 'sell' : 'buy',
    ...(position === undefined ? {} : { position }),
    isReduceOnly: (flags & REDUCE_ONLY) !== 0,
    lots: readLots(data, start + at.ALGO_LOTS),
    parts: data[start + at.ALGO_PARTS] as Parts,
    plan:
      kind === 'twap'
        ? { kind, durationMs: readMillis(data, start + at.ALGO_DURATION), worst: from }
        : { kind, from, to: readTicks(data, start + at.ALGO_TO), shape: wordOf(scaledShapes, data[start + at.ALGO_SHAPE]!) },
  }
}

export const algoEventCodes = {
  'algo.placed': 150,
  'algo.part': 151,
  'algo.missed': 152,
  'algo.ended': 153,
} as const satisfies Record<AlgoEvent['type'], number>

const refusalOfId = new Map<number, Refusal>(Object.entries(refusals).map(([name, { id }]) => [id, name as Refusal]))

/** Places of the fields of `algo.placed` after the client id. */
const AFTER = 3 + clientIdSlots

export const algoReaders: { readonly [T in AlgoEvent['type']]: Read<EventOf<T>> } = {
  'algo.placed': (data, start) => {
    const flags = data[start + AFTER + 1] as OrderFlags
    const position = positionOfFlags(flags)
    return {
      type: 'algo.placed',
      algo: readOrderId(data, start + 1),
      user: readUserId(data, start + 2),
      clientId: unpackText(data, start + 3, clientIdSlots),
      market: readMarketId(data, start + AFTER),
      side: (flags & SELL) !== 0 ? 'sell' : 'buy',
      ...(position === undefined ? {} : { position }),
      isReduceOnly: (flags & REDUCE_ONLY) !== 0,
      kind: data[start + AFTER + 2] === TWAP ? 'twap' : 'scaled',
      lots: data[start + AFTER + 3] as Lots,
      parts: data[start + AFTER + 4] as Parts,
      everyMs: data[start + AFTER + 5] as Millis,
      from: data[start + AFTER + 6] as Ticks,
      to: data[start + AFTER + 7] as Ticks,
      shape: wordOf(scaledShapes, data[start + AFTER + 8]!),
    }
  },
  'algo.part': (data, start) => ({
    type: 'algo.part',
    algo: readOrderId(data, start + 1),
    user: readUserId(data, start + 2),
    market: readMarketId(data, start + 3),
    order: data[start + 4] as OrderId,
    partsLeft: data[start + 5] as Parts,
    nextAtMs: readMillis(data, start + 6),
  }),
  'algo.missed': (data, start) => {
    const refusal = refusalOfId.get(data[start + 4]!)
    if (refusal === undefined) throw new Error(`unknown refusal ${data[start + 4]}`)
    return {
      type: 'algo.missed',
      algo: readOrderId(data, start + 1),
      user: readUserId(data, start + 2),
      market: readMarketId(data, start + 3),
      refusal,
      partsLeft: data[start + 5] as Parts,
      nextAtMs: readMillis(data, start + 6),
    }
  },
  'algo.ended': (data, start) => ({
    type: 'algo.ended',
    algo: readOrderId(data, start + 1),
    user: readUserId(data, start + 2),
    market: readMarketId(data, start + 3),
    reason: wordOf(algoEnds, data[start + 4]!),
    executedLots: readLots(data, start + 5),
    executedQuote: readUnits(data, start + 6),
  }),
}
