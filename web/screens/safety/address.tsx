import { ApiError } from '@candor/client/errors.ts'
import type { WireSafety } from '@candor/core/protocol/wire/safety.ts'
import type { Channel } from '@candor/core/protocol/wire/user.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { queries } from '../../app/client.ts'
import { refreshMe } from '../../app/me.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { CodeField } from '../../parts/account/code-field.tsx'
import { CodeHelp, type SentCode } from '../../parts/account/code-step.tsx'
import { ContactField, useCountry } from '../../parts/account/contact-field.tsx'
import { contactOf } from '../../parts/account/contact.ts'
import { dialOf } from '../../parts/account/countries.ts'
import { FactorError } from '../../parts/account/factor-form.tsx'
import { withProof } from '../../parts/account/proof.ts'
import { safety, safetyQuery } from '../../parts/account/safety.ts'
import { Button } from '../../parts/ui/button.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Props = { readonly own: WireSafety; readonly channel: Channel; readonly onClose: () => void }

async function refresh(): Promise<void> {
  await Promise.all([queries.invalidateQueries({ queryKey: safetyQuery }), refreshMe()])
}

/** Adds, changes or removes the email address or the phone number of the account. */
export function AddressSheet({ channel, ...rest }: Omit<Props, 'channel'> & { readonly channel: Channel | undefined }) {
  return channel === undefined ? null : <OpenAddressSheet key={channel} channel={channel} {...rest} />
}

function OpenAddressSheet(props: Props) {
  const { t } = useTranslation()
  const { own, channel, onClose } = props
  const [isAsking, setIsAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => withProof(() => safety.removeAddress(channel)),
    onSuccess: () => {
      onClose()
      toast({ text: t('safety.addressRemoved'), tone: 'good' })
    },
    onSettled: refresh,
  })
  if (!isAsking) return <ChangeSheet {...props} onRemove={() => setIsAsking(true)} />
  return (
    <ConfirmSheet
      isOpen
      onClose={() => setIsAsking(false)}
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
      title={channel === 'email' ? t('safety.emailAsk') : t('safety.phoneAsk')}
      confirm={t('safety.remove')}
      tone="danger"
      note={t('safety.addressNote')}
      error={remove.error}
    >
      <SummaryRow label={t('safety.addressNow')}>{own[channel]}</SummaryRow>
    </ConfirmSheet>
  )
}

/** Two steps: the new address, then the code that was sent to it. */
function ChangeSheet({ own, channel, onClose, onRemove }: Props & { readonly onRemove: () => void }) {
  const { t } = useTranslation()
  const formId = useId()
  const change = useChange(channel, onClose)
  const { sent, send, confirm } = change
  const hasOther = own.email !== null && own.phone !== null
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={channel === 'email' ? t('safety.email') : t('safety.phone')}
      footer={
        <div className="flex flex-wrap gap-2">
          {hasOther && sent === undefined && (
            <Button variant="danger" className="flex-1" onClick={onRemove}>
              {t('safety.remove')}
            </Button>
          )}
          <Button type="submit" form={formId} className="flex-1" isBusy={send.isPending || confirm.isPending}>
            {sent === undefined ? t('auth.sendCode') : t('safety.addressSave')}
          </Button>
        </div>
      }
    >
      <form id={formId} onSubmit={change.submit} noValidate className="flex flex-col gap-4">
        {sent === undefined ? (
          <>
            <p className="text-13 text-fg2">{t('safety.addressLead')}</p>
            {own[channel] !== null && (
              <dl>
                <SummaryRow label={t('safety.addressNow')}>{own[channel]}</SummaryRow>
              </dl>
            )}
            <ContactField
              label={channel === 'email' ? t('safety.email') : t('safety.phone')}
              value={change.text}
              onChange={change.setText}
              country={change.country}
              onCountry={change.setCountry}
              autoComplete={channel === 'email' ? 'email' : 'tel'}
              error={
                change.wasSent && !change.isRight ? (channel === 'email' ? t('safety.emailInvalid') : t('safety.phoneInvalid')) : undefined
              }
            />
            <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('safety.addressClosing')}</p>
            <FactorError error={send.error} />
          </>
        ) : (
          <CodeStep change={change} sent={sent} />
        )}
      </form>
    </Sheet>
  )
}

function CodeStep({ change, sent }: { readonly change: ReturnType<typeof useChange>; readonly sent: SentCode }) {
  const { t } = useTranslation()
  const { confirm, send } = change
  const refusal = confirm.error instanceof ApiError ? confirm.error.code : undefined
  const codeError = refusal === 'CODE_WRONG' || refusal === 'CODE_EXPIRED' ? problemOf(confirm.error, t).text : undefined
  return (
    <>
      <p className="text-13 break-words text-fg2">
        {t('auth.codeSent', { to: sent.contact.to, minutes: Math.round(sent.expiresInSeconds / 60) })}
      </p>
      <CodeField
        value={change.code}
        onChange={change.setCode}
        onComplete={(digits) => !confirm.isPending && confirm.mutate(digits)}
        error={change.wasConfirmed && change.code.length < 6 ? t('auth.codeMissing') : codeError}
        hasFocus
      />
      <CodeHelp sent={sent} isBusy={send.isPending} onResend={() => send.mutate(sent.contact)} onWrongContact={change.back} />
      <FactorError error={codeError === undefined ? (confirm.error ?? send.error) : null} />
    </>
  )
}

function useChange(channel: Channel, onClose: () => void) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [country, setCountry] = useCountry()
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<SentCode>()
  const [wasSent, setWasSent] = useState(false)
  const [wasConfirmed, setWasConfirmed] = useState(false)
  const contact = contactOf(text, dialOf(country))
  const isRight = contact.isComplete && contact.channel === channel
  const send = useSendAddressCode(setSent)
  const confirm = useMutation({
    mutationFn: (digits: string) => withProof(() => safety.setAddress({ channel, to: sent?.contact.to ?? '', code: digits })),
    onSuccess: () => {
      onClose()
      toast({ text: t('safety.addressSet'), tone: 'good' })
    },
    onSettled: refresh,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (send.isPending || confirm.isPending) return
    if (sent === undefined) {
      setWasSent(true)
      if (isRight) send.mutate(contact)
      return
    }
    setWasConfirmed(true)
    if (code.length === 6) confirm.mutate(code)
  }
  const back = (): void => {
    setSent(undefined)
    setCode('')
    confirm.reset()
  }
  return { text, setText, country, setCountry, code, setCode, sent, wasSent, wasConfirmed, isRight, send, confirm, submit, back }
}

/** Asks for the code. If one was sent a moment ago, that is no error, because it is still valid. */
function useSendAddressCode(onSent: (sent: SentCode) => void) {
  return useMutation({
    onSuccess: onSent,
    mutationFn: async (contact: SentCode['contact']): Promise<SentCode> => {
      const { channel, to } = contact
      try {
        const { resendAfter, expiresIn } = await withProof(() => safety.requestAddressCode({ channel, to }))
        return { contact, resendAt: Date.now() + resendAfter * 1_000, expiresInSeconds: expiresIn }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'CODE_TOO_SOON') throw error
        return { contact, resendAt: Date.now() + (error.retryAfter ?? 60) * 1_000, expiresInSeconds: 600 }
      }
    },
  })
}
