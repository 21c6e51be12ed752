import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { WireMark, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useFormats } from '../../../app/format.ts'
import { useLayout } from '../../../app/preferences/use-layout.ts'
import { useTranslation } from '../../../app/translate.ts'
import { asksBefore, cautionOf } from '../../desk/asks.ts'
import { cautionText } from '../../desk/caution-text.ts'
import { useCancel } from '../../order/use-cancel.ts'
import { settingOf, usePerpAccount, usePerpOrders } from '../../perp/account.ts'
import { perp } from '../../perp/api.ts'
import { useMark, watchMark } from '../../perp/marks.ts'
import { Profit } from '../../funds/profit.tsx'
import { scalesOf, standingOf, type Scales } from '../../perp/risk.ts'
import { isExit, kindOf } from '../../perp/words.ts'
import type { LineProps, OwnLine } from './line.ts'
import { orderLine } from './order-lines.tsx'
import { Outcome } from './outcome.tsx'
import { isLiquidatedFirst, positionOf, profitAt, triggersNow } from './perp-result.ts'
import { actingPrice, tradingPrice } from './result.ts'
import { valueOutcome } from './spot-lines.tsx'

const cancelPerp = (order: WireOrder): Promise<WireOrder> => perp.cancel(order.id, order.symbol)
const none: readonly WirePosition[] = []

/** Lines of the orders and exits of a perp market. Those that close a position name what they would bring. */
export function usePerpLines(props: LineProps): readonly OwnLine[] {
  const { market, config } = props
  const { t } = useTranslation()
  const format = useFormats()
  const orders = usePerpOrders().data
  const account = usePerpAccount().data
  const [layout] = useLayout()
  const [cancel] = useCancel(cancelPerp)
  const scales = useMemo(() => scalesOf(config, market), [config, market])
  const mark = useRef<WireMark>(undefined)
  useEffect(() => watchMark(market.symbol, (next) => (mark.current = next)), [market])
  return useMemo(
    () =>
      (orders ?? []).flatMap((order): readonly OwnLine[] => {
        if (order.symbol !== market.symbol || order.perp?.liquidation === true) return []
        const position = positionOf(order, account?.positions ?? none)
        const at = actingPrice(order)
        const profitOf = (price: Decimal) => profitAt(order, tradingPrice(order, price), position, scales)
        const profit = at === undefined ? undefined : profitOf(at)
        const closes = isExit(order)
        const isWhole = order.perp?.closing === true
        const opens = position === undefined && order.perp?.reduceOnly !== true
        const caution = cautionOf({ leverage: opens ? settingOf(account, market.symbol).leverage : undefined })
        const kind = kindOf(order, t)
        const isProfit = closes && (order.side === 'sell') === (order.trigger?.direction === 'rises-to')
        const found = orderLine(
          order,
          {
            market,
            name: closes ? kind : `${t(order.side === 'buy' ? 'trade.buy' : 'trade.sell')} · ${kind}`,
            tone: (closes ? isProfit : order.side === 'buy') ? 'up' : 'down',
            ...(isWhole && position !== undefined && { quantity: position.quantity }),
            ...(profit !== undefined && { result: <Profit value={profit} /> }),
            outcomeAt: (price) =>
              profit === undefined ? (
                valueOutcome(order, price, market, config)
              ) : (
                <Outcome label="profit" before={profit} after={profitOf(price)} asset={market.quote} />
              ),
            caution: caution && cautionText(caution, t, format),
            asks: asksBefore(layout, at === undefined || order.status !== 'pending' ? 'limit' : `stop-${order.type}`, caution),
            stop: {
              warningAt: (price) =>
                isLiquidatedFirst(order, price, position) ? t('chart.own.afterLiquidation') : caution && cautionText(caution, t, format),
              faultAt: (price) => (triggersNow(order, price, mark.current?.mark) ? t('refusals.TRIGGER_IMMEDIATE') : undefined),
            },
            amend: perp.amend,
            cancel,
          },
          t,
          format,
        )
        return found === undefined ? [] : [found]
      }),
    [orders, account, market, config, scales, layout, cancel, t, format],
  )
}

/** Lines of the entry and the liquidation of the positions of a perp market. */
export function usePositionLines({ market, config }: LineProps): readonly OwnLine[] {
  const { t } = useTranslation()
  const format = useFormats()
  const positions = usePerpAccount().data?.positions
  const scales = useMemo(() => scalesOf(config, market), [config, market])
  return useMemo(
    () =>
      (positions ?? none).flatMap((position): readonly OwnLine[] => {
        if (position.symbol !== market.symbol) return []
        const isLong = position.side === 'buy'
        const lines: OwnLine[] = [
          {
            id: `entry-${position.id}`,
            price: atDigits(position.entryPrice, market.priceDigits),
            tone: 'brand',
            isDashed: false,
            name: `${t(isLong ? 'perp.long' : 'perp.short')} ${position.leverage}×`,
            quantity: format.exact(position.quantity),
            unit: market.base,
            result: <Unrealised position={position} scales={scales} />,
          },
        ]
        if (position.liquidationPrice !== null) {
          lines.push({
            id: `liquidation-${position.id}`,
            price: position.liquidationPrice,
            tone: 'warn',
            isDashed: true,
            name: t('perp.liquidationOrder'),
            result: <Distance position={position} scales={scales} />,
          })
        }
        return lines
      }),
    [positions, market, scales, t, format],
  )
}

/** A price with the digits of its market, which entry prices may exceed. Only for the place and the tag of a line. */
function atDigits(price: Decimal, digits: number): Decimal {
  const [whole = '0', part = ''] = price.split('.')
  return (part.length <= digits ? price : digits === 0 ? whole : `${whole}.${part.slice(0, digits)}`) as Decimal
}

type Live = { readonly position: WirePosition; readonly scales: Scales }

/** Profit and return at the mark. It renders with each mark, the lines around it don't. */
function Unrealised({ position, scales }: Live) {
  const standing = standingOf(position, useMark(position.symbol), scales)
  if (standing === undefined) return null
  return (
    <>
      <Profit value={standing.profit} /> <Profit value={standing.roe} isPercent />
    </>
  )
}

function Distance({ position, scales }: Live) {
  const { t } = useTranslation()
  const format = useFormats()
  const distance = standingOf(position, useMark(position.symbol), scales)?.distance
  return distance === undefined ? null : <>{t('chart.own.fromMark', { percent: format.percent(distance, 1) })}</>
}
