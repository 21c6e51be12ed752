import { csvLine } from '@candor/core/protocol/csv.ts'

/** A file of comma-separated values in which no cell runs as a formula. */
export function csvOf<C extends string>(columns: readonly C[], rows: readonly Readonly<Record<C, unknown>>[]): string {
  const lines = rows.map((row) => csvLine(columns.map((column) => textOf(row[column]))))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
