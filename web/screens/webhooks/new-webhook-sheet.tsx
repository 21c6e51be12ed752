import type { WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import { useTranslation } from '../../app/translate.ts'
import { Check, Field } from '../../parts/fields/field.tsx'
import { type Form, MakingSheet } from '../../parts/keys/making-sheet.tsx'
import { webhooks, webhooksQuery } from './data.ts'
import { type Draft, emptyDraft, problemsOf, requestOf, toggled } from './form.ts'
import { Secret, useSecretWords } from './secret-sheet.tsx'
import { useKinds } from './words.ts'

/** Creates a webhook, then shows its secret, only this once. */
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
  const words = useSecretWords()
  return (
    <MakingSheet
      isOpen={isOpen}
      onClose={onClose}
      words={{
        ...words,
        title: t('webhooks.create'),
        send: t('webhooks.create'),
        made: t('webhooks.made'),
        passwordHint: t('webhooks.passwordHint'),
      }}
      empty={emptyDraft}
      problemsOf={(draft) => problemsOf(draft, hasLoopback)}
      make={(draft) => webhooks.create(requestOf(draft))}
      stale={webhooksQuery}
      fields={(form) => <Fields {...form} hasLoopback={hasLoopback} />}
      shown={({ secret }) => <Secret secret={secret} />}
    />
  )
}

function Fields({
  draft,
  hasLoopback,
  problems,
  said,
  onChange,
}: Form<Draft, ReturnType<typeof problemsOf>> & {
  readonly hasLoopback: boolean
}) {
  const { t } = useTranslation()
  return (
    <>
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
        error={problems?.has('url') ? t('refusals.WEBHOOK_URL_REFUSED') : said('url')}
      />
      <KindChecks
        kinds={draft.kinds}
        onChange={(kinds) => onChange({ kinds })}
        error={problems?.has('kinds') ? t('webhooks.kindsMissing') : said('kinds')}
      />
    </>
  )
}

/** The events that a webhook receives. */
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
