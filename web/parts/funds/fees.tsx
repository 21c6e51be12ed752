import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** Trading fees of Spot or of Futures by 30-day volume. `current` marks the user's tier. */
export function Fees({ product = 'spot', current }: { readonly product?: 'spot' | 'perp'; readonly current?: number | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { feeTiers, perpFeeTiers } = useConfig().data ?? {}
  const tiers = product === 'perp' ? perpFeeTiers : feeTiers
  if (tiers === undefined) return <Skeleton className="h-52 w-full rounded-card" />
  return (
    <div className="overflow-x-auto rounded-card bg-s1">
      <table className="w-full text-13">
        <thead className="text-12 text-fg3">
          <tr>
            <th className="px-4 pt-3 pb-2 text-start font-medium">{t('shell.volume30d')}</th>
            <th className="px-2 pt-3 pb-2 text-end font-medium">{t('shell.maker')}</th>
            <th className="px-4 pt-3 pb-2 text-end font-medium">{t('shell.taker')}</th>
          </tr>
        </thead>
        <tbody className="tn">
          {tiers.map((tier, index) => (
            <tr
              key={tier.volumeMin}
              aria-current={index === current ? true : undefined}
              className={index === current ? 'bg-brandtint font-semibold' : ''}
            >
              <td className="px-4 py-2.5">
                {Number(tier.volumeMin) === 0 ? t('shell.everybody') : t('shell.feesFrom', { amount: format.compact(tier.volumeMin) })}
              </td>
              <td className="px-2 py-2.5 text-end">{format.ppm(tier.makerPpm)}</td>
              <td className="px-4 py-2.5 text-end">{format.ppm(tier.takerPpm)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
