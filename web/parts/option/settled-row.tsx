import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { RotateCcw } from 'lucide-react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../ui/figure.tsx'
import { againPath } from './data.ts'
import { DirectionTag } from './direction.tsx'
import { durationOf, resultOf, shortPrice, toneOf } from './words.ts'

/** A settled order with its prices, result and profit. A tap opens its details; the button beside it fills the ticket with its terms. */
export function SettledRow({ order, onOpen }: { readonly order: WireOption; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const digits = market?.priceDigits ?? 0
  const hasPrice = order.settlePrice !== undefined && Number(order.settlePrice) !== 0
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  return (
    <div className="flex items-center">
      <button type="button" onClick={onOpen} className="flex min-w-0 flex-1 items-center gap-2 py-3 ps-4 text-start active:bg-s2">
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="text-15 font-semibold">{pair}</span>
            <DirectionTag direction={order.direction} className="text-12" />
            <span className="text-12 text-fg3">{durationOf(order.seconds, t)}</span>
          </span>
          <span className="tn truncate text-12 text-fg2">
            {order.strike === undefined ? '–' : shortPrice(order.strike, digits, format)}
            {' → '}
            {hasPrice ? shortPrice(order.settlePrice ?? '0', digits, format) : '–'}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1">
          <span className={`flex items-center gap-1.5 text-15 font-medium ${toneOf(order)}`}>
            <span className="text-12">{resultOf(order, t)}</span>
            <SignedAmount order={order} />
          </span>
          <span className="tn text-11 text-fg3">{order.settledAt === undefined ? '' : format.dateTime(order.settledAt)}</span>
        </span>
      </button>
      <a
        href={`#${againPath(order)}`}
        aria-label={`${t('settled.again')}: ${pair}, ${durationOf(order.seconds, t)}`}
        className="press flex size-12 shrink-0 items-center justify-center text-fg2"
      >
        <RotateCcw size={18} strokeWidth={1.75} aria-hidden />
      </a>
    </div>
  )
}

/** The settlement profit with its sign. */
export function SignedAmount({ order, asset }: { readonly order: WireOption; readonly asset?: string }) {
  const profit = order.settleProfit ?? '0'
  const number = Number(profit)
  return (
    <span className="whitespace-nowrap">
      {number > 0 ? '+' : number < 0 ? '−' : ''}
      <Amount value={profit.replace(/^[-+]/, '')} asset={asset ?? 'USDT'} isBare={asset === undefined} />
    </span>
  )
}
