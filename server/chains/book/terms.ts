/** A new address waits this long before a withdrawal goes there: time for its owner to read the message about it. */
export const addressWaitMs = 24 * 3_600_000
/** Addresses on one account's list. */
export const addressesMax = 50
/** Addresses that one account may add in a day, removed ones included. Each sends messages. */
export const addressesPerDay = 20
/** Removed addresses that the list shows. All are compared with a new one. */
export const pastShown = 100
