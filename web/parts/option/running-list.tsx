import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useEffect, useRef, useState } from 'react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { exchangeNow, useNow } from '../live/clock.ts'
import { DirectionTag } from './direction.tsx'
import { useLiveIndex } from '../live/live-index.ts'
import { phaseOf, standing } from './order.ts'
import { Ring } from './ring.tsx'
import { durationOf, shortPrice } from './words.ts'

/** Running orders, each with its countdown; a tap opens its details. */
export function RunningList({ orders, onOpen }: { readonly orders: readonly WireOption[]; readonly onOpen: (id: string) => void }) {
  return (
    <>
      <ul className="flex flex-col">
        {orders.map((order) => (
          <li key={order.id} className="border-b border-line last:border-0">
            <RunningRow order={order} onOpen={() => onOpen(order.id)} />
          </li>
        ))}
      </ul>
      <Announcer orders={orders} />
    </>
  )
}

function RunningRow({ order, onOpen }: { readonly order: WireOption; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const now = useNow(500)
  const phase = phaseOf(order, now)
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  return (
    <button type="button" onClick={onOpen} className="flex w-full items-center gap-3 px-4 py-3 text-start active:bg-s2">
      <Ring order={order} />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="text-15 font-semibold">{pair}</span>
          <DirectionTag direction={order.direction} className="text-12" />
          <span className="text-12 text-fg3">{durationOf(order.seconds, t)}</span>
        </span>
        <span className="tn text-12 text-fg2">
          {order.strike === undefined
            ? t(`option.phase.${phase}`)
            : `${t('option.opening')} ${shortPrice(order.strike, market?.priceDigits ?? 0, format)}`}
        </span>
        <span className="sr-only">{t('settled.endsAt', { at: format.clock(order.expiresAt) })}</span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-0.5">
        <span className="tn text-15 font-medium">{`${format.sum(order.stake, market?.quote ?? '')} ${market?.quote ?? ''}`}</span>
        {phase === 'closing' ? <span className="text-12 text-fg2">{t('option.phase.closing')}</span> : <Standing order={order} />}
      </span>
    </button>
  )
}

/** The order's current standing at the live index, in a word. The exchange decides by the median at the end. */
export function Standing({ order }: { readonly order: WireOption }) {
  const { t } = useTranslation()
  const { price, isLive } = useLiveIndex(order.symbol)
  const is = standing(order, price)
  if (is === undefined || !isLive) return <span className="h-4" />
  const tone = is === 'ahead' ? 'text-up' : is === 'behind' ? 'text-down' : 'text-fg2'
  return <span className={`text-12 font-medium ${tone}`}>{t(`settled.standing.${is}`)}</span>
}

/** Announces each order to screen readers at 30, 10 and 0 seconds, once each. */
export function Announcer({ orders }: { readonly orders: readonly WireOption[] }) {
  const { t } = useTranslation()
  const [last, setLast] = useState<{ readonly mark: 30 | 10 | 0; readonly pair: string }>()
  const latest = useRef(orders)
  latest.current = orders
  useEffect(() => {
    const said = new Set<string>()
    const timer = setInterval(() => {
      const now = exchangeNow()
      for (const order of latest.current) {
        for (const mark of [30, 10, 0] as const) {
          const due = order.expiresAt - mark * 1_000
          const key = `${order.id} ${mark}`
          if (now < due || now > due + 2_000 || order.seconds <= mark || said.has(key)) continue
          said.add(key)
          setLast({ mark, pair: order.symbol })
        }
      }
    }, 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <p role="status" className="sr-only">
      {last && t(`settled.announce${last.mark}`, { pair: last.pair })}
    </p>
  )
}
