/** Shared by the benchmarks: numbers from the command line, medians, and lines for people (on stderr with `--json`). */

export function numberAfter(flag: string, otherwise: number): number {
  const at = process.argv.indexOf(flag)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function rounded(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function say(line: string): void {
  console.log(line)
}

/**
 * Median of the ratios of two sides that take turns, where the sides change their order with each pair. The second turn of a pair is
 * slower or faster than the first, so each pair is joined with the next, of the other order, by the geometric mean.
 *
 * ratios  an even count, in the order of the pairs
 */
export function medianOfTurns(ratios: readonly number[]): number {
  const joined: number[] = []
  for (let n = 0; n + 1 < ratios.length; n += 2) joined.push(Math.sqrt(ratios[n]! * ratios[n + 1]!))
  return median(joined)
}
