import { ApiError } from '@candor/client/errors.ts'
import type { WireAuthenticator, WireFactors } from '@candor/core/protocol/wire/factors.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { CodeField } from '../../parts/account/code-field.tsx'
import { factors } from '../../parts/account/factors.ts'
import { withProof } from '../../parts/account/proof.ts'
import { refreshProtection } from '../../parts/account/safety.ts'
import { factorsIn } from '../../parts/account/strength.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CopyButton } from '../../parts/ui/copy.tsx'
import { QrCode } from '../../parts/ui/qr.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import type { Fresh } from './new-authenticator.ts'
import { inFours } from './strength.ts'

/** The authenticator app of the account: its details, its removal, and the set-up of a new one. */
export function AuthenticatorSheets({
  own,
  isOpen,
  fresh,
  onClose,
  onReplace,
  onAdded,
}: {
  readonly own: WireFactors
  readonly isOpen: boolean
  readonly fresh: Fresh
  readonly onClose: () => void
  readonly onReplace: () => void
  readonly onAdded: (recoveryCodes: readonly string[] | undefined) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => withProof(() => factors.removeAuthenticator()),
    onSuccess: () => {
      setIsAsking(false)
      onClose()
      toast({ text: t('safety.authenticatorRemoved'), tone: 'good' })
    },
    onSettled: refreshProtection,
  })
  return (
    <>
      <Sheet
        isOpen={isOpen && !isAsking}
        onClose={() => !isAsking && onClose()}
        title={t('safety.authenticator')}
        footer={
          <div className="flex flex-wrap gap-2">
            <Button variant="soft" className="flex-1" onClick={onReplace}>
              {t('safety.replace')}
            </Button>
            <Button
              variant="danger"
              className="flex-1"
              onClick={() => {
                remove.reset()
                setIsAsking(true)
              }}
            >
              {t('safety.remove')}
            </Button>
          </div>
        }
      >
        <dl>
          <SummaryRow label={t('safety.added')}>{format.dateTime(own.authenticatorSince ?? 0)}</SummaryRow>
        </dl>
        <p className="pt-2 text-13 text-fg2">{t('safety.replaceHint')}</p>
      </Sheet>
      <ConfirmSheet
        isOpen={isOpen && isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
        title={t('safety.authenticatorAsk')}
        confirm={t('safety.remove')}
        tone="danger"
        note={`${factorsIn(own) === 1 ? t('safety.lastNote') : t('safety.authenticatorNote')} ${t('safety.closing')}`}
        error={remove.error}
      />
      {fresh.data !== undefined && <SetUpSheet key={fresh.data.secret} made={fresh.data} onClose={fresh.reset} onAdded={onAdded} />}
    </>
  )
}

function SetUpSheet({
  made,
  onClose,
  onAdded,
}: {
  readonly made: WireAuthenticator
  readonly onClose: () => void
  readonly onAdded: (recoveryCodes: readonly string[] | undefined) => void
}) {
  const { t } = useTranslation()
  const formId = useId()
  const [code, setCode] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const confirm = useMutation({
    mutationFn: (digits: string) => withProof(() => factors.confirmAuthenticator(digits)),
    onSuccess: ({ recoveryCodes }) => {
      onClose()
      // New recovery codes say enough, and a toast would cover their buttons.
      if (recoveryCodes === undefined) toast({ text: t('safety.authenticatorAdded'), tone: 'good' })
      onAdded(recoveryCodes)
    },
    onSettled: refreshProtection,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (code.length === 6 && !confirm.isPending) confirm.mutate(code)
  }
  const isWrong = confirm.error instanceof ApiError && confirm.error.code === 'CODE_WRONG'
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('safety.setUp')}
      footer={
        <Button type="submit" form={formId} isWide isBusy={confirm.isPending}>
          {t('safety.setUpConfirm')}
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-13 text-fg2">{`${t('safety.setUpScan')} ${t('safety.closing')}`}</p>
        <QrCode text={made.uri} label={t('safety.qrCode')} />
        <Secret secret={made.secret} />
        <CodeField
          label={t('safety.setUpCode')}
          value={code}
          onChange={setCode}
          onComplete={(digits) => !confirm.isPending && confirm.mutate(digits)}
          error={wasSent && code.length < 6 ? t('safety.codeMissing') : isWrong ? problemOf(confirm.error, t).text : undefined}
        />
        {!isWrong && <FormError error={confirm.error} />}
      </form>
    </Sheet>
  )
}

function Secret({ secret }: { readonly secret: string }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-13 font-medium text-fg2">{t('safety.secret')}</span>
      <span className="flex items-center gap-2 rounded-control bg-s2 py-2 ps-3.5 pe-2">
        <code className="min-w-0 flex-1 text-15 break-words select-all">{inFours(secret)}</code>
        <CopyButton text={secret} label={t('safety.secret')} />
      </span>
    </div>
  )
}
