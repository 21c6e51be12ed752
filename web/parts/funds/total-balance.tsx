import { Eye, EyeOff } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { set, useSettings } from '../../app/settings.ts'
import { Amount, Triangle } from '../ui/figure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { Total } from './total.tsx'

/** The user's total balance with today's profit or loss. The eye hides all amounts in the app. */
export function TotalBalance() {
  const { t } = useTranslation()
  const format = useFormats()
  const balances = useBalances()
  const isHidden = useSettings((settings) => settings.hideBalances)
  if (balances.isError && balances.data === undefined)
    return <Failure error={balances.error} onRetry={() => void balances.refetch()} isSmall />

  const { data } = balances
  const profit = data?.todayProfitUsdt ?? null
  const profitSign = profit === null ? 0 : Math.sign(Number(profit))
  return (
    <section aria-label={t('home.total')} className="flex flex-col gap-1">
      <div className="flex items-center gap-1">
        <h2 className="text-13 text-fg2">{t('home.total')}</h2>
        <button
          type="button"
          aria-pressed={isHidden}
          aria-label={isHidden ? t('home.showBalances') : t('home.hideBalances')}
          onClick={() => set({ hideBalances: !isHidden })}
          className="flex size-8 items-center justify-center text-fg3"
        >
          {isHidden ? <EyeOff size={18} strokeWidth={1.75} aria-hidden /> : <Eye size={18} strokeWidth={1.75} aria-hidden />}
        </button>
      </div>
      {data === undefined ? <Skeleton className="h-8 w-48" /> : <Total usdt={data.totalUsdt} label={t('home.switchUnit')} />}
      {data === undefined ? (
        <Skeleton className="h-4.5 w-36" />
      ) : (
        <p className="flex items-center gap-1.5 text-13 text-fg3">
          {t('home.today')}
          {isHidden ? (
            <Amount value="0" />
          ) : profit === null ? (
            <span>{t('home.todayNone')}</span>
          ) : (
            <span
              className={`tn inline-flex items-center gap-1 font-medium ${profitSign > 0 ? 'text-up' : profitSign < 0 ? 'text-down' : 'text-fg2'}`}
            >
              {profitSign !== 0 && <Triangle direction={profitSign > 0 ? 1 : -1} />}
              {profitSign > 0 ? '+' : profitSign < 0 ? '−' : ''}
              {format.usdt(profit.replace('-', ''))} USDT
            </span>
          )}
        </p>
      )}
    </section>
  )
}
