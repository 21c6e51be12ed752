import type { TerminalColumn, TerminalTable } from '@candor/core/protocol/wire/own/terminal-columns.ts'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { Switch } from '../../fields/field.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { columnName, useColumns } from './use-columns.ts'

/** Shows and hides the columns of a table. */
export function ColumnsButton({ table, columns }: { readonly table: TerminalTable; readonly columns: readonly TerminalColumn[] }) {
  const { t } = useTranslation()
  const { hidden, toggle } = useColumns(table)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('terminal.columns')}
        title={t('terminal.columns')}
        aria-haspopup="dialog"
        className="tm-icon"
        onClick={() => setIsOpen(true)}
      >
        <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('terminal.columns')}>
        <ul className="flex flex-col">
          {columns.map((column) => (
            <li key={column} className="flex min-h-11 items-center gap-3">
              <span className="min-w-0 flex-1 truncate text-15">{columnName(column, t)}</span>
              <Switch label={columnName(column, t)} isOn={!hidden.includes(column)} onChange={() => toggle(column)} />
            </li>
          ))}
        </ul>
        <p className="py-3 text-13 text-fg2">{t('terminal.columnsHint')}</p>
      </Sheet>
    </>
  )
}
