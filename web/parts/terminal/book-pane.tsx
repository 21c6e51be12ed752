import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { BookRoom } from '../desk/book.tsx'
import { later } from '../ui/later.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { PaneHead } from './pane.tsx'

const DepthChart = later(() => import('../chart/depth/depth-chart.tsx').then((module) => module.DepthChart))

/** Narrower books leave out the sums. */
const sumFrom = 220
const leastRows = 4

/** The order book with as many levels as there is room for, and the depth of the market. */
export function BookPane({
  market,
  book,
  isTablet,
  onHide,
}: {
  readonly market: WireMarket
  readonly book: ReactNode
  readonly isTablet: boolean
  readonly onHide: (() => void) | undefined
}) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<'book' | 'depth'>('book')
  const body = useRef<HTMLDivElement>(null)
  const [{ rows, hasSum }, setRoom] = useState({ rows: leastRows, hasSum: false })
  useLayoutEffect(() => {
    const element = body.current
    if (element === null) return
    const measure = (): void => {
      // The height of a level is a style: it depends on the pointer and the size of text.
      const level = Number.parseFloat(getComputedStyle(element).getPropertyValue('--level')) * remPx()
      const rest = Number.parseFloat(getComputedStyle(element).getPropertyValue('--book-rest')) * remPx()
      const next = {
        rows: Math.max(leastRows, Math.floor((element.clientHeight - rest) / level / 2)),
        hasSum: element.clientWidth >= sumFrom,
      }
      setRoom((now) => (now.rows === next.rows && now.hasSum === next.hasSum ? now : next))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [tab])
  const room = useMemo(() => ({ rows, hasSum }), [rows, hasSum])
  return (
    <>
      {!isTablet && (
        <PaneHead name={t('terminal.pane.book')} onHide={onHide}>
          <Tabs
            label={t('terminal.pane.book')}
            value={tab}
            onChange={setTab}
            choices={[
              { value: 'book', label: t('trade.book') },
              { value: 'depth', label: t('chart.depth.title') },
            ]}
          />
        </PaneHead>
      )}
      {tab === 'book' ? (
        <div ref={body} className="tm-book">
          <BookRoom value={room}>{book}</BookRoom>
        </div>
      ) : (
        <div className="tm-scroll" tabIndex={0} role="group" aria-label={t('chart.depth.title')}>
          <Suspense fallback={<RowsSkeleton rows={4} />}>
            <DepthChart market={market} />
          </Suspense>
        </div>
      )}
    </>
  )
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
