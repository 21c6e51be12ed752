import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ArrowLeftRight, ChevronDown } from 'lucide-react'
import { createContext, memo, type ReactNode, use, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { type Quote, useIsStale, useQuotePart } from '../../app/quotes.ts'
import { useDepth } from '../../app/stream.ts'
import { Term } from '../help/term.tsx'
import { Price } from '../ui/figure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { type Column, Side } from './book-side.tsx'
import { type BookRow, bookRows, stepOf } from './book-view.ts'
import { GroupingSheet } from './grouping-sheet.tsx'
import type { OnTake } from './taker.ts'

type Layout = 'both' | 'bids' | 'asks'
const next: Readonly<Record<Layout, Layout>> = { both: 'bids', bids: 'asks', asks: 'both' }

/** Rows of each side: twelve on tall screens, at least seven. The book then ends about where the ticket beside it does. */
function rowsFor(height: number): number {
  return height >= 880 ? 12 : height >= 780 ? 9 : 7
}

/** Taken once, because a book that changed its height with a phone's address bar would move what is below it. */
const rowsASide = rowsFor(globalThis.innerHeight)

/** The room of a book that fills a pane: levels a side, and whether sums have a column of their own. Without it, a phone's book. */
export const BookRoom = createContext<{ readonly rows: number; readonly hasSum: boolean } | undefined>(undefined)

/** The live order book. A tap on a row sets the price, a long press also the quantity. */
export function Book({
  market,
  own,
  reference,
  rows: asked = rowsASide,
  onTake,
}: {
  readonly market: WireMarket
  /** Prices of the user's orders. */
  readonly own: ReadonlySet<string>
  /** Shown below the last price instead of the index. */
  readonly reference?: ReactNode
  /** Rows of each side, where the book has the width of the screen. */
  readonly rows?: number
  readonly onTake: OnTake
}) {
  const { t } = useTranslation()
  const { depth, isLive, error } = useDepth(market.symbol)
  const [group, setGroup] = useState(1)
  const [layout, setLayout] = useState<Layout>('both')
  const [column, setColumn] = useState<Column>('quantity')
  const { rows: most, hasSum } = use(BookRoom) ?? { rows: asked, hasSum: false }
  const shown = hasSum ? 'quantity' : column
  const count = {
    bids: layout === 'both' ? most : layout === 'bids' ? most * 2 : 0,
    asks: layout === 'both' ? most : layout === 'asks' ? most * 2 : 0,
  }

  if (depth === undefined && error !== undefined) return <Failure error={error} isSmall />
  const rows = depth === undefined ? undefined : bookRows(depth.bids, depth.asks, market, group, count)
  return (
    <section aria-label={t('trade.book')} className={`flex min-w-0 flex-col ${isLive || depth === undefined ? '' : 'opacity-60'}`}>
      <div className="flex items-center justify-between gap-2">
        <Grouping market={market} group={group} onChange={setGroup} />
        <button
          type="button"
          aria-label={t(`trade.layout.${layout}`)}
          onClick={() => setLayout(next[layout])}
          className="press flex size-8 items-center justify-center rounded-chip bg-s2"
        >
          <LayoutIcon layout={layout} />
        </button>
      </div>
      <Heads coin={market.base} hasSum={hasSum} column={column} onColumn={setColumn} />
      {rows === undefined ? (
        <BookSkeleton />
      ) : (
        <>
          {count.asks > 0 && (
            <Side
              rows={[...rows.asks].reverse()}
              count={count.asks}
              side="asks"
              coin={market.base}
              {...{ column: shown, hasSum, own, onTake }}
            />
          )}
          <Middle market={market} spread={rows.spread} reference={reference} />
          {count.bids > 0 && (
            <Side rows={rows.bids} count={count.bids} side="bids" coin={market.base} {...{ column: shown, hasSum, own, onTake }} />
          )}
          <Balance percent={rows.bidPercent} />
          <ReadAloud market={market} bids={rows.bids} asks={rows.asks} spread={rows.spread} />
        </>
      )}
    </section>
  )
}

/** Names of the columns. Without a column for the sums, a button shows them instead of the quantities. */
function Heads({
  coin,
  hasSum,
  column,
  onColumn,
}: {
  readonly coin: string
  readonly hasSum: boolean
  readonly column: Column
  readonly onColumn: (column: Column) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="flex h-7 items-center justify-between gap-1 text-11 text-fg3">
      <span className="flex-1">{t('trade.price')}</span>
      {hasSum ? (
        <>
          <span className="truncate">{`${t('trade.size')} (${coin})`}</span>
          <span className="flex-1 truncate text-end">{t('trade.sum')}</span>
        </>
      ) : (
        <button
          type="button"
          onClick={() => onColumn(column === 'sum' ? 'quantity' : 'sum')}
          className="press flex min-h-6 min-w-0 items-center gap-0.5"
        >
          <span className="truncate">{`${column === 'sum' ? t('trade.sum') : t('trade.size')} (${coin})`}</span>
          <ArrowLeftRight size={12} strokeWidth={1.75} aria-hidden className="shrink-0" />
        </button>
      )}
    </div>
  )
}

/** The place of the book before it is mounted. */
export function BookOutline() {
  return (
    <div aria-hidden className="flex flex-col">
      <Skeleton className="h-8 rounded-chip" />
      <div className="h-7" />
      <BookSkeleton />
    </div>
  )
}

/** The last price between the sides, with a reference price and the spread below it. */
const Middle = memo(function Middle({
  market,
  spread,
  reference,
}: {
  readonly market: WireMarket
  readonly spread: Decimal | undefined
  readonly reference: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const index = useQuotePart(market.symbol, indexOf)
  const hasIndex = index !== undefined && index !== '0'
  return (
    <div className="book-middle tn flex h-[4.25rem] flex-col justify-center text-11 text-fg3">
      <Price symbol={market.symbol} tone className="text-17 font-semibold" />
      <span className="truncate">
        {reference ?? (hasIndex ? t('trade.index', { value: format.number(index, market.priceDigits, market.priceDigits) }) : '–')}
      </span>
      <span className="truncate">
        <Term id="spread">{t('trade.spread', { value: spread === undefined ? '–' : format.exact(spread) })}</Term>
      </span>
    </div>
  )
})

function indexOf(quote: Quote | undefined): Decimal | undefined {
  return quote?.index
}

/** The share of each side in the shown quantity. */
const Balance = memo(function Balance({ percent }: { readonly percent: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div
      role="img"
      aria-label={t('trade.balance', { bids: percent, asks: 100 - percent })}
      className="tn flex items-center gap-1.5 pt-2 text-11"
    >
      <span className="text-up">{format.percent(percent, 0)}</span>
      <span className="flex h-1 flex-1 gap-0.5 overflow-hidden rounded-full">
        <span className="rounded-full bg-up" style={{ width: `${percent}%` }} />
        <span className="flex-1 rounded-full bg-down" />
      </span>
      <span className="text-down">{format.percent(100 - percent, 0)}</span>
    </div>
  )
})

/** Opens the list of price steps. */
function Grouping({
  market,
  group,
  onChange,
}: {
  readonly market: WireMarket
  readonly group: number
  readonly onChange: (group: number) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isChoosing, setIsChoosing] = useState(false)
  const step = stepOf(market, group, format)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`${t('trade.grouping')}: ${step}`}
        onClick={() => setIsChoosing(true)}
        className="press tn flex h-8 min-w-0 items-center gap-1.5 rounded-chip bg-s2 px-2.5 text-12"
      >
        <span className="truncate">{step}</span>
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
      </button>
      {isChoosing && <GroupingSheet {...{ market, group, onChange }} onClose={() => setIsChoosing(false)} />}
    </>
  )
}

