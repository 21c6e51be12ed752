import type { Ppm, Ticks } from '../../money/brand.ts'
import type { OrderFlags } from './layout.ts'
import { accountKinds, systemAccounts } from '../account.ts'
import type { AccountRef } from '../account.ts'
import { selfTradeModes } from '../command/spot.ts'
import { userClasses } from '../command/user.ts'
import { closeReasons, entryReasons } from '../event/index.ts'
import type { Event, FeesChanged, LevelChanged, MarketListed, OrderAccepted, Traded } from '../event/index.ts'
import type { AccountNumber, AssetId, KindNumber, MarketId, OwnerId, Seq, SystemOwner, UserId } from '../ids.ts'
import type { Asset, Market } from '../market.ts'
import type { Interest } from '../released.ts'
import { refusals } from '../refusal.ts'
import type { Refusal } from '../refusal.ts'
import * as layout from './event-layout.ts'
import { ACCEPTED_LENGTH } from './event-layout.ts'
import { HAS_STRATEGY, HOUSE_TRADE, LIQUIDATION, TERMS_SLOTS, TIER_SLOTS } from './layout.ts'
import { algoEventCodes, algoReaders } from './algo/slots.ts'
import { chainEventCodes, chainReaders } from './chain/slots.ts'
import { convertEventCodes, convertReaders } from './convert/slots.ts'
import { flag, orderShape, readStrategy, readTerms, readTiers, selfTradeOf, triggerOf, wordOf } from './fields.ts'
import { presaleEventCodes, presaleReaders } from './presale/slots.ts'
import { acceptedCode, perpEventCodes, perpReaders } from './perp.ts'
import { AMENDED_LENGTH, AMENDED_WITH_TRIGGER } from './amend/trigger.ts'
import { ownTermsAt } from './perp/order.ts'
import { readPerpTerms } from './perp-terms.ts'
import { marginEventCodes, marginReaders } from './margin.ts'
import { optionReaders } from './option.ts'
import { firmEventCodes, firmReaders } from './firm/slots.ts'
import { referralEventCodes, referralReaders } from './referral/slots.ts'
import { lengthOf, opcodeOf } from './records.ts'
import {
  type Read,
  readAssetId,
  readIndexPrice,
  readLots,
  readMarketId,
  readMillis,
  readOrderId,
  readPreventedMatchId,
  readTicks,
  readTradeId,
  readUnits,
  readUserId,
} from './slots.ts'
import { assetSymbolSlots, clientIdSlots, decimalSlots, marketSymbolSlots, unpackText } from './text.ts'

/** Part of every batch's digest: append only, never renumber. */
export const eventCodes = {
  outcome: 1,
  'user.opened': 2,
  'user.changed': 3,
  'user.tierChanged': 4,
  'asset.listed': 5,
  'market.listed': 6,
  'market.changed': 7,
  'fees.changed': 8,
  'index.ticked': 9,
  entry: 10,
  'order.accepted': acceptedCode,
  'order.triggered': 12,
  'order.amended': 13,
  traded: 14,
  'order.closed': 15,
  'book.level': 16,
  'user.certified': 17,
  'order.prevented': 18,
  'user.housed': 19,
  'order.entered': 68,
  'match.prevented': 69,
  'user.rested': 80,
  'user.staffed': 81,
  ...perpEventCodes,
  ...marginEventCodes,
  ...chainEventCodes,
  ...convertEventCodes,
  ...referralEventCodes,
  ...firmEventCodes,
  ...algoEventCodes,
  ...presaleEventCodes,
  'option.terms': 60,
  'option.opened': 61,
  'option.struck': 62,
  'option.settled': 63,
  'option.admitted': 64,
  'option.limits': 65,
  'option.house': 66,
  'tape.extended': 67,
} as const satisfies Record<Event['type'], number>

const refusalOfId = new Map<number, Refusal>(Object.entries(refusals).map(([name, { id }]) => [id, name as Refusal]))

type OfType<T extends Event['type']> = Extract<Event, { readonly type: T }>

