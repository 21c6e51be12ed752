const million = 1_000_000

/**
 * How likely it is that at least one of `count` customers who check finds a hidden account, in millionths, rounded down:
 *
 *   1 − (1 − hidden)^count
 *
 * hiddenPpm  share of accounts that are hidden, chosen without knowing who checks
 */
export function oddsPpm(hiddenPpm: number, count: number): number {
  return Math.floor((1 - (1 - hiddenPpm / million) ** count) * million)
}