/** For screen readers: reads out the best prices and three levels, once per tap. */
function ReadAloud({
  market,
  bids,
  asks,
  spread,
}: {
  readonly market: WireMarket
  readonly bids: readonly BookRow[]
  readonly asks: readonly BookRow[]
  readonly spread: Decimal | undefined
}) {
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  const isStale = useIsStale()
  const levels = (rows: readonly BookRow[]): string =>
    rows
      .slice(0, 3)
      .map((row) => `${row.price}, ${row.quantity} ${market.base}`)
      .join('; ')
  return (
    <>
      <button
        type="button"
        className="sr-only focus:not-sr-only focus:mt-2 focus:text-12"
        onClick={() => setSaid(t('trade.readOut', { bids: levels(bids), asks: levels(asks), spread: spread ?? '–' }))}
      >
        {t('trade.readBook')}
      </button>
      <span className="sr-only" role="status">
        {isStale ? '' : said}
      </span>
    </>
  )
}

/** As high as two sides, the last price between them, and their balance, so that nothing below moves when they come. */
function BookSkeleton() {
  return (
    <div aria-hidden className="flex flex-col pb-[1.375rem]">
      <SideSkeleton />
      <div className="flex h-[4.25rem] items-center">
        <Skeleton className="h-7 w-2/3" />
      </div>
      <SideSkeleton />
    </div>
  )
}

function SideSkeleton() {
  return Array.from({ length: rowsASide }, (_, row) => (
    <div key={row} className="flex h-[1.5rem] items-center">
      <Skeleton className="h-4 w-full" />
    </div>
  ))
}

function LayoutIcon({ layout }: { readonly layout: Layout }) {
  const [top, bottom] =
    layout === 'both' ? ['var(--down)', 'var(--up)'] : layout === 'bids' ? ['var(--up)', 'var(--up)'] : ['var(--down)', 'var(--down)']
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-4">
      <rect x="1" y="2" width="6" height="5" rx="1" fill={top} />
      <rect x="1" y="9" width="6" height="5" rx="1" fill={bottom} />
      <path d="M10 3h5M10 6.3h5M10 9.7h5M10 13h5" stroke="var(--fg2)" strokeWidth="1.4" strokeLinecap="round" />
    </svg>
  )
}
