import { Star } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useFavourites } from '../../app/account.ts'
import { useMarkets } from '../../app/config.ts'
import { loadTickers, useQuotes, useTickersError } from '../../app/quotes.ts'
import { ButtonLink } from '../ui/button.tsx'
import { MarketRow } from './market-row.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { ranked, type Ranking } from './ranking.ts'

const rows = 5
const reorderEveryMs = 4_000

/** Five markets of a ranking. Prices are live; the order changes only every few seconds, so that taps hit the right row. */
export function Movers({ kinds }: { readonly kinds: readonly Ranking[] }) {
  const { t } = useTranslation()
  const all = useQuotes()
  const markets = useMarkets('spot')
  const { symbols: favourites } = useFavourites()
  const error = useTickersError()
  const [chosen, setKind] = useState<Ranking>()
  // The first list shown is never an empty one.
  const kind = chosen ?? kinds.find((value) => value !== 'favourites' || favourites.length > 0) ?? 'volume'
  const settled = useRef<{ readonly key: string; readonly at: number; readonly list: readonly string[] }>(undefined)

  const bySymbol = useMemo(() => new Map(markets.map((market) => [market.symbol, market])), [markets])
  const newest = useMemo(() => markets.toSorted((a, b) => b.id - a.id).map(({ symbol }) => symbol), [markets])
  const quotes = useMemo(() => all.filter(({ symbol }) => bySymbol.has(symbol)), [all, bySymbol])
  const key = `${kind} ${favourites.join()} ${quotes.length}`
  const now = Date.now()
  if (settled.current === undefined || settled.current.key !== key || now - settled.current.at > reorderEveryMs) {
    settled.current = { key, at: now, list: ranked(quotes, kind, kind === 'new' ? newest : favourites, rows) }
  }
  const names = {
    favourites: t('home.favourites'),
    gainers: t('home.gainers'),
    losers: t('home.losers'),
    new: t('home.new'),
    volume: t('home.byVolume'),
  }
  const empty = {
    favourites: t('home.noFavourites'),
    gainers: t('home.noGainers'),
    losers: t('home.noLosers'),
    new: t('home.noNew'),
    volume: t('home.noNew'),
  }
  const isLoading = quotes.length === 0 || markets.length === 0
  const shown = settled.current.list.flatMap((symbol) => bySymbol.get(symbol) ?? [])

  return (
    <section className="flex flex-col">
      <Tabs choices={kinds.map((value) => ({ value, label: names[value] }))} value={kind} onChange={setKind} label={t('home.movers')} />
      <div role="tabpanel" aria-label={names[kind]} className="min-h-75 pt-1">
        {error !== undefined && <Failure error={error} onRetry={() => void loadTickers()} />}
        {error === undefined && isLoading && <RowsSkeleton rows={rows} />}
        {!isLoading && shown.map(({ symbol, base, quote }) => <MarketRow key={symbol} symbol={symbol} base={base} quote={quote} />)}
        {!isLoading && shown.length === 0 && <Empty text={empty[kind]} icon={<Star size={22} strokeWidth={1.75} />} />}
      </div>
      <ButtonLink to="/market" variant="ghost" size="small" className="self-center">
        {t('home.allMarkets')}
      </ButtonLink>
    </section>
  )
}
