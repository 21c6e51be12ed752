import type { OrderFlags } from './layout.ts'
import type { Millis, Ticks } from '../../money/brand.ts'
import { accountKinds, systemAccounts } from '../account.ts'
import type { FundSystem } from '../command/funds.ts'
import type { Command, Stamp } from '../command/index.ts'
import type { PlaceOrder } from '../command/spot.ts'
import { cancelScopes, cancelStates, timesInForce } from '../command/spot.ts'
import { userClasses } from '../command/user.ts'
import { flag, numberOf, orderFlags, orderShape, readTerms, readTiers, triggerOf, triggerSlot, activationSlot, wordOf } from './fields.ts'
import { marginBits, marginFlags, marginOrder, readStrategy, selfTradeFlags, selfTradeMode, writeStrategy } from './fields.ts'
import { writeTerms, writeTiers } from './fields.ts'
import { indexSlots, readIndexPrices, writeIndexPrices } from './index-prices.ts'
import * as at from './layout.ts'
import { marginCodecs } from './margin.ts'
import { modeCodec } from './mode.ts'
import { locateCodec, regionCodec } from './region.ts'
import { optionCodecs } from './option.ts'
import { perpCodecs } from './perp.ts'
import { head, integer, lengthOf, opcodeOf } from './records.ts'
import type { Records } from './records.ts'
import { readAssetId, readLots, readMarketId, readOrderId, readTicks, readUnits, readUserId } from './slots.ts'
import { assetSymbolSlots, clientIdSlots, decimalSlots, marketSymbolSlots, packText, unpackText } from './text.ts'

type OfType<T extends Command['type']> = Extract<Command, { readonly type: T }>

/** How one command stands in its slots. `start` is where its record starts. */
export type Codec<C> = {
  readonly length: (command: C) => number
  readonly write: (command: C, data: Float64Array, start: number) => void
  readonly read: (data: Float64Array, start: number) => C
}

