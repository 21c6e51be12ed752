import type { Clock, OwnerAction } from '../ports.ts'
import { deviceOf, type Visitor } from './device.ts'
import type { IdentityDb } from './tables.ts'

export type Action =
  | 'code-asked'
  | 'register'
  | 'login'
  | 'login-failed'
  | 'logout'
  | 'session-ended'
  | 'other-sessions-ended'
  | 'reset-allowed'
  | 'password-reset'
  | 'password-changed'
  | 'lang-changed'
  | 'favourites-changed'
  | 'account-created'
  | 'key-created'
  | 'key-changed'
  | 'key-deleted'
  | 'key-used'
  | 'second-factor-asked'
  | 'second-factor-failed'
  | 'proven'
  | 'authenticator-added'
  | 'authenticator-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-renewed'
  | 'phrase-set'
  | 'phrase-removed'
  | 'address-set'
  | 'address-removed'
  | 'payment-password-set'
  | 'payment-password-failed'
  | 'account-frozen'
  | 'account-unfrozen'
  | 'option-proposed'
  | 'option-approved'
  | 'option-operated'
  | 'region-proposed'
  | 'region-approved'
  | 'region-operated'
  | OwnerAction

export type Entry = {
  /** Undefined when the tried address has no account, or when the entry must not reveal it. */
  readonly account: string | undefined
  readonly action: Action
  readonly visitor: Visitor
  readonly session?: string | undefined
  readonly detail?: Readonly<Record<string, string | number | boolean>>
}

/** Appends to the immutable log, in the transaction of the action that it records. Returns the entry's number. */
export async function record(db: IdentityDb, clock: Clock, entry: Entry): Promise<number> {
  const { id } = await db
    .insertInto('audit_log')
    .values({
      account: entry.account ?? null,
      action: entry.action,
      at: clock(),
      ip: entry.visitor.ip,
      device: deviceOf(entry.visitor.userAgent),
      session: entry.session ?? null,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
