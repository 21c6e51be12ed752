/** Offsets of the fields of commands about orders in parts. They are on disk: append only, never renumber. */
export const ALGO_MARKET = 11
/** Side, reduce-only and position, as in the flags of an order. */
export const ALGO_FLAGS = 12
/** 1 + the number in `algoKinds`. */
export const ALGO_KIND = 13
export const ALGO_LOTS = 14
export const ALGO_PARTS = 15
/** Worst price of a TWAP order, 0 for none; first price of a scaled one. */
export const ALGO_FROM = 16
/** Last price of a scaled order. */
export const ALGO_TO = 17
export const ALGO_DURATION = 18
/** Number in `scaledShapes`. */
export const ALGO_SHAPE = 19
export const ALGO_PLACE_LENGTH = 20
export const ALGO_NUMBER = 11
export const ALGO_CANCEL_LENGTH = 12
