import { type Translate, useTranslation } from '../../app/translate.ts'

/** Actions that failed or undo a protection are shown with a warning. */
const warnings: ReadonlySet<string> = new Set([
  ...['login-failed', 'second-factor-failed', 'payment-password-failed'],
  ...['regain-begun', 'allow-list-ending'],
])

export function isWarning(action: string): boolean {
  return warnings.has(action)
}

/** What happened to an account, as a sentence. An action that this version does not know has a general one. */
export function useActionWords(): (action: string) => string {
  const { t } = useTranslation()
  const words = wordsOf(t)
  return (action) => (Object.hasOwn(words, action) ? (words[action] ?? '') : t('safety.did.other'))
}

function wordsOf(t: Translate): Readonly<Record<string, string>> {
  return {
    register: t('safety.did.register'),
    login: t('safety.did.login'),
    'login-failed': t('safety.did.loginFailed'),
    'second-factor-asked': t('safety.did.secondFactorAsked'),
    'second-factor-failed': t('safety.did.secondFactorFailed'),
    logout: t('safety.did.logout'),
    'session-ended': t('safety.did.sessionEnded'),
    'other-sessions-ended': t('safety.did.otherSessionsEnded'),
    'reset-allowed': t('safety.did.resetAllowed'),
    'password-reset': t('safety.did.passwordReset'),
    'password-changed': t('safety.did.passwordChanged'),
    proven: t('safety.did.proven'),
    'key-created': t('safety.did.keyCreated'),
    'key-changed': t('safety.did.keyChanged'),
    'key-deleted': t('safety.did.keyDeleted'),
    'authenticator-added': t('safety.did.authenticatorAdded'),
    'authenticator-removed': t('safety.did.authenticatorRemoved'),
    'passkey-added': t('safety.did.passkeyAdded'),
    'passkey-removed': t('safety.did.passkeyRemoved'),
    'recovery-codes-renewed': t('safety.did.recoveryCodesRenewed'),
    'recovery-used': t('safety.did.recoveryUsed'),
    'phrase-set': t('safety.did.phraseSet'),
    'phrase-removed': t('safety.did.phraseRemoved'),
    'address-set': t('safety.did.addressSet'),
    'address-removed': t('safety.did.addressRemoved'),
    'payment-password-set': t('safety.did.paymentPasswordSet'),
    'payment-password-failed': t('safety.did.paymentPasswordFailed'),
    'account-frozen': t('safety.did.accountFrozen'),
    'account-unfrozen': t('safety.did.accountUnfrozen'),
    'regain-begun': t('safety.did.regainBegun'),
    'regain-stopped': t('safety.did.regainStopped'),
    'regain-sent': t('safety.did.regainSent'),
    'regain-approved': t('safety.did.regainApproved'),
    'regain-rejected': t('safety.did.regainRejected'),
    regained: t('safety.did.regained'),
    'allow-list-on': t('safety.did.allowListOn'),
    'allow-list-kept': t('safety.did.allowListKept'),
    'allow-list-ending': t('safety.did.allowListEnding'),
    'withdrawal-address-added': t('safety.did.withdrawalAddressAdded'),
    'withdrawal-address-renamed': t('safety.did.withdrawalAddressRenamed'),
    'withdrawal-address-removed': t('safety.did.withdrawalAddressRemoved'),
    'withdrawal-requested': t('safety.did.withdrawalRequested'),
    'webhook-created': t('safety.did.webhookCreated'),
    'webhook-changed': t('safety.did.webhookChanged'),
    'webhook-secret-renewed': t('safety.did.webhookSecretRenewed'),
    'webhook-deleted': t('safety.did.webhookDeleted'),
    'papers-sent': t('safety.did.papersSent'),
    'papers-rejected': t('safety.did.papersRejected'),
    'residence-declared': t('safety.did.residenceDeclared'),
    'agreement-accepted': t('safety.did.agreementAccepted'),
    'deletion-asked': t('safety.did.deletionAsked'),
    'deletion-cancelled': t('safety.did.deletionCancelled'),
    'data-exported': t('safety.did.dataExported'),
    'lang-changed': t('safety.did.langChanged'),
    'favourites-changed': t('safety.did.favouritesChanged'),
    certified: t('safety.did.certified'),
    'certificate-revoked': t('safety.did.certificateRevoked'),
  }
}
