/** Largest number of requests expected at a time: their buckets stay in the nearest cache until they come. */
export const expectedMax = 32

/** Words of an expected request: where the index has its id, its user, the position of the id in the slots, and the id's hash. */
export const EXPECTED = 5
export const HASH = 0
export const USER = 1
export const ID_AT = 2
export const ID_LOW = 3
export const ID_HIGH = 4

/** Result of `take` for a request that was not announced. */
export const NOT_EXPECTED = -1
