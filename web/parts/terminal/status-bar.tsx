import { useFormats } from '../../app/format.ts'
import { useFeed } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { Keycaps } from '../shortcuts/keycaps.tsx'
import { type Command, shortcuts } from '../shortcuts/table.ts'

/** The keys that lead to all others. */
const hints: readonly Command[] = ['palette', 'next', 'next-pane', 'help']

/** Whether prices are live, and when they came; for a keyboard, some of its keys. */
export function StatusBar() {
  const { t } = useTranslation()
  const format = useFormats()
  const { state, since } = useFeed()
  const isLive = state === 'live'
  return (
    <footer className="tm-status">
      <span aria-hidden className={`size-1.5 rounded-full ${isLive ? 'bg-ok' : 'bg-warn'}`} />
      <span>{t(`terminal.feed.${state}`)}</span>
      {since > 0 && !isLive && <span className="tn text-fg3">{t('terminal.pricesOf', { time: format.clock(since) })}</span>}
      <span className="tm-keys">
        {shortcuts
          .filter(({ command }) => hints.includes(command))
          .map((shortcut) => (
            <span key={shortcut.command}>
              <Keycaps shortcut={shortcut} />
              {t(shortcut.text)}
            </span>
          ))}
      </span>
    </footer>
  )
}
