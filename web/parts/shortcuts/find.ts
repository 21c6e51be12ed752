/** The search of the palette. */

export type Findable = {
  readonly label: string
  /** Further words that find it, such as a symbol or the name of a coin. */
  readonly also: readonly string[]
}

/**
 * The entries that contain every word of a text, in upper or lower case, with or without accents. Those whose label begins with the text
 * come first, then those with a word that does; otherwise they keep their order. An empty text finds all.
 */
export function found<Entry extends Findable>(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return entries
  const ranked = entries.flatMap((entry) => {
    const words = [entry.label, ...entry.also].map(plain)
    if (!wanted.every((word) => words.some((one) => one.includes(word)))) return []
    return [{ entry, rank: rankOf(words, wanted.join(' ')) }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

/** 0: a text begins with it; 1: a word in a text does; 2: it is somewhere. */
function rankOf(words: readonly string[], wanted: string): number {
  if (words.some((one) => one.startsWith(wanted))) return 0
  return words.some((one) => one.includes(` ${wanted}`)) ? 1 : 2
}

/** Without accents, case and the stroke of a pair: `BTC/USDT` and `btcusdt` are the same. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}|\//gu, '')
    .toLowerCase()
    .trim()
}
