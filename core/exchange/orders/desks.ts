/**
 * What two desks need of each other. Products do not import each other: the exchange introduces them (`state.ts` keeps
 * the desks, `exchange.ts` sets them).
 */
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state.ts'
import type { Venue } from '../venue.ts'

/** What the spot desk does for lever accounts. */
export type SpotDesk = {
  /**
   * Takes from the other side, as `take` of the spot desk does, for the account that `flags` name. Returns the lots left;
   * the book says what was taken.
   */
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

/** What the lever desk does for spot orders of its accounts (`flags` has one of their bits). */
export type LeverDesk = {
  /** Whether an order that could need `need` of an asset may be placed; undefined means that `fund` can't fail. */
  readonly check: (x: State, venue: Venue, user: number, flags: number, asset: number, need: number) => Refusal | undefined
  /** Borrows what the account lacks of `need`, when the order asks for that. */
  readonly fund: (x: State, venue: Venue, user: number, flags: number, asset: number, need: number) => void
  /** An order of an account received `amount` of an asset. What follows from it happens when the command's matches are done. */
  readonly received: (x: State, venue: Venue, user: number, flags: number, asset: number, amount: number) => void
}

export type Desks = { readonly spot: SpotDesk; readonly lever: LeverDesk }
