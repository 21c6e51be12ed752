/** The order of a table's rows. */
import type { TerminalColumn } from '@candor/core/protocol/wire/own/terminal-columns.ts'

export type Sorting = { readonly id: TerminalColumn | 'first'; readonly isRising: boolean }

/** The next sorting after a tap on a header: words from A, numbers from the largest; then the other way; then as they came. */
export function turned(sorting: Sorting | undefined, id: Sorting['id'], isText: boolean): Sorting | undefined {
  if (sorting?.id !== id) return { id, isRising: isText }
  return sorting.isRising === isText ? { id, isRising: !isText } : undefined
}

/** Sorted rows; those without a value are last either way, and equal ones keep their order. */
export function sortedBy<Row>(rows: readonly Row[], valueOf: (row: Row) => number | string | undefined, isRising: boolean): readonly Row[] {
  const sign = isRising ? 1 : -1
  const keyed = rows.map((row) => ({ row, value: valueOf(row) }))
  return keyed
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)))
    })
    .map(({ row }) => row)
}