/** One line per event: how its slots are read. `at` is the index of its record. */
const readers: { readonly [T in Event['type']]: (data: Float64Array, at: number) => OfType<T> } = {
  outcome: (data, at) => ({
    type: 'outcome',
    seq: data[at + layout.OUTCOME_SEQ] as Seq,
    at: readMillis(data, at + layout.OUTCOME_AT),
    user: readUserId(data, at + layout.OUTCOME_USER),
    order: readOrderId(data, at + layout.OUTCOME_ORDER),
    refusal: refusalOf(data[at + layout.OUTCOME_REFUSAL]!),
    isRepeat: flag(data[at + layout.OUTCOME_IS_REPEAT]!, 'isRepeat'),
  }),
  'user.opened': (data, at) => ({
    type: 'user.opened',
    user: readUserId(data, at + 1),
    class: wordOf(userClasses, data[at + 2]!),
    referrer: readUserId(data, at + 3),
  }),
  'user.changed': (data, at) => ({ type: 'user.changed', user: readUserId(data, at + 1), isFrozen: flag(data[at + 2]!, 'isFrozen') }),
  'user.certified': (data, at) => ({
    type: 'user.certified',
    user: readUserId(data, at + 1),
    isCertified: flag(data[at + 2]!, 'isCertified'),
  }),
  'user.housed': (data, at) => ({ type: 'user.housed', user: readUserId(data, at + 1), isHouse: flag(data[at + 2]!, 'isHouse') }),
  'user.rested': (data, at) => ({ type: 'user.rested', user: readUserId(data, at + 1), until: readMillis(data, at + 2) }),
  'user.staffed': (data, at) => ({ type: 'user.staffed', user: readUserId(data, at + 1), isStaff: flag(data[at + 2]!, 'isStaff') }),
  'user.tierChanged': (data, at) => ({ type: 'user.tierChanged', user: readUserId(data, at + 1), tier: data[at + 2]! }),
  'asset.listed': (data, at) => ({ type: 'asset.listed', asset: readAsset(data, at + 1) }),
  'market.listed': readMarketListed,
  'market.changed': (data, at) => ({ type: 'market.changed', market: readMarket(data, at + 1) }),
  'fees.changed': (data, at) => readFeesChanged(data, at),
  'index.ticked': (data, at) => ({
    type: 'index.ticked',
    market: readMarketId(data, at + 1),
    price: readIndexPrice(data, at + 2),
    sources: data[at + 3]!,
    isGood: flag(data[at + 4]!, 'isGood'),
  }),
  entry: (data, at) => ({
    type: 'entry',
    account: accountOf(data[at + 1] as OwnerId, data[at + 2] as AccountNumber),
    reason: wordOf(entryReasons, data[at + 3]!),
    delta: readUnits(data, at + 4),
    heldDelta: readUnits(data, at + 5),
    available: readUnits(data, at + 6),
    held: readUnits(data, at + 7),
  }),
  'order.accepted': readAccepted,
  'order.triggered': (data, at) => ({
    type: 'order.triggered',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
  }),
  'order.entered': (data, at) => ({
    type: 'order.entered',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
  }),
  'order.amended': (data, at) => ({
    type: 'order.amended',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
    price: readTicks(data, at + 4),
    lots: readLots(data, at + 5),
    keepsPriority: flag(data[at + 6]!, 'keepsPriority'),
    ...(lengthOf(data[at]!) === AMENDED_WITH_TRIGGER ? { triggerPrice: readTicks(data, at + AMENDED_LENGTH) } : {}),
  }),
  'order.prevented': (data, at) => ({
    type: 'order.prevented',
    market: readMarketId(data, at + 1),
    user: readUserId(data, at + 2),
    price: readTicks(data, at + 3),
    lots: readLots(data, at + 4),
    makerOrder: readOrderId(data, at + 5),
    takerOrder: readOrderId(data, at + 6),
  }),
  'match.prevented': (data, at) => ({
    type: 'match.prevented',
    market: readMarketId(data, at + 1),
    match: readPreventedMatchId(data, at + 2),
    mode: wordOf(selfTradeModes, data[at + 3]!),
    user: readUserId(data, at + 4),
    price: readTicks(data, at + 5),
    makerOrder: readOrderId(data, at + 6),
    takerOrder: readOrderId(data, at + 7),
    makerLots: readLots(data, at + 8),
    takerLots: readLots(data, at + 9),
  }),
  traded: readTraded,
  'order.closed': (data, at) => ({
    type: 'order.closed',
    order: readOrderId(data, at + 1),
    user: readUserId(data, at + 2),
    market: readMarketId(data, at + 3),
    reason: wordOf(closeReasons, data[at + 4]!),
    executedLots: readLots(data, at + 5),
    executedQuote: readUnits(data, at + 6),
  }),
  'book.level': readLevel,
  ...chainReaders,
  ...convertReaders,
  ...referralReaders,
  ...firmReaders,
  ...algoReaders,
  ...presaleReaders,
  ...marginReaders,
  ...optionReaders,
  ...perpReaders,
}

