/** Numbers on the screen: prices, changes, amounts. Tabular digits; colour is never the only sign. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { useIsStale, useQuote } from '../../app/quotes.ts'
import { useSettings } from '../../app/settings.ts'

/** A drawn triangle, because the font's latin subset has no such glyph. */
export function Triangle({ direction, className = '' }: { readonly direction: 1 | -1; readonly className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 8 8" className={`inline-block size-[0.6em] shrink-0 fill-current ${className}`}>
      <path d={direction === 1 ? 'M4 1 7.6 7H.4Z' : 'M4 7 .4 1h7.2Z'} />
    </svg>
  )
}

/** A change in percent (decimal text) with triangle and colour, and a sign for screen readers. `chip` adds a tinted background. */
export function Change({
  value,
  chip = false,
  className = '',
}: {
  readonly value: Decimal
  readonly chip?: boolean
  readonly className?: string
}) {
  const format = useFormats()
  const number = Number(value)
  const tone = number > 0 ? 'text-up' : number < 0 ? 'text-down' : 'text-fg2'
  const ground = !chip ? '' : `rounded-chip px-1.5 py-0.5 ${number > 0 ? 'bg-uptint' : number < 0 ? 'bg-downtint' : 'bg-s2'}`
  return (
    <span className={`tn inline-flex items-center gap-1 font-medium whitespace-nowrap ${tone} ${ground} ${className}`}>
      {number === 0 ? (
        format.change(value)
      ) : (
        <>
          <span className="sr-only">{number > 0 ? '+' : '−'}</span>
          <Triangle direction={number > 0 ? 1 : -1} />
          {format.percent(value.replace(/^[-+]/, ''))}
        </>
      )}
    </span>
  )
}

/** An amount with the places of its asset and the asset's symbol, masked when balances are hidden. */
export function Amount({
  value,
  asset,
  isBare = false,
  isFull = false,
  min = 0,
  max = 8,
  isPrivate = true,
  className = '',
}: {
  readonly value: Decimal
  readonly asset?: string
  /** Leaves out the symbol. */
  readonly isBare?: boolean
  /** Shows every digit, in at least the asset's places. */
  readonly isFull?: boolean
  /** Of a number that is no sum of an asset. */
  readonly min?: number
  readonly max?: number
  /** False for amounts that are not the user's own, such as fees and minimums. */
  readonly isPrivate?: boolean
  readonly className?: string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances) && isPrivate
  if (isHidden) {
    return (
      <span className={className} role="img" aria-label={t('common.hidden')}>
        ••••••
      </span>
    )
  }
  return (
    <span className={`tn whitespace-nowrap ${className}`}>
      {(asset === undefined ? format.number(value, min, max) : format.sum(value, asset, isFull)).replace('-', '−')}
      {asset !== undefined && !isBare && ` ${asset}`}
    </span>
  )
}

/** A live last price: grey when stale, with a flash of its background when it changes. `tone` colours it by its last change. */
export const Price = memo(function Price({
  symbol,
  tone = false,
  className = '',
}: {
  readonly symbol: string
  readonly tone?: boolean
  readonly className?: string
}) {
  const format = useFormats()
  const quote = useQuote(symbol)
  const isStale = useIsStale()
  const ref = useRef<HTMLSpanElement>(null)
  const before = useRef<Decimal>(undefined)
  const price = quote?.price

  useEffect(() => {
    const element = ref.current
    if (element !== null && price !== undefined && before.current !== undefined && before.current !== price) {
      const name = Number(price) > Number(before.current) ? 'flash-up' : 'flash-down'
      element.classList.remove('flash-up', 'flash-down')
      requestAnimationFrame(() => element.classList.add(name))
    }
    before.current = price
  }, [price])

  if (quote === undefined) return <span aria-hidden className={`skeleton inline-block h-[1em] w-20 align-middle ${className}`} />
  const colour = isStale ? 'text-fg3' : !tone || quote.direction === 0 ? '' : quote.direction === 1 ? 'text-up' : 'text-down'
  return (
    <span ref={ref} className={`tn rounded-sm whitespace-nowrap ${colour} ${className}`}>
      {format.quoted(quote.price)}
    </span>
  )
})

/** A live 24 h change. */
export const LiveChange = memo(function LiveChange({
  symbol,
  chip = false,
  className = '',
}: {
  readonly symbol: string
  readonly chip?: boolean
  readonly className?: string
}) {
  const quote = useQuote(symbol)
  const isStale = useIsStale()
  if (quote === undefined) return <span aria-hidden className={`skeleton inline-block h-[1em] w-14 align-middle ${className}`} />
  if (Number(quote.price) === 0) return <span className={`text-fg3 ${className}`}>–</span>
  return <Change value={quote.change} chip={chip} className={`${isStale ? 'opacity-50' : ''} ${className}`} />
})
