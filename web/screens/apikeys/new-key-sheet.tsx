import { ApiError } from '@candor/client/errors.ts'
import type { WireKeyMade } from '@candor/core/protocol/wire/keys.ts'
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
import { Segmented } from '../../parts/tabs.tsx'
import { keys, keysQuery } from './data.ts'
import { type Draft, emptyDraft, type KeyRules, type Life, livesFor, problemsOf, requestOf } from './form.ts'
import { useScopes } from './scopes.ts'

/** Makes a key, then shows what programs need of it; the secret only here and only now. */
export function NewKeySheet({
  isOpen,
  rules,
  onClose,
}: {
  readonly isOpen: boolean
  readonly rules: KeyRules
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const formId = useId()
  const [draft, setDraft] = useState(emptyDraft)
  const [wasSent, setWasSent] = useState(false)
  const make = useMutation({
    mutationFn: () => keys.create(requestOf(draft, rules, Date.now())),
    onSuccess: () => setDraft(emptyDraft),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery }),
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
    if (problemsOf(draft, rules).size === 0 && !make.isPending) make.mutate()
  }
  const isMade = make.data !== undefined
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={isMade ? t('apikeys.made') : t('apikeys.create')}
      footer={
        isMade ? (
          <Button isWide onClick={close}>
            {make.data.secret === undefined ? t('common.done') : t('apikeys.saved')}
          </Button>
        ) : (
          <Button type="submit" form={formId} isWide isBusy={make.isPending}>
            {t('apikeys.create')}
          </Button>
        )
      }
    >
      {isMade ? (
        <Made made={make.data} />
      ) : (
        <form id={formId} onSubmit={submit} noValidate>
          <Fields draft={draft} rules={rules} wasSent={wasSent} error={make.error} onChange={(part) => setDraft({ ...draft, ...part })} />
        </form>
      )}
    </Sheet>
  )
}

function Fields({
  draft,
  rules,
  wasSent,
  error,
  onChange,
}: {
  readonly draft: Draft
  readonly rules: KeyRules
  readonly wasSent: boolean
  readonly error: Error | null
  readonly onChange: (part: Partial<Draft>) => void
}) {
  const { t } = useTranslation()
  const scopes = useScopes()
  const problems = wasSent ? problemsOf(draft, rules) : new Map()
  const field = error instanceof ApiError ? error.field : undefined
  const said = field === undefined || error === null ? undefined : problemOf(error, t).text
  const ips = { invalid: t('apikeys.ipsInvalid'), many: t('apikeys.ipsMany', { max: rules.ipsMax }), needed: t('refusals.KEY_NEEDS_IPS') }
  const ipsProblem = problems.get('ips') as keyof typeof ips | undefined
  const lifeNames: Readonly<Record<Life, string>> = {
    ...{ 30: t('apikeys.days', { days: 30 }), 90: t('apikeys.days', { days: 90 }), 365: t('apikeys.days', { days: 365 }) },
    ever: t('apikeys.lifeEver'),
  }
  const allowed = livesFor(draft, rules)
  return (
    <div className="flex flex-col gap-4">
      <Field
        label={t('apikeys.label')}
        value={draft.label}
        maxLength={40}
        autoComplete="off"
        onChange={(event) => onChange({ label: event.target.value })}
        hint={t('apikeys.labelHint')}
        error={problems.has('label') ? t('apikeys.labelMissing') : field === 'label' ? said : undefined}
      />
      <fieldset className="flex flex-col gap-2.5">
        <legend className="pb-1.5 text-13 font-medium text-fg2">{t('apikeys.may')}</legend>
        <p className="text-13 text-fg2">
          <b className="font-medium text-fg">{scopes.read}</b> {t('apikeys.readHint')}
        </p>
        <Check isOn={draft.canTrade} onChange={(canTrade) => onChange({ canTrade })}>
          <b className="font-medium text-fg">{scopes.trade}</b> {t('apikeys.tradeHint')}
        </Check>
        <Check isOn={draft.canWithdraw} onChange={(canWithdraw) => onChange({ canWithdraw })}>
          <b className="font-medium text-fg">{scopes.withdraw}</b> {t('apikeys.withdrawHint')}
        </Check>
      </fieldset>
      <Field
        label={t('apikeys.ips')}
        value={draft.ips}
        placeholder="203.0.113.7, 198.51.100.0/24"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ ips: event.target.value })}
        hint={t('apikeys.ipsHint')}
        error={ipsProblem !== undefined ? ips[ipsProblem] : field === 'ips' ? said : undefined}
      />
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium text-fg2">{t('apikeys.life')}</span>
        <Segmented
          label={t('apikeys.life')}
          choices={allowed.map((value) => ({ value, label: lifeNames[value] }))}
          value={allowed.includes(draft.life) ? draft.life : (allowed.at(-1) ?? draft.life)}
          onChange={(life) => onChange({ life })}
        />
        {field === 'expiresAt' && said !== undefined && (
          <p role="alert" className="text-12 text-danger">
            {said}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium text-fg2">{t('apikeys.kind')}</span>
        <Segmented
          label={t('apikeys.kind')}
          choices={[
            { value: 'hmac', label: t('apikeys.kindHmac') },
            { value: 'ed25519', label: 'Ed25519' },
          ]}
          value={draft.kind}
          onChange={(kind) => onChange({ kind })}
        />
        <p className="text-12 text-fg3">{draft.kind === 'hmac' ? t('apikeys.hmacHint') : t('apikeys.ed25519Hint')}</p>
      </div>
      {draft.kind === 'ed25519' && (
        <PemField
          value={draft.publicKey}
          onChange={(publicKey) => onChange({ publicKey })}
          error={problems.has('publicKey') ? t('refusals.PUBLIC_KEY_INVALID') : field === 'publicKey' ? said : undefined}
        />
      )}
      <PasswordField
        label={t('apikeys.password')}
        autoComplete="current-password"
        value={draft.password}
        onChange={(event) => onChange({ password: event.target.value })}
        hint={t('apikeys.passwordHint')}
        error={problems.has('password') ? t('apikeys.passwordMissing') : field === 'password' ? said : undefined}
      />
      {field === undefined && <FormError error={error} />}
    </div>
  )
}

function PemField({
  value,
  onChange,
  error,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-fg2">
        {t('apikeys.publicKey')}
      </label>
      <textarea
        id={id}
        rows={4}
        value={value}
        maxLength={1_000}
        spellCheck={false}
        autoCapitalize="none"
        placeholder="-----BEGIN PUBLIC KEY-----"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-below`}
        onChange={(event) => onChange(event.target.value)}
        className={`rounded-control border bg-s2 px-3.5 py-2.5 text-13 outline-none focus:border-brand ${error === undefined ? 'border-transparent' : 'border-danger'}`}
      />
      {error !== undefined && (
        <p id={`${id}-below`} role="alert" className="text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

function Made({ made }: { readonly made: WireKeyMade }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      {made.secret !== undefined && (
        <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
          {t('apikeys.secretOnce')}
        </p>
      )}
      <CopyField label={t('apikeys.key')} text={made.key.key} />
      {made.secret !== undefined && <CopyField label={t('apikeys.secret')} text={made.secret} />}
    </div>
  )
}
