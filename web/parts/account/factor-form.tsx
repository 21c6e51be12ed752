import { ApiError } from '@candor/client/errors.ts'
import { Fingerprint } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Field } from '../fields/field.tsx'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/state.tsx'
import { CodeField } from './code-field.tsx'
import { Locked } from '../ui/locked.tsx'
import { PasskeyKnown, PasskeyUnused } from './passkeys.ts'

export type FactorWay = 'passkey' | 'authenticator' | 'recovery'

type FactorFormProps = {
  /** The ways that can be used, the preferred one first. */
  readonly ways: readonly FactorWay[]
  /** The action of the button, e.g. "Log in". */
  readonly send: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onCode: (way: 'authenticator' | 'recovery', code: string) => void
  readonly onPasskey: () => void
  /** Forgets the error of another way. */
  readonly onSwitch: () => void
}

/** Asks for one second factor; links below lead to the others. What was typed stays after a refusal. */
export function FactorForm({ ways, send, isBusy, error, onCode, onPasskey, onSwitch }: FactorFormProps) {
  const { t } = useTranslation()
  const [way, setWay] = useState<FactorWay>(ways[0] ?? 'recovery')
  const names = { passkey: t('proof.usePasskey'), authenticator: t('proof.useAuthenticator'), recovery: t('proof.useRecovery') }
  const turn = (next: FactorWay): void => {
    onSwitch()
    setWay(next)
  }
  const others = ways.filter((one) => one !== way)
  return (
    <div className="flex flex-col gap-4">
      {way === 'passkey' ? (
        <PasskeyAsk isBusy={isBusy} error={error} onPasskey={onPasskey} />
      ) : way === 'authenticator' ? (
        <AuthenticatorAsk key="authenticator" send={send} isBusy={isBusy} error={error} onCode={(code) => onCode('authenticator', code)} />
      ) : (
        <RecoveryAsk key="recovery" send={send} isBusy={isBusy} error={error} onCode={(code) => onCode('recovery', code)} />
      )}
      <div className="flex flex-col items-center">
        {others.map((one) => (
          <Button key={one} variant="ghost" size="medium" onClick={() => turn(one)}>
            {names[one]}
          </Button>
        ))}
      </div>
    </div>
  )
}

function PasskeyAsk({ isBusy, error, onPasskey }: Pick<FactorFormProps, 'isBusy' | 'error' | 'onPasskey'>) {
  const { t } = useTranslation()
  return (
    <>
      <p className="text-15 text-fg2">{t('proof.passkeyLead')}</p>
      <FactorError error={error} />
      <Button isWide isBusy={isBusy} onClick={onPasskey}>
        <Fingerprint size={20} strokeWidth={1.75} aria-hidden />
        {t('proof.usePasskey')}
      </Button>
    </>
  )
}

type AskProps = Pick<FactorFormProps, 'send' | 'isBusy' | 'error'> & { readonly onCode: (code: string) => void }

function AuthenticatorAsk({ send, isBusy, error, onCode }: AskProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (code.length === 6 && !isBusy) onCode(code)
  }
  return (
    <AskForm lead={t('proof.authenticatorLead')} {...{ send, isBusy, error, submit }}>
      <CodeField
        value={code}
        onChange={setCode}
        onComplete={(all) => !isBusy && onCode(all)}
        error={wasSent && code.length < 6 ? t('proof.codeMissing') : ofField(error, t)}
        hasFocus
      />
    </AskForm>
  )
}

function RecoveryAsk({ send, isBusy, error, onCode }: AskProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const isMissing = code.replace(/[\s-]/g, '').length < 16
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (!isMissing && !isBusy) onCode(code.trim())
  }
  return (
    <AskForm lead={t('proof.recoveryLead')} {...{ send, isBusy, error, submit }}>
      <Field
        label={t('proof.recoveryCode')}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        maxLength={24}
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        hint={t('proof.recoveryHint')}
        error={wasSent && isMissing ? t('proof.recoveryMissing') : ofField(error, t)}
      />
    </AskForm>
  )
}

function AskForm({
  lead,
  send,
  isBusy,
  error,
  submit,
  children,
}: Pick<FactorFormProps, 'send' | 'isBusy' | 'error'> & {
  readonly lead: string
  readonly submit: (event: FormEvent) => void
  readonly children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <p className="text-15 text-fg2">{lead}</p>
      {children}
      {ofField(error, t) === undefined && <FactorError error={error} />}
      <Button type="submit" isWide isBusy={isBusy}>
        {send}
      </Button>
    </form>
  )
}

/** The sentence below the field of a code. */
function ofField(error: Error | null, t: ReturnType<typeof useTranslation>['t']): string | undefined {
  return error instanceof ApiError && error.code === 'CODE_WRONG' ? problemOf(error, t).text : undefined
}

/** Why a factor was not taken. A passkey that the browser did not give is no fault, so it is said calmly. */
export function FactorError({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation()
  const seconds = error instanceof ApiError && error.code === 'TOO_MANY_TRIES' ? (error.retryAfter ?? 0) : undefined
  if (error instanceof PasskeyUnused || error instanceof PasskeyKnown)
    return (
      <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
        {error instanceof PasskeyKnown ? t('proof.passkeyKnown') : t('proof.passkeyUnused')}
      </p>
    )
  return seconds === undefined ? <FormError error={error} /> : <LockedFor key={String(seconds)} seconds={seconds} />
}

function LockedFor({ seconds }: { readonly seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1_000)
  return <Locked until={until} />
}
