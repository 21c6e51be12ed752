/** A card with one table of data, its file, and what is shown instead of it. */
import type { ReactNode } from 'react'
import { t } from '../app/texts.ts'
import { type Column, DataTable } from './data-table.tsx'
import { type Filter, SaveAll } from './save-table.tsx'
import { Card, Empty } from './ui.tsx'

type SheetProps<T> = {
  readonly title: string
  /** One line below the title: what the numbers are. */
  readonly text?: string
  readonly columns: readonly Column<T>[]
  /** Null: the part of the exchange that knows them does not answer. */
  readonly rows: readonly T[] | null
  readonly keyOf: (row: T) => string
  /** Path of the table's file, and what it is filtered by. */
  readonly file?: string
  readonly filter?: Filter
  readonly empty: string
  readonly children?: ReactNode
}

export function Sheet<T extends object>({ title, text, columns, rows, keyOf, file, filter, empty, children }: SheetProps<T>): ReactNode {
  return (
    <Card
      title={
        <>
          {title} {text !== undefined && <small className="fg3 small plain">{text}</small>}
        </>
      }
      action={
        file === undefined ? null : <SaveAll path={file} name={nameOf(file)} title={title} {...(filter === undefined ? {} : { filter })} />
      }
    >
      {rows === null ? (
        <Empty title={t.watch.away} text={t.watch.awayText} />
      ) : rows.length === 0 ? (
        <p className="card-body fg2">{empty}</p>
      ) : (
        <DataTable label={title} columns={columns} rows={rows} keyOf={keyOf} />
      )}
      {children}
    </Card>
  )
}

/** The name of a table's file is that of its path. */
const nameOf = (path: string): string => path.replace('/files', '').slice(1).replaceAll('/', '-')
