import type { WireStatement, WireStatementAccount, WireStatementSums } from '@candor/core/protocol/wire/days/daily.ts'
import { useQuery } from '@tanstack/react-query'
import { Download, Info } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMarkets } from '../../app/config.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { Chip } from '../../parts/ui/tabs.tsx'
import { daily } from './api.ts'
import { startOf } from './days.ts'
import { Definition } from './profits.tsx'
import { Coins, Debts, Prices, Value } from './statement-parts.tsx'

/** The statement of a day: of all accounts together, or of one. */
export function Statement({ day }: { readonly day: string }) {
  const { t } = useTranslation()
  const { tag } = useLang()
  const [isExplained, setIsExplained] = useState(false)
  const query = useQuery({
    queryKey: ['own', 'balances', 'statement', day],
    queryFn: () => daily.statement(day),
    staleTime: 30_000,
  })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(startOf(day))
  return (
    <>
      <PageHeader title={t('daily.statement.title')} fallback="/daily?view=mine">
        <IconButton label={t('daily.how')} onClick={() => setIsExplained(true)}>
          <Info size={20} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </PageHeader>
      <div className="flex flex-col gap-1 px-4 pb-4">
        <p className="text-22 font-semibold">{date}</p>
        <p className="text-13 text-fg2">{query.data?.isFinal === false ? t('daily.statement.notFinal') : t('daily.statement.utc')}</p>
      </div>
      {query.data === undefined ? (
        query.error === null ? (
          <StatementSkeleton />
        ) : (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : query.data.accounts.length === 0 ? (
        <Empty text={t('daily.statement.empty')} />
      ) : (
        <Body statement={query.data} />
      )}
      <Sheet isOpen={isExplained} onClose={() => setIsExplained(false)} title={t('daily.how')}>
        <Definition />
      </Sheet>
    </>
  )
}

const nameOf = ({ kind, symbol = '' }: WireStatementAccount): string => `${kind} ${symbol}`

function Body({ statement }: { readonly statement: WireStatement }) {
  const { t } = useTranslation()
  const markets = useMarkets()
  const [chosen, setChosen] = useState('all')
  const { accounts, total, prices, day } = statement
  const sums: WireStatementSums = accounts.find((one) => nameOf(one) === chosen) ?? total
  const isAll = sums === total
  const labelOf = ({ kind, symbol }: WireStatementAccount): string => {
    const market = markets.find((one) => one.symbol === symbol)
    if (kind === 'margin-isolated')
      return t('accounts.isolatedOf', { pair: market === undefined ? (symbol ?? '') : `${market.base}/${market.quote}` })
    return t(`accounts.name.${kind}`)
  }
  return (
    <div className="flex flex-col gap-6 pb-8">
      <div role="group" aria-label={t('daily.statement.account')} className="no-scrollbar flex gap-2 overflow-x-auto px-4">
        <Chip isOn={isAll} onClick={() => setChosen('all')}>
          {t('daily.statement.all')}
        </Chip>
        {accounts.map((one) => (
          <Chip key={nameOf(one)} isOn={sums === one} onClick={() => setChosen(nameOf(one))}>
            {labelOf(one)}
          </Chip>
        ))}
      </div>
      <Value value={sums.value} isAll={isAll} />
      <Coins coins={sums.coins} isAll={isAll} />
      <Debts debts={sums.debts} />
      <Prices prices={prices} used={[...sums.coins, ...sums.debts].map(({ asset }) => asset)} />
      <div className="flex flex-wrap gap-2 px-4">
        <FileLink day={day} format="pdf">
          {t('daily.statement.pdf')}
        </FileLink>
        <FileLink day={day} format="csv">
          {t('daily.statement.csv')}
        </FileLink>
      </div>
    </div>
  )
}

function FileLink({ day, format, children }: { readonly day: string; readonly format: 'csv' | 'pdf'; readonly children: ReactNode }) {
  const { locale } = useLang()
  const query = new URLSearchParams({ day, format, ...(format === 'pdf' ? { lang: locale } : {}) })
  return (
    <a
      href={`/app/v1/daily/statement/file?${query}`}
      download={`candor-${day}.${format}`}
      className="press flex min-h-11 flex-1 items-center justify-center gap-2 rounded-control bg-s2 px-3 text-13 font-medium whitespace-nowrap"
    >
      <Download size={16} strokeWidth={1.75} aria-hidden />
      {children}
    </a>
  )
}

function StatementSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 px-4">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="h-80 w-full rounded-card" />
      <Skeleton className="h-40 w-full rounded-card" />
    </div>
  )
}
