import { ApiError } from '@candor/client/errors.ts'
import type { WireInvitation, WireMe } from '@candor/core/protocol/wire/user.ts'
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { navigate, nextOf, usePlace } from '../../app/location.ts'
import { problemOf } from '../../app/problem.ts'
import { signedIn, useSession } from '../../app/session.ts'
import { useLang } from '../../app/texts.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { CodeField } from '../../parts/account/code-field.tsx'
import { contactOf } from '../../parts/account/contact.ts'
import { ContactField, useCountry } from '../../parts/account/contact-field.tsx'
import { countryOfPhone, dialOf } from '../../parts/account/countries.ts'
import { Check, Field } from '../../parts/fields/field.tsx'
import { focusFirstWrong } from '../../parts/fields/first-wrong.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { PasswordField } from '../../parts/account/password-field.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { ResidenceField, useIsServed } from '../../parts/fields/residence-field.tsx'
import { AgreementSheet } from '../../parts/account/agreement-sheet.tsx'
import { CodeHelp, useSendCode, type SentCode } from '../../parts/account/code-step.tsx'
import { emptyForm, errorsOf, type RegisterErrors, type RegisterForm } from './form.ts'
import { Onboarding } from './onboarding.tsx'

export function Screen() {
  const { query } = usePlace()
  const { t } = useTranslation()
  const [sent, setSent] = useState<SentCode>()
  const [isDone, setIsDone] = useState(false)
  const [wasLoggedIn] = useState(() => useSession.getState().me !== undefined)
  const next = nextOf(query)
  useEffect(() => {
    if (wasLoggedIn) navigate(next, { replace: true })
  }, [wasLoggedIn, next])
  const [contactText, setContactText] = useState(query.get('contact') ?? '')
  const [invitation, setInvitation] = useState(invitationIn(query))
  const [residence, setResidence] = useState<string>()

  if (isDone) return <Onboarding next={next} invitation={invitation.trim()} />
  if (wasLoggedIn) return <PageHeader title={t('common.register')} />
  return (
    <>
      <PageHeader title={t('common.register')} />
      {sent === undefined ? (
        <ContactStep
          text={contactText}
          onText={setContactText}
          invitation={invitation}
          onInvitation={setInvitation}
          residence={residence}
          onResidence={setResidence}
          onSent={setSent}
          next={next}
        />
      ) : (
        <PasswordStep
          sent={sent}
          residence={residence ?? ''}
          invitation={invitation}
          onSent={setSent}
          onWrongContact={() => setSent(undefined)}
          onWrongInvitation={() => setSent(undefined)}
          onDone={() => setIsDone(true)}
        />
      )}
    </>
  )
}

