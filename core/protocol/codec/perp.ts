/** Slots of the commands and events of Futures, and of the terms that make a market a perpetual contract. */
import type { PerpCommand } from '../command/perp.ts'
import { marginModes, positionSides } from '../command/perp.ts'
import { positionEnds, watchStates } from '../event/perp.ts'
import type { PerpEvent } from '../event/perp.ts'
import { marketPhases } from '../market.ts'
import type { PerpTerms } from '../market.ts'
import type { Codec } from './command.ts'
import { flag, numberOf, readListing, readTerms, wordOf, writeListing, writeTerms } from './fields.ts'
import * as at from './layout.ts'
import { amendCodec } from './perp/amend.ts'
import { readPlace, writePlace } from './perp/order.ts'
import { readReference, writeReference } from './perp/reference.ts'
import { perpTermsSlots, readPerpTerms, writePerpTerms } from './perp-terms.ts'
import { integer } from './records.ts'
import {
  readClientId,
  readIndexPrice,
  readLots,
  readMarketId,
  readMillis,
  readOrderId,
  readPpm,
  readTicks,
  readUnits,
  readUserId,
} from './slots.ts'

type CommandOf<T extends PerpCommand['type']> = Extract<PerpCommand, { readonly type: T }>
type EventOf<T extends PerpEvent['type']> = Extract<PerpEvent, { readonly type: T }>

export const perpCodecs: { readonly [T in PerpCommand['type']]: Codec<CommandOf<T>> } = {
  'perp.list': {
    length: (command) => at.LIST_LENGTH + perpTermsSlots(command.perp),
    write(command, data, start) {
      writeListing(command, data, start)
      writePerpTerms(command.perp, data, start + at.LIST_LENGTH)
    },
    read: (data, start) => ({
      type: 'perp.list',
      ...readListing(data, start),
      perp: readGivenTerms(data, start + at.LIST_LENGTH),
    }),
  },
  'perp.set': {
    length: (command) => at.SET_LENGTH + perpTermsSlots(command.perp),
    write(command, data, start) {
      data[start + at.SET_MARKET] = integer(command.market, 'market')
      writeTerms(command.terms, data, start + at.SET_TERMS)
      writePerpTerms(command.perp, data, start + at.SET_LENGTH)
    },
    read: (data, start) => ({
      type: 'perp.set',
      market: readMarketId(data, start + at.SET_MARKET),
      terms: readTerms(data, start + at.SET_TERMS),
      perp: readGivenTerms(data, start + at.SET_LENGTH),
    }),
  },
  'perp.place': {
    length({ exits, goodTill, priceMatch }) {
      if (goodTill !== undefined || priceMatch !== undefined) return at.PLACE_TERMS_LENGTH
      return exits === undefined ? at.PLACE_LENGTH : at.PLACE_EXITS_LENGTH
    },
    write: writePlace,
    read: readPlace,
  },
  'perp.amend': amendCodec,
  'perp.cancel': {
    length: () => at.CANCEL_LENGTH,
    write: writeReference,
    read: (data, start) => ({ type: 'perp.cancel', ...readReference(data, start) }),
  },
  'perp.reverse': {
    length: () => at.PERP_REVERSE_LENGTH,
    write(command, data, start) {
      data[start + at.PERP_MARKET] = integer(command.market, 'market')
    },
    read: (data, start) => ({
      type: 'perp.reverse',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      market: readMarketId(data, start + at.PERP_MARKET),
    }),
  },
  'perp.setLeverage': {
    length: () => at.PERP_SETTING_LENGTH,
    write(command, data, start) {
      data[start + at.PERP_MARKET] = integer(command.market, 'market')
      data[start + at.PERP_SETTING] = integer(command.leverage, 'leverage')
    },
    read: (data, start) => ({
      type: 'perp.setLeverage',
      user: readUserId(data, start + at.USER),
      market: readMarketId(data, start + at.PERP_MARKET),
      leverage: data[start + at.PERP_SETTING]!,
    }),
  },
  'perp.setMarginMode': {
    length: () => at.PERP_SETTING_LENGTH,
    write(command, data, start) {
      data[start + at.PERP_MARKET] = integer(command.market, 'market')
      data[start + at.PERP_SETTING] = numberOf(marginModes, command.mode)
    },
    read: (data, start) => ({
      type: 'perp.setMarginMode',
      user: readUserId(data, start + at.USER),
      market: readMarketId(data, start + at.PERP_MARKET),
      mode: wordOf(marginModes, data[start + at.PERP_SETTING]!),
    }),
  },
  'perp.setHedgeMode': {
    length: () => at.PERP_HEDGE_LENGTH,
    write(command, data, start) {
      data[start + at.PERP_HEDGE] = command.isHedge ? 1 : 0
    },
    read: (data, start) => ({
      type: 'perp.setHedgeMode',
      user: readUserId(data, start + at.USER),
      isHedge: flag(data[start + at.PERP_HEDGE]!, 'isHedge'),
    }),
  },
  'perp.adjustMargin': {
    length: () => at.PERP_ADJUST_LENGTH,
    write(command, data, start) {
      data[start + at.PERP_MARKET] = integer(command.market, 'market')
      data[start + at.PERP_POSITION] = numberOf(positionSides, command.position)
      data[start + at.PERP_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'perp.adjustMargin',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      market: readMarketId(data, start + at.PERP_MARKET),
      position: wordOf(positionSides, data[start + at.PERP_POSITION]!),
      amount: readUnits(data, start + at.PERP_AMOUNT),
    }),
  },
  'perp.countdown': {
    length: () => at.PERP_COUNTDOWN_LENGTH,
    write(command, data, start) {
      data[start + at.PERP_MARKET] = integer(command.market, 'market')
      data[start + at.PERP_COUNTDOWN] = integer(command.duration, 'duration')
    },
    read: (data, start) => ({
      type: 'perp.countdown',
      user: readUserId(data, start + at.USER),
      market: readMarketId(data, start + at.PERP_MARKET),
      duration: readMillis(data, start + at.PERP_COUNTDOWN),
    }),
  },
}

