import { ApiError } from '@candor/client/errors.ts'
import type { ProofWay, WireProof } from '@candor/core/protocol/wire/factors.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { problemOf } from '../../app/problem.ts'
import { CodeField } from './code-field.tsx'
import { CodeHelp, type SentCode } from './code-step.tsx'
import { FactorError, FactorForm, type FactorWay } from './factor-form.tsx'
import { factors, factorsQuery, useFactors } from './factors.ts'
import { canUsePasskeys, signWithPasskey } from './passkeys.ts'
import { PasswordField } from './password-field.tsx'

type Proof = WireProof | { readonly way: 'passkey'; readonly response?: undefined }

/** Asks the user to confirm who they are, by the ways that the account has. */
export function ProofSheet({ onClose, onProven }: { readonly onClose: () => void; readonly onProven: () => void }) {
  const { t } = useTranslation()
  const own = useFactors()
  const prove = useMutation({
    mutationFn: async (proof: Proof) => {
      if (proof.way !== 'passkey') return factors.prove(proof)
      const { options } = await factors.proofOptions()
      return factors.prove({ way: 'passkey', response: await signWithPasskey(options) })
    },
    onSuccess: onProven,
    onSettled: () => queries.invalidateQueries({ queryKey: factorsQuery }),
  })
  const ways = own.data === undefined ? [] : usable(own.data.ways)
  return (
    <Sheet isOpen onClose={onClose} title={t('proof.title')}>
      {own.isPending && <Skeleton className="h-56 w-full rounded-control" />}
      {own.isError && <Failure error={own.error} onRetry={() => void own.refetch()} isSmall />}
      {own.data !== undefined && (
        <div className="flex flex-col gap-4">
          {own.data.ways.includes('code') ? (
            <PasswordAndCode isBusy={prove.isPending} error={prove.error} onProof={prove.mutate} />
          ) : ways.length === 0 ? (
            <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('proof.noWay')}</p>
          ) : (
            <FactorForm
              ways={ways}
              send={t('proof.confirm')}
              isBusy={prove.isPending}
              error={prove.error}
              onCode={(way, code) => prove.mutate({ way, code })}
              onPasskey={() => prove.mutate({ way: 'passkey' })}
              onSwitch={prove.reset}
            />
          )}
          <p className="text-12 text-fg3">{t('proof.lead')}</p>
        </div>
      )}
    </Sheet>
  )
}

function usable(ways: readonly ProofWay[]): readonly FactorWay[] {
  const order: readonly FactorWay[] = ['passkey', 'authenticator', 'recovery']
  return order.filter((way) => ways.includes(way) && (way !== 'passkey' || canUsePasskeys()))
}

type WayProps = { readonly isBusy: boolean; readonly error: Error | null; readonly onProof: (proof: Proof) => void }

/** For an account without a second factor: the password and a code to its address. */
function PasswordAndCode({ isBusy, error, onProof }: WayProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [wasSent, setWasSent] = useState(false)
  // A code that is sent again keeps the field while it is on its way.
  const [sent, setSent] = useState<SentCode>()
  const send = useSendProofCode(setSent)
  const field = error instanceof ApiError ? error.code : undefined
  const codeError = field === 'CODE_WRONG' || field === 'CODE_EXPIRED' ? problemOf(error, t).text : undefined
  const passwordError = field === 'CREDENTIALS_WRONG' ? t('proof.passwordWrong') : undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isBusy || send.isPending) return
    // The code's field appears with the sending, so nothing is missing there yet.
    setWasSent(sent !== undefined || password === '')
    if (password === '') return
    if (sent === undefined) send.mutate()
    else if (code.length === 6) onProof({ way: 'code', code, password })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <PasswordField
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={wasSent && password === '' ? t('auth.passwordMissing') : passwordError}
      />
      {sent !== undefined && (
        <>
          <p className="text-13 text-fg2">{t('auth.codeSent', { to: sent.contact.to, minutes: Math.round(sent.expiresInSeconds / 60) })}</p>
          <CodeField
            value={code}
            onChange={setCode}
            onComplete={(all) => password !== '' && !isBusy && onProof({ way: 'code', code: all, password })}
            error={wasSent && code.length < 6 ? t('auth.codeMissing') : codeError}
            hasFocus
          />
          <CodeHelp sent={sent} onResend={() => send.mutate()} isBusy={send.isPending} />
        </>
      )}
      <FactorError error={send.error ?? (codeError === undefined && passwordError === undefined ? error : null)} />
      <Button type="submit" isWide isBusy={isBusy || send.isPending}>
        {sent === undefined ? t('auth.sendCode') : t('proof.confirm')}
      </Button>
    </form>
  )
}

/** Sends the code of a proof. If one was sent a moment ago, that is no error, because it is still valid. */
function useSendProofCode(onSent: (sent: SentCode) => void) {
  const me = useMe()
  const contact = me?.email === undefined ? { channel: 'phone' as const, to: me?.phone ?? '' } : { channel: 'email' as const, to: me.email }
  return useMutation({
    onSuccess: onSent,
    mutationFn: async (): Promise<SentCode> => {
      const sentAs = { contact: { ...contact, isComplete: true } }
      try {
        const sent = await factors.sendProofCode()
        return { ...sentAs, resendAt: Date.now() + sent.resendAfter * 1_000, expiresInSeconds: sent.expiresIn }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'CODE_TOO_SOON') throw error
        return { ...sentAs, resendAt: Date.now() + (error.retryAfter ?? 60) * 1_000, expiresInSeconds: 600 }
      }
    },
  })
}
