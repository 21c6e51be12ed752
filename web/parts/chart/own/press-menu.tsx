import type { Decimal } from '@candor/core/money/brand.ts'
import { formatTicks } from '@candor/core/money/price.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useMutation } from '@tanstack/react-query'
import { BellPlus, Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { queries } from '../../../app/client.ts'
import { navigate } from '../../../app/location.ts'
import { useFormats } from '../../../app/format.ts'
import { tick as vibrate } from '../../../app/haptics.ts'
import { quotesNow } from '../../../app/quotes.ts'
import { useTranslation } from '../../../app/translate.ts'
import { alerts, alertsQuery } from '../../market/alerts-api.ts'
import { Button } from '../../ui/button.tsx'
import { toast, toastProblem } from '../../ui/toast.tsx'
import { deskOf } from '../../market/desk-of.ts'
import type { PriceChart } from '../chart.ts'
import type { Frame } from '../frame.ts'
import type { PriceName } from '../kept.ts'

const holdMs = 450
const slipMax = 8

type Place = { readonly y: number; readonly price: Decimal }
type Props = {
  readonly market: WireMarket
  /** The price that the candles show, which the alert follows. */
  readonly source: PriceName
  readonly chart: RefObject<PriceChart | undefined>
  readonly version: number
}

/**
 * Offers a price alert and a limit order at the price where the chart was pressed for long, or right-clicked. The crosshair follows the
 * finger until it is lifted.
 */
export function PressMenu({ market, source, chart, version }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const anchor = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>()
  usePress(anchor, { chart, version, tick: market.tick, onPlace: setPlace })
  const create = useMutation({
    mutationFn: (level: Decimal) => {
      const last = source === 'last' ? quotesNow().get(market.symbol)?.price : undefined
      const condition = last !== undefined && Number(level) < Number(last) ? ('below' as const) : ('above' as const)
      return alerts.createAlert({ symbol: market.symbol, condition, source, level, note: '', isOn: true, isReachedFine: true })
    },
    onSuccess: () => toast({ text: t('alerts.created'), tone: 'good' }),
    onError: (error) => toastProblem(error, t),
    onSettled: () => {
      setPlace(undefined)
      return queries.invalidateQueries({ queryKey: alertsQuery })
    },
  })
  return (
    <div ref={anchor} className="pointer-events-none absolute inset-0 z-20 overflow-hidden">
      {place !== undefined && (
        <div
          className="pointer-events-auto absolute flex flex-col gap-1 rounded-control bg-bg"
          style={{ right: 64, top: `clamp(4px, ${place.y - 46}px, 100% - 96px)` }}
        >
          <Button variant="soft" size="small" className="min-h-11" onClick={() => navigate(ticketAt(market, place.price))}>
            <Plus size={16} strokeWidth={1.75} aria-hidden />
            {t('chart.own.orderAt', { price: format.exact(place.price) })}
          </Button>
          <Button variant="soft" size="small" className="min-h-11" isBusy={create.isPending} onClick={() => create.mutate(place.price)}>
            <BellPlus size={16} strokeWidth={1.75} aria-hidden />
            {t('chart.own.alertAt', { price: format.exact(place.price) })}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The ticket of the market with the price, on the side on which the order would rest. */
function ticketAt(market: WireMarket, price: Decimal): string {
  const last = quotesNow().get(market.symbol)?.price
  return `${deskOf(market)}&side=${last !== undefined && Number(price) > Number(last) ? 'sell' : 'buy'}&price=${price}`
}

type Press = Pick<Props, 'chart' | 'version'> & { readonly tick: Decimal; readonly onPlace: (place: Place | undefined) => void }

/** Follows presses on the chart around `anchor`. */
function usePress(anchor: RefObject<HTMLDivElement | null>, { chart, version, tick, onPlace }: Press): void {
  useEffect(() => {
    const around = anchor.current?.parentElement
    if (around == null) return
    let frame: Frame | undefined
    let held: { readonly x: number; readonly y: number; isLong: boolean } | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = chart.current?.onFrame((next) => (frame = next))
    const isOwn = (target: EventTarget | null): boolean =>
      target instanceof Element && target.closest('button, [data-price], [data-pad]') !== null
    const offer = (clientY: number): void => {
      const y = clientY - around.getBoundingClientRect().top
      if (frame === undefined || y < 0 || y > frame.height) return
      const ticks = Math.round(frame.priceAt(y) / Number(tick))
      if (ticks > 0) onPlace({ y, price: formatTicks(ticks, tick) })
    }
    const down = (event: PointerEvent): void => {
      if (isOwn(event.target)) return
      onPlace(undefined)
      clearTimeout(timer)
      held = event.pointerType === 'touch' && event.isPrimary ? { x: event.clientX, y: event.clientY, isLong: false } : undefined
      timer = setTimeout(() => {
        if (held === undefined) return
        held.isLong = true
        vibrate()
      }, holdMs)
    }
    const move = (event: PointerEvent): void => {
      if (held === undefined || held.isLong) return
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > slipMax) held = undefined
    }
    const up = (event: PointerEvent): void => {
      if (held?.isLong === true) offer(event.clientY)
      held = undefined
      clearTimeout(timer)
    }
    const menu = (event: MouseEvent): void => {
      if (isOwn(event.target)) return
      event.preventDefault()
      if (held === undefined) offer(event.clientY)
    }
    const end = (): void => {
      held = undefined
    }
    around.addEventListener('pointerdown', down)
    around.addEventListener('pointermove', move)
    around.addEventListener('pointerup', up)
    around.addEventListener('pointercancel', end)
    around.addEventListener('contextmenu', menu)
    return () => {
      leave?.()
      clearTimeout(timer)
      around.removeEventListener('pointerdown', down)
      around.removeEventListener('pointermove', move)
      around.removeEventListener('pointerup', up)
      around.removeEventListener('pointercancel', end)
      around.removeEventListener('contextmenu', menu)
    }
  }, [anchor, chart, version, tick, onPlace])
}
