/** Where things stand in events that others than their readers and writers look into. In the digest of every batch: never renumber. */

/** The last event of every command. */
export const OUTCOME_SEQ = 1
export const OUTCOME_AT = 2
export const OUTCOME_USER = 3
export const OUTCOME_ORDER = 4
/** 0: none. */
export const OUTCOME_REFUSAL = 5
export const OUTCOME_IS_REPEAT = 6
export const OUTCOME_LENGTH = 7

/** Of `order.accepted` without what may follow: its strategy, or its exits. */
export const ACCEPTED_LENGTH = 18
