/**
 * The catalogue of notices: everything that the exchange tells a customer without being asked. The server takes from it where a notice
 * goes, the app what can be switched.
 */
export const noticeAreas = ['security', 'account', 'funds', 'trading'] as const
export type NoticeArea = (typeof noticeAreas)[number]

/** Ways to a customer. `mail` and `sms` reach only customers with such an address, `push` only browsers that asked for it. */
export const noticeChannels = ['inbox', 'mail', 'sms', 'push'] as const
export type NoticeChannel = (typeof noticeChannels)[number]

/** `always`: can't be switched off. `on`, `off`: state until the customer switches it. Absent: the notice never goes there. */
export type NoticeSwitch = 'always' | 'on' | 'off'
/** `invites`: the notice leads back to a product rather than away from a danger. Customers who excluded themselves get none of these. */
export type NoticeTerms = { readonly area: NoticeArea; readonly invites?: true } & { readonly [Channel in NoticeChannel]?: NoticeSwitch }

const security = { area: 'security', inbox: 'always', mail: 'always', sms: 'always', push: 'on' } as const
const account = { area: 'account', inbox: 'always', mail: 'always', sms: 'always', push: 'on' } as const
const money = { area: 'funds', inbox: 'always', mail: 'on', sms: 'off', push: 'on' } as const
const step = { area: 'funds', inbox: 'on', mail: 'off', push: 'off' } as const
const danger = { area: 'trading', inbox: 'always', mail: 'on', sms: 'off', push: 'on' } as const
const asked = { area: 'trading', invites: true, inbox: 'on', mail: 'on', push: 'on' } as const
const progress = { area: 'trading', invites: true, inbox: 'on', push: 'off' } as const

/** Each kind of notice with its terms, in the order in which the app lists them. */
export const noticeTerms = {
  'new-device': security,
  'login-failed': security,
  'factor-failed': security,
  'password-changed': security,
  'factor-added': security,
  'factor-removed': security,
  'recovery-used': security,
  'recovery-renewed': security,
  'address-set': security,
  'address-removed': security,
  'payment-set': security,
  'account-frozen': security,
  'account-unfrozen': security,
  'regain-begun': security,
  'allow-list-ending': security,
  'withdrawal-address-added': security,
  'withdrawal-address-removed': security,
  'withdrawal-requested': security,
  'rest-begun': account,
  'rest-ended': account,
  'limit-raised': account,
  'funds-posted': account,
  'deposit-dropped': account,
  'deposit-debt': account,
  'key-widened': security,
  'key-used': security,
  'webhook-created': security,
  'webhook-off': account,
  'papers-verified': account,
  'papers-rejected': account,
  'papers-revoked': account,
  'support-answered': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'firm-waiting': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'firm-decided': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'firm-invited': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'firm-changed': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'firm-ended': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'firm-answered': { area: 'account', inbox: 'always', mail: 'on', sms: 'off', push: 'on' },
  'deposit-credited': money,
  'deposit-repaid': money,
  'deposit-final': step,
  'deposit-small': { ...step, inbox: 'always' },
  'withdrawal-approved': step,
  'withdrawal-rejected': money,
  'withdrawal-paid': money,
  'withdrawal-failed': money,
  'coins-moved': step,
  'loan-taken': step,
  'loan-repaid': step,
  'futures-warning': danger,
  'futures-liquidated': danger,
  'futures-deleveraged': danger,
  'margin-warning': danger,
  'margin-liquidated': danger,
  'price-alert': asked,
  'second-settled': progress,
  'order-filled': progress,
  // A stop that could not act, or a rest that was not sold, leaves its owner with the risk: these lead to a danger.
  'algo-ended': { area: 'trading', inbox: 'on', push: 'off' },
  'order-ended': { area: 'trading', inbox: 'on', push: 'off' },
  // An order that its owner counts on does not exist.
  'signal-refused': { area: 'trading', inbox: 'on', mail: 'off', push: 'on' },
} as const satisfies Readonly<Record<string, NoticeTerms>>

export type NoticeKind = keyof typeof noticeTerms
export const noticeKinds = Object.keys(noticeTerms) as readonly NoticeKind[]

/** The newest notices that are kept for each customer. */
export const noticesKept = 500

/** `values`: what the text of the kind names: device, address, market. Amounts are decimal text, names are as they were at that time. */
export type WireNotice = {
  readonly number: number
  readonly kind: NoticeKind
  readonly values: Readonly<Record<string, string>>
  readonly createdAt: number
  /** Absent: not read yet. */
  readonly readAt?: number
}

/** Newest first. `next`: the `before` of the following page. `unread`: count of all unread notices. */
export type WireNotices = { readonly notices: readonly WireNotice[]; readonly unread: number; readonly next?: number }
export type WireUnread = { readonly unread: number }

/** Marks everything up to a number as read, so that what arrived since stays unread. `from`: only from that number on. */
export type WireNoticesRead = { readonly upTo: number; readonly from?: number }

/** The channels on which a kind is sent. */
export type WireNoticePreference = { readonly kind: NoticeKind; readonly channels: readonly NoticeChannel[] }
/** `excludedUntil`: until then notices that lead back to products are not sent, whatever is chosen. Absent: no self-exclusion runs. */
export type WireNoticePreferences = { readonly preferences: readonly WireNoticePreference[]; readonly excludedUntil?: number }
/** Switches one channel of one kind. */
export type WireNoticeSwitch = { readonly kind: NoticeKind; readonly channel: NoticeChannel; readonly isOn: boolean }

/** `publicKey`: by which push services know this exchange. `isOn`: whether this session's browser gets push messages. */
export type WirePush = { readonly publicKey: string; readonly isOn: boolean }
/** Where a browser gets push messages, and its keys, as its `PushSubscription` names them. */
export type WirePushTarget = { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } }
/** The decrypted payload of a push message. It names no amounts: it may be read on a locked screen. `url`: the place in the app. */
export type PushPayload = {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly url: string
  readonly lang: string
}
