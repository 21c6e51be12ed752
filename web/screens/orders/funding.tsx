import type { WireFunding } from '@candor/core/protocol/wire/perp.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Endless } from '../../parts/lists/endless.tsx'
import { perp } from '../../parts/perp/api.ts'
import { Profit } from '../../parts/funds/profit.tsx'
import { Nothing } from './orders.tsx'
import { pageQuery } from './past.tsx'
import type { Bounds } from './span.ts'

/** Received and paid funding, newest first. */
export function FundingList({ symbol, bounds }: { readonly symbol: string; readonly bounds: Bounds }) {
  const { t } = useTranslation()
  const format = useFormats()
  const markets = useMarkets('perp')
  return (
    <Endless<WireFunding>
      queryKey={['own', 'perp', 'funding', symbol, bounds]}
      page={(before) => perp.funding({ ...pageQuery(symbol, bounds, before), limit: 50 })}
      empty={<Nothing product="perp" text={t('closed.noFunding')} bounds={bounds} />}
    >
      {(items) => (
        <ul>
          {items.map((item) => {
            const market = markets.find((one) => one.symbol === item.symbol)
            return (
              <li
                key={item.id}
                className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-3 last:border-0"
              >
                <span className="text-15 font-semibold">{market === undefined ? item.symbol : `${market.base}/${market.quote}`}</span>
                <Profit value={item.amount} asset={market?.quote ?? 'USDT'} className="text-15 font-medium" />
                <span className="tn w-full text-12 text-fg2">
                  {`${t('closed.rate')} ${format.percent(item.rate, 4)} · ${t('trade.size')} ${format.exact(item.quantity)} ${market?.base ?? ''}`}
                  <time className="float-end text-11 text-fg3" dateTime={new Date(item.time).toISOString()} title={format.utc(item.time)}>
                    {format.dateTime(item.time)}
                  </time>
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Endless>
  )
}
