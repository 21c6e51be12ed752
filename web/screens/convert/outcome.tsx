import type { WireConversion } from '@candor/core/protocol/wire/convert.ts'
import { ArrowRight, CircleCheck, CircleSlash, LoaderCircle } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Amount } from '../../parts/ui/figure.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { Rate } from './rate.tsx'

/** A conversion on its way, its receipt, or why it ended without an exchange. */
export function Outcome({ conversion }: { readonly conversion: WireConversion }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { id, from, to, give, get, rate, inverse, state, acceptedAt, endedAt } = conversion
  const isFilled = state === 'filled'
  return (
    <>
      {state === 'accepted' ? (
        <Waiting text={t('convert.converting')} hint={t('convert.convertingHint')} />
      ) : isFilled ? (
        <div role="status" className="flex flex-col items-center gap-1 pt-2 pb-5 text-center">
          <CircleCheck size={44} strokeWidth={1.5} aria-hidden className="mb-1 text-ok" />
          <span className="text-13 text-fg2">{t('convert.received')}</span>
          <Amount
            value={get}
            asset={to}
            isFull
            isPrivate={false}
            className="max-w-full text-28 font-semibold break-words whitespace-normal!"
          />
        </div>
      ) : (
        <div role="status" className="flex flex-col items-center gap-2 pt-2 pb-5 text-center">
          <CircleSlash size={44} strokeWidth={1.5} aria-hidden className="text-warn" />
          <p className="text-15">{t(`convert.ended.${state}`)}</p>
          <p className="text-13 text-fg2">{t('convert.back', { amount: `${format.sum(give, from, true)} ${from}` })}</p>
        </div>
      )}
      <dl>
        {isFilled ? (
          <SummaryRow label={t('convert.gave')}>{`${format.sum(give, from, true)} ${from}`}</SummaryRow>
        ) : (
          <SummaryRow label={t('convert.quoted')}>
            <span className="inline-flex flex-wrap items-center justify-end gap-x-1.5">
              {`${format.sum(give, from, true)} ${from}`}
              <ArrowRight size={14} strokeWidth={1.75} aria-hidden className="text-fg3" />
              {`${format.sum(get, to, true)} ${to}`}
            </span>
          </SummaryRow>
        )}
        <SummaryRow label={t('convert.rate')}>
          <Rate {...{ from, to, rate, inverse }} />
        </SummaryRow>
        <SummaryRow label={t('convert.number')}>
          <span className="select-all">{id}</span>
        </SummaryRow>
        <SummaryRow label={t('convert.time')}>
          <time dateTime={new Date(endedAt ?? acceptedAt).toISOString()} title={format.utc(endedAt ?? acceptedAt)}>
            {format.date(endedAt ?? acceptedAt)}, {format.clock(endedAt ?? acceptedAt)}
          </time>
        </SummaryRow>
      </dl>
    </>
  )
}

/** What is being waited for, and what will end it. */
export function Waiting({ text, hint }: { readonly text: string; readonly hint: string }) {
  return (
    <div role="status" className="flex flex-col items-center gap-2 pt-2 pb-5 text-center">
      <LoaderCircle size={44} strokeWidth={1.5} aria-hidden className="animate-spin text-brand motion-reduce:animate-none" />
      <p className="text-17 font-semibold">{text}</p>
      <p className="text-13 text-fg2">{hint}</p>
    </div>
  )
}
