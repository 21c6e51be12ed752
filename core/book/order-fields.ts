/** Where everything stands in an order's slots of the arrays in `Orders`. */
import type { Brand } from '../money/brand.ts'

/** Names an order while it is in the core: its place in the arrays of `Orders`. Below zero: none. */
export type OrderSlot = Brand<number, 'OrderSlot'>

// An order's record is two neighbouring cache lines, seen as safe integers through `f` and as 32-bit words through `i`.
// What every cancel and every fill of a neighbour touches stands in the first of them.
export const F = 16
/** All bits that a slot has: what is cut to them can't overflow where fields are added, and the compiler need not check. */
export const SLOT = 2 ** 25 - 1
export const PRICE = 0
/** Lots not yet executed. */
export const LEFT = 1
/** Of these, lots that the book shows. */
export const VISIBLE = 2
export const ID = 3
export const EXECUTED_LOTS = 8
/** Executed value in tick × lot. */
export const EXECUTED = 9
export const MARKET = 10
export const PLACED_AT = 11

// Words of the same record, in the slots that `f` leaves out. The last four slots are free.
export const I = 32
export const NEXT = 8
export const PREV = 9
export const LEVEL = 10
export const OWNER = 11
export const FLAGS = 12
/** The user's own list of orders, newest first. */
export const USER_NEXT = 13
export const USER_PREV = 14
/** Number of its `Extra`, 0 for none. */
export const EXTRA = 15

// Per order in `c`, seldom read.
export const C = 7
export const UPDATED_AT = 6

/** Bits of `FLAGS` beyond those of the command. */
export const PENDING = 1 << 20
/** Its trigger was reached; it waits for its turn. */
export const WAKING = 1 << 21
/** A leg of an OCO whose other leg is alive. */
export const LISTED = 1 << 22
/** Shows only part of itself. */
export const ICEBERG = 1 << 23
/** Of an order in a spot market: a part of it left to prevent a trade with its owner's; its `Extra` says how much. */
export const PREVENTED = 1 << 26
