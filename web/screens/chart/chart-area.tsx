import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { useSettings } from '../../app/settings.ts'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import type { PriceChart } from './chart.ts'
import type { ChartTexts } from './chart-look.ts'
import type { Kept, PriceName } from './kept.ts'

type Shown = {
  readonly market: WireMarket
  readonly interval: Interval
  readonly price: PriceName
  readonly type: Kept['type']
  readonly chart: RefObject<PriceChart | undefined>
  /** Called when the chart was created, or created again. */
  readonly onReady: () => void
}

type State = 'loading' | 'ready' | { readonly error: unknown }

/** The chart's area on the screen. Its library is loaded after the area is rendered. */
export function ChartArea({ market, interval, price, type, isFull, chart, onReady }: Shown & { readonly isFull: boolean }) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(market.symbol)
  const { element, state, retry } = useChart({ market, interval, price, type, chart, onReady })
  const says =
    quote === undefined
      ? t('chart.title')
      : t('chart.says', { interval, price: format.exact(quote.price), high: format.exact(quote.high), low: format.exact(quote.low) })
  return (
    <div className={`relative ${isFull ? 'min-h-0 flex-1' : 'h-[58vh] min-h-80'}`}>
      <div ref={element} role="img" aria-label={says} className="absolute inset-0" />
      {state === 'loading' && <Skeleton className="absolute inset-4 rounded-card" />}
      {typeof state === 'object' && (
        <div className="absolute inset-0 flex items-center justify-center bg-bg">
          <Failure error={state.error} onRetry={retry} />
        </div>
      )}
    </div>
  )
}

/** Creates the chart once its library is loaded, and passes the user's choices to it. */
function useChart({ market, interval, price, type, chart, onReady }: Shown): {
  readonly element: RefObject<HTMLDivElement | null>
  readonly state: State
  readonly retry: () => void
} {
  const { t } = useTranslation()
  const element = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<State>('loading')
  const [attempt, setAttempt] = useState(0)
  const zone = useSettings((settings) => settings.timeZone)
  const [theme, updown] = [useSettings((settings) => settings.theme), useSettings((settings) => settings.updown)]
  const first = useRef({ interval, price, type })
  // Kept in a ref, so that texts that load late don't create the chart again. The language is chosen on another screen.
  const words = useRef(t)
  const ready = useRef(onReady)
  ready.current = onReady

  useEffect(() => {
    let isGone = false
    let watch: ResizeObserver | undefined
    import('./chart.ts').then(
      (module) => {
        if (isGone || element.current === null) return
        const made = new module.PriceChart(element.current, {
          market,
          ...first.current,
          texts: textsOf(words.current),
          timezone: zone === 'utc' ? 'Etc/UTC' : undefined,
          onError: (error) => !isGone && setState({ error }),
          onLoaded: () => !isGone && setState('ready'),
        })
        chart.current = made
        ready.current()
        watch = new ResizeObserver(() => made.resize())
        watch.observe(element.current)
      },
      (error: unknown) => !isGone && setState({ error }),
    )
    return () => {
      isGone = true
      watch?.disconnect()
      chart.current?.close()
      chart.current = undefined
    }
  }, [market, zone, attempt, chart])

  useEffect(() => {
    first.current = { interval, price, type }
    chart.current?.setPrice(price)
    chart.current?.setInterval(interval)
  }, [interval, price, type, chart])

  useEffect(() => {
    // The new colours apply once the attributes of <html> are set, a frame later.
    const frame = requestAnimationFrame(() => chart.current?.setLook(type))
    return () => cancelAnimationFrame(frame)
  }, [type, theme, updown, chart])

  const retry = (): void => {
    setState('loading')
    setAttempt(attempt + 1)
  }
  return { element, state, retry }
}

function textsOf(t: ReturnType<typeof useTranslation>['t']): ChartTexts {
  return {
    time: t('chart.legend.time'),
    open: t('chart.legend.open'),
    high: t('chart.legend.high'),
    low: t('chart.legend.low'),
    close: t('chart.legend.close'),
    volume: t('chart.legend.volume'),
    change: t('chart.legend.change'),
    turnover: t('chart.legend.turnover'),
    second: t('chart.legend.second'),
    minute: t('chart.legend.minute'),
    hour: t('chart.legend.hour'),
    day: t('chart.legend.day'),
    week: t('chart.legend.week'),
    month: t('chart.legend.month'),
    year: t('chart.legend.year'),
  }
}
