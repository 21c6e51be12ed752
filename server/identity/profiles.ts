import type { WireAccesses } from '@candor/core/protocol/wire/factors.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { Refused } from '../refused.ts'
import type { Clock, Session } from '../ports.ts'
import { maskEmail, maskPhone } from './address.ts'
import { type Action, record } from './audit.ts'
import { deviceOf, type Visitor } from './device.ts'
import type { IdentityDb } from './tables.ts'

export type Profile = {
  readonly uid: string
  readonly email?: string
  readonly phone?: string
  readonly lang: string
  readonly invitationCode: string
  readonly certification: 'none' | 'in-progress' | 'certified'
  readonly createdAt: number
  /** The declared country of residence. */
  readonly residence: string | null
}

const accessesPerPage = 50

/** What the owner of an account recognizes, or does not. Orders and settings are in lists of their own. */
export const shownActions: readonly Action[] = [
  ...([
    'register',
    'login',
    'login-failed',
    'second-factor-asked',
    'second-factor-failed',
    'logout',
    'session-ended',
    'other-sessions-ended',
  ] as const),
  ...(['reset-allowed', 'password-reset', 'password-changed', 'proven', 'key-created', 'key-changed', 'key-deleted'] as const),
  ...([
    'authenticator-added',
    'authenticator-removed',
    'passkey-added',
    'passkey-removed',
    'recovery-codes-renewed',
    'recovery-used',
    'phrase-set',
    'phrase-removed',
    'address-set',
    'address-removed',
    'payment-password-set',
    'payment-password-failed',
    'account-frozen',
    'account-unfrozen',
    'regain-begun',
    'regain-stopped',
    'regain-sent',
    'regain-approved',
    'regain-rejected',
    'regained',
    'allow-list-on',
    'allow-list-kept',
    'allow-list-ending',
    'withdrawal-address-added',
    'withdrawal-address-renamed',
    'withdrawal-address-removed',
    'withdrawal-requested',
    'rest-begun',
    'own-limit-set',
    'own-limit-raised',
    'residence-declared',
    'agreement-accepted',
    'deletion-asked',
    'deletion-cancelled',
    'data-exported',
  ] as const),
  ...(['webhook-created', 'webhook-changed', 'webhook-secret-renewed', 'webhook-deleted'] as const),
  ...(['papers-sent', 'papers-rejected', 'certified', 'certificate-revoked'] as const),
]
/** Done by the staff. Their address and device are nobody's business. */
export const staffActions: ReadonlySet<string> = new Set<Action>([
  ...(['papers-seen', 'certified', 'papers-rejected', 'certificate-revoked', 'account-unfrozen'] as const),
  ...(['regain-seen', 'regain-approved', 'regain-rejected'] as const),
])
const ours = { ip: '—', device: deviceOf('') }

/** An entry of the log as its owner may see it. */
export function asOwnersSee<E extends { readonly action: string; readonly ip: string; readonly device: string }>(entry: E): E {
  return staffActions.has(entry.action) ? { ...entry, ...ours } : entry
}

/** Data that customers see about themselves and may change without a password. */
export class Profiles {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async get(account: string): Promise<Profile> {
    const row = await this.#db.selectFrom('accounts').selectAll().where('id', '=', account).executeTakeFirst()
    if (!row) throw new Refused('USER_UNKNOWN')
    return {
      uid: row.uid,
      ...(row.email === null ? {} : { email: maskEmail(row.email) }),
      ...(row.phone === null ? {} : { phone: maskPhone(row.phone) }),
      lang: row.lang,
      invitationCode: row.invitation_code,
      certification: row.certification,
      createdAt: row.created_at,
      residence: row.residence,
    }
  }

  /** Time of the last password reset, if within `withinMs`. */
  async lastReset(account: string, withinMs: number): Promise<number | undefined> {
    const { at } = await this.#db
      .selectFrom('audit_log')
      .select((row) => row.fn.max('at').as('at'))
      .where('account', '=', account)
      .where('action', '=', 'password-reset')
      .where('at', '>', this.#clock() - withinMs)
      .executeTakeFirstOrThrow()
    return at ?? undefined
  }

  /** Logins and security changes of an account, newest first, from before this entry of the log. */
  async accesses(account: string, before?: number): Promise<WireAccesses> {
    const rows = await this.#db
      .selectFrom('audit_log')
      .select(['id', 'action', 'at', 'device', 'ip'])
      .where('account', '=', account)
      .where('action', 'in', shownActions)
      .$if(before !== undefined, (query) => query.where('id', '<', before as number))
      .orderBy('id', 'desc')
      .limit(accessesPerPage + 1)
      .execute()
    const entries = rows.slice(0, accessesPerPage).map(asOwnersSee)
    return { entries, ...(rows.length > accessesPerPage ? { next: entries.at(-1)!.id } : {}) }
  }

  async setLang(account: string, lang: string): Promise<void> {
    await this.#db.updateTable('accounts').set({ lang }).where('id', '=', account).execute()
  }

  async changeLang(session: Session, lang: string, visitor: Visitor): Promise<void> {
    await this.setLang(session.account, lang)
    await record(this.#db, this.#clock, {
      account: session.account,
      action: 'lang-changed',
      visitor,
      session: session.id,
      detail: { lang },
    })
  }

  /** Records that the core counts this user as certified. Idempotent. */
  async setCertified(account: string, visitor: Visitor, session?: Session): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('accounts')
        .set({ certification: 'certified' })
        .where('id', '=', account)
        .where('certification', '<>', 'certified')
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await record(db, this.#clock, { account, action: 'certified', visitor, session: session?.id })
    })
  }

  /** Users of the core whose account is marked as certified. */
  async certified(): Promise<readonly UserId[]> {
    const rows = await this.#db.selectFrom('accounts').select('core_user').where('certification', '=', 'certified').execute()
    return rows.flatMap(({ core_user: user }) => (user === null ? [] : [user as UserId]))
  }
}
