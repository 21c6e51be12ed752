/**
 * The place before a sign that begins a formula, at the beginning of a cell or behind a character that a spreadsheet may split at:
 * in some countries that is the semicolon, and the signs may be wide.
 */
const formula = /(^|[;|\t\r\n])(?=\s*[=+\-@＝＋－＠])/g

/** A file of comma-separated values, by RFC 4180. A quote before a formula keeps spreadsheets from running it. */
export function csvOf<C extends string>(columns: readonly C[], rows: readonly Readonly<Record<C, unknown>>[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = text.replace(formula, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
