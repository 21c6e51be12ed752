/** Topics that linked processes publish to each other. */
export const topics = {
  feed: 'feed',
  projected: 'projected',
  sessions: 'sessions',
  keys: 'keys',
  listenKeys: 'listenKeys',
  clock: 'clock',
  webhooks: 'webhooks',
  /** A gateway let a user's requests pass after a look-up: see `OldIds`. */
  looked: 'looked',
  /** A reader waits for the query tables. */
  wanted: 'wanted',
} as const
