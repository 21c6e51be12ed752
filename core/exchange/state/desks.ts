/**
 * What two desks need of each other. Products do not import each other: the exchange introduces them (`state.ts` keeps
 * the desks, `exchange.ts` sets them).
 */
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
    side: number,
    user: number,
    order: number,
    limit: number,
    lots: number,
    budget: number,
    selfTrade: number,
    flags: number,
  ) => number
  /** Takes an order out of the core, sleeping or in the book, and frees its money. */
  readonly drop: (x: State, venue: Venue, slot: number, reason: number) => void
}

/** What the margin desk does for spot orders of its accounts. */
export type MarginDesk = {
  /** Row of the account's asset. */
  readonly row: (x: State, venue: Venue, user: number, flags: number, asset: number) => number
  /**
   * Whether an order may be placed that holds or spends `need`; undefined means that `fund` can't fail. `price` is the
   * worst at which it trades; 0: it sleeps, and is judged when it wakes.
   */
  readonly check: (x: State, venue: Venue, user: number, flags: number, need: number, price: number, lots: number) => Refusal | undefined
  /** Whether an order of the account may stand at another price or quantity, for which it needs `more` than it holds. */
  readonly checkAmend: (
    x: State,
    venue: Venue,
    user: number,
    flags: number,
    more: number,
    price: number,
    lots: number,
  ) => Refusal | undefined
  /** Borrows what the account lacks of `need`, when the order asks for that. `order`: its number, or its list's. */
  readonly fund: (x: State, venue: Venue, user: number, flags: number, need: number, order: number) => void
  /** An order of the account has a slot from here on. */
  readonly placed: (x: State, slot: number) => void
  /** An order of the account is about to leave the core: what was borrowed for it and not used goes back when it asked for that. */
  readonly ended: (x: State, venue: Venue, slot: number) => void
  /**
   * Worst price of a market order of `lots`, or as many of them as `spend` units of the quote move: `worst`, or one that is
   * nearer to the index, or the last after which the account is well enough; 0: none is, and it may trade nothing now. One that
   * wakes up has its loan: it is asked for without the flags of loans.
   */
  readonly limit: (x: State, venue: Venue, side: number, user: number, flags: number, lots: number, spend: number, worst: number) => number
  /** Whether a limit order of the account that wakes up may trade at its price. */
  readonly mayAct: (x: State, venue: Venue, user: number, flags: number, price: number, lots: number) => boolean
  /** An order of the account received `amount` of an asset. What follows from it happens at the end of the command. */
  readonly received: (x: State, venue: Venue, user: number, flags: number, asset: number, amount: number) => void
  /** At the end of a command that had `fund` or `received`. */
  readonly finish: (x: State) => void
}

/** What the desk of contracts does where orders of all markets are cancelled, or wake up. */
export type PerpDesk = {
  /** Takes an order out of the core at its owner's wish. */
  readonly cancel: (x: State, slot: number) => void
  /** Lets an order act whose trigger was reached, or wait until it may. */
  readonly wake: (x: State, slot: number) => void
}

export type Desks = { readonly spot: SpotDesk; readonly margin: MarginDesk; readonly perp: PerpDesk }
