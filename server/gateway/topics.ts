/** Topics that linked processes tell each other. */
export const topics = {
  feed: 'feed',
  projected: 'projected',
  sessions: 'sessions',
  keys: 'keys',
  listenKeys: 'listenKeys',
  clock: 'clock',
  webhooks: 'webhooks',
  /** A gateway lets more requests of a user pass: see `OldIds`. */
  looked: 'looked',
  /** Somebody waits for the query tables. */
  wanted: 'wanted',
} as const
