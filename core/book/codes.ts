/** Numbers shared by the book and the code that settles its matches. */
import type { Brand } from '../money/brand.ts'

/** Place of a level on its side of the book, counted from 1 at the best price. */
export type LevelPlace = Brand<number, 'LevelPlace'>

/** Sides and self-trade modes as numbers, in the order of their lists. */
export const BUY = 0
export const SELL_SIDE = 1
export type SideNumber = typeof BUY | typeof SELL_SIDE
export const EXPIRE_TAKER = 0
export const EXPIRE_MAKER = 1
export const EXPIRE_BOTH = 2
export const LET_TRADE = 3
export const DECREMENT = 4

/** A record in `Book.steps` says what happened to one maker: (slot, price, lots, kind). */
export const STEP = 4
export const STEP_PRICE = 1
export const STEP_LOTS = 2
export const STEP_KIND = 3
/** The maker traded `lots` and stays in the book. FILLED_ALL: it is done and its slot waits to be freed. */
export const FILLED_PART = 0
export const FILLED_ALL = 1
/** The maker belonged to the taker's user and left the book with `lots` unexecuted. */
export const SELF_EXPIRED = 2
/** The level at this price now shows `lots`. Has no slot. */
export const LEVEL_CHANGED = 3
/**
 * The maker belonged to the taker's user and lost `lots`. CUT_PART: the rest stays; CUT_ALL: nothing is left and its slot waits
 * to be freed.
 */
export const CUT_PART = 4
export const CUT_ALL = 5
