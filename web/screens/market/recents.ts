/** Markets that were found by a search on this device. They are no setting, so that they load with this screen only. */
const name = 'market-recents'

/** The kept symbols, newest first. */
export function recentsKept(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Keeps these, and returns them. */
export function keepRecents(symbols: readonly string[]): readonly string[] {
  try {
    localStorage.setItem(name, JSON.stringify(symbols))
  } catch {}
  return symbols
}
