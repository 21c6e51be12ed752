/** Offsets in events that other code than their readers and writers uses. Part of every batch's digest: never renumber. */

/** The last event of every command. */
export const OUTCOME_SEQ = 1
export const OUTCOME_AT = 2
export const OUTCOME_USER = 3
export const OUTCOME_ORDER = 4
/** 0: none. */
export const OUTCOME_REFUSAL = 5
export const OUTCOME_IS_REPEAT = 6
export const OUTCOME_LENGTH = 7

/** Length of `order.accepted` without the optional strategy or exits. */
export const ACCEPTED_LENGTH = 18
