import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** Volume of this exchange: the sum of its real trades only. `to`: where its heading leads. */
export function SiteVolume({ to }: { readonly to?: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const volume = useQuery({ queryKey: ['volume'], queryFn: () => client.market.volume(), refetchInterval: 30_000 })
  if (volume.isError && volume.data === undefined) return null
  const { data } = volume
  const parts = [
    { label: t('home.volume24h'), value: data?.h24 },
    { label: t('home.volume7d'), value: data?.d7 },
    { label: t('home.volume30d'), value: data?.d30 },
  ]
  return (
    <section className="mx-4 rounded-card bg-s1 p-4">
      <h2 className="text-13 font-medium text-fg2">
        {to === undefined ? (
          t('home.volume')
        ) : (
          <a href={`#${to}`} className="-my-2 flex min-h-11 items-center justify-between">
            {t('home.volume')}
            <ChevronRight size={18} strokeWidth={1.75} aria-hidden className="text-fg3" />
          </a>
        )}
      </h2>
      <dl className="mt-2.5 flex flex-wrap gap-3">
        {parts.map(({ label, value }) => (
          <div key={label} className="flex flex-1 flex-col-reverse">
            <dt className="text-11 text-fg3">{label}</dt>
            <dd className="tn text-17 font-semibold">
              {value === undefined ? <Skeleton className="my-1 h-4 w-16" /> : format.compact(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
