import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { ChevronDown, CircleHelp, History, ShieldHalf } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../../parts/button.tsx'
import { Coin } from '../../parts/coin.tsx'
import { LiveChange, Price } from '../../parts/figure.tsx'
import { useLiveIndex } from '../../parts/option/live-index.ts'
import { useNow } from '../../parts/option/clock.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { LimitsSheet } from './limits-sheet.tsx'
import { RulesSheet } from './rules-sheet.tsx'

/** Which market this is, its index as it stands, and the ways to the rules, the own limits and the records. */
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
      <Sheet isOpen={sheet === 'pairs'} onClose={close} title={t('option.pairs')}>
        <Pairs current={market.symbol} terms={terms} config={config} onChoose={close} />
      </Sheet>
      {sheet === 'rules' && <RulesSheet terms={terms} config={config} onClose={close} />}
      {sheet === 'limits' && <LimitsSheet currency={market.quote} onClose={close} />}
    </header>
  )
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
  const sources = config.feed.venues.filter((venue) => venue.isUp).length
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
        <span className="text-12 text-fg3">{`${t('option.index')} · ${t('option.sources', { count: sources })}`}</span>
      </div>
      <LiveChange symbol={market.symbol} chip className="mb-5 text-13" />
    </div>
  )
}

/** The markets with Second; one that is paused says so. */
function Pairs({
  current,
  terms,
  config,
  onChoose,
}: {
  readonly current: string
  readonly terms: WireOptionTerms
  readonly config: WireConfig
  readonly onChoose: () => void
}) {
  const { t } = useTranslation()
  return (
    <div role="radiogroup" aria-label={t('option.pairs')} className="-mx-2 flex flex-col">
      {terms.markets.map(({ symbol, isPaused }) => {
        const market = config.markets.find((one) => one.symbol === symbol)
        if (market === undefined) return null
        return (
          <button
            key={symbol}
            type="button"
            role="radio"
            aria-checked={symbol === current}
            onClick={() => {
              onChoose()
              navigate(`/Second?symbol=${symbol}`, { replace: true })
            }}
            className={`flex min-h-13 items-center gap-3 rounded-control px-2 text-start ${symbol === current ? 'bg-brandtint' : 'active:bg-s2'}`}
          >
            <Coin asset={market.base} size={28} />
            <span className="min-w-0 flex-1 text-15 font-medium">
              {market.base}
              <span className="text-12 font-normal text-fg2"> /{market.quote}</span>
            </span>
            {isPaused ? (
              <span className="rounded-chip bg-warntint px-2 py-0.5 text-12 text-fg2">{t('option.paused')}</span>
            ) : (
              <Price symbol={symbol} className="text-15" />
            )}
          </button>
        )
      })}
    </div>
  )
}
