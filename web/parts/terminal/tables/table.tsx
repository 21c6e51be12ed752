import type { TerminalColumn, TerminalTable } from '@candor/core/protocol/wire/own/terminal-columns.ts'
import { Fragment, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { Triangle } from '../../ui/figure.tsx'
import { type Sorting, sortedBy, turned } from './sorting.ts'
import { columnName, useColumns } from './use-columns.ts'
import { useFit } from './use-fit.ts'

export type Column<Row> = {
  readonly id: TerminalColumn
  /** Stated once, in the header. */
  readonly unit?: string
  readonly cell: (row: Row) => ReactNode
  /** What its rows are sorted by. */
  readonly value: (row: Row) => number | string | undefined
  /** Words start at the left, numbers end at the right. */
  readonly isText?: boolean
  /** Where the pane is too narrow for all, columns of a higher rank fall away first. */
  readonly rank: number
}

type TableProps<Row> = {
  readonly name: TerminalTable
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The first column, which always stays. */
  readonly first: { readonly label: string; readonly cell: (row: Row) => ReactNode; readonly value: (row: Row) => string }
  readonly columns: readonly Column<Row>[]
  /** At the right end of each row. */
  readonly actions?: (row: Row) => ReactNode
  /** A line of its own below a row. */
  readonly below?: (row: Row) => ReactNode
  /** Shown instead where the pane is narrower than a table. */
  readonly cards?: ReactNode
}

/** From this width of its pane on, a list is a table. */
const least = 640

/** The rows of a list with the columns that the user chose and the pane has room for. A tap on a header sorts. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { name, columns, rows, cards } = props
  const { hidden } = useColumns(name)
  const [sorting, setSorting] = useState<Sorting>()
  const box = useRef<HTMLDivElement>(null)
  const chosen = columns.filter(({ id }) => !hidden.includes(id))
  const { width, dropped } = useFit(box, chosen.length, `${chosen.map(({ id }) => id).join()} ${rows.length}`)
  const given = new Set(chosen.toSorted((a, b) => b.rank - a.rank).slice(0, dropped))
  const shown = chosen.filter((column) => !given.has(column))
  const by = sorting?.id === 'first' ? props.first : columns.find(({ id }) => id === sorting?.id)
  // Rows keep their order while prices move, so that none slips away below the pointer.
  const sorted = useMemo(
    () => (sorting === undefined || by === undefined ? rows : sortedBy(rows, by.value, sorting.isRising)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [rows, sorting],
  )
  return (
    <div ref={box} className="tb">
      {width !== undefined && width < least ? (
        (cards ?? <Cards {...props} rows={sorted} columns={chosen} />)
      ) : (
        <Grid {...props} rows={sorted} columns={shown} sorting={sorting} onSort={setSorting} />
      )}
    </div>
  )
}

function Grid<Row>({
  label,
  rows,
  keyOf,
  first,
  columns,
  actions,
  below,
  sorting,
  onSort,
}: TableProps<Row> & { readonly sorting: Sorting | undefined; readonly onSort: (sorting: Sorting | undefined) => void }) {
  const { t } = useTranslation()
  const head = (id: Sorting['id'], text: string, isText: boolean): ReactNode => {
    const isRising = sorting?.id === id ? sorting.isRising : undefined
    return (
      <th
        key={id}
        scope="col"
        className={isText ? '' : 'tb-number'}
        aria-sort={isRising === undefined ? undefined : isRising ? 'ascending' : 'descending'}
      >
        <button type="button" onClick={() => onSort(turned(sorting, id, isText))}>
          {text}
          {isRising !== undefined && <Triangle direction={isRising ? 1 : -1} />}
        </button>
      </th>
    )
  }
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {head('first', first.label, true)}
          {columns.map(({ id, unit, isText = false }) =>
            head(id, unit === undefined ? columnName(id, t) : `${columnName(id, t)} (${unit})`, isText),
          )}
          {actions !== undefined && (
            <th scope="col">
              <span className="sr-only">{t('terminal.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const line = below?.(row)
          return (
            <Fragment key={keyOf(row)}>
              <tr data-row={keyOf(row)} className={line ? 'tb-open' : ''}>
                <th scope="row">{first.cell(row)}</th>
                {columns.map(({ id, cell, isText = false }) => (
                  <td key={id} className={isText ? '' : 'tb-number tn'}>
                    {cell(row)}
                  </td>
                ))}
                {actions !== undefined && (
                  <td>
                    <div className="tb-actions">{actions(row)}</div>
                  </td>
                )}
              </tr>
              {line && (
                <tr>
                  <td colSpan={columns.length + (actions === undefined ? 1 : 2)}>{line}</td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

/** The same rows one below the other. */
function Cards<Row>({ label, rows, keyOf, first, columns, actions, below }: TableProps<Row>) {
  const { t } = useTranslation()
  return (
    <ul aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className="tb-card">
          <div>{first.cell(row)}</div>
          <dl>
            {columns.map(({ id, unit, cell }) => (
              <div key={id}>
                <dt>{unit === undefined ? columnName(id, t) : `${columnName(id, t)} (${unit})`}</dt>
                <dd className="tn">{cell(row)}</dd>
              </div>
            ))}
          </dl>
          {actions !== undefined && <div className="tb-actions">{actions(row)}</div>}
          {below?.(row)}
        </li>
      ))}
    </ul>
  )
}
