/**
 * Calls between the products' desks. Products do not import each other: the exchange connects them (`state.ts` keeps the desks,
 * `exchange.ts` sets them).
 */
import type { Row } from '../../ledger/row.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { AssetId, OrderId, CloseNumber, UserId } from '../../protocol/ids.ts'
import type { SideNumber } from '../../book/codes.ts'
import { CROSS_MARGIN, ISOLATED_MARGIN } from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from './state.ts'
import type { Venue } from '../records/venue.ts'

/** Flags of an order that belongs to a margin account. */
export const ANY_MARGIN = CROSS_MARGIN | ISOLATED_MARGIN

/** Calls to the spot desk on behalf of margin accounts. */
export type SpotDesk = {
  /** Matches against the other side for the account that `flags` name. Returns the lots left; the book has the lots taken. */
  readonly take: (
    x: State,
    venue: Venue,
    side: SideNumber,
    user: UserId,
    order: OrderId,
    limit: Ticks,
    lots: Lots,
    budget: number,
    selfTrade: number,
    flags: OrderFlags,
  ) => Lots
  /** Takes an order out of the core, whether it sleeps or is in the book, and releases its money. */
  readonly drop: (x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber) => void
  /** Whether a value in USDT units is too much for the user's daily turnover, open orders and conversions included. */
  readonly isOverTurnover: (x: State, user: UserId, value: Units) => boolean
  /** Counts a value in USDT units as the user's volume. */
  readonly count: (x: State, user: UserId, value: Units) => void
}

/** Terms that an order of a margin account is to have. */
export type Amended = {
  /** Units that it needs in addition to those that it holds. */
  readonly more: Units
  /** See `MarginDesk.check`. */
  readonly price: Ticks
  /** Lots that it may still trade; 0: unknown. */
  readonly lots: Lots
  /** Whether only its quantity changes, and gets smaller. */
  readonly isSmaller: boolean
}

/** Calls to the margin desk about spot orders of its accounts. */
export type MarginDesk = {
  /** Row of the account's asset. */
  readonly row: (x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId) => Row
  /**
   * Whether an order that holds or spends `need` may be placed; undefined means that `fund` can't fail. `price` is the worst at
   * which it trades; 0: it sleeps and is judged when it wakes.
   */
  readonly check: (x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, price: Ticks, lots: Lots) => Refusal | undefined
  /** Whether an order of the account may be amended to these terms. */
  readonly checkAmend: (x: State, venue: Venue, slot: OrderSlot, amended: Amended) => Refusal | undefined
  /** Borrows the part of `need` that the account lacks, if the order asks for that. `order`: its number, or that of a list that is placed. */
  readonly fund: (x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, order: OrderId) => void
  /** Called when an order of the account has got its slot. */
  readonly placed: (x: State, slot: OrderSlot) => void
  /** Called before an order of the account leaves the core: if the order asked for it, the unused part of its loan is repaid. */
  readonly ended: (x: State, venue: Venue, slot: OrderSlot) => void
  /**
   * Worst price of a market order for `lots`, or for as many of them as `spend` quote units move: at most `worst`, near the index,
   * and no further than the last price at which a fill leaves the account healthy enough. 0: no price does, and the order may trade
   * nothing now. A waking order already has its loan and is checked without the loan flags.
   */
  readonly limit: (
    x: State,
    venue: Venue,
    side: SideNumber,
    user: UserId,
    flags: OrderFlags,
    lots: Lots,
    spend: Units,
    worst: Ticks,
  ) => Ticks
  /** Whether a limit order of the account that wakes up may trade at its price. */
  readonly mayAct: (x: State, venue: Venue, user: UserId, flags: OrderFlags, price: Ticks, lots: Lots) => boolean
  /**
   * Whether an order of the account only reduces its debt or sells what it owns. `slot`: the order's own, whose quantity does not
   * count, or −1. `lots` 0: unknown.
   */
  readonly reduces: (x: State, venue: Venue, user: UserId, flags: OrderFlags, lots: Lots, slot: OrderSlot) => boolean
  /** Called when an order of the account received `amount` of an asset. The consequences follow at the end of the command. */
  readonly received: (x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId, amount: Units) => void
  /** Called at the end of a command that used `fund` or `received`. */
  readonly finish: (x: State) => void
}

/** Calls to the Futures desk when orders of all markets are cancelled or wake up. */
export type PerpDesk = {
  /** Takes an order out of the core on behalf of its owner. */
  readonly cancel: (x: State, slot: OrderSlot, reason?: CloseNumber) => void
  /** Lets a triggered order act, or wait until it may. */
  readonly wake: (x: State, slot: OrderSlot) => void
}

export type Desks = { readonly spot: SpotDesk; readonly margin: MarginDesk; readonly perp: PerpDesk }
