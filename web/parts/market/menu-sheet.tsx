import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ArrowLeftRight, BellRing, ChartCandlestick, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFavourites } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { LiveChange, Price } from '../ui/figure.tsx'
import { ActionRow, LinkRow } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'

/** What can be done with a market, below its day. */
export function MenuSheet({
  market: { symbol, base, quote: counter },
  onOpen,
  onClose,
}: {
  readonly market: WireMarket
  readonly onOpen: () => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const quote = useQuote(symbol)
  const favourites = useFavourites()
  const pair = `${base}/${counter}`
  const isFavourite = favourites.symbols.includes(symbol)
  return (
    <Sheet isOpen onClose={onClose} title={pair}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 pb-3 text-13">
        <Fact label={t('markets.price')}>
          <Price symbol={symbol} />
        </Fact>
        <Fact label={t('markets.change')}>
          <LiveChange symbol={symbol} />
        </Fact>
        <Fact label={t('market.high')}>{format.quoted(quote?.high)}</Fact>
        <Fact label={t('market.low')}>{format.quoted(quote?.low)}</Fact>
        <Fact label={t('market.volume')}>{quote?.quoteVolume === undefined ? '–' : `${format.compact(quote.quoteVolume)} ${counter}`}</Fact>
      </dl>
      <div className="-mx-4 [&>*+*]:border-t [&>*+*]:border-line">
        <ActionRow icon={<ArrowLeftRight size={20} strokeWidth={1.75} />} title={t('markets.trade', { pair })} onClick={onOpen} />
        <ActionRow
          icon={<Star size={20} strokeWidth={1.75} className={isFavourite ? 'fill-warn text-warn' : ''} />}
          title={isFavourite ? t('markets.unstar') : t('markets.star')}
          onClick={() => {
            favourites.toggle(symbol)
            onClose()
          }}
        />
        <LinkRow to={`/alerts?symbol=${symbol}`} icon={<BellRing size={20} strokeWidth={1.75} />} title={t('markets.alert')} />
        <LinkRow to={`/contractkline?symbol=${symbol}`} icon={<ChartCandlestick size={20} strokeWidth={1.75} />} title={t('trade.chart')} />
      </div>
    </Sheet>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-11 text-fg3">{label}</dt>
      <dd className="tn font-medium">{children}</dd>
    </div>
  )
}
