import type { ReactNode } from 'react'

export type TableColumn<Item> = {
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  /** Numbers end at one line, below the end of their label. */
  readonly isNumber?: boolean
  /** Given up first where the table is narrow. */
  readonly isMinor?: boolean
}

/** The rows of a list as a table, in a wide window. The first cell is the button of its row. */
export function WideTable<Item>({
  label,
  columns,
  items,
  keyOf,
  current,
  onOpen,
}: {
  readonly label: string
  readonly columns: readonly TableColumn<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Whether the details of this item are beside the table. */
  readonly current: (item: Item) => boolean
  readonly onOpen: (item: Item) => void
}) {
  const classOf = ({ isNumber = false, isMinor = false }: TableColumn<Item>): string =>
    `${isNumber ? 'wide-number' : ''} ${isMinor ? 'wide-minor' : ''}`
  return (
    <div className="wide-table">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)} aria-current={current(item) ? true : undefined}>
              {columns.map((column, at) => (
                <td key={column.label} className={classOf(column)}>
                  {at === 0 ? (
                    <button type="button" onClick={() => onOpen(item)}>
                      {column.cell(item)}
                    </button>
                  ) : (
                    column.cell(item)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
