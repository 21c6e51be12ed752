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

/** The market with its current index, and links to the rules, the user's limits and the records. */
export function PairHeader({
  market,
  terms,
  config,
}: {
  readonly market: WireMarket
  readonly terms: WireOptionTerms
  readonly config: WireConfig
}) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const [sheet, setSheet] = useState<'pairs' | 'rules' | 'limits'>()
  const close = (): void => setSheet(undefined)
  return (
    <header className="flex flex-col gap-1 px-4">
      <div className="-mx-1 flex items-center">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={t('option.choosePair', { pair: `${market.base}/${market.quote}` })}
          onClick={() => setSheet('pairs')}
          className="press flex min-h-11 min-w-0 flex-1 items-center gap-2 px-1"
        >
          <Coin asset={market.base} size={24} />
          <span className="truncate text-17 font-semibold">
            {market.base}/{market.quote}
          </span>
          <ChevronDown size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
        </button>
        <IconButton label={t('option.rules')} aria-haspopup="dialog" onClick={() => setSheet('rules')}>
          <CircleHelp size={20} strokeWidth={1.75} aria-hidden />
        </IconButton>
        {!isVisitor && (
          <IconButton label={t('option.limits')} aria-haspopup="dialog" onClick={() => setSheet('limits')}>
            <ShieldHalf size={20} strokeWidth={1.75} aria-hidden />
          </IconButton>
        )}
        <IconButton label={t('option.records')} onClick={() => navigate('/optionentrust')}>
          <History size={20} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      <IndexPrice market={market} config={config} />
      <Suspense fallback={null}>
        {sheet === 'pairs' && <PairsSheet current={market.symbol} terms={terms} config={config} onClose={close} />}
        {sheet === 'rules' && <RulesSheet terms={terms} config={config} onClose={close} />}
        {sheet === 'limits' && <LimitsSheet currency={market.quote} onClose={close} />}
      </Suspense>
    </header>
  )
}

/** The sources of the index as a text; undefined while no venue answers. */
function sourceOf({ mode, venues }: WireConfig['feed'], t: Translate): string | undefined {
  if (mode === 'simulated') return t('option.simulated')
  if (mode === 'replay') return t('shell.pricesReplay')
  const count = venues.filter((venue) => venue.isUp).length
  return count === 0 ? undefined : t('option.sources', { count })
}

function IndexPrice({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { price, points, at, isLive } = useLiveIndex(market.symbol)
  const now = useNow(1_000)
  const isStale = !isLive || now - at > 5_000
  const before = points.at(-2)?.[1]
  const last = points.at(-1)?.[1]
  const tone = isStale || before === undefined || last === undefined || last === before ? '' : last > before ? 'text-up' : 'text-down'
  const source = sourceOf(config.feed, t)
  return (
    <div className="flex items-end justify-between gap-4">
      <div className="flex min-w-0 flex-col">
        {price === undefined ? (
          <span aria-hidden className="skeleton h-8 w-40" />
        ) : (
          <span className={`tn text-28 font-semibold ${isStale ? 'text-fg3' : tone}`}>
            {format.number(price, market.priceDigits, market.priceDigits)}
          </span>
        )}
        <span className="text-12 text-fg3">{source === undefined ? t('option.index') : `${t('option.index')} · ${source}`}</span>
      </div>
      <LiveChange symbol={market.symbol} chip className="mb-5 text-13" />
    </div>
  )
}
