import { ChevronDown, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useLang } from '../../app/texts.ts'
import { isPhoneLike } from './contact.ts'
import { countriesIn, dialOf, likelyCountry } from './countries.ts'
import { Field } from '../fields/field.tsx'
import { ChoiceRow } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'

/** The country of phone numbers without a calling code, guessed until it is chosen. */
export function useCountry(): readonly [string, (code: string) => void] {
  const lang = useLang((state) => state.lang)
  const [chosen, choose] = useState<string>()
  return [chosen ?? likelyCountry(navigator.languages, lang), choose]
}

/** One field for an email address or a phone number. A country appears as soon as the text looks like a phone number. */
export function ContactField({
  value,
  onChange,
  country,
  onCountry,
  error,
  autoComplete = 'username',
  isDisabled = false,
  label,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly country: string
  readonly onCountry: (code: string) => void
  readonly error?: string | undefined
  readonly autoComplete?: string
  readonly isDisabled?: boolean
  /** Where only one of the two is meant. */
  readonly label?: string
}) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const isPhone = isPhoneLike(value)
  const hasOwnCode = /^\s*(\+|00)/.test(value)
  return (
    <>
      <Field
        label={label ?? t('common.contact')}
        placeholder={label === undefined ? t('auth.contactHint') : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={error}
        disabled={isDisabled}
        autoComplete={autoComplete}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        inputMode="email"
        name="username"
        before={
          isPhone && !hasOwnCode ? (
            <button
              type="button"
              onClick={() => setIsOpen(true)}
              aria-label={t('auth.country', { code: dialOf(country) })}
              className="tn -ms-1 flex min-h-8 items-center gap-1 rounded-chip bg-s3 px-2 text-13"
            >
              {country} +{dialOf(country)}
              <ChevronDown size={14} aria-hidden />
            </button>
          ) : undefined
        }
      />
      <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('auth.chooseCountry')}>
        {isOpen && (
          <Countries
            chosen={country}
            onChoose={(code) => {
              onCountry(code)
              setIsOpen(false)
            }}
          />
        )}
      </Sheet>
    </>
  )
}

function Countries({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (code: string) => void }) {
  const { t } = useTranslation()
  const tag = useLang((state) => state.tag)
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase().replace(/^\+/, '')
  const found = countriesIn(tag).filter(
    ({ name, dial, code }) =>
      wanted === '' || name.toLowerCase().includes(wanted) || dial.startsWith(wanted) || code.toLowerCase() === wanted,
  )
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t('auth.searchCountry')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        before={<Search size={18} strokeWidth={1.75} aria-hidden className="text-fg3" />}
      />
      <div role="radiogroup" aria-label={t('auth.chooseCountry')} className="min-h-72">
        {found.map(({ code, dial, name }) => (
          <ChoiceRow
            key={code}
            isOn={code === chosen}
            onClick={() => onChoose(code)}
            title={name}
            value={<span className="tn">+{dial}</span>}
          />
        ))}
        {found.length === 0 && <p className="py-6 text-center text-13 text-fg2">{t('auth.noCountry')}</p>}
      </div>
    </div>
  )
}
