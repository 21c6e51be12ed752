import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import { useTranslation } from '../../app/translate.ts'

/** The name of each scope. */
export function useScopes(): Readonly<Record<KeyScope, string>> {
  const { t } = useTranslation()
  return { read: t('apikeys.read'), trade: t('apikeys.trade'), withdraw: t('apikeys.withdraw') }
}
