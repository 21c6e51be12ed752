import { type TerminalPane, terminalNamedMax } from '@candor/core/protocol/wire/own/preferences.ts'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Switch } from '../fields/field.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { swapped, toggledPane, usualTerminal } from './arrange.ts'
import type { TerminalState } from './use-terminal.ts'

/** Which panes are shown and where, and layouts saved under a name. */
export function LayoutSheet({
  isOpen,
  onClose,
  terminal,
  panes,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly terminal: TerminalState
  /** Those of the desk. */
  readonly panes: readonly TerminalPane[]
}) {
  const { t } = useTranslation()
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('terminal.layout')}>
      <ul className="flex flex-col">
        {panes.map((pane) => (
          <PaneRow key={pane} pane={pane} panes={panes} terminal={terminal} />
        ))}
      </ul>
      <Saved terminal={terminal} onUsed={onClose} />
      <Button variant="soft" size="medium" isWide onClick={() => terminal.setLayout(() => usualTerminal)}>
        {t('terminal.usual')}
      </Button>
    </Sheet>
  )
}

function PaneRow({
  pane,
  panes,
  terminal: { layout, setLayout },
}: {
  readonly pane: TerminalPane
  readonly panes: readonly TerminalPane[]
  readonly terminal: TerminalState
}) {
  const { t } = useTranslation()
  const name = t(`terminal.pane.${pane}`)
  return (
    <li className="flex min-h-11 items-center gap-3">
      <span className="min-w-0 flex-1 truncate text-15">{name}</span>
      <select
        value=""
        aria-label={t('terminal.swapOf', { pane: name })}
        onChange={({ target: { value } }) => {
          // The change is made again once the account's own layout is known, and the field is empty by then.
          if (value !== '') setLayout((now) => swapped(now, pane, value as TerminalPane))
        }}
        className="tm-select"
      >
        <option value="">{t('terminal.swap')}</option>
        {panes
          .filter((other) => other !== pane)
          .map((other) => (
            <option key={other} value={other}>
              {t(`terminal.pane.${other}`)}
            </option>
          ))}
      </select>
      <Switch
        label={t('terminal.show', { pane: name })}
        isOn={!layout.hidden.includes(pane)}
        onChange={() => setLayout((now) => toggledPane(now, pane, panes))}
      />
    </li>
  )
}

function Saved({ terminal, onUsed }: { readonly terminal: TerminalState; readonly onUsed: () => void }) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const { named, setLayout, save, remove } = terminal
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    save(name.trim())
    setName('')
  }
  return (
    <section className="flex flex-col gap-2 py-4">
      <h3 className="text-13 font-medium text-fg2">{t('terminal.saved')}</h3>
      {named.length > 0 && (
        <ul className="flex flex-col">
          {named.map((one) => (
            <li key={one.name} className="flex min-h-11 items-center gap-2">
              <Button
                variant="soft"
                size="small"
                className="min-w-0 flex-1"
                onClick={() => {
                  setLayout(() => one.layout)
                  onUsed()
                }}
              >
                <span className="truncate">{one.name}</span>
              </Button>
              <IconButton label={t('terminal.delete', { name: one.name })} onClick={() => remove(one.name)}>
                <Trash2 size={16} strokeWidth={1.75} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="flex items-center gap-2">
        <input
          value={name}
          maxLength={24}
          aria-label={t('terminal.name')}
          placeholder={t('terminal.name')}
          onChange={(event) => setName(event.target.value)}
          className="min-h-11 min-w-0 flex-1 rounded-control bg-s2 px-3 text-15"
        />
        <Button type="submit" variant="soft" size="medium" disabled={name.trim() === '' || named.length >= terminalNamedMax}>
          {t('terminal.save')}
        </Button>
      </form>
    </section>
  )
}
