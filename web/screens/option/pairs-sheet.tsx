import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { navigate } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Price } from '../../parts/ui/figure.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'

/** The markets of Second; a paused one is marked. */
export function PairsSheet({
  current,
  terms,
  config,
  onClose,
}: {
  readonly current: string
  readonly terms: WireOptionTerms
  readonly config: WireConfig
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Sheet isOpen onClose={onClose} title={t('settled.pairs')}>
      <div role="radiogroup" aria-label={t('settled.pairs')} className="-mx-2 flex flex-col">
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
                onClose()
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
                <span className="rounded-chip bg-warntint px-2 py-0.5 text-12 text-fg2">{t('settled.paused')}</span>
              ) : (
                <Price symbol={symbol} className="text-15" />
              )}
            </button>
          )
        })}
      </div>
    </Sheet>
  )
}
