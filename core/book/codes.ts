/** Numbers that the book and whoever settles its matches share. */

/** Sides and self-trade modes as numbers, in the order of their lists. */
export const BUY = 0
export const SELL_SIDE = 1
export type SideNumber = typeof BUY | typeof SELL_SIDE
export const EXPIRE_TAKER = 0
export const EXPIRE_MAKER = 1
export const EXPIRE_BOTH = 2
export const LET_TRADE = 3
export const DECREMENT = 4

/** What became of one maker, in `Book.steps`: (slot, price, lots, kind). */
export const STEP = 4
/** The maker sold or bought `lots` and stays; or is done and waits for its slot to be given back. */
export const FILLED_PART = 0
export const FILLED_ALL = 1
/** It met its owner and left the book with `lots` unexecuted. */
export const SELF_EXPIRED = 2
/** The level at this price now shows `lots`; no slot. */
export const LEVEL_CHANGED = 3
/** It met its owner and lost `lots`; the rest stays, or nothing is left and it waits for its slot to be given back. */
export const CUT_PART = 4
export const CUT_ALL = 5
