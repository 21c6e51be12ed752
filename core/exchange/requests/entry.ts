/** Remembered requests are entries of eight words, in pages. Words of an entry that the index reads: */
export const ENTRY = 8
export const LOW = 0
export const HIGH = 1
/** Below zero: the entry is forgotten, and not in the index. */
export const USER = 2
/** Entries of a page. A page is 64 KiB: small enough to be made within one command. */
export const pageBits = 11

/** Bits of a place. */
export const placeBits = 25

/** Answer for a request that is not remembered. */
export const UNKNOWN = -1
