/** Buttons that save a table as a CSV file: of the rows that are shown, or of all rows, from the exchange. */
import { csvLine } from '@candor/core/protocol/csv.ts'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { readTable } from '../app/client.ts'
import { t } from '../app/texts.ts'
import { say } from './dialog.tsx'
import { Button, FaultNote, useWork } from './ui.tsx'

type SaveTableProps<T> = {
  /** The file's name without its ending. */
  readonly name: string
  readonly rows: readonly T[] | undefined
  /** The cells by their headers. Times as ISO text, money as decimal text. */
  readonly cells: (row: T) => Readonly<Record<string, string>>
}

export function SaveTable<T>({ name, rows, cells }: SaveTableProps<T>): ReactNode {
  const save = (): void => {
    const lines = (rows ?? []).map(cells)
    const text = [csvLine(Object.keys(lines[0] ?? {})), ...lines.map((line) => csvLine(Object.values(line))), ''].join('\r\n')
    saveFile(`${name}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <Button size="small" look="quiet" disabled={!rows?.length} aria-label={t.common.csvOf(name)} onClick={save}>
      <Csv />
    </Button>
  )
}

export type Filter = Readonly<Record<string, string | number | undefined>>

/** `path`: of the route that gives the file. `title`: of the table, for a page with several. The exchange logs each file. */
type SaveAllProps = { readonly path: string; readonly name: string; readonly filter?: Filter; readonly title?: string }

export function SaveAll({ path, name, filter, title }: SaveAllProps): ReactNode {
  const { isBusy, fault, run } = useWork(async () => {
    const { file, cutAt } = await readTable(path, filter)
    saveFile(`${name}.csv`, file)
    say(cutAt > 0 ? t.log.csvCut(cutAt) : t.log.csvDone)
  })
  const look = title === undefined ? {} : ({ size: 'small', look: 'quiet', 'aria-label': t.common.csvOf(title) } as const)
  return (
    <span className="line push">
      <FaultNote cause={fault} />
      <Button {...look} disabled={isBusy} onClick={() => void run()}>
        <Csv />
      </Button>
    </span>
  )
}

function Csv(): ReactNode {
  return (
    <>
      <Download size={13} aria-hidden="true" />
      {t.log.csv}
    </>
  )
}

/** Saves a file under a name. */
export function saveFile(name: string, file: Blob): void {
  const href = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
