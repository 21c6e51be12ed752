import type { TerminalPane } from '@candor/core/protocol/wire/own/preferences.ts'
import { type ReactNode, Suspense, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { loadFurther } from '../../app/routes.ts'
import { loadArea } from '../../app/texts.ts'
import { addStyles } from '../../app/wide/add-styles.ts'
import { useTranslation } from '../../app/translate.ts'
import { DeskKeys } from '../shortcuts/desk-keys.tsx'
import { useDeskHandlers } from '../shortcuts/registry.ts'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type DeskParts, panesOf } from './desk-parts.ts'
import {
  type Arrangement,
  arrange,
  arrangeTablet,
  breakpoints,
  onDesk,
  type Placed,
  resized,
  swapped,
  type TabletTab,
  tabletTabs,
  toggledPane,
} from './arrange.ts'
import { BookPane } from './book-pane.tsx'
import { ChartPane } from './chart-pane.tsx'
import { Gutter } from './gutter.tsx'
import { LayoutSheet } from './layout-sheet.tsx'
import { MarketsPane } from './markets-pane.tsx'
import { MovedPane, useMoving } from './moving.tsx'
import { Pane, PaneHead } from './pane.tsx'
import { StatusBar } from './status-bar.tsx'
import panesCss from './panes.css?inline'
import rowsCss from './rows.css?inline'
import css from './terminal.css?inline'
import { SymbolBar } from './symbol-bar.tsx'
import { TradesPane } from './trades-pane.tsx'
import { useTerminal } from './use-terminal.ts'

addStyles(css + panesCss + rowsCss)

/** The terminal, when its texts are there. */
export async function loadTerminal(): Promise<typeof Terminal> {
  await Promise.all([...(['terminal', 'chart', 'perp', 'markets', 'shortcuts'] as const).map(loadArea), loadFurther('/contractkline')])
  return Terminal
}

/** A desk in a wide window: the same parts as on a phone, in panes that can be resized, hidden, swapped and saved. */
function Terminal(desk: DeskParts) {
  const terminal = useTerminal()
  const { layout, setLayout } = terminal
  const [grid, room] = useRoom()
  const [tab, setTab] = useState<TabletTab>('ticket')
  const panes = panesOf(desk)
  const [isArranging, setIsArranging] = useState(false)
  /** A size while its gutter is held. */
  const [held, setHeld] = useState<Parameters<typeof resized>[1] | undefined>()
  const [heldPx, setHeldPx] = useState(0)
  useDeskHandlers({
    layouts: {
      names: terminal.named.map(({ name }) => name),
      open: (name) => setLayout((now) => terminal.named.find((one) => one.name === name)?.layout ?? now),
    },
  })
  const shown = onDesk(held === undefined ? layout : resized(layout, held, heldPx), panes)
  const isTablet = room !== undefined && room.width < breakpoints.columns
  const arrangement: Arrangement | undefined =
    room === undefined ? undefined : isTablet ? arrangeTablet(shown, room, tab, panes.includes('book')) : arrange(shown, room)
  const hide = useCallback((pane: TerminalPane) => setLayout((now) => toggledPane(now, pane, panes)), [setLayout, panes])
  const { moving, handlers } = useMoving((one, other) => setLayout((now) => swapped(now, one, other)))
  const rail = useCallback(() => setLayout((now) => ({ ...now, isRail: !now.isRail })), [setLayout])
  return (
    <div className="tm" data-tablet={isTablet} data-desk={desk.desk}>
      <SymbolBar desk={desk} isTablet={isTablet} onArrange={() => setIsArranging(true)} />
      <div
        ref={grid}
        className="tm-grid"
        data-moving={moving !== undefined}
        {...(isTablet ? {} : handlers)}
        style={arrangement === undefined ? {} : { gridTemplateColumns: arrangement.columns, gridTemplateRows: arrangement.rows }}
      >
        {isTablet && (
          <div className="tm-tabs">
            <ColumnTabs panes={panes} tab={tab} onTab={setTab} />
          </div>
        )}
        {arrangement !== undefined &&
          withTicket(arrangement.panes).map((placed) => (
            <Pane key={placed.pane} placed={placed} isMoved={placed.pane === moving?.pane}>
              <Content desk={desk} placed={placed} isTablet={isTablet} onHide={hide} onRail={rail} />
            </Pane>
          ))}
        {arrangement !== undefined && moving !== undefined && <MovedPane moving={moving} panes={arrangement.panes} />}
        {arrangement?.handles.map((handle) => (
          <Gutter
            key={handle.size}
            handle={handle}
            onMove={(px) => {
              setHeld(handle.size)
              setHeldPx(px)
            }}
            onEnd={(px) => {
              setHeld(undefined)
              setLayout((now) => resized(now, handle.size, px))
            }}
          />
        ))}
      </div>
      <StatusBar />
      <DeskKeys />
      <LayoutSheet isOpen={isArranging} onClose={() => setIsArranging(false)} terminal={terminal} panes={panes} />
    </div>
  )
}