/** Number of `order.accepted`, which orders with exits lengthen. */
export const acceptedCode = 11

/** Part of every batch's digest: append only, never renumber. */
export const perpEventCodes = {
  'perp.marked': 20,
  'perp.settings': 21,
  'perp.position': 22,
  'perp.closed': 23,
  'perp.funded': 24,
  'perp.fundingPaid': 25,
  'perp.liquidated': 26,
  'perp.deleveraged': 27,
  'perp.level': 28,
  'perp.phase': 29,
  'perp.fundingDue': 30,
  'perp.takenOver': 31,
  'perp.inventory': 32,
  'perp.tierChanged': 33,
} as const satisfies Record<PerpEvent['type'], number>

export const perpReaders: { readonly [T in PerpEvent['type']]: (data: Float64Array, at: number) => EventOf<T> } = {
  'perp.marked': (data, at) => ({
    type: 'perp.marked',
    market: readMarketId(data, at + 1),
    mark: readTicks(data, at + 2),
    index: readIndexPrice(data, at + 3),
    fundingRate: data[at + 4]!,
    fundingAt: readMillis(data, at + 5),
  }),
  'perp.settings': (data, at) => ({
    type: 'perp.settings',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    leverage: data[at + 3]!,
    mode: wordOf(marginModes, data[at + 4]!),
    isHedge: flag(data[at + 5]!, 'isHedge'),
  }),
  'perp.position': (data, at) => ({
    type: 'perp.position',
    position: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
    side: wordOf(positionSides, data[at + 4]!),
    mode: wordOf(marginModes, data[at + 5]!),
    leverage: data[at + 6]!,
    lots: readLots(data, at + 7),
    cost: readUnits(data, at + 8),
    margin: readUnits(data, at + 9),
    liquidationPrice: readTicks(data, at + 10),
    realised: readUnits(data, at + 11),
    fees: readUnits(data, at + 12),
    funding: readUnits(data, at + 13),
    openedAt: readMillis(data, at + 14),
  }),
  'perp.closed': (data, at) => ({
    type: 'perp.closed',
    position: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
    side: data[at + 4] === 1 ? 'sell' : 'buy',
    mode: wordOf(marginModes, data[at + 5]!),
    leverage: data[at + 6]!,
    realised: readUnits(data, at + 7),
    fees: readUnits(data, at + 8),
    funding: readUnits(data, at + 9),
    cause: wordOf(positionEnds, data[at + 10]!),
    openedAt: readMillis(data, at + 11),
    closedAt: readMillis(data, at + 12),
    openedLots: largeSum(data, at + 13),
    openedValue: largeSum(data, at + 15),
    closedLots: largeSum(data, at + 17),
    closedValue: largeSum(data, at + 19),
  }),
  'perp.fundingDue': (data, at) => ({
    type: 'perp.fundingDue',
    market: readMarketId(data, at + 1),
    rate: data[at + 2]!,
    mark: readTicks(data, at + 3),
    at: readMillis(data, at + 4),
  }),
  'perp.funded': (data, at) => ({
    type: 'perp.funded',
    market: readMarketId(data, at + 1),
    rate: data[at + 2]!,
    mark: readTicks(data, at + 3),
    paid: readUnits(data, at + 4),
    received: readUnits(data, at + 5),
    rest: readUnits(data, at + 6),
    at: readMillis(data, at + 7),
  }),
  'perp.fundingPaid': (data, at) => ({
    type: 'perp.fundingPaid',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    position: readOrderId(data, at + 3),
    lots: readLots(data, at + 4),
    rate: data[at + 5]!,
    amount: readUnits(data, at + 6),
  }),
  'perp.liquidated': (data, at) => ({
    type: 'perp.liquidated',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    position: readOrderId(data, at + 3),
    order: readOrderId(data, at + 4),
    mark: readTicks(data, at + 5),
    index: readIndexPrice(data, at + 6),
    equity: readUnits(data, at + 7),
    maintenance: readUnits(data, at + 8),
    maintenancePpm: readPpm(data, at + 9),
    askedLots: readLots(data, at + 10),
    closedLots: readLots(data, at + 11),
    bankruptcyPrice: readTicks(data, at + 12),
    fee: readUnits(data, at + 13),
    insured: readUnits(data, at + 14),
  }),
  'perp.deleveraged': (data, at) => ({
    type: 'perp.deleveraged',
    market: readMarketId(data, at + 1),
    price: readTicks(data, at + 2),
    lots: readLots(data, at + 3),
    bankruptUser: readUserId(data, at + 4),
    user: readUserId(data, at + 5),
    position: readOrderId(data, at + 6),
  }),
  'perp.takenOver': (data, at) => ({
    type: 'perp.takenOver',
    market: readMarketId(data, at + 1),
    price: readTicks(data, at + 2),
    lots: readLots(data, at + 3),
    user: readUserId(data, at + 4),
    position: readOrderId(data, at + 5),
  }),
  'perp.inventory': (data, at) => ({
    type: 'perp.inventory',
    market: readMarketId(data, at + 1),
    lots: readLots(data, at + 2),
    cost: readUnits(data, at + 3),
  }),
  'perp.level': (data, at) => ({
    type: 'perp.level',
    user: readUserId(data, at + 1),
    market: readMarketId(data, at + 2),
    position: readOrderId(data, at + 3),
    state: wordOf(watchStates, data[at + 4]!),
  }),
  'perp.phase': (data, at) => ({
    type: 'perp.phase',
    market: readMarketId(data, at + 1),
    phase: wordOf(marketPhases, data[at + 2]!),
  }),
  'perp.tierChanged': (data, at) => ({ type: 'perp.tierChanged', user: readUserId(data, at + 1), tier: data[at + 2]! }),
}

/** Two slots: the number of whole 2^50, and the rest. */
function largeSum(data: Float64Array, at: number): bigint {
  return (BigInt(data[at]!) << 50n) + BigInt(data[at + 1]!)
}

function readGivenTerms(data: Float64Array, start: number): PerpTerms {
  const terms = readPerpTerms(data, start)
  if (terms === undefined) throw new Error('a contract without its terms')
  return terms
}
