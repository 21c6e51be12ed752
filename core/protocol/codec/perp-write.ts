/** Writers of the events of Futures. Each mirrors its reader in `perp.ts`; the round trip is tested. */
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { Deleveraged, FundingPaid, FundingSettled } from '../event/perp.ts'
import type { MarketId, MatchNumber, OrderId, TierNumber, UserId } from '../ids.ts'
import { ACCEPTED_LENGTH } from './event-layout.ts'
import { acceptedCode, perpEventCodes } from './perp.ts'
import { head } from './records.ts'
import type { Records } from './records.ts'

const MARKED = head(perpEventCodes['perp.marked'], 6)
const SETTINGS = head(perpEventCodes['perp.settings'], 6)
const POSITION = head(perpEventCodes['perp.position'], 15)
const CLOSED = head(perpEventCodes['perp.closed'], 21)
const FUNDING_DUE = head(perpEventCodes['perp.fundingDue'], 5)
const TAKEN_OVER = head(perpEventCodes['perp.takenOver'], 6)
const INVENTORY = head(perpEventCodes['perp.inventory'], 4)
const FUNDED = head(perpEventCodes['perp.funded'], 8)
const FUNDING_PAID = head(perpEventCodes['perp.fundingPaid'], 7)
const LIQUIDATED = head(perpEventCodes['perp.liquidated'], 15)
const DELEVERAGED = head(perpEventCodes['perp.deleveraged'], 7)
/** Slots that exits add to `order.accepted`. */
const exitSlots = 3
const ACCEPTED_WITH_EXITS = head(acceptedCode, ACCEPTED_LENGTH + exitSlots)
/** Slots that a date and a price from the book add behind those of the exits. */
const endSlots = 2
const ACCEPTED_WITH_END = head(acceptedCode, ACCEPTED_LENGTH + exitSlots + endSlots)
const LEVEL = head(perpEventCodes['perp.level'], 5)
const PHASE = head(perpEventCodes['perp.phase'], 3)
const TIER = head(perpEventCodes['perp.tierChanged'], 3)

export function writePerpMarked(
  into: Records,
  market: MarketId,
  mark: Ticks,
  index: IndexPrice,
  fundingRate: number,
  fundingAtMs: Millis,
): void {
  const at = into.reserve(6)
  const { data } = into
  data[at] = MARKED
  data[at + 1] = market
  data[at + 2] = mark
  data[at + 3] = index
  data[at + 4] = fundingRate
  data[at + 5] = fundingAtMs
}

/** `mode`: number in `marginModes`. */
export function writePerpSettings(into: Records, user: UserId, market: MarketId, leverage: number, mode: number, isHedge: boolean): void {
  const at = into.reserve(6)
  const { data } = into
  data[at] = SETTINGS
  data[at + 1] = user
  data[at + 2] = market
  data[at + 3] = leverage
  data[at + 4] = mode
  data[at + 5] = isHedge ? 1 : 0
}

/** The fields of a position that `writePosition` writes; words are given by their numbers. */
export type PositionRecord = {
  readonly id: OrderId
  readonly user: UserId
  readonly market: MarketId
  /** Number in `positionSides`. */
  readonly side: number
  readonly mode: number
  readonly leverage: number
  readonly lots: Lots
  readonly cost: Units
  readonly margin: Units
  readonly realised: number
  readonly fees: Units
  readonly funding: number
  readonly openedAtMs: Millis
}

/** The fields that `writePositionClosed` writes, including everything ever opened and closed in the position. */
export type ClosedRecord = PositionRecord & {
  readonly openedLots: bigint
  readonly openedValue: bigint
  readonly closedLots: bigint
  readonly closedValue: bigint
}

export function writePosition(into: Records, position: PositionRecord, liquidationPrice: Ticks): void {
  const at = into.reserve(15)
  const { data } = into
  data[at] = POSITION
  data[at + 1] = position.id
  data[at + 2] = position.user
  data[at + 3] = position.market
  data[at + 4] = position.side
  data[at + 5] = position.mode
  data[at + 6] = position.leverage
  data[at + 7] = position.lots
  data[at + 8] = position.cost
  data[at + 9] = position.margin
  data[at + 10] = liquidationPrice
  data[at + 11] = position.realised
  data[at + 12] = position.fees
  data[at + 13] = position.funding
  data[at + 14] = position.openedAtMs
}

/** `sold` 1: it was short. `cause`: number in `positionEnds`. */
export function writePositionClosed(into: Records, position: ClosedRecord, sold: 0 | 1, cause: number, closedAtMs: Millis): void {
  const at = into.reserve(21)
  const { data } = into
  data[at] = CLOSED
  data[at + 1] = position.id
  data[at + 2] = position.user
  data[at + 3] = position.market
  data[at + 4] = sold
  data[at + 5] = position.mode
  data[at + 6] = position.leverage
  data[at + 7] = position.realised
  data[at + 8] = position.fees
  data[at + 9] = position.funding
  data[at + 10] = cause
  data[at + 11] = position.openedAtMs
  data[at + 12] = closedAtMs
  writeLargeSum(data, at + 13, position.openedLots)
  writeLargeSum(data, at + 15, position.openedValue)
  writeLargeSum(data, at + 17, position.closedLots)
  writeLargeSum(data, at + 19, position.closedValue)
}

