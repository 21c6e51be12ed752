/** Orders of small lists that people arrange by hand. */
import { type Favourites, favouritesMax } from '@candor/core/protocol/wire/own/preferences.ts'

/** Removes the entry, or adds it at the end. */
export function toggled<T>(list: readonly T[], entry: T): readonly T[] {
  return list.includes(entry) ? list.filter((one) => one !== entry) : [...list, entry]
}

/** Moves an entry by so many places, at most to an end of the list. An unknown one moves nothing. */
export function movedBy<T>(list: readonly T[], entry: T, by: number): readonly T[] {
  const from = list.indexOf(entry)
  if (from < 0) return list
  const others = list.filter((one) => one !== entry)
  const to = Math.min(Math.max(from + by, 0), others.length)
  return [...others.slice(0, to), entry, ...others.slice(to)]
}

/** The account's favourites, then those that the visitor chose before logging in. */
export function mergedFavourites(own: Favourites | undefined, visitors: Favourites): Favourites {
  return { symbols: [...new Set([...(own?.symbols ?? []), ...visitors.symbols])].slice(0, favouritesMax) }
}
