import { ApiError } from '@candor/client/errors.ts'
import type { WireWebhook } from '@candor/core/protocol/wire/webhooks.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/button.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { FormError } from '../../parts/state.tsx'
import { webhooks, webhooksQuery } from './data.ts'
import { Secret } from './new-webhook-sheet.tsx'

/** Draws a new secret for a webhook and shows it once. */
export function SecretSheet({ webhook, onClose }: { readonly webhook: WireWebhook | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const formId = useId()
  const [password, setPassword] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const renew = useMutation({
    mutationFn: (id: string) => webhooks.renewSecret(id, password),
    onSuccess: () => setPassword(''),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery }),
  })
  const close = (): void => {
    setPassword('')
    setWasSent(false)
    renew.reset()
    onClose()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (password !== '' && webhook !== undefined && !renew.isPending) renew.mutate(webhook.id)
  }
  const isWrong = renew.error instanceof ApiError && renew.error.field === 'password'
  return (
    <Sheet
      isOpen={webhook !== undefined}
      onClose={close}
      title={renew.data === undefined ? t('webhooks.renew') : t('webhooks.renewed')}
      footer={
        renew.data === undefined ? (
          <Button type="submit" form={formId} isWide isBusy={renew.isPending}>
            {t('webhooks.renew')}
          </Button>
        ) : (
          <Button isWide onClick={close}>
            {t('webhooks.saved')}
          </Button>
        )
      }
    >
      {renew.data === undefined ? (
        <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
          <p className="text-13 text-fg2">{t('webhooks.renewHint')}</p>
          <PasswordField
            label={t('webhooks.password')}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={
              wasSent && password === ''
                ? t('webhooks.passwordMissing')
                : isWrong && renew.error !== null
                  ? problemOf(renew.error, t).text
                  : undefined
            }
          />
          {!isWrong && <FormError error={renew.error} />}
        </form>
      ) : (
        <Secret secret={renew.data.secret} />
      )}
    </Sheet>
  )
}
