import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ChevronDown, LayoutGrid, Star } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { useQuote } from '../../app/quotes.ts'
import { deskPaths } from '../../app/preferences/layout.ts'
import { useTranslation } from '../../app/translate.ts'
import type { DeskParts } from './desk-parts.ts'
import { Coin } from '../funds/coin.tsx'
import { MarketList } from '../market/market-list.tsx'
import { IconButton } from '../ui/button.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { later } from '../ui/later.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { quoteOf } from './markets-of.ts'

const PerpFacts = later(() => import('./perp-facts.tsx').then((module) => module.PerpFacts))

/** The market of the desk: its name, its price and the figures of the day. */
export function SymbolBar({
  desk: { desk, market, line },
  isTablet,
  onArrange,
}: {
  readonly desk: DeskParts
  readonly isTablet: boolean
  readonly onArrange: () => void
}) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  const favourites = useFavourites()
  const isFavourite = favourites.symbols.includes(market.symbol)
  const pair = `${market.base}/${market.quote}`
  const isPerp = market.kind === 'perp'
  const close = (): void => setIsChoosing(false)
  return (
    <header className="tm-symbol">
      <h1>
        <button type="button" aria-haspopup="dialog" onClick={() => setIsChoosing(true)} className="tm-pair">
          <Coin asset={market.base} size={26} />
          <span className="sr-only">{t('trade.choosePair', { pair: isPerp ? `${pair} ${t('trade.perp')}` : pair })}</span>
          <span aria-hidden>{pair}</span>
          {isPerp && (
            <span aria-hidden className="rounded-chip bg-s2 px-1.5 py-0.5 text-11 font-medium text-fg2">
              {t('trade.perp')}
            </span>
          )}
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
        </button>
      </h1>
      <div className="tm-price">
        {line === undefined ? <Price symbol={market.symbol} tone className="tm-last" /> : line.price}
        <LiveChange symbol={market.symbol} className="text-12" />
      </div>
      <div className="tm-facts no-scrollbar">
        {line?.facts}
        {isPerp && (
          <Suspense fallback={null}>
            <PerpFacts market={market} />
          </Suspense>
        )}
        <DayFacts market={market} />
      </div>
      <span className="tm-actions">
        {line?.actions}
        <IconButton
          label={t('trade.favourite')}
          aria-pressed={isFavourite}
          className="tm-icon"
          onClick={() => favourites.toggle(market.symbol)}
        >
          <Star size={18} strokeWidth={1.75} aria-hidden className={isFavourite ? 'fill-warn text-warn' : ''} />
        </IconButton>
        {!isTablet && (
          <IconButton label={t('terminal.layout')} aria-haspopup="dialog" className="tm-icon" onClick={onArrange}>
            <LayoutGrid size={18} strokeWidth={1.75} aria-hidden />
          </IconButton>
        )}
      </span>
      {line === undefined ? (
        <Sheet isOpen={isChoosing} onClose={close} title={t('market.title')}>
          <MarketList
            kind={market.kind}
            quote={quoteOf(desk, market)}
            onChoose={(symbol) => {
              close()
              navigate(`${deskPaths[desk]}?symbol=${symbol}`, { replace: true })
            }}
          />
        </Sheet>
      ) : (
        isChoosing && <Suspense fallback={null}>{line.markets(close)}</Suspense>
      )}
    </header>
  )
}

function DayFacts({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(market.symbol)
  const facts = [
    [t('market.high'), format.quoted(quote?.high)],
    [t('market.low'), format.quoted(quote?.low)],
    [t('market.volume'), quote?.quoteVolume === undefined ? '–' : `${format.compact(quote.quoteVolume)} ${market.quote}`],
  ] as const
  return (
    <dl>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="tn">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
