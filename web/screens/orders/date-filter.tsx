import { useTranslation } from '../../app/translate.ts'
import { lastDays, type Span } from './span.ts'

const control = 'h-8 rounded-chip bg-s2 px-2 text-12 font-medium text-fg'

/** Chooses the span of time of a list: any, one that ends today, or own days. */
export function DateFilter({ span, onChange }: { readonly span: Span; readonly onChange: (span: Span) => void }) {
  const { t } = useTranslation()
  const choose = (value: string): void =>
    onChange(value === 'own' ? { kind: 'own', from: '', to: '' } : value === '' ? { kind: 'any' } : { kind: 'last', days: Number(value) })
  return (
    <>
      <select
        aria-label={t('closed.dates.label')}
        value={span.kind === 'last' ? span.days : span.kind === 'own' ? 'own' : ''}
        onChange={(event) => choose(event.target.value)}
        className={control}
      >
        <option value="">{t('closed.dates.any')}</option>
        {lastDays.map((days) => (
          <option key={days} value={days}>
            {days === 1 ? t('closed.dates.today') : t('closed.dates.last', { days })}
          </option>
        ))}
        <option value="own">{t('closed.dates.own')}</option>
      </select>
      {span.kind === 'own' && (
        <div className="flex w-full flex-wrap gap-x-3 gap-y-1 py-1">
          {(['from', 'to'] as const).map((end) => (
            <label key={end} className="flex grow items-center gap-2 text-12 text-fg2">
              {t(`closed.dates.${end}`)}
              <input
                type="date"
                // Uncontrolled, because a year is typed digit by digit, and its first digits are no day that counts.
                defaultValue={span[end]}
                {...(end === 'from' ? { max: span.to || undefined } : { min: span.from || undefined })}
                onChange={(event) => onChange({ ...span, [end]: event.target.value })}
                className={`${control} tn grow`}
              />
            </label>
          ))}
        </div>
      )}
    </>
  )
}
