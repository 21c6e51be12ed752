import { csvLine } from '@candor/core/protocol/csv.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'

/** Most rows of a file. More would be too large for a phone. */
const rowsMax = 20_000

/** A table as a CSV file for spreadsheets, in which no cell is a formula. */
export function csvOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map(csvLine).join('\r\n')
}

export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** All items of a paged list. */
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
