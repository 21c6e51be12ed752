import { ApiError } from '@candor/client/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { problemOf } from '../../app/problem.ts'
import { signedOut, useMe } from '../../app/session.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { CodeField } from '../../parts/account/code-field.tsx'
import { contactOf } from '../../parts/account/contact.ts'
import { ContactField, useCountry } from '../../parts/account/contact-field.tsx'
import { dialOf } from '../../parts/account/countries.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { PasswordField } from '../../parts/account/password-field.tsx'
import { focusFirstWrong } from '../../parts/fields/first-wrong.ts'
import { usePasswordPair } from '../../parts/access/password-pair.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { withProof } from '../../parts/account/proof.ts'
import { CodeHelp, useSendCode, type SentCode } from '../../parts/account/code-step.tsx'

/** Changes the password of a logged-in user; otherwise resets it by a code, or by the link in a mail, which contains a token. */
export function Screen() {
  const me = useMe()
  const { query } = usePlace()
  const linked = linkedToken(query)
  return me === undefined || query.has('reset') || linked !== undefined ? <Reset key={linked} linked={linked} /> : <ChangePassword />
}

function ChangePassword() {
  const { t } = useTranslation()
  const [current, setCurrent] = useState('')
  const pair = usePasswordPair()
  const change = useMutation({
    mutationFn: () => withProof(() => client.user.changePassword({ current, password: pair.password, passwordAgain: pair.again })),
    onSuccess: () => {
      toast({ text: t('auth.passwordSet'), tone: 'good' })
      navigate('/me', { replace: true })
    },
  })
  const isStale = change.error instanceof ApiError && change.error.code === 'SESSION_NOT_FRESH'
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (pair.check() && current !== '') change.mutate()
    else focusFirstWrong(event.currentTarget)
  }
  return (
    <>
      <PageHeader title={t('me.changePassword')} fallback="/me" />
      <form onSubmit={submit} noValidate className="flex flex-col gap-4 px-4 pt-2 pb-6">
        <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('auth.changeWarning')}</p>
        <PasswordField
          label={t('auth.current')}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          error={pair.wasChecked && current === '' ? t('auth.passwordMissing') : undefined}
        />
        {pair.fields}
        {isStale ? (
          <div role="alert" className="flex flex-col items-start gap-2 rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
            {t('auth.notFresh')}
            <ButtonLink to="/login?next=/password" variant="soft" size="small">
              {t('common.login')}
            </ButtonLink>
          </div>
        ) : (
          <FormError error={change.error} />
        )}
        <Button type="submit" isWide isBusy={change.isPending}>
          {t('auth.setPassword')}
        </Button>
        <ButtonLink to="/password?reset=1" variant="ghost" size="medium">
          {t('auth.resetInstead')}
        </ButtonLink>
      </form>
      <ProofGate />
    </>
  )
}

/** The token of a link; undefined if it does not have the form of one. */
function linkedToken(query: URLSearchParams): string | undefined {
  const token = query.get('token') ?? ''
  return /^[A-Za-z0-9_-]{22}$/.test(token) ? token : undefined
}

/** Three steps: the account, the code, the new password. None reveals whether the account exists. A link starts with the last. */
function Reset({ linked }: { readonly linked: string | undefined }) {
  const { t } = useTranslation()
  const steps = useReset(linked)
  const { step, contact, sent, send, check, reset, code, setCode, pair } = steps
  const isCodeWrong = check.error instanceof ApiError && (check.error.code === 'CODE_WRONG' || check.error.code === 'CODE_EXPIRED')
  return (
    <>
      <PageHeader title={t('auth.resetTitle')} fallback="/login" />
      <form onSubmit={steps.submit} noValidate className="flex flex-col gap-4 px-4 pt-2 pb-6">
        <p className="text-12 text-fg3">{t('auth.step', { step, steps: 3 })}</p>
        {step === 1 && (
          <>
            <p className="text-15 text-fg2">{t('auth.resetLead')}</p>
            <ContactField
              value={steps.text}
              onChange={steps.setText}
              country={steps.country}
              onCountry={steps.setCountry}
              error={steps.wasSent && !contact.isComplete ? t('auth.contactInvalid') : undefined}
            />
            <FormError error={send.error ?? reset.error} />
            <Button type="submit" isWide isBusy={send.isPending}>
              {t('auth.sendCode')}
            </Button>
          </>
        )}
        {step === 2 && sent !== undefined && (
          <>
            <p className="text-15 break-words text-fg2">
              {t('auth.codeSentIfKnown', { to: sent.contact.to, minutes: Math.round(sent.expiresInSeconds / 60) })}
            </p>
            <CodeField
              value={code}
              onChange={setCode}
              onComplete={(digits) => check.isPending || check.mutate(digits)}
              error={isCodeWrong ? problemOf(check.error, t).text : undefined}
              hasFocus
            />
            <CodeHelp
              sent={sent}
              isBusy={send.isPending}
              onResend={() => send.mutate(sent.contact, { onSuccess: steps.setSent })}
              onWrongContact={() => steps.setSent(undefined)}
            />
            <FormError error={isCodeWrong ? send.error : (check.error ?? send.error)} />
            <Button type="submit" isWide isBusy={check.isPending} disabled={code.length < 6}>
              {t('common.next')}
            </Button>
          </>
        )}
        {step === 3 && (
          <>
            <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('auth.resetWarning')}</p>
            <input type="text" name="username" autoComplete="username" value={contact.to} readOnly hidden />
            {pair.fields}
            <FormError error={reset.error} />
            <Button type="submit" isWide isBusy={reset.isPending}>
              {t('auth.setPassword')}
            </Button>
          </>
        )}
      </form>
    </>
  )
}

/** The current step of the reset and the action of its button. */
function useReset(linked: string | undefined) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [country, setCountry] = useCountry()
  const [sent, setSent] = useState<SentCode>()
  const [token, setToken] = useState<string | undefined>(linked)
  const [code, setCode] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const pair = usePasswordPair()
  const contact = contactOf(text, dialOf(country))
  const send = useSendCode('reset')
  const check = useMutation({
    mutationFn: (digits: string) => client.user.resetCode({ channel: contact.channel, to: contact.to, code: digits }),
    onSuccess: (bought) => setToken(bought.token),
  })
  const reset = useMutation({
    mutationFn: (bought: string) => client.user.reset({ token: bought, password: pair.password, passwordAgain: pair.again }),
    onSuccess: () => {
      signedOut()
      toast({ text: t('auth.passwordSet'), tone: 'good' })
      navigate('/login?next=/me', { replace: true })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'TOKEN_EXPIRED') {
        setToken(undefined)
        setSent(undefined)
        setCode('')
      }
    },
  })
  const step = token !== undefined ? 3 : sent !== undefined ? 2 : 1
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setWasSent(true)
    focusFirstWrong(event.currentTarget)
    if (step === 1 && contact.isComplete) send.mutate(contact, { onSuccess: setSent })
    if (step === 2 && code.length === 6) check.mutate(code)
    if (token !== undefined && pair.check()) reset.mutate(token)
  }
  return { step, text, setText, country, setCountry, contact, sent, setSent, code, setCode, wasSent, pair, send, check, reset, submit }
}
