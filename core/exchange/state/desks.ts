/**
 * What two desks need of each other. Products do not import each other: the exchange introduces them (`state.ts` keeps
 * the desks, `exchange.ts` sets them).
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

/** What the spot desk does for margin accounts. */
export type SpotDesk = {
  /** Takes from the other side for the account that `flags` name. Returns the lots left; the book says what was taken. */
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
  /** Takes an order out of the core, sleeping or in the book, and frees its money. */
  readonly drop: (x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber) => void
}

/** What the margin desk does for spot orders of its accounts. */
export type MarginDesk = {
  /** Row of the account's asset. */
  readonly row: (x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId) => Row
  /**
   * Whether an order may be placed that holds or spends `need`; undefined means that `fund` can't fail. `price` is the
   * worst at which it trades; 0: it sleeps, and is judged when it wakes.
   */
  readonly check: (x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, price: Ticks, lots: Lots) => Refusal | undefined
  /** Whether an order of the account may stand at another price or quantity, for which it needs `more` than it holds. */
  readonly checkAmend: (
    x: State,
    venue: Venue,
    user: UserId,
    flags: OrderFlags,
    more: Units,
    price: Ticks,
    lots: Lots,
  ) => Refusal | undefined
  /** Borrows what the account lacks of `need`, when the order asks for that. `order`: its number, or its list's. */
  readonly fund: (x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, order: OrderId) => void
  /** An order of the account has a slot from here on. */
  readonly placed: (x: State, slot: OrderSlot) => void
  /** An order of the account is about to leave the core: what was borrowed for it and not used goes back when it asked for that. */
  readonly ended: (x: State, venue: Venue, slot: OrderSlot) => void
  /**
   * Worst price of a market order of `lots`, or as many of them as `spend` units of the quote move: `worst`, or one that is
   * nearer to the index, or the last after which the account is well enough; 0: none is, and it may trade nothing now. One that
   * wakes up has its loan: it is asked for without the flags of loans.
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
  /** An order of the account received `amount` of an asset. What follows from it happens at the end of the command. */
  readonly received: (x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId, amount: Units) => void
  /** At the end of a command that had `fund` or `received`. */
  readonly finish: (x: State) => void
}

/** What the desk of contracts does where orders of all markets are cancelled, or wake up. */
export type PerpDesk = {
  /** Takes an order out of the core at its owner's wish. */
  readonly cancel: (x: State, slot: OrderSlot) => void
  /** Lets an order act whose trigger was reached, or wait until it may. */
  readonly wake: (x: State, slot: OrderSlot) => void
}

export type Desks = { readonly spot: SpotDesk; readonly margin: MarginDesk; readonly perp: PerpDesk }
