/** Text that a spreadsheet would run as a formula. */
const formula = /^[=+\-@\t\r]/

/** A file of comma-separated values, by RFC 4180. A quote before a formula keeps spreadsheets from running it. */
export function csvOf<C extends string>(columns: readonly C[], rows: readonly Readonly<Record<C, unknown>>[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
