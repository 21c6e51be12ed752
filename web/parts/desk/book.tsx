import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { type Quote, useIsStale, useLast, useQuotePart } from '../../app/quotes.ts'
import { useDepth } from '../../app/stream.ts'
import { Price } from '../ui/figure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { type BookRow, bookRows, groupings } from './book-view.ts'
import type { OnTake } from './taker.ts'

type Layout = 'both' | 'bids' | 'asks'
const next: Readonly<Record<Layout, Layout>> = { both: 'bids', bids: 'asks', asks: 'both' }
const rowsASide = 7

/** The live order book. A tap on a row sets the price, a long press also the quantity. */
export function Book({
  market,
  own,
  reference,
  onTake,
}: {
  readonly market: WireMarket
  /** Prices of the user's orders. */
  readonly own: ReadonlySet<string>
  /** Shown below the last price instead of index or spread. */
  readonly reference?: ReactNode
  readonly onTake: OnTake
}) {
  const { t } = useTranslation()
  const { depth, isLive, error } = useDepth(market.symbol)
  const [group, setGroup] = useState(1)
  const [layout, setLayout] = useState<Layout>('both')
  const count = {
    bids: layout === 'both' ? rowsASide : layout === 'bids' ? rowsASide * 2 : 0,
    asks: layout === 'both' ? rowsASide : layout === 'asks' ? rowsASide * 2 : 0,
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
      <div className="flex justify-between gap-1 pt-2 pb-1 text-11 text-fg3">
        <span>{t('trade.price')}</span>
        <span className="truncate">{`${t('trade.size')} (${market.base})`}</span>
      </div>
      {rows === undefined ? (
        <BookSkeleton />
      ) : (
        <>
          {count.asks > 0 && (
            <Side rows={[...rows.asks].reverse()} count={count.asks} side="asks" coin={market.base} own={own} onTake={onTake} />
          )}
          <Middle market={market} spread={rows.spread} reference={reference} />
          {count.bids > 0 && <Side rows={rows.bids} count={count.bids} side="bids" coin={market.base} own={own} onTake={onTake} />}
          <Balance percent={rows.bidPercent} />
          <ReadAloud market={market} bids={rows.bids} asks={rows.asks} spread={rows.spread} />
        </>
      )}
    </section>
  )
}

/** The place of the book before it is mounted. */
export function BookOutline() {
  return (
    <div aria-hidden className="flex flex-col">
      <Skeleton className="h-8 rounded-chip" />
      <div className="h-[1.625rem]" />
      <BookSkeleton />
    </div>
  )
}

function Side({
  rows,
  count,
  side,
  coin,
  own,
  onTake,
}: {
  readonly rows: readonly BookRow[]
  readonly count: number
  readonly side: 'bids' | 'asks'
  readonly coin: string
  readonly own: ReadonlySet<string>
  readonly onTake: OnTake
}) {
  return (
    <div className="flex flex-col">
      {side === 'asks' && <NoRows count={count - rows.length} />}
      {rows.map((row) => (
        <Row
          key={row.price}
          price={row.price}
          quantity={row.quantity}
          depth={row.depth}
          side={side}
          coin={coin}
          isOwn={own.has(row.price)}
          onTake={onTake}
        />
      ))}
      {side === 'bids' && <NoRows count={count - rows.length} />}
    </div>
  )
}

/** Placeholders for missing levels, so that the book keeps its height. */
const NoRows = memo(function NoRows({ count }: { readonly count: number }) {
  return Array.from({ length: Math.max(0, count) }, (_, row) => (
    <span key={row} aria-hidden className="tn flex h-[1.5rem] items-center justify-between text-12 text-fg3">
      <span>–</span>
      <span>–</span>
    </span>
  ))
})

const Row = memo(function Row({
  price,
  quantity,
  depth,
  side,
  coin,
  isOwn,
  onTake,
}: BookRow & { readonly side: 'bids' | 'asks'; readonly coin: string; readonly isOwn: boolean; readonly onTake: OnTake }) {
  const { t } = useTranslation()
  const format = useFormats()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasLong = useRef(false)
  const stop = (): void => clearTimeout(timer.current)
  // The bars of all rows move with every change of the book, the texts only with their own row.
  const [shown, label] = useMemo(() => {
    const texts = { price: format.exact(price), quantity: compact(quantity, format), coin }
    return [texts, side === 'bids' ? t('trade.bidRow', texts) : t('trade.askRow', texts)]
  }, [price, quantity, coin, side, t, format])
  return (
    <button
      type="button"
      aria-label={label}
      onPointerDown={() => {
        wasLong.current = false
        timer.current = setTimeout(() => {
          wasLong.current = true
          onTake(price, quantity)
        }, 450)
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onClick={() => !wasLong.current && onTake(price)}
      className="tn relative flex h-[1.5rem] w-full items-center justify-between text-12"
    >
      <span
        aria-hidden
        className={`absolute inset-y-0 end-0 ${side === 'bids' ? 'bg-uptint' : 'bg-downtint'}`}
        style={{ width: `${depth}%` }}
      />
      <span className={`relative flex items-center gap-1 ${side === 'bids' ? 'text-up' : 'text-down'}`}>
        {shown.price}
        {isOwn && <span aria-hidden className="size-1 rounded-full bg-brand" />}
      </span>{' '}
      <span className="relative text-fg2">{shown.quantity}</span>
    </button>
  )
})

/** A quantity with at most five digits, so that its column stays narrow. */
function compact(
  quantity: Decimal,
  format: { number(value: Decimal, min?: number, max?: number): string; compact(value: Decimal): string },
): string {
  const whole = quantity.indexOf('.') < 0 ? quantity.length : quantity.indexOf('.')
  if (whole > 5) return format.compact(quantity)
  const places = Math.max(0, Math.min(5, 6 - whole, quantity.length - whole - 1))
  return format.number(quantity, places, places)
}

/** The last price between the sides, with a reference price below it. */
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
  return (
    <div className="flex flex-col gap-0.5 py-1.5">
      <Price symbol={market.symbol} tone className="text-17 font-semibold" />
      <span className="tn truncate text-11 text-fg3">
        {reference ??
          (index === undefined || index === '0'
            ? spread === undefined
              ? '–'
              : t('trade.spread', { value: format.exact(spread) })
            : t('trade.index', { value: format.number(index, market.priceDigits, market.priceDigits) }))}
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

const Grouping = memo(function Grouping({
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
  const last = useLast(market.symbol)
  const tick = Number(market.tick)
  return (
    <select
      aria-label={t('trade.grouping')}
      value={group}
      onChange={(event) => onChange(Number(event.target.value))}
      className="tn h-8 min-w-0 rounded-chip bg-s2 px-2 text-12 text-fg outline-offset-2"
    >
      {groupings(market, last).map((one) => (
        <option key={one} value={one}>
          {format.number(String(Number((tick * one).toPrecision(6))))}
        </option>
      ))}
    </select>
  )
})

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
      <div className="flex h-[3.25rem] items-center">
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