/** Two slots, each a safe integer: the number of whole 2^50, and the rest. */
function writeLargeSum(data: Float64Array, at: number, sum: bigint): void {
  data[at] = Number(sum >> 50n)
  data[at + 1] = Number(sum & (2n ** 50n - 1n))
}

export function writeFundingDue(into: Records, market: MarketId, rate: number, mark: Ticks, atMs: Millis): void {
  const at = into.reserve(5)
  const { data } = into
  data[at] = FUNDING_DUE
  data[at + 1] = market
  data[at + 2] = rate
  data[at + 3] = mark
  data[at + 4] = atMs
}

export function writeFunded(into: Records, settled: Omit<FundingSettled, 'type'>): void {
  const at = into.reserve(8)
  const { data } = into
  data[at] = FUNDED
  data[at + 1] = settled.market
  data[at + 2] = settled.rate
  data[at + 3] = settled.mark
  data[at + 4] = settled.paid
  data[at + 5] = settled.received
  data[at + 6] = settled.rest
  data[at + 7] = settled.at
}

export function writeFundingPaid(into: Records, payment: Omit<FundingPaid, 'type'>): void {
  const at = into.reserve(7)
  const { data } = into
  data[at] = FUNDING_PAID
  data[at + 1] = payment.user
  data[at + 2] = payment.market
  data[at + 3] = payment.position
  data[at + 4] = payment.lots
  data[at + 5] = payment.rate
  data[at + 6] = payment.amount
}

/** One step of a liquidation, with everything that decided it. */
export type LiquidationRecord = {
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  readonly order: OrderId
  readonly mark: Ticks
  readonly index: IndexPrice
  readonly equity: Units
  readonly maintenance: Units
  readonly maintenancePpm: Ppm
  readonly askedLots: number
  readonly closedLots: number
  readonly bankruptcyPrice: number
  readonly fee: Units
  readonly insured: Units
}

export function writeLiquidated(into: Records, step: LiquidationRecord): void {
  const at = into.reserve(15)
  const { data } = into
  data[at] = LIQUIDATED
  data[at + 1] = step.user
  data[at + 2] = step.market
  data[at + 3] = step.position
  data[at + 4] = step.order
  data[at + 5] = step.mark
  data[at + 6] = step.index
  data[at + 7] = step.equity
  data[at + 8] = step.maintenance
  data[at + 9] = step.maintenancePpm
  data[at + 10] = step.askedLots
  data[at + 11] = step.closedLots
  data[at + 12] = step.bankruptcyPrice
  data[at + 13] = step.fee
  data[at + 14] = step.insured
}

export function writeDeleveraged(into: Records, closed: Omit<Deleveraged, 'type'>): void {
  const at = into.reserve(7)
  const { data } = into
  data[at] = DELEVERAGED
  data[at + 1] = closed.market
  data[at + 2] = closed.price
  data[at + 3] = closed.lots
  data[at + 4] = closed.bankruptUser
  data[at + 5] = closed.user
  data[at + 6] = closed.position
}

export function writeTakenOver(into: Records, market: MarketId, price: Ticks, lots: Lots, user: UserId, position: OrderId): void {
  const at = into.reserve(6)
  const { data } = into
  data[at] = TAKEN_OVER
  data[at + 1] = market
  data[at + 2] = price
  data[at + 3] = lots
  data[at + 4] = user
  data[at + 5] = position
}

export function writePerpInventory(into: Records, market: MarketId, lots: Lots, cost: Units): void {
  const at = into.reserve(4)
  const { data } = into
  data[at] = INVENTORY
  data[at + 1] = market
  data[at + 2] = lots
  data[at + 3] = cost
}

/** `market` and `position` 0: the whole cross account. `state`: number in `watchStates`. */
export function writePerpLevel(into: Records, user: UserId, market: MarketId, position: OrderId, state: number): void {
  const at = into.reserve(5)
  const { data } = into
  data[at] = LEVEL
  data[at + 1] = user
  data[at + 2] = market
  data[at + 3] = position
  data[at + 4] = state
}

/** `phase`: number in `marketPhases`. */
export function writePerpPhase(into: Records, market: MarketId, phase: number): void {
  const at = into.reserve(3)
  const { data } = into
  data[at] = PHASE
  data[at + 1] = market
  data[at + 2] = phase
}

export function writePerpTierChanged(into: Records, user: UserId, tier: TierNumber): void {
  const at = into.reserve(3)
  const { data } = into
  data[at] = TIER
  data[at + 1] = user
  data[at + 2] = tier
}

/** Adds exits to an order: call right after `writeAccepted`, whose record grows by three slots. `bits`: as in the command. */
export function appendExits(into: Records, takeProfit: Ticks, stopLoss: Ticks, bits: number): void {
  const at = into.reserve(exitSlots)
  const { data } = into
  data[at - ACCEPTED_LENGTH] = ACCEPTED_WITH_EXITS
  data[at] = takeProfit
  data[at + 1] = stopLoss
  data[at + 2] = bits
}

/**
 * Adds the date of an order and the place of its price to `order.accepted`, which must be the last event written, without or with
 * exits.
 */
export function appendEnd(into: Records, hasExits: boolean, goodTill: Millis, match: MatchNumber): void {
  if (!hasExits) appendExits(into, 0 as Ticks, 0 as Ticks, 0)
  const at = into.reserve(endSlots)
  const { data } = into
  data[at - exitSlots - ACCEPTED_LENGTH] = ACCEPTED_WITH_END
  data[at] = goodTill
  data[at + 1] = match
}
