import type { WireWebhook } from '@candor/core/protocol/wire/webhooks.ts'
import { useTranslation } from '../../app/translate.ts'
import { Kept, MakingSheet } from '../../parts/keys/making-sheet.tsx'
import { webhooks, webhooksQuery } from './data.ts'

/** Creates a new secret for a webhook and shows it once. */
export function SecretSheet({ webhook, onClose }: { readonly webhook: WireWebhook | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const words = useSecretWords()
  return (
    <MakingSheet
      isOpen={webhook !== undefined}
      onClose={onClose}
      words={{ ...words, title: t('webhooks.renew'), send: t('webhooks.renew'), made: t('webhooks.renewed') }}
      empty={{ password: '' }}
      problemsOf={({ password }) => new Set(password === '' ? ['password' as const] : [])}
      make={({ password }) => webhooks.renewSecret(webhook?.id ?? '', password)}
      stale={webhooksQuery}
      fields={() => <p className="text-13 text-fg2">{t('webhooks.renewHint')}</p>}
      shown={({ secret }) => <Secret secret={secret} />}
    />
  )
}

/** Texts of the sheets that show a webhook's secret. */
export function useSecretWords() {
  const { t } = useTranslation()
  return { done: () => t('webhooks.saved'), password: t('webhooks.password'), passwordMissing: t('webhooks.passwordMissing') }
}

/** A secret that is shown only once. */
export function Secret({ secret }: { readonly secret: string }) {
  const { t } = useTranslation()
  return <Kept warning={t('webhooks.secretOnce')} texts={[{ label: t('webhooks.secret'), text: secret }]} />
}
