/** Where everything stands in an order's slots of the arrays in `Orders`. */

// Per order in `f`, safe integers.
export const F = 8
export const PRICE = 0
/** Lots not yet executed. */
export const LEFT = 1
/** Of these, lots that the book shows. */
export const VISIBLE = 2
export const EXECUTED_LOTS = 3
/** Executed value in tick × lot. */
export const EXECUTED = 4
export const ID = 5
export const PLACED_AT = 6
export const MARKET = 7

// Per order in `i`, 32-bit.
export const I = 8
export const NEXT = 0
export const PREV = 1
export const LEVEL = 2
export const OWNER = 3
export const FLAGS = 4
/** The user's own list of orders, newest first. */
export const USER_NEXT = 5
export const USER_PREV = 6
/** Number of its `Extra`, 0 for none. */
export const EXTRA = 7

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
