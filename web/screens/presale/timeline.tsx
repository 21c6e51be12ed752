import type { WirePresaleDetail } from '@candor/core/protocol/wire/presale.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Stage, timelineOf } from './stages.ts'

const dots: Readonly<Record<Stage['phase'], string>> = {
  past: 'bg-fg3',
  now: 'bg-brand ring-4 ring-brandtint',
  coming: 'border-2 border-fg3 bg-s1',
}

/** Subscribing, lock-up and release with their dates. */
export function Timeline({ presale, now }: { readonly presale: WirePresaleDetail; readonly now: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const stages = timelineOf(presale, now)
  return (
    <ol aria-label={t('presale.timeline')} className="flex flex-col">
      {stages.map(({ name, from, until, phase }, n) => (
        <li key={name} aria-current={phase === 'now' ? 'step' : undefined} className="flex gap-3">
          <span aria-hidden className="flex w-4 flex-col items-center">
            <span className={`mt-1.5 size-2.5 shrink-0 rounded-full ${dots[phase]}`} />
            {n < stages.length - 1 && <span className="mt-1.5 w-px flex-1 bg-s3" />}
          </span>
          <span className={`flex min-w-0 flex-1 flex-col ${n < stages.length - 1 ? 'pb-4' : ''}`}>
            <span className={`text-15 ${phase === 'now' ? 'font-semibold' : 'font-medium'}`}>{t(`presale.stage.${name}`)}</span>
            <span className="tn flex flex-wrap gap-x-1 text-13 text-fg2">
              <span>{from === until ? format.dateTime(from) : `${format.dateTime(from)} –`}</span>
              {from !== until && <span>{format.dateTime(until)}</span>}
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}
