import type { WireChartLayout, WireChartLayoutChange } from '@candor/core/protocol/wire/own/chart-layout.ts'
import type { PreferenceName, WirePreference, WirePreferenceChange } from '@candor/core/protocol/wire/own/preferences.ts'
import { type CallOptions, type Http, segment } from '../http.ts'

/** A small setting that is kept with the account. `revision` 0: it was never set. */
export function preference<Name extends PreferenceName>(http: Http, name: Name, options?: CallOptions): Promise<WirePreference<Name>> {
  return http('GET', `/preferences/${name}`, options)
}

/** Sets it, if nobody else has since that revision was read: otherwise `PREFERENCE_STALE`. */
export function setPreference<Name extends PreferenceName>(
  http: Http,
  name: Name,
  change: WirePreferenceChange<Name>,
  options?: CallOptions,
): Promise<WirePreference<Name>> {
  return http('PUT', `/preferences/${name}`, { ...options, body: change })
}

/** How the user's chart of a market looks. `revision` 0: it was never set. */
export function chartLayout(http: Http, symbol: string, options?: CallOptions): Promise<WireChartLayout> {
  return http('GET', `/charts/${segment(symbol)}`, options)
}

/** Sets it, if nobody else has since that revision was read: otherwise `PREFERENCE_STALE`. */
export function setChartLayout(http: Http, symbol: string, change: WireChartLayoutChange, options?: CallOptions): Promise<WireChartLayout> {
  return http('PUT', `/charts/${segment(symbol)}`, { ...options, body: change })
}
