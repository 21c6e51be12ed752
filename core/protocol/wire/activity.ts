/** `access`: logins and sessions. `change`: settings and protection of the account. */
export const activityKinds = ['access', 'change', 'order', 'funds'] as const
export type ActivityKind = (typeof activityKinds)[number]

/** One thing that was done in an account, with its origin. */
export type WireActivity = {
  readonly at: number
  readonly kind: ActivityKind
  /** A name of the account's log, such as `login`, or of a command of the exchange, such as `spot.place`. */
  readonly action: string
  readonly device: string
  readonly ip: string
  /** The session's number; null for what was done without one. */
  readonly session: string | null
  /** Whether that session is the reader's. */
  readonly isCurrent: boolean
  /** The name of the API key; null for what was done without one. */
  readonly key: string | null
  /** Number of the command in the journal. */
  readonly seq: number | null
  readonly symbol: string | null
  readonly order: string | null
}
