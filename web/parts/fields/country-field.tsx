import { countries } from '@candor/core/protocol/countries.ts'
import { ChevronDown, Search } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Field } from './field.tsx'
import { ChoiceRow } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'

/** The name of a country in the app's language. */
export function useCountryName(): (code: string) => string {
  const tag = useLang((state) => state.tag)
  return useMemo(() => {
    const names = new Intl.DisplayNames([tag], { type: 'region' })
    return (code) => names.of(code) ?? code
  }, [tag])
}

/** A country, chosen from a list with a search field. */
export function CountryField({
  label,
  value,
  onChange,
  error,
}: {
  readonly label: string
  readonly value: string | null
  readonly onChange: (code: string) => void
  readonly error?: string | undefined
}) {
  const { t } = useTranslation()
  const nameOf = useCountryName()
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-col gap-1.5">
      <span id={`${id}-label`} className="text-13 font-medium text-fg2">
        {label}
      </span>
      <button
        type="button"
        id={id}
        aria-haspopup="dialog"
        data-wrong={error === undefined ? undefined : ''}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={error === undefined ? undefined : `${id}-below`}
        onClick={() => setIsOpen(true)}
        className={`flex min-h-12 items-center gap-2 rounded-control border bg-s2 px-3.5 py-2 text-start ${error === undefined ? 'border-transparent' : 'border-danger'}`}
      >
        <span className={`min-w-0 flex-1 text-15 ${value === null ? 'text-fg2' : ''}`}>
          {value === null ? t('gates.chooseCountry') : nameOf(value)}
        </span>
        <ChevronDown size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
      </button>
      {error !== undefined && (
        <div id={`${id}-below`} role="alert" className="text-12 text-danger">
          {error}
        </div>
      )}
      <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={label}>
        {isOpen && (
          <Countries
            label={label}
            chosen={value}
            onChoose={(code) => {
              onChange(code)
              setIsOpen(false)
            }}
          />
        )}
      </Sheet>
    </div>
  )
}

function Countries({
  label,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly chosen: string | null
  readonly onChoose: (code: string) => void
}) {
  const { t } = useTranslation()
  const tag = useLang((state) => state.tag)
  const nameOf = useCountryName()
  const [text, setText] = useState('')
  const all = useMemo(() => {
    const order = new Intl.Collator(tag)
    return countries.map((code) => ({ code, name: nameOf(code) })).sort((a, b) => order.compare(a.name, b.name))
  }, [tag, nameOf])
  const wanted = plain(text.trim())
  const found = all.filter(({ code, name }) => plain(name).includes(wanted) || plain(code) === wanted)
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t('gates.searchCountry')}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        before={<Search size={18} strokeWidth={1.75} aria-hidden className="text-fg3" />}
      />
      <div role="radiogroup" aria-label={label} className="min-h-72">
        {found.map(({ code, name }) => (
          <ChoiceRow key={code} isOn={code === chosen} onClick={() => onChoose(code)} title={name} />
        ))}
        {found.length === 0 && <p className="py-6 text-center text-13 text-fg2">{t('gates.noCountry')}</p>}
      </div>
    </div>
  )
}

/** Without capitals and accents, so that "osterreich" finds Österreich. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
