/**
 * Writers of events, directly into slots: no object is made between the core's decision and the record. Each mirrors its reader
 * in `event.ts`; the round trip is tested.
 */
import type { OrderFlags } from './layout.ts'
import type { AccountNumber, CloseNumber, MarketId, OrderId, OwnerId, ReasonNumber, TradeId, UserId } from '../ids.ts'
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { MatchPrevented } from '../event/index.ts'
import type { Asset, FeeTier, Market } from '../market.ts'
import * as eventLayout from './event-layout.ts'
import { eventCodes } from './event.ts'
import { writeTerms, writeTiers } from './fields.ts'
import { STRATEGY_SLOTS, TERMS_SLOTS, TIER_SLOTS } from './layout.ts'
import { perpTermsSlots, writePerpTerms } from './perp-terms.ts'
import * as records from './records.ts'
import type { Records } from './records.ts'
import { assetSymbolSlots, decimalSlots, marketSymbolSlots, packText } from './text.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { head, SLOTS } = records
const { ACCEPTED_LENGTH, OUTCOME_AT, OUTCOME_IS_REPEAT, OUTCOME_LENGTH, OUTCOME_ORDER, OUTCOME_REFUSAL, OUTCOME_SEQ, OUTCOME_USER } =
  eventLayout

const OUTCOME = head(eventCodes.outcome, OUTCOME_LENGTH)
const ENTRY = head(eventCodes.entry, 8)
const ACCEPTED = head(eventCodes['order.accepted'], ACCEPTED_LENGTH)
const ACCEPTED_WITH_STRATEGY = head(eventCodes['order.accepted'], ACCEPTED_LENGTH + STRATEGY_SLOTS)
const TRIGGERED = head(eventCodes['order.triggered'], 4)
const ENTERED = head(eventCodes['order.entered'], 4)
const AMENDED = head(eventCodes['order.amended'], 7)
const TRADED = head(eventCodes['traded'], 13)
const CLOSED = head(eventCodes['order.closed'], 7)
const LEVEL = head(eventCodes['book.level'], 6)
const MARKET_SLOTS = 17 + TERMS_SLOTS

/** A prevented match with its mode as a number. */
type PreventedMatch = Omit<MatchPrevented, 'type' | 'mode'> & { readonly mode: number }

export function writeOutcome(
  into: Records,
  seq: number,
  atMs: Millis,
  user: UserId,
  order: OrderId,
  refusalId: number,
  isRepeat: 0 | 1,
): void {
  const at = into.reserve(OUTCOME_LENGTH)
  const data = into.data
  data[at] = OUTCOME
  data[at + OUTCOME_SEQ] = seq
  data[at + OUTCOME_AT] = atMs
  data[at + OUTCOME_USER] = user
  data[at + OUTCOME_ORDER] = order
  data[at + OUTCOME_REFUSAL] = refusalId
  data[at + OUTCOME_IS_REPEAT] = isRepeat
}

/** `owner` and `account`: from `systemOwner` and `accountSlot`. */
export function writeEntry(
  into: Records,
  owner: OwnerId,
  account: AccountNumber,
  reason: ReasonNumber,
  delta: Units,
  heldDelta: Units,
  available: Units,
  held: Units,
): void {
  const at = into.reserve(8)
  const data = into.data
  data[at] = ENTRY
  data[at + 1] = owner
  data[at + 2] = account
  data[at + 3] = reason
  data[at + 4] = delta
  data[at + 5] = heldDelta
  data[at + 6] = available
  data[at + 7] = held
}

