import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { PasswordField } from '../account/password-field.tsx'

/** A new password and its repetition, with errors after `check` was called. */
export function usePasswordPair() {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [wasChecked, setWasChecked] = useState(false)
  const length = [...password].length
  const isLong = length >= 8 && length <= 128
  const check = (): boolean => {
    setWasChecked(true)
    return isLong && password === again
  }
  const fields = (
    <>
      <PasswordField
        label={t('auth.newPassword')}
        autoComplete="new-password"
        meter
        hint={t('auth.passwordHint')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={wasChecked && !isLong ? t('auth.passwordWeak') : undefined}
      />
      <PasswordField
        label={t('auth.passwordAgain')}
        autoComplete="new-password"
        value={again}
        onChange={(event) => setAgain(event.target.value)}
        error={wasChecked && password !== again ? t('auth.passwordDiffers') : undefined}
      />
    </>
  )
  return { password, again, wasChecked, check, fields }
}
