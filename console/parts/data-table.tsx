/** A table of data: columns as data, sorted by their headers. */
import { type ColumnDef, createSortedRowModel, rowSortingFeature, sortFns, tableFeatures, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../app/texts.ts'

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns })

export type Column<T> = {
  readonly id: string
  /** Empty for the column of buttons. */
  readonly header: string
  readonly cell: (row: T) => ReactNode
  /** The value by which the column is sorted. A column without it can’t be sorted. */
  readonly by?: (row: T) => string | number
  readonly isEnd?: boolean
}

type DataTableProps<T> = {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  readonly chosen?: string | undefined
}

export function DataTable<T extends object>({ label, columns, rows, keyOf, chosen }: DataTableProps<T>): ReactNode {
  const defs = columns.map(({ id, header, by }) => ({
    id,
    header,
    accessorFn: (row: T) => by?.(row) ?? '',
    enableSorting: by !== undefined,
  })) as ColumnDef<typeof features, T>[]
  const table = useTable({ features, columns: defs, data: rows as T[], getRowId: keyOf })
  return (
    <div className="scroll">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {table.getHeaderGroups()[0]?.headers.map(({ id, column }, at) => {
              const { header, isEnd = false } = columns[at]!
              const sorted = column.getIsSorted()
              return (
                <th
                  key={id}
                  scope="col"
                  className={isEnd ? 'end' : undefined}
                  aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                >
                  {column.getCanSort() ? (
                    <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
                      {header}
                      {sorted === 'asc' && <ArrowUp size={11} aria-hidden="true" />}
                      {sorted === 'desc' && <ArrowDown size={11} aria-hidden="true" />}
                    </button>
                  ) : header === '' ? (
                    <span className="hidden-text">{t.common.actions}</span>
                  ) : (
                    header
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} data-chosen={row.id === chosen ? '' : undefined}>
              {columns.map(({ id, cell, isEnd }) => (
                <td key={id} className={isEnd ? 'end' : undefined}>
                  {cell(row.original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
