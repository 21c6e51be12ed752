/** The results of a drill, as a table for people and as rows. */

export type Row = {
  readonly fault: string
  readonly rounds: number
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly unbalanced: number
  /** Of the rounds: the longest time that any customer waited for an acknowledgement. */
  readonly waitsMs: readonly number[]
  readonly promiseMs: number
  /** Sentences about what went wrong. */
  readonly problems: readonly string[]
}

/** Within its promise, nothing lost and nothing doubled, in all rounds. */
export function hasPassed({ rounds, lost, doubled, unbalanced, waitsMs, promiseMs, problems }: Row): boolean {
  const isKept = waitsMs.length === rounds && waitsMs.every((ms) => ms <= promiseMs)
  return isKept && rounds > 0 && lost + doubled + unbalanced + problems.length === 0
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const seconds = (ms: number): string => (Number.isFinite(ms) ? (ms / 1_000).toFixed(1) : '–')
const heads = ['fault', 'rounds', 'acknowledged', 'lost', 'doubled', 'balances', 'median s', 'longest s', 'promise s', 'passed'] as const

/** A table in Markdown, whose columns are also aligned for terminals. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.fault,
    `${row.waitsMs.length}/${row.rounds}`,
    String(row.acknowledged),
    String(row.lost),
    String(row.doubled),
    row.unbalanced === 0 ? 'right' : `${row.unbalanced} wrong`,
    seconds(medianOf(row.waitsMs)),
    seconds(row.waitsMs.length === 0 ? Number.NaN : Math.max(...row.waitsMs)),
    seconds(row.promiseMs),
    hasPassed(row) ? 'yes' : 'NO',
  ])
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map((line) => line[i]!.length)))
  const print = (cells: readonly string[]): string => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [print(heads), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines.map(print)].join('\n')
}
