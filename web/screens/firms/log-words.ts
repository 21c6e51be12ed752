import { type Translate, useTranslation } from '../../app/translate.ts'

/** Entries of a firm's log as sentences, by the names of the server. */
function deedsOf(t: Translate): Readonly<Record<string, string>> {
  return {
    'firm-applied': t('firm.did.firmApplied'),
    'firm-accepted': t('firm.did.firmAccepted'),
    'firm-refused': t('firm.did.firmRefused'),
    'terms-set': t('firm.did.termsSet'),
    'account-made': t('firm.did.accountMade'),
    'account-opened': t('firm.did.accountOpened'),
    'account-renamed': t('firm.did.accountRenamed'),
    'account-archived': t('firm.did.accountArchived'),
    'account-restored': t('firm.did.accountRestored'),
    'coins-moved': t('firm.did.coinsMoved'),
    'member-invited': t('firm.did.memberInvited'),
    'member-joined': t('firm.did.memberJoined'),
    'member-declined': t('firm.did.memberDeclined'),
    'member-changed': t('firm.did.memberChanged'),
    'member-ended': t('firm.did.memberEnded'),
    'member-left': t('firm.did.memberLeft'),
    'request-asked': t('firm.did.requestAsked'),
    'request-approved': t('firm.did.requestApproved'),
    'request-refused': t('firm.did.requestRefused'),
    'request-cancelled': t('firm.did.requestCancelled'),
    'request-expired': t('firm.did.requestExpired'),
    'request-done': t('firm.did.requestDone'),
    'request-failed': t('firm.did.requestFailed'),
    'rule-changed': t('firm.did.ruleChanged'),
  }
}

export function useLogWords(): (action: string) => string {
  const { t } = useTranslation()
  const deeds = deedsOf(t)
  return (action) => deeds[action] ?? action
}
