import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { ChevronDown, CircleHelp, History, ShieldHalf } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { IconButton } from '../../parts/ui/button.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { LiveChange } from '../../parts/ui/figure.tsx'
import { useLiveIndex } from '../../parts/live/live-index.ts'
import { useNow } from '../../parts/live/clock.ts'
import { LimitsSheet, PairsSheet, RulesSheet } from './later.ts'

type Props = {
  readonly market: WireMarket
  readonly terms: WireOptionTerms
  readonly config: WireConfig
}

/** The market with its current index, and links to the rules, the user's limits and the records. */
export function PairHeader({ market, terms, config }: Props) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <header className="flex flex-col gap-1 px-4">
      <div className="-mx-1 flex items-center">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t('option.choosePair', { pair: `${market.base}/${market.quote}` })}
          onClick={() => setIsChoosing(true)}
          className="press flex min-h-11 min-w-0 flex-1 items-center gap-2 px-1"
        >
          <Coin asset={market.base} size={24} />
          <span className="truncate text-17 font-semibold">
            {market.base}/{market.quote}
          </span>
          <ChevronDown size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
        </button>
        <DeskLinks market={market} terms={terms} config={config} />
      </div>
      <IndexPrice market={market} config={config} />
      <Suspense fallback={null}>
        {isChoosing && <PairsSheet current={market.symbol} terms={terms} config={config} onClose={() => setIsChoosing(false)} />}
      </Suspense>
    </header>
  )
}

/** The rules, the user's limits and the records. */
export function DeskLinks({ market, terms, config, className = '' }: Props & { readonly className?: string }) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const [sheet, setSheet] = useState<'rules' | 'limits'>()
  const close = (): void => setSheet(undefined)
  return (
    <>
      <IconButton label={t('option.rules')} aria-haspopup="dialog" className={className} onClick={() => setSheet('rules')}>
        <CircleHelp size={20} strokeWidth={1.75} aria-hidden />
      </IconButton>
      {!isVisitor && (
        <IconButton label={t('option.limits')} aria-haspopup="dialog" className={className} onClick={() => setSheet('limits')}>
          <ShieldHalf size={20} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
      <IconButton label={t('option.records')} className={className} onClick={() => navigate('/optionentrust')}>
        <History size={20} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <Suspense fallback={null}>
        {sheet === 'rules' && <RulesSheet terms={terms} config={config} onClose={close} />}
        {sheet === 'limits' && <LimitsSheet currency={market.quote} onClose={close} />}
      </Suspense>
    </>
  )
}

/** The sources of the index as a text; undefined while no venue answers. */
export function sourceOf({ mode, venues }: WireConfig['feed'], t: Translate): string | undefined {
  if (mode === 'simulated') return t('option.simulated')
  if (mode === 'replay') return t('shell.pricesReplay')
  const count = venues.filter((venue) => venue.isUp).length
  return count === 0 ? undefined : t('option.sources', { count })
}

function IndexPrice({ market, config }: Omit<Props, 'terms'>) {
  const { t } = useTranslation()
  const source = sourceOf(config.feed, t)
  return (
    <div className="flex items-end justify-between gap-4">
      <div className="flex min-w-0 flex-col">
        <IndexFigure market={market} className="text-28 font-semibold" />
        <span className="text-12 text-fg3">{source === undefined ? t('option.index') : `${t('option.index')} · ${source}`}</span>
      </div>
      <LiveChange symbol={market.symbol} chip className="mb-5 text-13" />
    </div>
  )
}

/** The current index, in the colour of its last move; grey while it is old. */
export function IndexFigure({ market, className }: { readonly market: WireMarket; readonly className: string }) {
  const format = useFormats()
  const { price, points, at, isLive } = useLiveIndex(market.symbol)
  const now = useNow(1_000)
  if (price === undefined) return <span aria-hidden className="skeleton h-8 w-40" />
  const isStale = !isLive || now - at > 5_000
  const before = points.at(-2)?.[1]
  const last = points.at(-1)?.[1]
  const tone = isStale || before === undefined || last === undefined || last === before ? '' : last > before ? 'text-up' : 'text-down'
  return (
    <span className={`tn ${className} ${isStale ? 'text-fg3' : tone}`}>{format.number(price, market.priceDigits, market.priceDigits)}</span>
  )
}
