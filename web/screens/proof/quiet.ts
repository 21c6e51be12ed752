/** Heads come each minute. When none has come for this long, no difference of clocks explains it. */
const quietMs = 900_000

/** Whether the exchange shows no new heads: the newest one is older than a quarter of an hour at the time of the check. Milliseconds. */
export function isQuiet(newestAt: number, checkedAt: number): boolean {
  return checkedAt - newestAt > quietMs
}
