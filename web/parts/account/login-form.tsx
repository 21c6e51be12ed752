import { ApiError } from '@candor/client/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { signedIn } from '../../app/session.ts'
import { useLang } from '../../app/texts.ts'
import { Button } from '../ui/button.tsx'
import { contactOf } from './contact.ts'
import { ContactField, useCountry } from './contact-field.tsx'
import { useCountdown } from '../ui/countdown.ts'
import { dialOf } from './countries.ts'
import { PasswordField } from './password-field.tsx'
import { FormError } from '../ui/state.tsx'

/** Login with email or phone and password. Also used in the sheet that asks again when a session has ended. */
export function LoginForm({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation()
  const lang = useLang((state) => state.lang)
  const [text, setText] = useState('')
  const [password, setPassword] = useState('')
  const [country, setCountry] = useCountry()
  const [wasSent, setWasSent] = useState(false)
  const [lockedUntil, setLockedUntil] = useState<number>()
  const wait = useCountdown(lockedUntil)
  const contact = contactOf(text, dialOf(country))

  const login = useMutation({
    mutationFn: () => client.user.login({ channel: contact.channel, to: contact.to, password, lang }),
    onSuccess: (me) => {
      signedIn(me)
      onDone()
    },
    onError: (error) => {
      const isLocked = error instanceof ApiError && error.retryAfter !== undefined && error.status === 429
      setLockedUntil(isLocked ? Date.now() + (error.retryAfter ?? 0) * 1_000 : undefined)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (contact.isComplete && password !== '' && wait === 0) login.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <ContactField
        value={text}
        onChange={setText}
        country={country}
        onCountry={setCountry}
        error={wasSent && !contact.isComplete ? t('auth.contactInvalid') : undefined}
      />
      <PasswordField
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={wasSent && password === '' ? t('auth.passwordMissing') : undefined}
      />
      {login.isError && wait === 0 && lockedUntil === undefined && <FormError error={login.error} />}
      {wait > 0 && (
        <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
          {t('auth.locked', { seconds: wait })}
        </p>
      )}
      <Button type="submit" isWide isBusy={login.isPending} disabled={wait > 0}>
        {t('common.login')}
      </Button>
    </form>
  )
}
