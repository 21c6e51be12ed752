/** Offsets of `spot.placeList`: the working order, if there is one, and the legs follow in records of equal length. */
import { DECREMENTS, HAS_SPEND } from '../layout.ts'

export const ORDERS_MARKET = 11
/** The number of legs, plus `ORDERS_WORK` for a list with a working order. */
export const ORDERS_SHAPE = 12
export const ORDERS_WORK = 4
export const ORDERS_FIRST = 13
/** Offsets in the record of an order of a list. */
export const LISTED_FLAGS = 0
export const LISTED_PRICE = 1
export const LISTED_LOTS = 2
export const LISTED_DISPLAY = 3
export const LISTED_TRIGGER = 4
export const LISTED_ACTIVATION = 5
export const LISTED_CLIENT_ID = 6
export const LISTED_SLOTS = 12
export const LISTED_FLAG_BITS = (((1 << 15) - 1) & ~HAS_SPEND) | DECREMENTS
