import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { FirmRight, FirmRole } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Channel } from '@candor/core/protocol/wire/user.ts'
import type { Kysely } from 'kysely'

/** Sends mail and short messages. Resolves when the next hop has accepted the message; throws a fault otherwise. */
export type Messages = {
  send(message: Message): Promise<void>
}

export const templates = [
  ...(['register-code', 'reset-code', 'reset-link', 'new-device', 'password-changed', 'key-widened'] as const),
  ...(['account-exists', 'webhook-created', 'webhook-off', 'proof-code', 'factor-added', 'factor-removed', 'factor-failed'] as const),
  ...(['recovery-renewed', 'address-code', 'address-taken', 'address-set', 'address-removed', 'payment-set'] as const),
  ...([
    'regain-code',
    'regain-begun',
    'regain-link',
    'regain-rejected',
    'regained',
    'allow-list-on',
    'allow-list-ending',
    'rest-begun',
  ] as const),
  ...(['withdrawal-address-added', 'withdrawal-address-removed'] as const),
  ...(['withdrawal-requested', 'withdrawal-approved', 'withdrawal-rejected', 'withdrawal-paid', 'withdrawal-failed'] as const),
  ...(['deposit-credited', 'deposit-repaid', 'deposit-final', 'deposit-small', 'deposit-dropped', 'deposit-debt'] as const),
  ...(['account-frozen', 'frozen-note', 'account-unfrozen', 'deletion-asked'] as const),
  ...(['papers-verified', 'papers-rejected', 'papers-revoked'] as const),
  ...(['rest-ended', 'limit-raised', 'funds-posted', 'support-answered'] as const),
  ...(['firm-waiting', 'firm-decided', 'firm-invited', 'firm-changed', 'firm-ended', 'firm-answered'] as const),
  ...(['login-failed', 'recovery-used', 'key-used', 'futures-warning', 'futures-liquidated', 'futures-deleveraged'] as const),
  ...(['margin-warning', 'margin-liquidated', 'price-alert', 'second-settled', 'order-filled', 'order-cut', 'algo-ended'] as const),
  ...(['order-ended', 'signal-refused', 'coins-moved', 'loan-taken', 'loan-repaid'] as const),
  ...(['staff-enrolment', 'staff-address', 'staff-login'] as const),
] as const
export type Template = (typeof templates)[number]

/** A message, by the name of its text. The text exists in every language under `server/messages/texts/`. */
export type Message = {
  readonly channel: Channel
  readonly to: string
  readonly lang: string
  readonly template: Template
  readonly values: Readonly<Record<string, string>>
  /** The owner's own words, by which they recognize a mail of the exchange. */
  readonly phrase?: string
  /** Set: the message adds that no withdrawal leaves the account for a day. */
  readonly closesWithdrawals?: true
  /** A link by which the owner freezes the account, if the change was not theirs. */
  readonly freezeLink?: string
}

/** The login behind a request, and its origin. */
export type Asker = {
  readonly account: string
  readonly session?: string
  readonly visitor: { readonly ip: string; readonly userAgent: string }
}

/** Services of the room that knows the accounts' owners, for rooms that store things for accounts. */
export type Owners = {
  /** throws  Refused when this is not the password of the account, after too many tries, or when the session must prove itself first */
  confirm(who: Asker, password: string, change: OwnerChange): Promise<void>
  /** Sends a message to the owner's mail address or phone, without delaying the answer. */
  tell(account: string, template: Template, values: Readonly<Record<string, string>>): Promise<void>
  /** Tells the owner at every address that something about the account's protection changed: with device, address and time. */
  warn(account: string, template: Template, visitor: Asker['visitor'], values: Readonly<Record<string, string>>): Promise<void>
  /**
   * Adds a line to the log that nobody can change, in the transaction of the change that it records. A session that has ended since its
   * request began makes no change.
   *
   * throws  Refused UNAUTHENTICATED
   */
  log<Tables>(
    transaction: Kysely<Tables>,
    entry: Asker & { readonly action: OwnerAction; readonly detail: Readonly<Record<string, string | number | boolean>> },
  ): Promise<void>
}
/** Changes that need the password, and a proof where the account has a second factor. */
export type OwnerChange = 'key-create' | 'key-widen' | 'webhook-create' | 'webhook-secret-renew'
export type OwnerAction =
  | ('webhook-created' | 'webhook-changed' | 'webhook-secret-renewed' | 'webhook-deleted')
  | ('papers-sent' | 'papers-seen' | 'papers-rejected' | 'certified' | 'certificate-revoked')
  | ('regain-sent' | 'regain-seen' | 'regain-approved' | 'regain-rejected')

/** Wall clock of the server's own rooms (sessions, codes); the core's time comes from the sequencer. */
export type Clock = () => number

/** A logged-in user, as every route sees them. `user` is the core's number. */
export type Session = {
  readonly id: string
  readonly account: string
  readonly user: number
  readonly uid: string
  readonly lang: string
  readonly class: UserClass
  readonly loggedInAt: number
  /** Set when a member acts for an account of their firm, which is then `account`, `user` and `uid`. */
  readonly member?: ActingMember
}

/** A session by which a member acts for an account of a firm. `isArchived`: the account can only be read. */
export type Acting = { readonly session: Session & { readonly member: ActingMember }; readonly isArchived: boolean }

/** Whoever acts for an account of a firm. `id`: as a member. `account`, `user`: the person's own. */
export type ActingMember = {
  readonly id: string
  readonly account: string
  readonly user: number
  readonly firm: string
  readonly role: FirmRole
  readonly rights: readonly FirmRight[]
  readonly label: string
}
