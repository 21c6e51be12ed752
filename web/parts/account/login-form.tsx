import { ApiError } from '@candor/client/errors.ts'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { Suspense, useEffect, useRef, useState, type FocusEvent, type FormEvent } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { signedIn } from '../../app/session.ts'
import { loadArea, useLang } from '../../app/texts.ts'
import { Button } from '../ui/button.tsx'
import { contactOf } from './contact.ts'
import { ContactField, useCountry } from './contact-field.tsx'
import { focusFirstWrong } from '../fields/first-wrong.ts'
import { useCountdown } from '../ui/countdown.ts'
import { dialOf } from './countries.ts'
import { Locked } from '../ui/locked.tsx'
import { PasswordField } from './password-field.tsx'
import { FormError } from '../ui/state.tsx'
import { later } from '../ui/later.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { factors } from './factors.ts'
import { canUsePasskeys, endAutofill, PasskeyUnused, passkeyOfAutofill, signWithPasskey } from './passkeys.ts'

const LoginStep = later(async () => {
  const [step] = await Promise.all([import('./login-step.tsx'), loadArea('proof')])
  return step.LoginStep
})

const Frozen = later(async () => {
  const [frozen] = await Promise.all([import('./frozen.tsx'), loadArea('safety')])
  return frozen.Frozen
})

/** Whether every factor was right, and the account is frozen. */
const isFrozen = (error: Error | null): boolean => error instanceof ApiError && error.code === 'USER_FROZEN'

const needsOf: Readonly<Record<string, 'code' | 'passkey'>> = { SECOND_FACTOR_NEEDED: 'code', PASSKEY_NEEDED: 'passkey' }

/** Login with email or phone and password, or with a passkey. Also used in the sheet that asks again when a session has ended. */
export function LoginForm({
  onDone,
  onStep,
}: {
  readonly onDone: () => void
  /** Told when the second step begins or the account is frozen, and when the login begins again. */
  readonly onStep?: (isSecond: boolean) => void
}) {
  const [address, setAddress] = useState('')
  const [needs, setNeeds] = useState<'code' | 'passkey'>()
  const [over, setOver] = useState<Error>()
  const [isRefused, setIsRefused] = useState(false)
  const turn = (next: 'code' | 'passkey' | undefined): void => {
    setNeeds(next)
    onStep?.(next !== undefined)
  }
  const enter = (me: WireMe): void => {
    signedIn(me)
    onDone()
  }
  const freeze = (): void => {
    setIsRefused(true)
    onStep?.(true)
  }
  if (isRefused)
    return (
      <Suspense fallback={<Skeleton className="h-56 w-full rounded-control" />}>
        <Frozen />
      </Suspense>
    )
  if (needs === undefined)
    return <FirstStep address={address} onAddress={setAddress} over={over} onIn={enter} onNeeds={turn} onFrozen={freeze} />
  return (
    <Suspense fallback={<Skeleton className="h-56 w-full rounded-control" />}>
      <LoginStep
        needs={needs}
        onIn={enter}
        onFrozen={freeze}
        onOver={(error) => {
          setOver(error)
          turn(undefined)
        }}
      />
    </Suspense>
  )
}

function FirstStep({
  address,
  onAddress,
  over,
  onIn,
  onNeeds,
  onFrozen,
}: {
  readonly address: string
  readonly onAddress: (address: string) => void
  /** Why the second step was over. */
  readonly over: Error | undefined
  readonly onIn: (me: WireMe) => void
  readonly onNeeds: (needs: 'code' | 'passkey') => void
  readonly onFrozen: () => void
}) {
  const { t } = useTranslation()
  const lang = useLang((state) => state.lang)
  const [password, setPassword] = useState('')
  const [country, setCountry] = useCountry()
  const [wasSent, setWasSent] = useState(false)
  const [lockedUntil, setLockedUntil] = useState<number>()
  const wait = useCountdown(lockedUntil)
  const contact = contactOf(address, dialOf(country))
  const passkey = usePasskeyLogin(onIn, onFrozen)

  const login = useMutation({
    mutationFn: () => client.user.login({ channel: contact.channel, to: contact.to, password, lang }),
    onSuccess: onIn,
    onError: (error) => {
      const needs = error instanceof ApiError ? needsOf[error.code] : undefined
      if (needs !== undefined) return onNeeds(needs)
      if (isFrozen(error)) return onFrozen()
      const isLocked = error instanceof ApiError && error.retryAfter !== undefined && error.status === 429
      setLockedUntil(isLocked ? Date.now() + (error.retryAfter ?? 0) * 1_000 : undefined)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setWasSent(true)
    passkey.login.reset()
    if (!contact.isComplete || password === '') focusFirstWrong(event.currentTarget)
    else if (wait === 0) login.mutate()
  }
  return (
    <form onSubmit={submit} onFocus={passkey.offer} noValidate className="flex flex-col gap-4">
      <ContactField
        value={address}
        onChange={onAddress}
        country={country}
        onCountry={setCountry}
        autoComplete={passkey.canUse ? 'username webauthn' : 'username'}
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
      {login.isIdle && passkey.login.isIdle && <FormError error={over} />}
      {login.isError && lockedUntil === undefined && <FormError error={login.error} />}
      <Locked key={lockedUntil} until={lockedUntil} />
      <Button type="submit" isWide isBusy={login.isPending} disabled={wait > 0}>
        {t('common.login')}
      </Button>
      {passkey.canUse && (
        <Button variant="soft" isWide isBusy={passkey.login.isPending} onClick={() => passkey.login.mutate(undefined)}>
          <Fingerprint size={20} strokeWidth={1.75} aria-hidden />
          {t('auth.passkeyLogin')}
        </Button>
      )}
      <PasskeyError error={passkey.login.error} />
    </form>
  )
}

function PasskeyError({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation()
  return error instanceof PasskeyUnused ? <Note text={t('auth.passkeyUnused')} /> : <FormError error={error} />
}

/** Something that is no fault. */
function Note({ text }: { readonly text: string }) {
  return (
    <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
      {text}
    </p>
  )
}

/** What a passkey signs is valid for five minutes, so an older offer is made anew. */
const offerLivesMs = 4 * 60_000

/** Login with a passkey: by a button, or offered in the autofill of the address once that field has the focus. */
function usePasskeyLogin(onIn: (me: WireMe) => void, onFrozen: () => void) {
  const [canUse] = useState(canUsePasskeys)
  const offeredAt = useRef<number>(undefined)
  const login = useMutation({
    mutationFn: async (chosen: Awaited<ReturnType<typeof passkeyOfAutofill>>) => {
      // Only one request of passkeys can run, so the offer ends here.
      offeredAt.current = undefined
      const response = chosen ?? (await signWithPasskey((await factors.loginOptions()).options))
      return factors.loginByPasskey({ response })
    },
    onSuccess: onIn,
    onError: (error) => isFrozen(error) && onFrozen(),
  })
  useEffect(
    () => () => {
      if (offeredAt.current === undefined) return
      offeredAt.current = undefined
      endAutofill()
    },
    [],
  )
  const offer = ({ target }: FocusEvent<HTMLFormElement>): void => {
    const isAddress = target instanceof HTMLInputElement && target.name === 'username'
    const now = Date.now()
    if (!canUse || !isAddress || login.isPending || (offeredAt.current ?? 0) > now - offerLivesMs) return
    offeredAt.current = now
    void passkeyOfAutofill(() => offeredAt.current === now).then(
      (chosen) => chosen !== undefined && login.mutate(chosen),
      () => undefined,
    )
  }
  return { canUse, login, offer }
}
