import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Field, type FieldProps } from '../fields/field.tsx'
import { strengthOf } from './password-strength.ts'

/** A password field with a button to show it and a caps lock warning. `meter` adds the strength of a new password, with reasons. */
export function PasswordField({
  meter = false,
  contact = '',
  hint,
  ...field
}: FieldProps & { readonly meter?: boolean; readonly contact?: string }) {
  const { t } = useTranslation()
  const [isShown, setIsShown] = useState(false)
  const [hasCaps, setHasCaps] = useState(false)
  const value = String(field.value ?? '')
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={128}
      onKeyUp={(event) => setHasCaps(event.getModifierState('CapsLock'))}
      hint={hasCaps ? t('auth.capsLock') : meter && value !== '' ? <Meter password={value} contact={contact} /> : hint}
      after={
        <button
          type="button"
          aria-label={isShown ? t('auth.hidePassword') : t('auth.showPassword')}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
          className="-me-2 flex size-10 items-center justify-center text-fg3"
        >
          {isShown ? <EyeOff size={20} strokeWidth={1.75} aria-hidden /> : <Eye size={20} strokeWidth={1.75} aria-hidden />}
        </button>
      }
    />
  )
}

function Meter({ password, contact }: { readonly password: string; readonly contact: string }) {
  const { t } = useTranslation()
  const { score, faults } = strengthOf(password, contact)
  const colour = score <= 1 ? 'bg-danger' : score === 2 ? 'bg-warn' : 'bg-ok'
  const word = [t('auth.strength0'), t('auth.strength1'), t('auth.strength2'), t('auth.strength3'), t('auth.strength4')][score]
  const reasons = {
    short: t('auth.faultShort'),
    long: t('auth.faultLong'),
    oneKind: t('auth.faultOneKind'),
    repeats: t('auth.faultRepeats'),
    sequence: t('auth.faultSequence'),
    contact: t('auth.faultContact'),
  }
  return (
    <span className="flex flex-col gap-1.5 pt-0.5">
      <span aria-hidden className="flex gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span key={step} className={`h-1 flex-1 rounded-full ${step <= Math.max(1, score) ? colour : 'bg-s3'}`} />
        ))}
      </span>
      <span className="text-fg2" aria-live="polite">
        {word}
        {faults.length > 0 && ` · ${faults.map((fault) => reasons[fault]).join(' · ')}`}
      </span>
    </span>
  )
}
