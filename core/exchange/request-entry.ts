/** Remembered requests are entries of eight words, in pages. Words of an entry that the index reads: */
export const ENTRY = 8
export const LOW = 0
export const HIGH = 1
export const USER = 2
/** Place + 1 of the next entry that found its bucket full, 0 for none. */
export const NEXT = 3
/** Entries of a page. A page is 64 KiB: small enough to be made within one command. */
export const pageBits = 11

/** Bits of a place, and so the most requests that an index can hold. */
export const placeBits = 22

/** Answer for a request that is not remembered. */
export const UNKNOWN = -1
