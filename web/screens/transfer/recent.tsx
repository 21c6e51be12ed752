import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { transfersIn } from './pairs.ts'

/** The last transfers with accounts, amount and time. */
export function Recent() {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['own', 'balances', 'transfers'],
    queryFn: () => client.funds.records({ type: 'transfer', limit: 40 }),
    staleTime: 5_000,
  })
  return (
    <section>
      <div className="flex flex-wrap items-center justify-between gap-x-3 px-4 pb-1">
        <h2 className="text-17 font-semibold">{t('accounts.move.recent')}</h2>
        <a href="#/propertyRecord?type=transfer" className="flex min-h-8 items-center text-13 font-medium text-brand">
          {t('assets.records')}
        </a>
      </div>
      <List items={query.data?.items} error={query.error} />
    </section>
  )
}

function List({ items, error }: { readonly items: readonly WireRecord[] | undefined; readonly error: unknown }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (items === undefined) return error === null ? <RowsSkeleton rows={3} /> : <Failure error={error} isSmall />
  const transfers = transfersIn(items)
  if (transfers.length === 0) return <Empty text={t('accounts.move.noRecent')} />
  return (
    <ul>
      {transfers.map(({ id, from, to, asset, amount, time }) => (
        <li key={id} className="flex min-h-15 flex-wrap items-center gap-x-3 px-4">
          <Coin asset={asset} size={28} />
          <span className="flex min-w-[50%] flex-1 flex-col">
            <span className="text-13 font-medium">
              {t('accounts.move.path', { from: t(`accounts.name.${from}`), to: t(`accounts.name.${to}`) })}
            </span>
            <time className="tn text-11 text-fg3" dateTime={new Date(time).toISOString()}>
              {format.dateTime(time)}
            </time>
          </span>
          <Amount value={amount} asset={asset} className="ms-auto text-15 font-medium" />
        </li>
      ))}
    </ul>
  )
}