/** The client id is copied from `ids`, six slots at `idAt`. */
export function writeAccepted(
  into: Records,
  order: OrderId,
  list: OrderId | 0,
  user: UserId,
  ids: Float64Array,
  idAt: number,
  market: MarketId,
  flags: OrderFlags,
  price: Ticks | 0,
  lots: Lots | 0,
  spend: Units | 0,
  display: Lots | 0,
  trigger: Ticks | Ppm | 0,
  activation: Ticks | 0,
): void {
  const at = into.reserve(ACCEPTED_LENGTH)
  const data = into.data
  const id = idAt & SLOTS
  data[at] = ACCEPTED
  data[at + 1] = order
  data[at + 2] = list
  data[at + 3] = user
  data[at + 4] = ids[id]!
  data[at + 5] = ids[id + 1]!
  data[at + 6] = ids[id + 2]!
  data[at + 7] = ids[id + 3]!
  data[at + 8] = ids[id + 4]!
  data[at + 9] = ids[id + 5]!
  data[at + 10] = market
  data[at + 11] = flags
  data[at + 12] = price
  data[at + 13] = lots
  data[at + 14] = spend
  data[at + 15] = display
  data[at + 16] = trigger
  data[at + 17] = activation
}

/** Adds the strategy from the command's two slots to `order.accepted`, which must be the last event written. */
export function appendStrategy(into: Records, id: number, type: number): void {
  const at = into.reserve(STRATEGY_SLOTS)
  const data = into.data
  data[at - ACCEPTED_LENGTH] = ACCEPTED_WITH_STRATEGY
  data[at] = id
  data[at + 1] = type
}

export function writeTriggered(into: Records, order: OrderId, user: UserId, market: MarketId): void {
  const at = into.reserve(4)
  const data = into.data
  data[at] = TRIGGERED
  data[at + 1] = order
  data[at + 2] = user
  data[at + 3] = market
}

export function writeEntered(into: Records, order: OrderId, user: UserId, market: MarketId): void {
  const at = into.reserve(4)
  const data = into.data
  data[at] = ENTERED
  data[at + 1] = order
  data[at + 2] = user
  data[at + 3] = market
}

export function writeAmended(
  into: Records,
  order: OrderId,
  user: UserId,
  market: MarketId,
  price: Ticks,
  lots: Lots,
  keepsPriority: 0 | 1,
): void {
  const at = into.reserve(7)
  const data = into.data
  data[at] = AMENDED
  data[at + 1] = order
  data[at + 2] = user
  data[at + 3] = market
  data[at + 4] = price
  data[at + 5] = lots
  data[at + 6] = keepsPriority
}

export function writePrevented(
  into: Records,
  market: MarketId,
  user: UserId,
  price: Ticks,
  lots: Lots,
  makerOrder: OrderId,
  takerOrder: OrderId,
): void {
  writeSmall(into, eventCodes['order.prevented'], market, user, price, lots, makerOrder, takerOrder)
}

/** `mode`: number in `selfTradeModes`. */
export function writeMatchPrevented(
  into: Records,
  { market, match, mode, user, price, makerOrder, takerOrder, makerLots, takerLots }: PreventedMatch,
): void {
  writeSmall(into, eventCodes['match.prevented'], market, match, mode, user, price, makerOrder, takerOrder, makerLots, takerLots)
}

/** `takerSide` 1: the taker sold. */
export function writeTraded(
  into: Records,
  market: MarketId,
  trade: TradeId,
  price: Ticks,
  lots: Lots,
  quote: Units,
  side: number,
  makerOrder: OrderId,
  takerOrder: OrderId,
  makerUser: UserId,
  takerUser: UserId,
  makerFee: Units,
  takerFee: Units,
): void {
  const at = into.reserve(13)
  const data = into.data
  data[at] = TRADED
  data[at + 1] = market
  data[at + 2] = trade
  data[at + 3] = price
  data[at + 4] = lots
  data[at + 5] = quote
  data[at + 6] = side
  data[at + 7] = makerOrder
  data[at + 8] = takerOrder
  data[at + 9] = makerUser
  data[at + 10] = takerUser
  data[at + 11] = makerFee
  data[at + 12] = takerFee
}

/** `reason`: number in `closeReasons`. */
export function writeClosed(
  into: Records,
  order: OrderId,
  user: UserId,
  market: MarketId,
  reason: CloseNumber,
  executedLots: Lots,
  executedQuote: Units,
): void {
  const at = into.reserve(7)
  const data = into.data
  data[at] = CLOSED
  data[at + 1] = order
  data[at + 2] = user
  data[at + 3] = market
  data[at + 4] = reason
  data[at + 5] = executedLots
  data[at + 6] = executedQuote
}

