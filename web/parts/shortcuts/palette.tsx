import { Star } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useConfig } from '../../app/config.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../funds/coin.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { type Entry, entriesOf, shownOf } from './entries.ts'
import { Keycaps } from './keycaps.tsx'
import { pageAreas } from './pages.ts'

type Props = { readonly onClose: () => void; readonly onHelp: () => void }

/** The palette with the texts of all that it names. */
export async function loadPalette(): Promise<ComponentType<Props>> {
  await Promise.all(pageAreas.map(loadArea))
  return Palette
}

/** One field that finds markets, commands and pages. Arrows choose, Enter opens, Shift Enter stars a market. */
function Palette({ onClose, onHelp }: Props) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const { symbols, toggle } = useFavourites()
  // The order stays while the palette is open, so that a star moves nothing under the keys.
  const [favourites] = useState(symbols)
  const { data: config } = useConfig()
  const entries = useMemo(() => entriesOf(config, onHelp, t), [config, onHelp, t])
  const shown = useMemo(() => shownOf(entries, text, favourites), [entries, text, favourites])
  const flat = shown.flatMap(([, ones]) => ones)
  const current = flat.find(({ id }) => id === chosen) ?? flat[0]

  useEffect(() => dialog.current?.showModal(), [])
  const currentId = current === undefined ? undefined : idOf(list, current)
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const open = (entry: Entry): void => {
    // Closed first, so that the command finds the page as it was.
    dialog.current?.close()
    entry.run()
  }
  const pressed = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined && current !== undefined) setChosen(flat[placeAfter(flat.indexOf(current), step, flat.length)]?.id)
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing || current === undefined) return
    else if (!event.shiftKey) open(current)
    else if (current.market !== undefined) toggle(current.market.symbol)
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className="sheet"
      style={{ margin: '10vh auto auto', borderRadius: 14 }}
      aria-label={t('shortcuts.palette')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label={t('shortcuts.search')}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={currentId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t('shortcuts.search')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(undefined)
        }}
        onKeyDown={pressed}
        className="min-h-12 shrink-0 border-b border-line bg-transparent px-4 text-15 outline-none"
      />
      <Results id={list} shown={shown} current={current} favourites={symbols} onOpen={open} onStar={toggle} />
      {flat.length === 0 && (
        <p role="status" className="px-4 py-4 text-13 text-fg2">
          {t('shortcuts.none')}
        </p>
      )}
      <p aria-hidden className="shrink-0 border-t border-line px-4 py-2 text-11 text-fg3">
        {t('shortcuts.paletteKeys')}
      </p>
    </dialog>
  )
}

/** The lines in their groups. `id`: of the list. */
function Results({
  id,
  shown,
  current,
  favourites,
  onOpen,
  onStar,
}: {
  readonly id: string
  readonly shown: ReturnType<typeof shownOf>
  readonly current: Entry | undefined
  readonly favourites: readonly string[]
  readonly onOpen: (entry: Entry) => void
  readonly onStar: (symbol: string) => void
}) {
  const { t } = useTranslation()
  return (
    <div id={id} role="listbox" aria-label={t('shortcuts.palette')} className="min-h-0 grow overflow-y-auto overscroll-contain py-1">
      {shown.map(([group, ones]) => (
        <div key={group} role="group" aria-label={t(`shortcuts.group.${group}`)}>
          <p aria-hidden className="px-4 pt-3 pb-1 text-11 text-fg3">
            {t(`shortcuts.group.${group}`)}
          </p>
          {ones.map((entry) => (
            <Line
              key={entry.id}
              id={idOf(id, entry)}
              entry={entry}
              isCurrent={entry === current}
              isFavourite={entry.market !== undefined && favourites.includes(entry.market.symbol)}
              onOpen={() => onOpen(entry)}
              onStar={onStar}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function idOf(list: string, { id }: Entry): string {
  return `${list} ${id}`.replaceAll(' ', '-')
}

/** The place that so many steps lead to. A single step goes round, a page stops at the ends. */
function placeAfter(at: number, step: number, count: number): number {
  return Math.abs(step) === 1 ? (at + step + count) % count : Math.min(count - 1, Math.max(0, at + step))
}

/** An entry. The field keeps the focus, so a line is only clicked. */
function Line({
  id,
  entry,
  isCurrent,
  isFavourite,
  onOpen,
  onStar,
}: {
  readonly id: string
  readonly entry: Entry
  readonly isCurrent: boolean
  readonly isFavourite: boolean
  readonly onOpen: () => void
  readonly onStar: (symbol: string) => void
}) {
  const { t } = useTranslation()
  const { market, shortcut } = entry
  return (
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      aria-label={isFavourite ? `${entry.label}, ${t('trade.favourite')}` : undefined}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onOpen}
      className={`flex min-h-9 items-center gap-3 px-4 text-13 ${isCurrent ? 'bg-s2' : ''}`}
    >
      {market !== undefined && <Coin asset={market.base} size={20} />}
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {market !== undefined && (
        <>
          <Price symbol={market.symbol} className="tn" />
          <LiveChange symbol={market.symbol} className="tn min-w-[4.5rem] text-end" />
          <span
            aria-hidden
            onClick={(event) => {
              event.stopPropagation()
              onStar(market.symbol)
            }}
            className="text-fg3"
          >
            <Star size={16} strokeWidth={1.75} className={isFavourite ? 'fill-warn text-warn' : ''} />
          </span>
        </>
      )}
      {shortcut !== undefined && <Keycaps shortcut={shortcut} />}
    </div>
  )
}
