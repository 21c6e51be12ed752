/**
 * How far one count of a gateway is.
 *
 * name   of what is counted, the same in all gateways
 * mark   tells it from earlier counts of that name, and grows: the begin of its window, for instance
 * value  what this gateway alone has counted
 */
export type Count = readonly [name: string | number, mark: number, value: number]

/** Counts of one kind, whose sum over all gateways each gateway enforces. */
export type SharedCounts = {
  /**
   * `window`: grows until its window ends, also if its gateway is gone. `level`: goes up and down, and is gone with its gateway. `flow`:
   * all that was spent; a gateway that joins counts what is spent from then on.
   */
  readonly kind: 'window' | 'level' | 'flow'
  /** A name of which nothing was heard for so many milliseconds is forgotten: not before its window has ended. */
  readonly keptMs: number
  /** Begins or ends to note what changes. A gateway that is alone notes nothing. */
  watch(isWatched: boolean): void
  /** What changed since the last call. */
  changed(): readonly Count[]
  all(): readonly Count[]
  /**
   * Adds what another gateway has counted, or takes away where a level fell.
   *
   * Returns false when the window has not begun by this gateway's clock: the caller tries again.
   */
  add(name: string | number, mark: number, more: number): boolean
}

/** Time between two messages of a gateway about its counts. */
export const gossipMs = 100

/**
 * What all gateways together let pass beyond a limit at most, for a client that spreads its requests perfectly: each gateway lacks
 * what every other one has let pass since its last message.
 *
 * gateways   those that hear each other
 * limit      the limit of one window, or the burst of a bucket
 * perSecond  what one gateway lets pass in a second before it refuses, by its own speed and the client's
 * delayMs    how long a message is on its way
 */
export function excessMax(gateways: number, limit: number, perSecond: number, delayMs: number): number {
  return (gateways - 1) * Math.min(limit, Math.ceil((perSecond * (gossipMs + delayMs)) / 1_000))
}