function ContactStep({
  text,
  onText,
  invitation,
  onInvitation,
  residence: chosen,
  onResidence,
  onSent,
  next,
}: {
  readonly text: string
  readonly onText: (text: string) => void
  readonly invitation: string
  readonly onInvitation: (code: string) => void
  readonly residence: string | undefined
  readonly onResidence: (country: string) => void
  readonly onSent: (sent: SentCode) => void
  readonly next: string
}) {
  const { t } = useTranslation()
  const [country, setCountry] = useCountry()
  const [wasSent, setWasSent] = useState(false)
  const contact = contactOf(text, dialOf(country))
  const residence = chosen ?? (contact.channel === 'phone' && contact.isComplete ? countryOfPhone(contact.to, country) : undefined)
  const isServed = useIsServed()
  const send = useSendCode('register')
  const code = invitation.trim()
  const inviter = useInviter(code)
  const isUnknown = inviter.error instanceof ApiError && code !== ''

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setWasSent(true)
    if (!contact.isComplete || isUnknown || residence === undefined || !isServed(residence)) return focusFirstWrong(event.currentTarget)
    onResidence(residence)
    send.mutate(contact, { onSuccess: onSent })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col gap-4 px-4 pt-2 pb-6">
      <div className="flex flex-col gap-1.5 pb-2">
        <p className="text-12 text-fg3">{t('auth.step', { step: 1, steps: 2 })}</p>
        <h2 className="text-22 font-semibold">{t('auth.registerTitle')}</h2>
        <p className="text-15 text-fg2">{t('auth.registerLead')}</p>
      </div>
      <ContactField
        value={text}
        onChange={onText}
        country={country}
        onCountry={setCountry}
        error={wasSent && !contact.isComplete ? t('auth.contactInvalid') : undefined}
      />
      <ResidenceField value={residence} onChange={onResidence} isMissing={wasSent} />
      <Field
        label={t('auth.invitation')}
        value={invitation}
        onChange={(event) => onInvitation(event.target.value.toUpperCase())}
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={16}
        error={isUnknown ? t('auth.invitationUnknown') : undefined}
        hint={inviter.data === undefined ? t('auth.invitationHint') : t('auth.invitedBy', { inviter: inviter.data.inviter })}
      />
      <FormError error={send.error} />
      <Button type="submit" isWide isBusy={send.isPending}>
        {t('auth.sendCode')}
      </Button>
      <div className="mt-auto flex items-center justify-center gap-1 pt-6 text-13 text-fg2">
        {t('auth.haveAccount')}
        <ButtonLink to={next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`} variant="ghost" size="small">
          {t('common.login')}
        </ButtonLink>
      </div>
    </form>
  )
}

function useInviter(code: string): UseQueryResult<WireInvitation> {
  return useQuery({
    queryKey: ['invitation', code],
    queryFn: () => client.user.invitation(code),
    enabled: code.length >= 4,
    staleTime: 60_000,
    retry: false,
  })
}

type Registering = {
  readonly sent: SentCode
  readonly residence: string
  readonly invitation: string
  readonly onWrongInvitation: () => void
  readonly onDone: () => void
}

function PasswordStep({
  sent,
  residence,
  invitation,
  onSent,
  onWrongContact,
  onWrongInvitation,
  onDone,
}: Registering & {
  readonly onSent: (sent: SentCode) => void
  readonly onWrongContact: () => void
}) {
  const { t } = useTranslation()
  const [form, setForm] = useState<RegisterForm>(emptyForm)
  const [wasSent, setWasSent] = useState(false)
  const resend = useSendCode('register')
  const errors = wasSent ? errorsOf(form) : {}
  const element = useRef<HTMLFormElement>(null)
  const register = useRegister({ sent, residence, invitation, onWrongInvitation, onDone })
  const said = saidOf(register.error, t)
  const edit = (change: Partial<RegisterForm>): void => {
    setForm((before) => ({ ...before, ...change }))
    if (register.isError) register.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    const focus = (): void => focusFirstWrong(element.current)
    if (Object.keys(errorsOf(form)).length === 0) register.mutate(form, { onError: focus })
    else focus()
  }
  return (
    <form ref={element} onSubmit={submit} noValidate className="flex flex-1 flex-col gap-4 px-4 pt-2 pb-6">
      <div className="flex flex-col gap-1.5 pb-2">
        <p className="text-12 text-fg3">{t('auth.step', { step: 2, steps: 2 })}</p>
        <p className="text-15 break-words text-fg2">
          {t('auth.codeSent', { to: sent.contact.to, minutes: Math.round(sent.expiresInSeconds / 60) })}
        </p>
      </div>
      <CodeField
        value={form.code}
        onChange={(code) => edit({ code })}
        error={errors.code === undefined ? said.code : t('auth.codeMissing')}
      />
      <CodeHelp
        sent={sent}
        isBusy={resend.isPending}
        onResend={() => resend.mutate(sent.contact, { onSuccess: onSent })}
        onWrongContact={onWrongContact}
      />
      <Passwords form={form} errors={errors} contact={sent.contact.to} refused={said.password} onEdit={edit} />
      <Check
        isOn={form.isOfAge}
        onChange={(isOfAge) => edit({ isOfAge })}
        error={errors.isOfAge === undefined ? undefined : t('gates.ofAgeMissing')}
      >
        {t('gates.ofAge')}
      </Check>
      <Agreement hasAgreed={form.hasAgreed} isMissing={errors.hasAgreed !== undefined} onChange={(hasAgreed) => edit({ hasAgreed })} />
      <FormError error={(said.code ?? said.password) === undefined ? (register.error ?? resend.error) : null} />
      <Button type="submit" isWide isBusy={register.isPending}>
        {t('auth.createAccount')}
      </Button>
    </form>
  )
}

type PasswordsProps = {
  readonly form: RegisterForm
  readonly errors: RegisterErrors
  readonly contact: string
  /** Why the exchange refused the password. */
  readonly refused: string | undefined
  readonly onEdit: (change: Partial<RegisterForm>) => void
}

function Passwords({ form, errors, contact, refused, onEdit }: PasswordsProps) {
  const { t } = useTranslation()
  return (
    <>
      {/* Password managers store the new password under this address. */}
      <input type="text" name="username" autoComplete="username" value={contact} readOnly hidden />
      <PasswordField
        label={t('auth.password')}
        name="new-password"
        autoComplete="new-password"
        meter
        contact={contact}
        hint={t('auth.passwordHint')}
        value={form.password}
        onChange={(event) => onEdit({ password: event.target.value })}
        error={errors.password === undefined ? refused : t('auth.passwordWeak')}
      />
      <PasswordField
        label={t('auth.passwordAgain')}
        name="new-password-again"
        autoComplete="new-password"
        value={form.passwordAgain}
        onChange={(event) => onEdit({ passwordAgain: event.target.value })}
        error={errors.passwordAgain === undefined ? undefined : t('auth.passwordDiffers')}
      />
    </>
  )
}

/** The sentence of a refusal that belongs to the code or the password. */
function saidOf(error: Error | null, t: Translate): { readonly code?: string; readonly password?: string } {
  if (!(error instanceof ApiError)) return {}
  const { text } = problemOf(error, t)
  if (error.code === 'CODE_WRONG' || error.code === 'CODE_EXPIRED') return { code: text }
  return error.code === 'PASSWORD_COMMON' ? { password: text } : {}
}

function useRegister({
  sent,
  residence,
  invitation,
  onWrongInvitation,
  onDone,
}: Registering): UseMutationResult<WireMe, Error, RegisterForm> {
  const lang = useLang((state) => state.lang)
  return useMutation({
    mutationFn: (form: RegisterForm) =>
      client.user.register({
        channel: sent.contact.channel,
        to: sent.contact.to,
        code: form.code,
        password: form.password,
        passwordAgain: form.passwordAgain,
        agreement: form.hasAgreed,
        country: residence,
        isOfAge: form.isOfAge,
        lang,
        ...(invitation.trim() === '' ? {} : { invitation: invitation.trim() }),
      }),
    onSuccess: (me) => {
      signedIn(me)
      onDone()
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'INVITATION_UNKNOWN') onWrongInvitation()
    },
  })
}

/** The checkbox for the user agreement, with a link to its text. */
function Agreement({
  hasAgreed,
  isMissing,
  onChange,
}: {
  readonly hasAgreed: boolean
  readonly isMissing: boolean
  readonly onChange: (hasAgreed: boolean) => void
}) {
  const { t } = useTranslation()
  const [isReading, setIsReading] = useState(false)
  return (
    <div className="flex flex-col items-start gap-1">
      <Check isOn={hasAgreed} onChange={onChange} error={isMissing ? t('auth.agreeMissing') : undefined}>
        {t('auth.agree')}
      </Check>
      <button type="button" onClick={() => setIsReading(true)} className="ms-7.5 min-h-8 text-13 font-medium text-brand">
        {t('auth.readAgreement')}
      </button>
      <AgreementSheet isOpen={isReading} onClose={() => setIsReading(false)} />
    </div>
  )
}

/** The invitation code of the link: `#/register?code=…`, or before the hash if a messenger rearranged the link. */
function invitationIn(query: URLSearchParams): string {
  return (query.get('code') ?? new URLSearchParams(location.search).get('code') ?? '').toUpperCase().slice(0, 16)
}
