import type { Brand } from '../../money/brand.ts'

/** Position of a remembered request in the ring of entries. */
export type RequestPlace = Brand<number, 'RequestPlace'>

/** A remembered request is an entry of eight words, in pages. The following are the words that the index reads. */
export const ENTRY = 8
export const LOW = 0
export const HIGH = 1
/** User number; below zero: the entry is forgotten and not in the index. */
export const USER = 2
/** Entries per page, in bits. A page is 64 KiB: small enough to be allocated within one command. */
export const pageBits = 11

/** Bits of a place. */
export const placeBits = 25

/** Result for a request that is not remembered. */
export const UNKNOWN = -1 as RequestPlace
