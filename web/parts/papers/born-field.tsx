import { useId } from 'react'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Born, dateParts } from './fields.ts'

/** A date of birth as three numbers, because a calendar is slow to reach a year long ago. */
export function BornField({
  value,
  onChange,
  onLeave,
  error,
}: {
  readonly value: Born
  readonly onChange: (born: Born) => void
  readonly onLeave: () => void
  readonly error?: string | undefined
}) {
  const { t } = useTranslation()
  const tag = useLang((state) => state.tag)
  const id = useId()
  const labels = { day: t('papers.day'), month: t('papers.month'), year: t('papers.year') }
  return (
    <fieldset
      data-field="born"
      className="min-w-0"
      aria-describedby={error === undefined ? undefined : `${id}-below`}
      onBlur={(event) => {
        const isInside = event.currentTarget.contains(event.relatedTarget)
        if (!isInside && Object.values(value).some((part) => part !== '')) onLeave()
      }}
    >
      <legend className="pb-1.5 text-13 font-medium text-fg2">{t('papers.born')}</legend>
      <div className="flex gap-2">
        {dateParts(tag).map((part) => (
          <label
            key={part}
            className={`flex min-w-0 flex-col rounded-control border bg-s2 px-3 pt-1.5 pb-1 focus-within:border-brand ${part === 'year' ? 'flex-[1.4]' : 'flex-1'} ${error === undefined ? 'border-transparent' : 'border-danger'}`}
          >
            <span className="text-11 text-fg2">{labels[part]}</span>
            <input
              value={value[part]}
              inputMode="numeric"
              maxLength={part === 'year' ? 4 : 2}
              autoComplete={`bday-${part}`}
              aria-invalid={error === undefined ? undefined : true}
              aria-describedby={error === undefined ? undefined : `${id}-below`}
              onChange={(event) => onChange({ ...value, [part]: event.target.value.replace(/\D/g, '') })}
              className="tn min-h-6 w-full bg-transparent text-15 outline-none"
            />
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-below`} role="alert" className="pt-1.5 text-12 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