/** One line per command: a new one does not compile until it can be written and read. */
const codecs: { readonly [T in Command['type']]: Codec<OfType<T>> } = {
  'user.open': {
    length: () => at.OPEN_LENGTH,
    write(command, data, start) {
      data[start + at.OPEN_CLASS] = numberOf(userClasses, command.class)
      data[start + at.OPEN_REFERRER] = integer(command.referrer, 'referrer')
    },
    read: (data, start) => ({
      type: 'user.open',
      requestId: clientId(data, start),
      class: wordOf(userClasses, data[start + at.OPEN_CLASS]!),
      referrer: readUserId(data, start + at.OPEN_REFERRER),
    }),
  },
  'user.set': {
    length: () => at.USER_SET_LENGTH,
    write(command, data, start) {
      data[start + at.USER_FROZEN] = command.isFrozen ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.set',
      user: readUserId(data, start + at.USER),
      isFrozen: flag(data[start + at.USER_FROZEN]!, 'isFrozen'),
    }),
  },
  'user.certify': {
    length: () => at.CERTIFY_LENGTH,
    write(command, data, start) {
      data[start + at.CERTIFIED] = command.isCertified ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.certify',
      user: readUserId(data, start + at.USER),
      isCertified: flag(data[start + at.CERTIFIED]!, 'isCertified'),
    }),
  },
  'user.house': {
    length: () => at.HOUSE_LENGTH,
    write(command, data, start) {
      data[start + at.HOUSE] = command.isHouse ? 1 : 0
    },
    read: (data, start) => ({
      type: 'user.house',
      user: readUserId(data, start + at.USER),
      isHouse: flag(data[start + at.HOUSE]!, 'isHouse'),
    }),
  },
  'mode.set': modeCodec,
  'user.locate': locateCodec,
  'region.operate': regionCodec,
  'asset.list': {
    length: () => at.ASSET_LENGTH,
    write(command, data, start) {
      packText(command.symbol, data, start + at.ASSET_SYMBOL, assetSymbolSlots)
      data[start + at.ASSET_SCALE] = integer(command.scale, 'scale')
    },
    read: (data, start) => ({
      type: 'asset.list',
      symbol: unpackText(data, start + at.ASSET_SYMBOL, assetSymbolSlots),
      scale: data[start + at.ASSET_SCALE]!,
    }),
  },
  'market.list': {
    length: () => at.LIST_LENGTH,
    write(command, data, start) {
      packText(command.symbol, data, start + at.LIST_SYMBOL, marketSymbolSlots)
      data[start + at.LIST_BASE] = integer(command.base, 'base')
      data[start + at.LIST_QUOTE] = integer(command.quote, 'quote')
      packText(command.tick, data, start + at.LIST_TICK, decimalSlots)
      packText(command.lot, data, start + at.LIST_LOT, decimalSlots)
      writeTerms(command.terms, data, start + at.LIST_TERMS)
    },
    read: (data, start) => ({
      type: 'market.list',
      symbol: unpackText(data, start + at.LIST_SYMBOL, marketSymbolSlots),
      base: readAssetId(data, start + at.LIST_BASE),
      quote: readAssetId(data, start + at.LIST_QUOTE),
      tick: unpackText(data, start + at.LIST_TICK, decimalSlots),
      lot: unpackText(data, start + at.LIST_LOT, decimalSlots),
      terms: readTerms(data, start + at.LIST_TERMS),
    }),
  },
  'market.set': {
    length: () => at.SET_LENGTH,
    write(command, data, start) {
      data[start + at.SET_MARKET] = integer(command.market, 'market')
      writeTerms(command.terms, data, start + at.SET_TERMS)
    },
    read: (data, start) => ({
      type: 'market.set',
      market: readMarketId(data, start + at.SET_MARKET),
      terms: readTerms(data, start + at.SET_TERMS),
    }),
  },
  'fees.set': {
    length: (command) => at.FEES_TIERS + command.tiers.length * at.TIER_SLOTS,
    write(command, data, start) {
      data[start + at.FEES_COUNT] = command.tiers.length
      writeTiers(command.tiers, data, start + at.FEES_TIERS)
    },
    read: (data, start) => ({ type: 'fees.set', tiers: readTiers(data, start + at.FEES_TIERS, data[start + at.FEES_COUNT]!) }),
  },
  'index.tick': {
    length: (command) => at.INDEX_PRICES + indexSlots(command.prices),
    write: (command, data, start) => {
      data[start + at.INDEX_COUNT] = command.prices.length
      writeIndexPrices(command.prices, data, start + at.INDEX_PRICES)
    },
    read: (data, start) => ({
      type: 'index.tick',
      prices: readIndexPrices(data, start + at.INDEX_PRICES, data[start + at.INDEX_COUNT]!),
    }),
  },
  'clock.tick': { length: () => at.BODY, write: () => undefined, read: () => ({ type: 'clock.tick' }) },
  'funds.faucet': {
    length: () => at.FAUCET_LENGTH,
    write(command, data, start) {
      data[start + at.FAUCET_ASSET] = integer(command.asset, 'asset')
      data[start + at.FAUCET_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'funds.faucet',
      user: readUserId(data, start + at.USER),
      clientId: clientId(data, start),
      asset: readAssetId(data, start + at.FAUCET_ASSET),
      amount: readUnits(data, start + at.FAUCET_AMOUNT),
    }),
  },
  'funds.transfer': {
    length: () => at.TRANSFER_LENGTH,
    write(command, data, start) {
      data[start + at.TRANSFER_ASSET] = integer(command.asset, 'asset')
      data[start + at.TRANSFER_FROM] = numberOf(accountKinds, command.from)
      data[start + at.TRANSFER_TO] = numberOf(accountKinds, command.to)
      data[start + at.TRANSFER_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.TRANSFER_MARKET] = integer(command.market ?? 0, 'market')
    },
    read: (data, start) => ({
      type: 'funds.transfer',
      user: readUserId(data, start + at.USER),
      clientId: clientId(data, start),
      asset: readAssetId(data, start + at.TRANSFER_ASSET),
      from: wordOf(accountKinds, data[start + at.TRANSFER_FROM]!),
      to: wordOf(accountKinds, data[start + at.TRANSFER_TO]!),
      ...(data[start + at.TRANSFER_MARKET] === 0 ? {} : { market: readMarketId(data, start + at.TRANSFER_MARKET) }),
      amount: readUnits(data, start + at.TRANSFER_AMOUNT),
    }),
  },
  'funds.system': {
    length: () => at.SYSTEM_LENGTH,
    write(command, data, start) {
      data[start + at.SYSTEM_ACCOUNT] = numberOf(systemAccounts, command.account)
      data[start + at.SYSTEM_ASSET] = integer(command.asset, 'asset')
      data[start + at.SYSTEM_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'funds.system',
      account: wordOf(systemAccounts, data[start + at.SYSTEM_ACCOUNT]!) as FundSystem['account'],
      asset: readAssetId(data, start + at.SYSTEM_ASSET),
      amount: readUnits(data, start + at.SYSTEM_AMOUNT),
    }),
  },
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
      if ((flags & ~at.OCO_FLAG_BITS) !== 0 || isRepaidByNobody(flags)) throw new Error(`unknown flags in an OCO: ${flags}`)
      return {
        type: 'spot.placeOco',
        user: readUserId(data, start + at.USER),
        clientId: clientId(data, start),
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
    length: () => at.AMEND_LENGTH,
    write(command, data, start) {
      data[start + at.REF_MARKET] = integer(command.market, 'market')
      data[start + at.REF_ORDER] = integer(command.order, 'order')
      packText(command.orderClientId, data, start + at.REF_CLIENT_ID, clientIdSlots)
      data[start + at.AMEND_FLAGS] =
        (command.lots === undefined ? 0 : at.AMEND_HAS_LOTS) |
        (command.price === undefined ? 0 : at.AMEND_HAS_PRICE) |
        (command.keepsPriority === undefined ? 0 : at.AMEND_KEEPS)
      data[start + at.AMEND_LOTS] = integer(command.lots ?? 0, 'lots')
      data[start + at.AMEND_PRICE] = integer(command.price ?? 0, 'price')
    },
    read(data, start) {
      const flags = data[start + at.AMEND_FLAGS]!
      if ((flags & ~(at.AMEND_HAS_LOTS | at.AMEND_HAS_PRICE | at.AMEND_KEEPS)) !== 0) throw new Error(`unknown flags in an amend: ${flags}`)
      return {
        type: 'spot.amend',
        user: readUserId(data, start + at.USER),
        clientId: clientId(data, start),
        market: readMarketId(data, start + at.REF_MARKET),
        order: readOrderId(data, start + at.REF_ORDER),
        orderClientId: unpackText(data, start + at.REF_CLIENT_ID, clientIdSlots),
        ...((flags & at.AMEND_HAS_LOTS) !== 0 ? { lots: readLots(data, start + at.AMEND_LOTS) } : {}),
        ...((flags & at.AMEND_HAS_PRICE) !== 0 ? { price: readTicks(data, start + at.AMEND_PRICE) } : {}),
        ...((flags & at.AMEND_KEEPS) !== 0 ? { keepsPriority: true as const } : {}),
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
      clientId: clientId(data, start),
      market: readMarketId(data, start + at.REF_MARKET),
      order: readOrderId(data, start + at.REF_ORDER),
      orderClientId: unpackText(data, start + at.REF_CLIENT_ID, clientIdSlots),
      ...(lengthOf(data[start]!) > at.CANCEL_LENGTH ? { only: wordOf(cancelStates, data[start + at.CANCEL_STATE]! - 1) } : {}),
    }),
  },
  'spot.cancelAll': {
    length: ({ only }) => at.CANCEL_ALL_LENGTH + (only === undefined ? 0 : 1),
    write(command, data, start) {
      data[start + at.CANCEL_ALL_MARKET] = integer(command.market, 'market')
      if (command.only !== undefined) data[start + at.CANCEL_ALL_ONLY] = 1 + numberOf(cancelScopes, command.only)
    },
    read: (data, start) => ({
      type: 'spot.cancelAll',
      user: readUserId(data, start + at.USER),
      clientId: clientId(data, start),
      market: readMarketId(data, start + at.CANCEL_ALL_MARKET),
      ...(lengthOf(data[start]!) > at.CANCEL_ALL_LENGTH ? { only: wordOf(cancelScopes, data[start + at.CANCEL_ALL_ONLY]! - 1) } : {}),
    }),
  },
  ...marginCodecs,
  ...optionCodecs,
  ...perpCodecs,
}

