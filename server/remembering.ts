/** Longer texts are computed each time, so that what is remembered stays small whatever strangers send. */
const textMax = 64

/**
 * `compute` with a memory of its last results, for texts that come again and again and whose result never changes. A full memory is
 * emptied: a stranger who sends ever new texts costs a little time and no space.
 *
 * max  number of results that are remembered
 */
export function remembering<T>(max: number, compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (text.length > textMax) return compute(text)
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as T
    const result = compute(text)
    if (known.size >= max) known.clear()
    known.set(text, result)
    return result
  }
}