const readerOfCode: ((data: Float64Array, at: number) => Event)[] = []
for (const type of Object.keys(eventCodes) as Event['type'][]) readerOfCode[eventCodes[type]] = readers[type]

/** An event about one user, in this slot, that not every reader wants. An account’s owner below zero is none. */
type Own = { readonly slot: number; readonly part: keyof Interest }
const accepted: Own = { slot: 3, part: 'orders' }
/** Slot of an accepted order's flags. */
const FLAGS = 11
/** By code. */
const ownOf: Own[] = []
ownOf[eventCodes.entry] = { slot: 1, part: 'entries' }
ownOf[eventCodes['order.accepted']] = accepted
ownOf[eventCodes['order.closed']] = { slot: 2, part: 'orders' }

/**
 * The events in slots `from` to `to`, in order, without those in which there is no interest: to make objects of these would cost more than to
 * read all others. Throws when a record does not end at `to`, or one that is read is not a known event.
 */
export function decodeEvents(data: Float64Array, from: number, to: number, interest?: Interest): Event[] {
  const events: Event[] = []
  for (let at = from; at < to; ) {
    const own = interest === undefined ? undefined : ownOf[opcodeOf(data[at]!)]
    // Orders of liquidations are public.
    const isPublic = own === undefined || (own === accepted && (data[at + FLAGS]! & LIQUIDATION) !== 0)
    if (isPublic || interest![own.part](data[at + own.slot] as UserId)) events.push(decodeEvent(data, at))
    at += eventLength(data, at, to)
  }
  return events
}

/** The event at slot `at`. Throws when there is none. */
export function decodeEvent(data: Float64Array, at: number): Event {
  const read = readerOfCode[opcodeOf(data[at]!)]
  if (read === undefined) throw new Error(`unknown event code ${opcodeOf(data[at]!)}`)
  return read(data, at)
}

/** Slots of the event at `at`. Throws when it does not end by `to`. */
export function eventLength(data: Float64Array, at: number, to: number): number {
  const length = lengthOf(data[at]!)
  if (length < 2 || at + length > to) throw new Error(`event at slot ${at} has no end`)
  return length
}

/** Second slot of an entry: the owner's account. Assets and isolated markets are below 2^20. `market` 0: not an isolated account. */
export function accountSlot(kind: KindNumber, asset: AssetId, market: MarketId | 0): AccountNumber {
  return ((market * 16 + kind) * 2 ** 20 + asset) as AccountNumber
}

/** First slot of an entry for one of the exchange's own accounts: a number below zero, from its number in `systemAccounts`. */
export function systemOwner(system: number): SystemOwner {
  return (-1 - system) as SystemOwner
}

function accountOf(owner: OwnerId, account: AccountNumber): AccountRef {
  const asset = (account % 2 ** 20) as AssetId
  if (owner < 0) return { system: wordOf(systemAccounts, -1 - owner), asset }
  const user = owner as UserId
  const kindAndMarket = Math.floor(account / 2 ** 20)
  const kind = wordOf(accountKinds, kindAndMarket % 16)
  const market = Math.floor(kindAndMarket / 16) as MarketId
  return market === 0 ? { user, kind, asset } : { user, kind, asset, market }
}

