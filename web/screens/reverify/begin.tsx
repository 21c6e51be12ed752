import { ApiError } from '@candor/client/errors.ts'
import type { WireRegainCodeSent } from '@candor/core/protocol/wire/regain.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { queries } from '../../app/client.ts'
import { navigate } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { CodeField } from '../../parts/account/code-field.tsx'
import { CodeHelp, type SentCode } from '../../parts/account/code-step.tsx'
import { regain, regainQuery } from '../../parts/access/regain.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { Ways } from './intro.tsx'

type Sent = WireRegainCodeSent & { readonly code: SentCode }

/** Proves the addresses of the account whose login waits in this browser, one after the other. */
export function Begin() {
  const { t } = useTranslation()
  const { code, setCode, sent, send, prove, submit } = useProof()
  const isOver = [send.error, prove.error].some((error) => error instanceof ApiError && error.code === 'TOKEN_EXPIRED')
  if (isOver) return <LoginOver />
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col gap-5 px-4 pt-2 pb-6">
      {sent === undefined ? (
        <>
          <p className="text-15 text-fg2">{t('reverify.beginLead')}</p>
          <Ways />
        </>
      ) : (
        <>
          {sent.steps > 1 && <p className="tn text-12 text-fg2">{t('reverify.codeStep', { step: sent.step, steps: sent.steps })}</p>}
          <p className="text-15 break-words text-fg2">{t('reverify.codeLead', { to: sent.to })}</p>
          {sent.steps > 1 && <p className="text-13 text-fg2">{t('reverify.codeEach')}</p>}
          <CodeField key={sent.channel} value={code} onChange={setCode} onComplete={(digits) => prove.mutate(digits)} hasFocus />
          <CodeHelp sent={sent.code} isBusy={send.isPending} onResend={() => send.mutate()} />
        </>
      )}
      <FormError error={prove.error ?? send.error} />
      <Button
        type="submit"
        isWide
        className="mt-auto"
        isBusy={send.isPending || prove.isPending}
        disabled={sent !== undefined && code.length < 6}
      >
        {sent === undefined ? t('auth.sendCode') : t('common.next')}
      </Button>
    </form>
  )
}

function useProof() {
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<Sent>()
  const send = useMutation({
    mutationFn: () => regain.sendCode(),
    onSuccess(next) {
      const { channel, to, resendAfter, expiresIn: expiresInSeconds } = next
      const contact = { channel, to, isComplete: true }
      setCode('')
      setSent({ ...next, code: { contact, resendAt: Date.now() + resendAfter * 1_000, expiresInSeconds } })
    },
  })
  const prove = useMutation({
    mutationFn: (digits: string) => regain.prove({ channel: sent!.channel, code: digits }),
    onSuccess: async ({ isDone }) => {
      if (!isDone) return send.mutate()
      await queries.invalidateQueries({ queryKey: regainQuery })
      navigate('/reverify', { replace: true })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (sent === undefined) send.mutate()
    else if (code.length === 6 && !prove.isPending) prove.mutate(code)
  }
  return { code, setCode, sent, send, prove, submit }
}

/** The login waits for ten minutes and takes five tries. */
function LoginOver() {
  const { t } = useTranslation()
  return (
    <div className="flex flex-1 flex-col gap-4 px-4 pt-2 pb-6">
      <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
        {t('reverify.loginOver')}
      </p>
      <ButtonLink to="/login" isWide>
        {t('common.login')}
      </ButtonLink>
    </div>
  )
}
