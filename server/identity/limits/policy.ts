const hour = 3_600_000

/** How long a higher limit, or none, waits until its owner may confirm it. In the sandbox everybody may try how it works. */
export const raiseWaitMs: Readonly<Record<'sandbox' | 'production', number>> = { sandbox: 60_000, production: 24 * hour }

/** How long a raise that has waited can be confirmed: one that is kept ready would be none that waits. */
export const confirmMs = 7 * 24 * hour

/** Two signs of life further apart than this don't count as time in the app. */
export const activeGapMs = 90_000
/** Below this number of accounts a share says nothing, and could tell about single people. */
export const accountsMin = 30
export const figureDays = 90
/** Accounts whose losses are compared with their limits in one turn, the longest unchecked first. */
export const checksPerTurn = 200
export const turnMs = 2_000
