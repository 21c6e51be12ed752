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
