import type { WireKeyMade } from '@candor/core/protocol/wire/keys.ts'
import { useId } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Check, Field } from '../../parts/fields/field.tsx'
import { type Form, Kept, MakingSheet } from '../../parts/keys/making-sheet.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { keys, keysQuery } from './data.ts'
import { type Draft, emptyDraft, type KeyRules, type Life, livesFor, problemsOf, requestOf } from './form.ts'
import { useScopes } from './scopes.ts'

/** Creates a key, then shows its values for programs. The secret is shown only here. */
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
  return (
    <MakingSheet
      isOpen={isOpen}
      onClose={onClose}
      words={{
        title: t('apikeys.create'),
        send: t('apikeys.create'),
        made: t('apikeys.made'),
        done: ({ secret }: WireKeyMade) => (secret === undefined ? t('common.done') : t('apikeys.saved')),
        password: t('apikeys.password'),
        passwordHint: t('apikeys.passwordHint'),
        passwordMissing: t('apikeys.passwordMissing'),
      }}
      empty={emptyDraft}
      problemsOf={(draft) => problemsOf(draft, rules)}
      make={(draft) => keys.create(requestOf(draft, rules, Date.now()))}
      stale={keysQuery}
      fields={(form) => <Fields {...form} rules={rules} />}
      shown={({ key, secret }) => (
        <Kept
          warning={secret === undefined ? undefined : t('apikeys.secretOnce')}
          texts={[
            { label: t('apikeys.key'), text: key.key },
            ...(secret === undefined ? [] : [{ label: t('apikeys.secret'), text: secret }]),
          ]}
        />
      )}
    />
  )
}

function Fields({
  draft,
  rules,
  problems,
  said,
  onChange,
}: Form<Draft, ReturnType<typeof problemsOf>> & {
  readonly rules: KeyRules
}) {
  const { t } = useTranslation()
  const ips = { invalid: t('apikeys.ipsInvalid'), many: t('apikeys.ipsMany', { max: rules.ipsMax }), needed: t('refusals.KEY_NEEDS_IPS') }
  const ipsProblem = problems?.get('ips') as keyof typeof ips | undefined
  const lifeNames: Readonly<Record<Life, string>> = {
    ...{ 30: t('apikeys.days', { days: 30 }), 90: t('apikeys.days', { days: 90 }), 365: t('apikeys.days', { days: 365 }) },
    ever: t('apikeys.lifeEver'),
  }
  const allowed = livesFor(draft, rules)
  return (
    <>
      <Field
        label={t('apikeys.label')}
        value={draft.label}
        maxLength={40}
        autoComplete="off"
        onChange={(event) => onChange({ label: event.target.value })}
        hint={t('apikeys.labelHint')}
        error={problems?.has('label') ? t('apikeys.labelMissing') : said('label')}
      />
      <Scopes draft={draft} onChange={onChange} />
      <Field
        label={t('apikeys.ips')}
        value={draft.ips}
        placeholder="203.0.113.7, 198.51.100.0/24"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ ips: event.target.value })}
        hint={t('apikeys.ipsHint')}
        error={ipsProblem !== undefined ? ips[ipsProblem] : said('ips')}
      />
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium text-fg2">{t('apikeys.life')}</span>
        <Segmented
          label={t('apikeys.life')}
          choices={allowed.map((value) => ({ value, label: lifeNames[value] }))}
          value={allowed.includes(draft.life) ? draft.life : (allowed.at(-1) ?? draft.life)}
          onChange={(life) => onChange({ life })}
        />
        {said('expiresAt') !== undefined && (
          <p role="alert" className="text-12 text-danger">
            {said('expiresAt')}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium text-fg2">{t('apikeys.kind')}</span>
        <Segmented
          label={t('apikeys.kind')}
          choices={[
            { value: 'hmac', label: t('apikeys.kindHmac') },
            { value: 'public', label: 'Ed25519 · RSA' },
          ]}
          value={draft.kind}
          onChange={(kind) => onChange({ kind })}
        />
        <p className="text-12 text-fg3">{draft.kind === 'hmac' ? t('apikeys.hmacHint') : t('apikeys.publicHint')}</p>
      </div>
      {draft.kind === 'public' && (
        <PemField
          value={draft.publicKey}
          onChange={(publicKey) => onChange({ publicKey })}
          error={problems?.has('publicKey') ? t('refusals.PUBLIC_KEY_INVALID') : said('publicKey')}
        />
      )}
    </>
  )
}

type PartProps = { readonly draft: Draft; readonly onChange: (part: Partial<Draft>) => void }

/** The key's permissions; every key may read. */
function Scopes({ draft, onChange }: PartProps) {
  const { t } = useTranslation()
  const scopes = useScopes()
  return (
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
