/** What another app shared with the installed one: see `share_target` in the manifest. */

/** The place that a shared invitation link leads to; the start page for anything else; undefined when nothing was shared. */
export function sharedPlace(search: string): string | undefined {
  const query = new URLSearchParams(search)
  const shared = ['shared-url', 'shared-text', 'shared-title'].flatMap((name) => query.get(name) ?? [])
  if (shared.length === 0) return undefined
  const code = shared.map((text) => /\/join\?(?:[^#\s]*&)?code=([A-Za-z0-9]{4,16})(?![A-Za-z0-9])/.exec(text)?.[1]).find(Boolean)
  return code === undefined ? '/' : `/join?code=${code}`
}

/** Puts that place into the address, before the app follows it. */
export function takeShared(): void {
  const place = sharedPlace(location.search)
  if (place !== undefined) history.replaceState(null, '', `/#${place}`)
}
