import type { NoticeKind, WireNotice } from '@candor/core/protocol/wire/notices.ts'

/** The screen that each kind of notice is about. */
const places: Readonly<Record<NoticeKind, string>> = {
  'new-device': '/safety',
  'login-failed': '/safety',
  'factor-failed': '/safety',
  'password-changed': '/safety',
  'factor-added': '/safety',
  'factor-removed': '/safety',
  'recovery-used': '/safety',
  'recovery-renewed': '/safety',
  'address-set': '/safety',
  'address-removed': '/safety',
  'payment-set': '/safety',
  'account-frozen': '/safety',
  'account-unfrozen': '/safety',
  'regain-begun': '/safety',
  'allow-list-ending': '/safety',
  'withdrawal-address-added': '/addresslist',
  'withdrawal-address-removed': '/addresslist',
  'withdrawal-requested': '/propertyRecord?type=withdrawal',
  'rest-begun': '/limits',
  'rest-ended': '/limits',
  'limit-raised': '/limits',
  'support-answered': '/support',
  'firm-waiting': '/organization',
  'firm-decided': '/organization',
  'firm-invited': '/organization',
  'firm-changed': '/organization',
  'firm-ended': '/organization',
  'firm-answered': '/organization',
  'funds-posted': '/propertyRecord?type=posting',
  'deposit-dropped': '/propertyRecord?type=deposit',
  'deposit-debt': '/recharge',
  'key-widened': '/apikeys',
  'key-used': '/apikeys',
  'webhook-created': '/webhooks',
  'webhook-off': '/webhooks',
  'papers-verified': '/kyc',
  'papers-rejected': '/kyc',
  'papers-revoked': '/kyc',
  'deposit-credited': '/propertyRecord?type=deposit',
  'deposit-repaid': '/propertyRecord?type=deposit',
  'deposit-final': '/propertyRecord?type=deposit',
  'deposit-small': '/recharge',
  'withdrawal-approved': '/propertyRecord?type=withdrawal',
  'withdrawal-rejected': '/propertyRecord?type=withdrawal',
  'withdrawal-paid': '/propertyRecord?type=withdrawal',
  'withdrawal-failed': '/propertyRecord?type=withdrawal',
  'coins-moved': '/propertyRecord?type=transfer',
  'loan-taken': '/lever?tab=loans',
  'loan-repaid': '/lever?tab=loans',
  'futures-warning': '/contract',
  'futures-liquidated': '/entrust?product=perp&tab=closed',
  'futures-deleveraged': '/entrust?product=perp&tab=closed',
  'margin-warning': '/lever',
  'margin-liquidated': '/lever?tab=liquidations',
  'price-alert': '/alerts',
  'second-settled': '/optionentrust?tab=history',
  'order-filled': '/entrust?product=spot&tab=history',
  'algo-ended': '/entrust?product=spot&tab=history',
  'order-ended': '/entrust?product=spot&tab=history',
  'signal-refused': '/apikeys',
}

/** The path that a notice opens: the list or the desk that it is about, with its market or ticket. */
export function placeOf({ kind, values }: Pick<WireNotice, 'kind' | 'values'>): string {
  const { ticket, symbol, product, cause, count } = values
  if (kind === 'support-answered' && ticket !== undefined) return `/support?ticket=${encodeURIComponent(ticket)}`
  if ((kind === 'order-filled' || kind === 'algo-ended' || kind === 'order-ended') && product === 'perp')
    return '/entrust?product=perp&tab=history'
  if (kind === 'coins-moved' && cause !== 'transfer') return '/propertyRecord?type=firm-move'
  if (symbol === undefined) return places[kind]
  // Several loans may be of several accounts.
  if ((kind === 'loan-taken' || kind === 'loan-repaid') && count === '1') return `/lever?symbol=${symbol}&tab=loans`
  if (kind === 'futures-warning') return `/contract?symbol=${symbol}`
  if (kind === 'margin-warning') return `/lever?symbol=${symbol}`
  return kind === 'margin-liquidated' ? `/lever?symbol=${symbol}&tab=liquidations` : places[kind]
}