export function writeLevel(into: Records, market: MarketId, update: number, side: number, price: Ticks, lots: Lots): void {
  const at = into.reserve(6)
  const data = into.data
  data[at] = LEVEL
  data[at + 1] = market
  data[at + 2] = update
  data[at + 3] = side
  data[at + 4] = price
  data[at + 5] = lots
}

/** `class`: number in `userClasses`. */
export function writeUserOpened(into: Records, user: UserId, userClass: number, referrer: UserId): void {
  writeSmall(into, eventCodes['user.opened'], user, userClass, referrer)
}

export function writeUserChanged(into: Records, user: UserId, isFrozen: boolean): void {
  writeSmall(into, eventCodes['user.changed'], user, isFrozen ? 1 : 0)
}

export function writeUserCertified(into: Records, user: UserId, isCertified: boolean): void {
  writeSmall(into, eventCodes['user.certified'], user, isCertified ? 1 : 0)
}

export function writeUserHoused(into: Records, user: UserId, isHouse: boolean): void {
  writeSmall(into, eventCodes['user.housed'], user, isHouse ? 1 : 0)
}

export function writeUserRested(into: Records, user: UserId, until: Millis): void {
  writeSmall(into, eventCodes['user.rested'], user, until)
}

export function writeUserStaffed(into: Records, user: UserId, isStaff: boolean): void {
  writeSmall(into, eventCodes['user.staffed'], user, isStaff ? 1 : 0)
}

export function writeTierChanged(into: Records, user: UserId, tier: number): void {
  writeSmall(into, eventCodes['user.tierChanged'], user, tier)
}

export function writeIndexTicked(into: Records, market: MarketId, price: IndexPrice, sources: number, isGood: boolean): void {
  writeSmall(into, eventCodes['index.ticked'], market, price, sources, isGood ? 1 : 0)
}

export function writeAssetListed(into: Records, asset: Asset): void {
  const at = into.reserve(5)
  into.data[at] = head(eventCodes['asset.listed'], 5)
  into.data[at + 1] = asset.id
  packText(asset.symbol, into.data, at + 2, assetSymbolSlots)
  into.data[at + 4] = asset.scale
}

export function writeMarketListed(into: Records, market: Market): void {
  writeMarket(into, eventCodes['market.listed'], market)
}

export function writeMarketChanged(into: Records, market: Market): void {
  writeMarket(into, eventCodes['market.changed'], market)
}

export function writeFeesChanged(into: Records, tiers: readonly FeeTier[], perpTiers: readonly FeeTier[]): void {
  const length = 2 + (tiers.length + perpTiers.length) * TIER_SLOTS
  const at = into.reserve(length)
  into.data[at] = head(eventCodes['fees.changed'], length)
  into.data[at + 1] = tiers.length
  writeTiers([...tiers, ...perpTiers], into.data, at + 2)
}

function writeMarket(into: Records, code: number, market: Market): void {
  const length = 1 + MARKET_SLOTS + perpTermsSlots(market.perp)
  const at = into.reserve(length)
  const data = into.data
  data[at] = head(code, length)
  data[at + 1] = market.id
  packText(market.symbol, data, at + 2, marketSymbolSlots)
  data[at + 6] = market.base
  data[at + 7] = market.quote
  packText(market.tick, data, at + 8, decimalSlots)
  packText(market.lot, data, at + 12, decimalSlots)
  data[at + 16] = market.basePerLot
  data[at + 17] = market.quotePerTickLot
  writeTerms(market.terms, data, at + 18)
  writePerpTerms(market.perp, data, at + 1 + MARKET_SLOTS)
}

function writeSmall(into: Records, code: number, ...values: readonly number[]): void {
  const at = into.reserve(1 + values.length)
  into.data[at] = head(code, 1 + values.length)
  for (let i = 0; i < values.length; i++) into.data[at + 1 + i] = values[i]!
}
