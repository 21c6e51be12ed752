/** A button that saves the shown rows of a table as a CSV file. */
import { csvLine } from '@candor/core/protocol/csv.ts'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../app/texts.ts'
import { Button } from './ui.tsx'

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
    saveFile(`${name}.csv`, URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' })))
  }
  return (
    <Button size="small" look="quiet" disabled={!rows?.length} aria-label={t.common.csvOf(name)} onClick={save}>
      <Download size={13} aria-hidden="true" />
      {t.log.csv}
    </Button>
  )
}

/** `url`: of an object of this page, which is given up afterwards. */
export function saveFile(name: string, url: string): void {
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
