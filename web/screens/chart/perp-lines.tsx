import { type RefObject, useEffect, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { usePerpAccount, usePerpOrders } from '../../parts/perp/account.ts'
import { useMark } from '../../parts/perp/marks.ts'
import { deedOf } from '../../parts/perp/words.ts'
import { Chip, Segmented } from '../../parts/ui/tabs.tsx'
import type { PriceChart, PriceLine } from './chart.ts'
import { keep, kept, type LineName, lineNames, type PriceName } from './kept.ts'

type Drawn = {
  readonly symbol: string
  readonly digits: number
  readonly chart: RefObject<PriceChart | undefined>
  /** Number of the chart: a new chart has no lines. */
  readonly version: number
  /** The price of the candles, which has no line. */
  readonly price: PriceName
}

/**
 * Options of a perp market's chart: candles of its trades, mark price or index; and lines that can be switched on: current mark and
 * index, and the user's entry, liquidation and orders.
 */
export function PerpLines({ symbol, digits, chart, version, price, onPrice }: Drawn & { readonly onPrice: (price: PriceName) => void }) {
  const { t } = useTranslation()
  const [on, setOn] = useState<readonly LineName[]>(() => kept().lines)
  useLines({ symbol, digits, chart, version, price, on })

  const toggle = (name: LineName): void => {
    const next = on.includes(name) ? on.filter((one) => one !== name) : [...on, name]
    setOn(next)
    keep({ lines: next })
  }
  // The candles show that price already.
  const shown = lineNames.filter((name) => name !== price)
  const names: Readonly<Record<LineName, string>> = {
    mark: t('perp.mark'),
    index: t('perp.index'),
    position: t('perp.position'),
    orders: t('orders.title'),
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-1">
      <div className="min-w-44 flex-1">
        <Segmented
          size="small"
          label={t('chart.price')}
          value={price}
          onChange={onPrice}
          choices={[
            { value: 'last', label: t('perp.last') },
            { value: 'mark', label: t('perp.mark') },
            { value: 'index', label: t('perp.index') },
          ]}
        />
      </div>
      <div role="group" aria-label={t('positions.lines')} className="no-scrollbar flex gap-1.5 overflow-x-auto">
        {shown.map((name) => (
          <Chip key={name} isOn={on.includes(name)} onClick={() => toggle(name)}>
            {names[name]}
          </Chip>
        ))}
      </div>
    </div>
  )
}

/** Draws the lines that are on, and updates them when one moves. */
function useLines({ symbol, digits, chart, version, price, on }: Drawn & { readonly on: readonly LineName[] }): void {
  const { t } = useTranslation()
  const format = useFormats()
  const mark = useMark(symbol)
  const positions = usePerpAccount().data?.positions
  const orders = usePerpOrders().data
  const [theme, updown] = [useSettings((settings) => settings.theme), useSettings((settings) => settings.updown)]

  useEffect(() => {
    const page = getComputedStyle(document.documentElement)
    const colour = (name: string): string => page.getPropertyValue(name).trim()
    const text = (label: string, price: string): string => `${label} ${format.number(price, digits, digits)}`
    const lines: PriceLine[] = []
    const add = (name: string, label: string, price: string | null | undefined, tone: string): void => {
      if (price !== null && price !== undefined) lines.push({ name, price: Number(price), text: text(label, price), colour: colour(tone) })
    }
    if (on.includes('mark') && price !== 'mark') add('mark', t('perp.mark'), mark?.mark, '--blue')
    if (on.includes('index') && price !== 'index') add('index', t('perp.index'), mark?.index, '--fg2')
    if (on.includes('position')) {
      for (const position of positions ?? []) {
        if (position.symbol !== symbol) continue
        const isLong = position.side === 'buy'
        add(`entry-${position.id}`, isLong ? t('perp.long') : t('perp.short'), position.entryPrice, isLong ? '--up' : '--down')
        add(`liquidation-${position.id}`, t('perp.liquidation'), position.liquidationPrice, '--warn')
      }
    }
    if (on.includes('orders')) {
      for (const order of orders ?? []) {
        if (order.symbol !== symbol) continue
        const price = order.trigger?.kind === 'stop' ? order.trigger.price : order.price
        add(`order-${order.id}`, order.perp?.closing === true ? t('perp.exits') : deedOf(order, t), price, '--brand')
      }
    }
    chart.current?.setLines(lines)
  }, [on, price, mark, positions, orders, symbol, digits, chart, version, theme, updown, t, format])
}
