import type { WireFactors, WirePasskey } from '@candor/core/protocol/wire/factors.ts'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { FactorError } from '../../parts/account/factor-form.tsx'
import { factors } from '../../parts/account/factors.ts'
import { createPasskey } from '../../parts/account/passkeys.ts'
import { withProof } from '../../parts/account/proof.ts'
import { refreshProtection } from '../../parts/account/safety.ts'
import { Field } from '../../parts/fields/field.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { suggestedLabel } from './strength.ts'

type NewProps = {
  readonly own: WireFactors
  readonly onClose: () => void
  readonly onAdded: (recoveryCodes: readonly string[] | undefined) => void
}

/** Names a passkey and lets the device create it. */
export function NewPasskeySheet({ isOpen, ...rest }: NewProps & { readonly isOpen: boolean }) {
  return isOpen ? <OpenNewPasskeySheet {...rest} /> : null
}

function OpenNewPasskeySheet({ own, onClose, onAdded }: NewProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [label, setLabel] = useState(() =>
    suggestedLabel(
      navigator.userAgent,
      own.passkeys.map((passkey) => passkey.label),
    ),
  )
  const [wasSent, setWasSent] = useState(false)
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await withProof(() => factors.newPasskeyOptions())
      const response = await createPasskey(options)
      return withProof(() => factors.addPasskey({ label: label.trim(), response }))
    },
    onSuccess: ({ recoveryCodes }) => {
      onClose()
      // New recovery codes say enough, and a toast would cover their buttons.
      if (recoveryCodes === undefined) toast({ text: t('safety.passkeyAdded'), tone: 'good' })
      onAdded(recoveryCodes)
    },
    onSettled: refreshProtection,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (label.trim() !== '' && !add.isPending) add.mutate()
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('safety.addPasskey')}
      footer={
        <Button type="submit" form={formId} isWide isBusy={add.isPending}>
          <Fingerprint size={20} strokeWidth={1.75} aria-hidden />
          {t('safety.createPasskey')}
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{`${t('safety.passkeyLead')} ${t('safety.closing')}`}</p>
        <Field
          label={t('safety.label')}
          value={label}
          maxLength={40}
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
          hint={t('safety.labelHint')}
          error={wasSent && label.trim() === '' ? t('safety.labelMissing') : undefined}
        />
        <FactorError error={add.error} />
      </form>
    </Sheet>
  )
}

/** Details of a passkey, and its removal. `isLast`: whether the account has no other second factor. */
export function PasskeySheet({
  passkey,
  isLast,
  onClose,
}: {
  readonly passkey: WirePasskey | undefined
  readonly isLast: boolean
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useMutation({
    mutationFn: (id: string) => withProof(() => factors.removePasskey(id)),
    onSuccess: () => {
      setIsAsking(false)
      onClose()
      toast({ text: t('safety.passkeyRemoved'), tone: 'good' })
    },
    onSettled: refreshProtection,
  })
  const ask = (): void => {
    remove.reset()
    setIsAsking(true)
  }
  return (
    <>
      <Sheet
        isOpen={passkey !== undefined && !isAsking}
        onClose={() => !isAsking && onClose()}
        title={passkey?.label ?? ''}
        footer={
          <Button variant="danger" isWide onClick={ask}>
            {t('safety.remove')}
          </Button>
        }
      >
        {passkey !== undefined && <Details passkey={passkey} />}
      </Sheet>
      <ConfirmSheet
        isOpen={passkey !== undefined && isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => passkey !== undefined && remove.mutate(passkey.id)}
        isBusy={remove.isPending}
        title={t('safety.passkeyAsk', { label: passkey?.label })}
        confirm={t('safety.remove')}
        tone="danger"
        note={`${isLast ? t('safety.lastNote') : t('safety.passkeyNote')} ${t('safety.closing')}`}
        error={remove.error}
      />
    </>
  )
}

function Details({ passkey: { isSynced, createdAt, lastUsedAt } }: { readonly passkey: WirePasskey }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <>
      <dl>
        <SummaryRow label={t('safety.added')}>{format.dateTime(createdAt)}</SummaryRow>
        <SummaryRow label={t('safety.lastUse')}>{lastUsedAt === null ? t('safety.neverUsed') : format.dateTime(lastUsedAt)}</SummaryRow>
        <SummaryRow label={t('safety.kept')}>{isSynced ? t('safety.synced') : t('safety.deviceOnly')}</SummaryRow>
      </dl>
      <p className="pt-2 text-13 text-fg2">{isSynced ? t('safety.syncedHint') : t('safety.deviceOnlyHint')}</p>
    </>
  )
}
