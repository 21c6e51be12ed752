/** Positions of the fields in an order's record in the arrays of `Orders`. */
import type { Brand } from '../money/brand.ts'

/** Names an order while it is in the core: its position in the arrays of `Orders`. Below zero: none. */
export type OrderSlot = Brand<number, 'OrderSlot'>

// An order's record is two neighbouring cache lines, accessed as safe integers through `f` and as 32-bit words through `i`. The
// first line has all that a cancel, or a fill of a neighbour, touches.
export const F = 16
/** Mask of all bits of a slot. After masking, the compiler knows that adding a field can't overflow and skips the check. */
export const SLOT = 2 ** 25 - 1
export const PRICE = 0
/** Lots not yet executed. */
export const LEFT = 1
/** The part of the remaining lots that the book shows. */
export const VISIBLE = 2
export const ID = 3
export const EXECUTED_LOTS = 8
/** Executed value in tick × lot. */
export const EXECUTED = 9
export const MARKET = 10
export const PLACED_AT = 11

// Words of the same record, in the slots that `f` leaves free. The last four slots are unused.
export const I = 32
export const NEXT = 8
export const PREV = 9
export const LEVEL = 10
export const OWNER = 11
export const FLAGS = 12
/** The user's own list of orders, newest first. */
export const USER_NEXT = 13
export const USER_PREV = 14
/** Number of the order's `Extra`, 0 for none. */
export const EXTRA = 15

// Words per order in `c`, which is seldom read.
export const C = 7
export const UPDATED_AT = 6

/** Bits of `FLAGS` besides those of the command. */
export const PENDING = 1 << 20
/** The order was triggered and waits for its turn to execute. */
export const WAKING = 1 << 21
/** A leg of an OCO whose other leg is alive. */
export const LISTED = 1 << 22
/** The order shows only part of itself. */
export const ICEBERG = 1 << 23
/**
 * For an order in a spot market: it is the working order of a list, or (with `PENDING`) waits until that is filled. A waiting order is in no
 * book, has no trigger yet and holds nothing: it counts as parked.
 */
export const CHAINED = 1 << 29
/** For an order in a spot market: self-trade prevention removed a part of it, and its `Extra` says how much. */
export const PREVENTED = 1 << 26
