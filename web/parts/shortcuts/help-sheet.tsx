import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../ui/sheet.tsx'
import { Keycaps } from './keycaps.tsx'
import { shortcuts } from './table.ts'

/** All keys with what they do. Keys of one kind are one row. */
export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const rows = [...Map.groupBy(shortcuts, ({ text }) => text)]
  return (
    <Sheet isOpen onClose={onClose} title={t('shortcuts.title')}>
      <ul className="flex flex-col">
        {rows.map(([text, ones]) => {
          const [first, last] = [ones[0], ones.at(-1)]
          if (first === undefined) return null
          return (
            <li key={text} className="flex min-h-9 items-center justify-between gap-3 border-b border-line py-1 text-13 last:border-0">
              <span>{t(text)}</span>
              <Keycaps shortcut={first} through={last === first ? undefined : last} />
            </li>
          )
        })}
      </ul>
      <p className="pt-3 text-12 text-fg3">{t('shortcuts.free')}</p>
    </Sheet>
  )
}