/** What the trading column of a tablet shows. */
function ColumnTabs({
  panes,
  tab,
  onTab,
}: {
  readonly panes: readonly TerminalPane[]
  readonly tab: TabletTab
  readonly onTab: (tab: TabletTab) => void
}) {
  const { t } = useTranslation()
  return (
    <Tabs
      label={t('terminal.tabs')}
      value={tab}
      onChange={onTab}
      choices={tabletTabs
        .filter((one) => panes.includes(one))
        .map((one) => ({ value: one, label: t(one === 'ticket' ? 'terminal.trade' : `terminal.pane.${one}`) }))}
    />
  )
}

/** The ticket is always mounted, so that what was typed stays while its pane is hidden. */
function withTicket(panes: readonly Placed[]): readonly Placed[] {
  if (panes.some(({ pane }) => pane === 'ticket')) return panes
  return [...panes, { pane: 'ticket', column: [1, 2], row: [1, 2], isHidden: true }]
}

function Content({
  desk,
  placed: { pane, isRail = false },
  isTablet,
  onHide,
  onRail,
}: {
  readonly desk: DeskParts
  readonly placed: Placed
  readonly isTablet: boolean
  readonly onHide: (pane: TerminalPane) => void
  readonly onRail: () => void
}): ReactNode {
  const { t } = useTranslation()
  const hide = isTablet ? undefined : () => onHide(pane)
  switch (pane) {
    case 'markets':
      return <MarketsPane desk={desk} isRail={isRail} {...(isTablet ? {} : { onRail })} />
    case 'trades':
      return <TradesPane market={desk.market} onHide={hide} />
    case 'chart':
      return desk.chart === undefined ? <ChartPane market={desk.market} /> : <OwnChart chart={desk.chart} onHide={hide} />
    case 'book':
      return <BookPane market={desk.market} book={desk.book} isTablet={isTablet} onHide={hide} />
    case 'ticket':
      return (
        <>
          {/* Its first line is of fields. */}
          {!isTablet && <div aria-hidden className="tm-grip" />}
          {desk.ticket}
        </>
      )
    case 'orders':
      return <Suspense fallback={<RowsSkeleton rows={2} />}>{desk.panel}</Suspense>
    case 'account':
      return (
        <>
          <PaneHead name={t('terminal.pane.account')} onHide={hide}>
            <h2>{t('terminal.pane.account')}</h2>
          </PaneHead>
          <div className="tm-scroll tm-account">
            <Suspense fallback={<RowsSkeleton rows={2} />}>{desk.account}</Suspense>
          </div>
        </>
      )
  }
}

/** A desk's own chart below a line with its name. */
function OwnChart({ chart, onHide }: { readonly chart: ReactNode; readonly onHide: (() => void) | undefined }) {
  const { t } = useTranslation()
  return (
    <>
      <PaneHead name={t('terminal.pane.chart')} onHide={onHide}>
        <h2>{t('terminal.pane.chart')}</h2>
      </PaneHead>
      <div className="tm-own-chart">{chart}</div>
    </>
  )
}

/** Width and height of the grid, as they change. */
function useRoom(): readonly [(element: HTMLElement | null) => void, { readonly width: number; readonly height: number } | undefined] {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [room, setRoom] = useState<{ readonly width: number; readonly height: number }>()
  const last = useRef('')
  useLayoutEffect(() => {
    if (element === null) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      const key = `${width} ${height}`
      if (key === last.current) return
      last.current = key
      setRoom({ width, height })
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [element])
  return [setElement, room]
}
