import type { WireRecordSum } from '@candor/core/protocol/wire/funds.ts'
import type { RecordSumsQuery } from '@candor/client/column/funds.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../../app/client.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { withinMonth } from './filter.ts'
import { byMonth, type Month } from './months.ts'

/** Coins whose sums a month shows before all are asked for. */
const coinsShown = 3

/** Items by month, newest first, each month below what came in and went out in it. */
export function MonthList<Item extends { readonly asset: string }>({
  items,
  timeOf,
  query,
  children,
}: {
  readonly items: readonly Item[]
  readonly timeOf: (item: Item) => number
  /** The filter of the sums. */
  readonly query: RecordSumsQuery
  readonly children: (items: readonly Item[], title: string) => ReactNode
}) {
  const tag = useLang((state) => state.tag)
  return (
    <>
      {byMonth(items, timeOf, tag).map((month) => (
        <section key={month.from}>
          <h2 className="sticky top-13 z-[5] bg-bg px-4 py-2 text-12 font-medium text-fg3">{month.title}</h2>
          <Sums month={month} query={query} />
          {children(month.items, month.title)}
        </section>
      ))}
    </>
  )
}

/** The sums of a month by coin. They are summed by the exchange over all its entries, not over the rows that are loaded. */
function Sums({ month, query }: { readonly month: Month<{ readonly asset: string }>; readonly query: RecordSumsQuery }) {
  const { t } = useTranslation()
  const [isAll, setIsAll] = useState(false)
  const wanted = withinMonth(query, month)
  const sums = useQuery({
    queryKey: ['own', 'balances', 'records', 'sums', wanted],
    queryFn: () => client.funds.recordSums(wanted),
    placeholderData: keepPreviousData,
  })
  if (sums.data === undefined && sums.error !== null) return null
  // Until the sums are there, the table has a row for each coin of the loaded rows, so that they don't move.
  const coins = [...new Set(month.items.map(({ asset }) => asset))]
  const all: readonly (Pick<WireRecordSum, 'asset'> & Partial<WireRecordSum>)[] = sums.data ?? coins.map((asset) => ({ asset }))
  if (all.length === 0) return null
  const shown = isAll ? all : all.slice(0, coinsShown)
  return (
    <div className="wide-sums no-scrollbar mx-4 mb-2 overflow-x-auto rounded-control bg-s1 px-3 py-2">
      <table className="w-full text-12" aria-label={t('records.sums', { month: month.title })}>
        <thead>
          <tr className="text-11 text-fg3 [&_th]:pb-1 [&_th]:font-normal">
            <th scope="col" className="text-start">
              {t('records.asset')}
            </th>
            <th scope="col" className="text-end">
              {t('records.in')}
            </th>
            <th scope="col" className="text-end">
              {t('records.out')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((sum) => (
            <tr key={sum.asset} className="[&>*]:py-0.5">
              <th scope="row" className="text-start font-medium">
                {sum.asset}
              </th>
              <td className="ps-2 text-end text-up">
                {sum.in === undefined ? <Skeleton className="ms-auto h-3 w-14" /> : <Amount value={sum.in} asset={sum.asset} isBare />}
              </td>
              <td className="ps-2 text-end">
                {sum.out === undefined ? <Skeleton className="ms-auto h-3 w-14" /> : <Amount value={sum.out} asset={sum.asset} isBare />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > coinsShown && !isAll && (
        <button type="button" onClick={() => setIsAll(true)} className="min-h-8 w-full text-12 font-medium text-brand">
          {t('records.allCoins', { coins: String(all.length) })}
        </button>
      )}
    </div>
  )
}
