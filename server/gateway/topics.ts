/** Topics that linked processes publish to each other. */
export const topics = {
  feed: 'feed',
  /** What each gateway counts: `Gossip`. */
  counts: 'counts',
  /** The exchange took a tick of index prices from the sender. */
  ticked: 'ticked',
  projected: 'projected',
  sessions: 'sessions',
  keys: 'keys',
  listenKeys: 'listenKeys',
  clock: 'clock',
  webhooks: 'webhooks',
  /** A gateway let a user's requests pass after a look-up: see `OldIds`. */
  looked: 'looked',
  /** A ticket of a user changed. */
  support: 'support',
  /** An alert was made, changed or deleted. */
  alerts: 'alerts',
  /** A reader waits for the query tables. */
  wanted: 'wanted',
  /** A customer waits for a deposit address. */
  chains: 'chains',
  /** State of the processes, each by a topic of its own: a new subscriber gets the last value of a topic. */
  engineHealth: 'engineHealth',
  followerHealth: 'followerHealth',
  /** Metrics of the processes, likewise. */
  engineMetrics: 'engineMetrics',
  followerMetrics: 'followerMetrics',
  chainsMetrics: 'chainsMetrics',
  /** When batches became durable, while requests are traced: `CommitTimes`. */
  commits: 'commits',
} as const
