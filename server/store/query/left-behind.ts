/** An approved withdrawal becomes a payment within seconds. One without a payment after this is left behind. */
export const leftBehindMs = 10 * 60_000

/** Why such a withdrawal does not move, beside the reasons of payments. */
export const leftBehind = 'LEFT_BEHIND'

/**
 * Whether the withdrawal `w` was approved long ago and is still no payment `p`: the engine does not sign for it, or its network is not
 * listed any more. `now`: a value of the query, in milliseconds.
 */
export const isLeftBehind = (w: string, p: string, now: string): string =>
  `(${w}.state = 'approved' and ${p}.withdrawal is null and ${w}.decided_at_ms <= ${now}::bigint - ${leftBehindMs})`
