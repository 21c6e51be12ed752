import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { useOptionMe, useOptionTerms } from '../../parts/option/data.ts'
import { winRate } from '../../parts/option/order.ts'
import { signed } from '../../parts/option/words.ts'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'

const currency = 'USDT'

/** The total result of all settled orders, and the win rate needed to break even. */
export function Summary() {
  const { t } = useTranslation()
  const format = useFormats()
  const query = useOptionMe()
  const terms = useOptionTerms().data
  const isHidden = useSettings((settings) => settings.hideBalances)
  const me = query.data
  if (me === undefined)
    return (
      <div className="px-4 pb-3">
        {query.error === null ? (
          <Skeleton className="h-36 w-full rounded-card" />
        ) : (
          <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
        )}
      </div>
    )
  const net = Number(me.net)
  const rate = winRate(me.wins, me.losses)
  const shares = (terms?.rates ?? []).map((one) => Number(one.breakEven))
  const amount = format.number(Math.abs(net), 2, 2)
  return (
    <section aria-label={t('settled.summary')} className="mx-4 mb-3 flex flex-col gap-3 rounded-card bg-s1 p-4">
      <div>
        <h2 className="text-12 text-fg2">{t('settled.netAll')}</h2>
        <p className={`tn text-28 font-semibold ${isHidden ? '' : net > 0 ? 'text-up' : net < 0 ? 'text-down' : ''}`}>
          {isHidden ? '••••••' : `${signed(me.net, format)} ${currency}`}
        </p>
        {!isHidden && (
          <p className="text-13 text-fg2">
            {net < 0
              ? t('settled.netLoss', { amount, currency })
              : net > 0
                ? t('settled.netGain', { amount, currency })
                : t('settled.netZero')}
          </p>
        )}
      </div>
      <dl className="tn grid grid-cols-4 gap-2 text-15 [&_dd]:font-medium [&_dt]:text-11 [&_dt]:text-fg3">
        <div>
          <dt>{t('settled.rateWon')}</dt>
          <dd>{rate === undefined ? '–' : format.percent(rate, 1)}</dd>
        </div>
        <div>
          <dt>{t('settled.wins')}</dt>
          <dd>{format.number(me.wins)}</dd>
        </div>
        <div>
          <dt>{t('settled.losses')}</dt>
          <dd>{format.number(me.losses)}</dd>
        </div>
        <div>
          <dt>{t('settled.ties')}</dt>
          <dd>{format.number(me.ties)}</dd>
        </div>
      </dl>
      {shares.length > 0 && (
        <p className="text-12 text-fg3">
          {t('settled.needed', { least: format.percent(Math.min(...shares), 1), most: format.percent(Math.max(...shares), 1) })}
        </p>
      )}
    </section>
  )
}