const typeOfCode = new Map<number, Command['type']>(Object.entries(at.commandCodes).map(([type, code]) => [code, type as Command['type']]))

/**
 * Appends one record. Values that the core would refuse (a negative amount) are written as they are; values that no
 * slot can hold (a fraction, an unknown word, a client id of 37 characters) throw, and `into` is as before.
 */
export function encodeCommand(command: Command, stamp: Stamp, into: Records): void {
  const codec = codecs[command.type] as Codec<Command>
  if (codec === undefined) throw new Error(`unknown command ${command.type}`)
  const length = codec.length(command)
  const start = into.reserve(length)
  try {
    const data = into.data
    data[start] = head(at.commandCodes[command.type], length)
    data[start + at.SEQ] = integer(stamp.seq, 'seq')
    data[start + at.AT] = integer(stamp.at, 'at')
    data[start + at.USER] = 'user' in command ? integer(command.user, 'user') : 0
    data[start + at.KEY] = integer(stamp.keyId, 'keyId')
    packText(idOf(command), data, start + at.CLIENT_ID, clientIdSlots)
    codec.write(command, data, start)
  } catch (error) {
    into.length = start
    throw error
  }
}

/** Throws when what stands at `offset` is not a whole known command. `length`: its slots. */
export function decodeCommand(data: Float64Array, offset: number): { command: Command; stamp: Stamp; length: number } {
  const length = commandLength(data, offset)
  const type = typeOfCode.get(opcodeOf(data[offset]!))
  if (type === undefined) throw new Error(`unknown command code ${opcodeOf(data[offset]!)}`)
  for (let i = 0; i < length; i++) integer(data[offset + i]!, `slot ${i} of ${type}`)
  const codec = codecs[type] as Codec<Command>
  const command = codec.read(data, offset)
  if (codec.length(command) !== length) throw new Error(`${type} has ${length} slots instead of ${codec.length(command)}`)
  return { command, stamp: { seq: data[offset + at.SEQ]!, at: data[offset + at.AT]!, keyId: data[offset + at.KEY]! }, length }
}

