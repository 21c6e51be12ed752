import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import { useTranslation } from '../../app/translate.ts'

/** What each scope is called. */
export function useScopes(): Readonly<Record<KeyScope, string>> {
  const { t } = useTranslation()
  return { read: t('apikeys.read'), trade: t('apikeys.trade'), withdraw: t('apikeys.withdraw') }
}
