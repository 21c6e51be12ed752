import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { useMark } from '../../parts/perp/marks.ts'
import { clockOf, useCountdown } from '../../parts/ui/countdown.ts'
import { Skeleton } from '../../parts/ui/skeleton.tsx'

/** The next funding of every Futures market. */
export function Funding() {
  const { t } = useTranslation()
  const markets = useMarkets('perp')
  if (markets.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="px-4 text-17 font-semibold">{t('daily.funding.title')}</h2>
      <p className="px-4 text-13 text-pretty text-fg2">{t('daily.funding.lead')}</p>
      <table className="w-full">
        <thead>
          <tr className="text-12 text-fg3 [&>th]:pb-1 [&>th]:font-normal">
            <th scope="col" className="ps-4 text-start">
              {t('daily.funding.market')}
            </th>
            <th scope="col" className="ps-2 pe-4 text-end">
              {t('daily.funding.rate')} · {t('daily.funding.next')}
            </th>
          </tr>
        </thead>
        <tbody>
          {markets.map((market) => (
            <FundingRow key={market.symbol} market={market} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function FundingRow({ market }: { readonly market: WireMarket }) {
  const format = useFormats()
  const mark = useMark(market.symbol)
  const left = useCountdown(mark?.fundingAt)
  const rate = Number(mark?.fundingRate ?? 0)
  return (
    <tr className="h-14 active:bg-s2">
      <th scope="row" className="ps-4 text-start font-normal">
        <a href={`#/contract?symbol=${market.symbol}`} className="flex min-h-11 items-center gap-3">
          <Coin asset={market.base} size={28} />
          <span className="text-15 font-semibold">
            {market.base}
            <span className="text-12 font-normal text-fg3"> /{market.quote}</span>
          </span>
        </a>
      </th>
      <td className="ps-2 pe-4 text-end whitespace-nowrap">
        <span className={`tn block text-15 font-medium ${rate > 0 ? 'text-up' : rate < 0 ? 'text-down' : 'text-fg2'}`}>
          {mark === undefined ? (
            <Skeleton className="ms-auto h-4 w-16" />
          ) : (
            `${rate > 0 ? '+' : ''}${format.percent(mark.fundingRate, 4).replace('-', '−')}`
          )}
        </span>
        <span className="tn block text-12 text-fg3">{mark === undefined ? '–' : clockOf(left)}</span>
      </td>
    </tr>
  )
}