function refusalOf(id: number): Refusal | undefined {
  if (id === 0) return undefined
  const refusal = refusalOfId.get(id)
  if (refusal === undefined) throw new Error(`unknown refusal ${id}`)
  return refusal
}

function readAsset(data: Float64Array, at: number): Asset {
  return { id: readAssetId(data, at), symbol: unpackText(data, at + 1, assetSymbolSlots), scale: data[at + 3]! }
}

function readMarket(data: Float64Array, at: number): Market {
  const perp = readPerpTerms(data, at + 17 + TERMS_SLOTS)
  return {
    id: readMarketId(data, at),
    symbol: unpackText(data, at + 1, marketSymbolSlots),
    base: readAssetId(data, at + 5),
    quote: readAssetId(data, at + 6),
    tick: unpackText(data, at + 7, decimalSlots),
    lot: unpackText(data, at + 11, decimalSlots),
    basePerLot: data[at + 15]!,
    quotePerTickLot: data[at + 16]!,
    terms: readTerms(data, at + 17),
    ...(perp === undefined ? {} : { perp }),
  }
}

const readFeesChanged: Read<FeesChanged> = (data, at) => {
  const count = data[at + 1]!
  const perpCount = (lengthOf(data[at]!) - 2) / TIER_SLOTS - count
  const perpTiers = readTiers(data, at + 2 + count * TIER_SLOTS, perpCount)
  return { type: 'fees.changed', tiers: readTiers(data, at + 2, count), perpTiers }
}

function readMarketListed(data: Float64Array, at: number): MarketListed {
  return { type: 'market.listed', market: readMarket(data, at + 1) }
}

function readAccepted(data: Float64Array, at: number): OrderAccepted {
  const flags = data[at + FLAGS] as OrderFlags
  const trigger = triggerOf(flags, data[at + 16] as Ticks | Ppm, data[at + 17] as Ticks)
  const shape = orderShape(flags)
  const isTold = shape.perp === undefined && (flags & HAS_STRATEGY) !== 0
  const strategy = isTold ? readStrategy(data[at + ACCEPTED_LENGTH]!, data[at + ACCEPTED_LENGTH + 1]!) : undefined
  return {
    type: 'order.accepted',
    order: readOrderId(data, at + 1),
    list: readOrderId(data, at + 2),
    user: readUserId(data, at + 3),
    clientId: unpackText(data, at + 4, clientIdSlots),
    market: readMarketId(data, at + 10),
    ...shape,
    ...(shape.perp === undefined ? {} : { perp: { ...shape.perp, ...ownTermsAt(flags, data, at + ACCEPTED_LENGTH) } }),
    price: readTicks(data, at + 12),
    lots: readLots(data, at + 13),
    spend: readUnits(data, at + 14),
    display: readLots(data, at + 15),
    ...(trigger === undefined ? {} : { trigger }),
    ...selfTradeOf(flags),
    ...(strategy === undefined ? {} : { strategy }),
  }
}

function readTraded(data: Float64Array, at: number): Traded {
  return {
    type: 'traded',
    market: readMarketId(data, at + 1),
    trade: readTradeId(data, at + 2),
    price: readTicks(data, at + 3),
    lots: readLots(data, at + 4),
    quote: readUnits(data, at + 5),
    takerSide: (data[at + 6]! & 1) === 1 ? 'sell' : 'buy',
    makerOrder: readOrderId(data, at + 7),
    takerOrder: readOrderId(data, at + 8),
    makerUser: readUserId(data, at + 9),
    takerUser: readUserId(data, at + 10),
    makerFee: readUnits(data, at + 11),
    takerFee: readUnits(data, at + 12),
    ...((data[at + 6]! & HOUSE_TRADE) === 0 ? {} : { isHouse: true }),
  }
}

function readLevel(data: Float64Array, at: number): LevelChanged {
  return {
    type: 'book.level',
    market: readMarketId(data, at + 1),
    update: data[at + 2]!,
    side: data[at + 3] === 1 ? 'sell' : 'buy',
    price: readTicks(data, at + 4),
    lots: readLots(data, at + 5),
  }
}
