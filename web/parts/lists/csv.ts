import type { WirePage } from '@candor/core/protocol/wire/funds.ts'

/** A file of more rows than this would not fit on a phone. */
const rowsMax = 20_000

/** A table as a file that spreadsheets open: comma, CRLF, quotes doubled. */
export function csvOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
}

/** A cell that begins like a formula is made text: a spreadsheet must not run what a stranger may have typed. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Every item of a list that comes in pages. */
export async function allPages<Item>(page: (before: string | undefined) => Promise<WirePage<Item>>): Promise<readonly Item[]> {
  const items: Item[] = []
  let before: string | undefined
  do {
    const next = await page(before)
    items.push(...next.items)
    before = next.next
  } while (before !== undefined && items.length < rowsMax)
  return items
}
