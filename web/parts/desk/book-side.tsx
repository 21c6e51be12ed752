/** One side of the order book, row by row. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { memo, useMemo, useRef } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import type { BookRow } from './book-view.ts'
import type { OnTake } from './taker.ts'

/** What the right column shows: the quantity of each row, or the sum from the best price to the row. */
export type Column = 'quantity' | 'sum'

/** `rows`: from top to bottom. Missing ones are filled up, so that the book keeps its height. */
export function Side({
  rows,
  count,
  side,
  column,
  hasSum,
  coin,
  own,
  onTake,
}: {
  readonly rows: readonly BookRow[]
  readonly count: number
  readonly side: 'bids' | 'asks'
  readonly column: Column
  /** Whether the sums have a column of their own. */
  readonly hasSum: boolean
  readonly coin: string
  readonly own: ReadonlySet<string>
  readonly onTake: OnTake
}) {
  const missing = Math.max(0, count - rows.length)
  // Each row keeps its place, and only its texts change. Rows that moved with their price would jump below the finger.
  const first = side === 'asks' ? missing : 0
  return (
    <div className="flex flex-col">
      {side === 'asks' && <NoRows count={missing} />}
      {rows.map((row, index) => (
        <Row
          key={first + index}
          price={row.price}
          quantity={row[column]}
          sum={hasSum ? row.sum : undefined}
          depth={row.depth}
          side={side}
          coin={coin}
          isOwn={own.has(row.price)}
          onTake={onTake}
        />
      ))}
      {side === 'bids' && <NoRows count={missing} />}
    </div>
  )
}

const NoRows = memo(function NoRows({ count }: { readonly count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <span key={row} aria-hidden className="tn flex h-[1.5rem] items-center justify-between text-12 text-fg3">
      <span>–</span>
      <span>–</span>
    </span>
  ))
})

type RowProps = Pick<BookRow, 'price' | 'quantity' | 'depth'> & {
  readonly side: 'bids' | 'asks'
  readonly sum: Decimal | undefined
  readonly coin: string
  readonly isOwn: boolean
  readonly onTake: OnTake
}

const Row = memo(function Row({ price, quantity, sum, depth, side, coin, isOwn, onTake }: RowProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The price below the finger when it came down. By the time it leaves, the row may show another one.
  const touched = useRef<{ readonly price: Decimal; isTaken: boolean }>(undefined)
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
        const touch = { price, isTaken: false }
        touched.current = touch
        timer.current = setTimeout(() => {
          touch.isTaken = true
          onTake(price, quantity)
        }, 450)
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onClick={({ detail }) => {
        const touch = touched.current
        touched.current = undefined
        // A click of the keyboard has no count, and no finger before it.
        if (touch === undefined || detail === 0) onTake(price)
        else if (!touch.isTaken) onTake(touch.price)
      }}
      className="tn relative flex h-[1.5rem] w-full items-center justify-between text-12"
    >
      <span
        aria-hidden
        // Scaled, because a change of its width would be a move of the page's layout, ten times a second.
        className={`absolute inset-0 origin-right ${side === 'bids' ? 'bg-uptint' : 'bg-downtint'}`}
        style={{ transform: `scaleX(${depth / 100})` }}
      />
      <span
        className={`relative flex items-center gap-1 ${sum === undefined ? '' : 'flex-1'} ${side === 'bids' ? 'text-up' : 'text-down'}`}
      >
        {shown.price}
        {isOwn && <span aria-hidden className="size-1 rounded-full bg-brand" />}
      </span>{' '}
      <span className="relative text-fg2">{shown.quantity}</span>
      {/* Drawn by its style, because it is not in the name of the button, which is read out. */}
      {sum !== undefined && <span aria-hidden data-sum={compact(sum, format)} className="relative flex-1 text-end text-fg2" />}
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