/** Slots of the command at `offset`. Throws when it does not end within `data`. */
export function commandLength(data: Float64Array, offset: number): number {
  const first = data[offset]
  if (first === undefined || !Number.isSafeInteger(first)) throw new Error(`no command at slot ${offset}`)
  const length = lengthOf(first)
  if (length < at.BODY || offset + length > data.length) throw new Error(`command at slot ${offset} has no end`)
  return length
}

/** Writes the sequencer's number and time into an encoded command. */
export function stampCommand(data: Float64Array, offset: number, seq: number, atMs: Millis): void {
  data[offset + at.SEQ] = integer(seq, 'seq')
  data[offset + at.AT] = integer(atMs, 'at')
}

function idOf(command: Command): string {
  if ('clientId' in command) return command.clientId
  return 'requestId' in command ? command.requestId : ''
}

function clientId(data: Float64Array, start: number): string {
  return unpackText(data, start + at.CLIENT_ID, clientIdSlots)
}

/** Only an order of a margin account has anything to repay. */
function isRepaidByNobody(flags: number): boolean {
  return (flags & at.REPAYS_AT_END) !== 0 && (flags & marginBits) === 0
}

/** Of a leg that acts as a limit order; absent for GTC. */
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
  if ((flags & ~at.PLACE_FLAGS) !== 0 || isRepaidByNobody(flags)) throw new Error(`unknown flags in an order: ${flags}`)
  const trigger = triggerOf(flags, data[start + at.PLACE_TRIGGER]!, data[start + at.PLACE_ACTIVATION] as Ticks)
  const strategy =
    (flags & at.HAS_STRATEGY) === 0 ? undefined : readStrategy(data[start + at.PLACE_STRATEGY]!, data[start + at.PLACE_STRATEGY + 1]!)
  return {
    type: 'spot.place',
    user: readUserId(data, start + at.USER),
    clientId: clientId(data, start),
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
