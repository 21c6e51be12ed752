/**
 * The place before a sign that begins a formula, at the beginning of a cell or behind a character that a spreadsheet may split at:
 * in some countries that is the semicolon, and the signs may be wide.
 */
const formula = /(^|[;|\t\r\n])(?=\s*[=+\-@＝＋－＠])/g
const decimal = /^-?\d+(\.\d+)?$/

/** A line of comma-separated values, by RFC 4180, without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',')
}

/** A cell. A quote before a formula keeps spreadsheets from running text typed by a stranger; a number stays one. */
function csvCell(text: string): string {
  const safe = decimal.test(text) ? text : text.replace(formula, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
