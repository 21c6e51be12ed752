import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireFill } from '@candor/core/protocol/wire/spot.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { FillsQuery } from '@candor/client/order-queries.ts'
import { useFormats } from '../../../app/format.ts'
import { useMe } from '../../../app/session.ts'
import { useTranslation } from '../../../app/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { X } from 'lucide-react'
import type { Mark, PriceChart } from '../chart.ts'
import { useColours } from '../use-colours.ts'
import { groupsOf, type Group } from './fill-groups.ts'

const pageSize = 100
/** More would hide the candles. */
const fillsMax = 300

/** The span that is read at once, by interval: long enough that scrolling a little reads nothing again. */
const stretches: Readonly<Record<Interval, Interval>> = {
  ...{ '1s': '1h', '1m': '1d', '5m': '1d', '15m': '1d', '30m': '1w' },
  ...{ '1h': '1w', '4h': '1M', '1d': '1M', '1w': '1M', '1M': '1M' },
}

type Props = {
  readonly market: WireMarket
  readonly interval: Interval
  readonly chart: RefObject<PriceChart | undefined>
  readonly version: number
  readonly isShown: boolean
  /** The route of the user's fills in this product. */
  readonly fills: (query: FillsQuery) => Promise<WirePage<WireFill>>
}

/** The user's own fills as triangles on the candles in sight. A tap on one tells quantity, price and time. */
export function FillMarks({ market, interval, chart, version, isShown, fills }: Props) {
  const { t } = useTranslation()
  const me = useMe()
  const colours = useColours()
  const [from, setFrom] = useState<number>()
  const [opened, setOpened] = useState<{ readonly group: Group; readonly x: number; readonly y: number }>()
  useEffect(
    () =>
      chart.current?.onFrame(({ span }) => {
        if (span !== undefined) setFrom(openTimeOf(stretches[interval], span.from as Millis))
      }),
    [chart, version, interval],
  )
  const { data } = useQuery({
    queryKey: ['own', 'orders', 'fills', 'marks', market.symbol, from],
    queryFn: () => allSince(fills, market.symbol, from ?? 0),
    enabled: isShown && me !== undefined && from !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

  useEffect(() => {
    const page = getComputedStyle(document.documentElement)
    const colour = (name: string): string => page.getPropertyValue(name).trim()
    const marks: readonly Mark[] = (isShown ? groupsOf(data ?? [], interval) : []).map((group) => {
      const isBuy = group.side === 'buy'
      return {
        ...{ id: group.id, time: group.time, price: Number(group.price), isBuy, letter: isBuy ? 'B' : 'S' },
        colour: colour(isBuy ? '--up' : '--down'),
        onTap: (x, y) => setOpened({ group, x, y }),
      }
    })
    chart.current?.setMarks(marks)
    setOpened(undefined)
  }, [data, interval, isShown, chart, version, colours])

  if (opened === undefined) return null
  return (
    <div
      role="dialog"
      aria-label={t('chart.lines.fills')}
      className="absolute z-20 flex overflow-y-auto rounded-control bg-s3 ps-3 text-11"
      style={{
        maxHeight: 160,
        width: 256,
        maxWidth: 'calc(100% - 12px)',
        left: `clamp(6px, ${opened.x - 128}px, calc(100% - 262px))`,
        top: `${Math.max(6, opened.y - 110)}px`,
      }}
    >
      <ul className="flex min-w-0 grow flex-col gap-1 py-2.5">
        {opened.group.fills.map((fill) => (
          <FillRow key={`${fill.tradeId}-${fill.role}`} fill={fill} market={market} />
        ))}
      </ul>
      <IconButton label={t('common.close')} className="!size-9 shrink-0" onClick={() => setOpened(undefined)}>
        <X size={14} strokeWidth={2} aria-hidden />
      </IconButton>
    </div>
  )
}

function FillRow({ fill, market }: { readonly fill: WireFill; readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const isBuy = fill.side === 'buy'
  return (
    <li className="tn">
      <span className={isBuy ? 'text-up' : 'text-down'}>{t(isBuy ? 'trade.buy' : 'trade.sell')}</span> {format.exact(fill.quantity)}{' '}
      {market.base} · {format.exact(fill.price)}
      <time className="block text-fg3" dateTime={new Date(fill.time).toISOString()}>
        {format.dateTime(fill.time)}
      </time>
    </li>
  )
}

/** The fills since a time, newest first, page by page. */
async function allSince(fills: Props['fills'], symbol: string, from: number): Promise<readonly WireFill[]> {
  const found: WireFill[] = []
  let before: string | undefined
  do {
    const page = await fills({ symbol, from, limit: pageSize, ...(before === undefined ? {} : { before }) })
    found.push(...page.items)
    before = page.next ?? undefined
  } while (before !== undefined && found.length < fillsMax)
  return found
}
