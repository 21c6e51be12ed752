import { ApiError } from '@candor/client/errors.ts'
import type { WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { queries } from '../../app/client.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Check, Field } from '../../parts/field.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { FormError } from '../../parts/state.tsx'
import { webhooks, webhooksQuery } from './data.ts'
import { type Draft, emptyDraft, problemsOf, requestOf, toggled } from './form.ts'
import { useKinds } from './words.ts'

/** Makes a webhook, then shows its secret; only here and only now. */
export function NewWebhookSheet({
  isOpen,
  hasLoopback,
  onClose,
}: {
  readonly isOpen: boolean
  readonly hasLoopback: boolean
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const formId = useId()
  const [draft, setDraft] = useState(emptyDraft)
  const [wasSent, setWasSent] = useState(false)
  const make = useMutation({
    mutationFn: () => webhooks.create(requestOf(draft)),
    onSuccess: () => setDraft(emptyDraft),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery }),
  })
  const close = (): void => {
    setDraft(emptyDraft)
    setWasSent(false)
    make.reset()
    onClose()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (problemsOf(draft, hasLoopback).size === 0 && !make.isPending) make.mutate()
  }
  const isMade = make.data !== undefined
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={isMade ? t('webhooks.made') : t('webhooks.create')}
      footer={
        isMade ? (
          <Button isWide onClick={close}>
            {t('webhooks.saved')}
          </Button>
        ) : (
          <Button type="submit" form={formId} isWide isBusy={make.isPending}>
            {t('webhooks.create')}
          </Button>
        )
      }
    >
      {isMade ? (
        <Secret secret={make.data.secret} />
      ) : (
        <form id={formId} onSubmit={submit} noValidate>
          <Fields
            draft={draft}
            hasLoopback={hasLoopback}
            wasSent={wasSent}
            error={make.error}
            onChange={(part) => setDraft({ ...draft, ...part })}
          />
        </form>
      )}
    </Sheet>
  )
}

/** A secret that is shown this once. */
export function Secret({ secret }: { readonly secret: string }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
        {t('webhooks.secretOnce')}
      </p>
      <CopyField label={t('webhooks.secret')} text={secret} />
    </div>
  )
}

function Fields({
  draft,
  hasLoopback,
  wasSent,
  error,
  onChange,
}: {
  readonly draft: Draft
  readonly hasLoopback: boolean
  readonly wasSent: boolean
  readonly error: Error | null
  readonly onChange: (part: Partial<Draft>) => void
}) {
  const { t } = useTranslation()
  const problems = wasSent ? problemsOf(draft, hasLoopback) : new Set()
  const field = error instanceof ApiError ? error.field : undefined
  const said = field === undefined || error === null ? undefined : problemOf(error, t).text
  return (
    <div className="flex flex-col gap-4">
      <Field
        label={t('webhooks.url')}
        type="url"
        inputMode="url"
        value={draft.url}
        maxLength={500}
        placeholder="https://hooks.example.com/candor"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ url: event.target.value })}
        hint={hasLoopback ? t('webhooks.urlHintHere') : t('webhooks.urlHint')}
        error={problems.has('url') ? t('refusals.WEBHOOK_URL_REFUSED') : field === 'url' ? said : undefined}
      />
      <KindChecks
        kinds={draft.kinds}
        onChange={(kinds) => onChange({ kinds })}
        error={problems.has('kinds') ? t('webhooks.kindsMissing') : field === 'kinds' ? said : undefined}
      />
      <PasswordField
        label={t('webhooks.password')}
        autoComplete="current-password"
        value={draft.password}
        onChange={(event) => onChange({ password: event.target.value })}
        hint={t('webhooks.passwordHint')}
        error={problems.has('password') ? t('webhooks.passwordMissing') : field === 'password' ? said : undefined}
      />
      {field === undefined && <FormError error={error} />}
    </div>
  )
}

/** What a webhook is told of. */
export function KindChecks({
  kinds,
  onChange,
  error,
}: {
  readonly kinds: readonly WebhookKind[]
  readonly onChange: (kinds: readonly WebhookKind[]) => void
  readonly error?: string | undefined
}) {
  const { t } = useTranslation()
  const names = useKinds()
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="pb-1.5 text-13 font-medium text-fg2">{t('webhooks.kinds')}</legend>
      {(Object.entries(names) as [WebhookKind, string][]).map(([kind, name]) => (
        <Check key={kind} isOn={kinds.includes(kind)} onChange={(isOn) => onChange(toggled(kinds, kind, isOn))}>
          <span className="text-fg">{name}</span>
        </Check>
      ))}
      {error !== undefined && (
        <p role="alert" className="text-12 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
