import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { useLang } from '../../app/texts.ts'
import { useSettings } from '../../app/settings.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import type { PriceChart } from './chart.ts'
import type { ChartTexts } from './chart-look.ts'
import { LegendRow } from './legend-row.tsx'
import { useColours } from './use-colours.ts'
import type { View } from './use-view.ts'

type Shown = {
  readonly market: WireMarket
  readonly view: View
  readonly chart: RefObject<PriceChart | undefined>
  /** Called when the chart was created, or created again. */
  readonly onReady: () => void
}

type State = 'loading' | 'ready' | { readonly error: unknown }

/**
 * The chart's area on the screen. Its library is loaded after the area is rendered. `children` are drawn above the plot once there is a
 * chart.
 */
export function ChartArea({
  market,
  view,
  isFull,
  chart,
  version,
  onReady,
  children,
}: Shown & {
  /** Takes the whole height that is left; otherwise a share of the window. */
  readonly isFull: boolean
  /** Number of the chart: a new chart has another legend. */
  readonly version: number
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(market.symbol)
  const { element, state, retry } = useChart({ market, view, chart, onReady })
  const says =
    quote === undefined
      ? t('chart.title')
      : t('chart.says', {
          interval: view.interval,
          price: format.quoted(quote.price),
          high: format.quoted(quote.high),
          low: format.quoted(quote.low),
        })
  return (
    <div className={`relative isolate flex flex-col ${isFull ? 'min-h-0 flex-1' : 'h-[58vh] min-h-80'}`}>
      <LegendRow market={market} chart={chart} version={version} />
      <div className="relative min-h-0 flex-1">
        <div ref={element} role="img" aria-label={says} className="absolute inset-0" />
        {state === 'ready' && children}
      </div>
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
function useChart({ market, view, chart, onReady }: Shown): {
  readonly element: RefObject<HTMLDivElement | null>
  readonly state: State
  readonly retry: () => void
} {
  const { t } = useTranslation()
  const element = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<State>('loading')
  const [attempt, setAttempt] = useState(0)
  const zone = useSettings((settings) => settings.timeZone)
  const tag = useLang((state) => state.tag)
  const colours = useColours()
  const { keeping, interval, price, type, axis } = view
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
          keeping,
          texts: textsOf(words.current),
          tag,
          zone,
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
  }, [market, keeping, tag, zone, attempt, chart])

  useEffect(() => {
    first.current = { interval, price, type }
    chart.current?.setPrice(price)
    chart.current?.setInterval(interval)
  }, [interval, price, type, chart])

  useEffect(() => chart.current?.setAxis(axis), [axis, chart])

  useEffect(() => chart.current?.setLook(type), [type, colours, chart])

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
