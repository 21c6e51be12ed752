import { useConfig } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { CountryField, useCountryName } from './country-field.tsx'

/** Whether the exchange serves residents of a country. Until that is known, it does. */
export function useIsServed(): (country: string) => boolean {
  const unserved = useConfig().data?.unservedCountries ?? []
  return (country) => !unserved.includes(country)
}

/** The country of residence. One that is not served is named at once. */
export function ResidenceField({
  value,
  onChange,
  isMissing,
}: {
  readonly value: string | undefined
  readonly onChange: (country: string) => void
  readonly isMissing: boolean
}) {
  const { t } = useTranslation()
  const nameOf = useCountryName()
  const isServed = useIsServed()
  const error =
    value === undefined
      ? isMissing
        ? t('gates.residenceMissing')
        : undefined
      : isServed(value)
        ? undefined
        : t('gates.unserved', { country: nameOf(value) })
  return (
    <div className="flex flex-col gap-1.5">
      <CountryField label={t('gates.residence')} value={value ?? null} onChange={onChange} error={error} />
      {error === undefined && <p className="text-12 text-fg2">{t('gates.residenceHint')}</p>}
    </div>
  )
}
