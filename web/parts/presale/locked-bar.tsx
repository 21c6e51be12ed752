import type { WirePresaleSubscription } from '@candor/core/protocol/wire/presale.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../ui/figure.tsx'
import { Bar } from './bar.tsx'
import { partOf } from './standing.ts'
import { useFormats } from '../../app/format.ts'

/** How many of the allocated tokens are released, and how many locked. */
export function LockedBar({ subscription: { symbol, allocated, released, locked } }: { readonly subscription: WirePresaleSubscription }) {
  const { t } = useTranslation()
  const format = useFormats()
  const percent = partOf(released, allocated)
  return (
    <div className="flex flex-col gap-1.5">
      <Bar percent={percent} label={t('presale.released')} text={format.percent(percent, 0)} />
      <dl className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-12">
        <div>
          <dt className="text-fg3">{t('presale.released')}</dt>
          <dd className="font-medium">
            <Amount value={released ?? '0'} asset={symbol} />
          </dd>
        </div>
        <div>
          <dt className="text-fg3">{t('presale.locked')}</dt>
          <dd className="font-medium">
            <Amount value={locked ?? '0'} asset={symbol} />
          </dd>
        </div>
      </dl>
    </div>
  )
}
