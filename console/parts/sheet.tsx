/** A card with one table of data, its file, and what is shown instead of it. */
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { readFile } from '../app/client.ts'
import { t } from '../app/texts.ts'
import { type Column, DataTable } from './data-table.tsx'
import { say } from './dialog.tsx'
import { Button, Card, Empty, FaultNote, useWork } from './ui.tsx'

export type Filter = Readonly<Record<string, string | number | undefined>>

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
      action={file === undefined ? null : <FileButton path={file} filter={filter ?? {}} title={title} />}
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

/** Saves the file of a table. Its name is that of its path. */
export function FileButton({ path, filter, title }: { readonly path: string; readonly filter: Filter; readonly title: string }): ReactNode {
  const { isBusy, fault, run } = useWork(async () => {
    const url = URL.createObjectURL(await readFile(path, filter))
    const download = `${path.replace('/files', '').slice(1).replaceAll('/', '-')}.csv`
    Object.assign(document.createElement('a'), { href: url, download }).click()
    URL.revokeObjectURL(url)
    say(t.watch.saved)
  })
  return (
    <span className="line push">
      <FaultNote cause={fault} />
      <Button size="small" look="quiet" disabled={isBusy} aria-label={t.watch.fileOf(title)} onClick={() => void run()}>
        <Download size={13} aria-hidden="true" />
        {t.log.csv}
      </Button>
    </span>
  )
}
