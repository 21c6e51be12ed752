import { dailyAccounts, type WireDailyProfit, type WireProfitDay } from '@candor/core/protocol/wire/days/daily.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Info } from 'lucide-react'
import { useState } from 'react'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink, IconButton } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { daily } from './api.ts'
import { Calendar } from './calendar.tsx'
import { dayOf, monthFrom, monthOf, startOf, sumOf } from './days.ts'
import { Gain } from './figure.tsx'

function useProfits(month: string) {
  return useQuery({
    queryKey: ['own', 'balances', 'daily', month],
    queryFn: () => daily.profit(month),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
}

/** Today's profit by account, and the calendar of a month. */
export function Profits() {
  const { t } = useTranslation()
  const today = dayOf(Date.now())
  const [isExplained, setIsExplained] = useState(false)
  const present = useProfits(monthOf(today))
  const day = present.data?.days.find((one) => one.day === today)
  if (present.data === undefined)
    return present.error === null ? <ProfitsSkeleton /> : <Failure error={present.error} onRetry={() => void present.refetch()} />
  return (
    <div className="wide-columns flex flex-col gap-6 pt-4 pb-8">
      <section className="flex flex-col gap-3 px-4">
        <div className="flex items-center">
          <h2 className="flex-1 text-13 text-fg2">{t('daily.today')}</h2>
          <IconButton label={t('daily.how')} className="-me-2" onClick={() => setIsExplained(true)}>
            <Info size={20} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </div>
        <p className="-mt-2 text-28 font-semibold">
          <Gain value={day === undefined ? '0' : day.profitUsdt} unit="USDT" />
        </p>
        <Accounts day={day} />
        <ButtonLink to={`/daily?day=${today}`} variant="soft" size="medium" isWide>
          {t('daily.toStatement')}
        </ButtonLink>
      </section>
      <Month today={today} />
      <Sheet isOpen={isExplained} onClose={() => setIsExplained(false)} title={t('daily.how')}>
        <Definition />
      </Sheet>
    </div>
  )
}

/** What profit means here. */
export function Definition() {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-3 pb-4 text-15 text-pretty text-fg2">
      <p>{t('daily.definition.profit')}</p>
      <p>{t('daily.definition.flows')}</p>
      <p>{t('daily.definition.values')}</p>
    </div>
  )
}

function Accounts({ day }: { readonly day: WireProfitDay | undefined }) {
  const { t } = useTranslation()
  return (
    <dl className="rounded-card bg-s1 px-4 [&>*+*]:border-t [&>*+*]:border-line">
      {dailyAccounts.map((account) => (
        <div key={account} className="flex min-h-12 items-center justify-between gap-4">
          <dt className="text-15">{t(`daily.account.${account}`)}</dt>
          <dd className="text-15 font-medium">
            <Gain value={day === undefined ? '0' : day.accounts[account]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Month({ today }: { readonly today: string }) {
  const { t } = useTranslation()
  const { tag } = useLang()
  const [month, setMonth] = useState(monthOf(today))
  const query = useProfits(month)
  const name = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(startOf(month))
  return (
    <section className="flex flex-col gap-3 px-4">
      <div className="flex items-center">
        <h2 className="min-w-0 flex-1 text-17 font-semibold first-letter:uppercase">{name}</h2>
        <IconButton label={t('daily.previous')} onClick={() => setMonth(monthFrom(month, -1))}>
          <ChevronLeft size={22} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton
          label={t('daily.next')}
          disabled={month >= monthOf(today)}
          className="-me-2 disabled:opacity-30"
          onClick={() => setMonth(monthFrom(month, 1))}
        >
          <ChevronRight size={22} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      {query.data === undefined ? (
        query.error === null ? (
          <Skeleton className="h-72 w-full rounded-card" />
        ) : (
          <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
        )
      ) : (
        <Days data={query.data} month={month} />
      )}
      <p className="text-12 text-fg3">{t('daily.tapDay')}</p>
    </section>
  )
}

function Days({ data, month }: { readonly data: WireDailyProfit; readonly month: string }) {
  const { t } = useTranslation()
  const isLoading = data.month !== month
  const days = isLoading ? [] : data.days
  const sum = sumOf(days)
  return (
    <div className="flex flex-col gap-2 rounded-card bg-s1 p-3" aria-busy={isLoading}>
      <p className="flex items-baseline justify-between px-1 text-13 text-fg2">
        {t('daily.sum')}
        <span className="text-17 font-semibold">
          {isLoading ? <Skeleton className="h-4 w-20" /> : <Gain value={sum ?? 0} unit="USDT" />}
        </span>
      </p>
      <Calendar month={month} days={days} />
    </div>
  )
}

function ProfitsSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 px-4 pt-5">
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-60 w-full rounded-card" />
      <Skeleton className="h-11 w-full rounded-control" />
      <Skeleton className="h-80 w-full rounded-card" />
    </div>
  )
}
