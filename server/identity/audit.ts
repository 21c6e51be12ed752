import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { Clock, OwnerAction } from '../ports.ts'
import { addNotice } from '../store/notices.ts'
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
  | 'recovery-used'
  | 'phrase-set'
  | 'phrase-removed'
  | 'address-set'
  | 'address-removed'
  | 'payment-password-set'
  | 'payment-password-failed'
  | 'account-frozen'
  | 'account-unfrozen'
  | 'regain-begun'
  | 'regain-stopped'
  | 'regained'
  | 'allow-list-on'
  | 'allow-list-kept'
  | 'allow-list-ending'
  | 'withdrawal-address-added'
  | 'withdrawal-address-renamed'
  | 'withdrawal-address-removed'
  | 'withdrawal-requested'
  | 'rest-begun'
  | 'own-limit-set'
  | 'own-limit-raised'
  | 'residence-declared'
  | 'agreement-accepted'
  | 'deletion-asked'
  | 'deletion-cancelled'
  | 'account-erased'
  | 'data-exported'
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

const hourMs = 3_600_000
/** Wrong passwords within an hour that are worth a notice. */
const failuresMin = 5

type NoticeTerms = { readonly kind: NoticeKind; readonly if?: string; readonly isHourly?: boolean; readonly isOurs?: boolean }

/**
 * Entries of which the owner gets a notice. `if`: only where the detail has this name. `isHourly`: once in each hour of the clock,
 * because strangers can cause them without end. `isOurs`: done by the staff, whose address and device are nobody's business.
 */
const noticed: { readonly [Name in Action]?: NoticeTerms } = {
  login: { kind: 'new-device', if: 'isNewDevice' },
  'login-failed': { kind: 'login-failed', isHourly: true },
  'second-factor-failed': { kind: 'factor-failed', isHourly: true },
  'password-reset': { kind: 'password-changed' },
  'password-changed': { kind: 'password-changed' },
  'authenticator-added': { kind: 'factor-added' },
  'passkey-added': { kind: 'factor-added' },
  'authenticator-removed': { kind: 'factor-removed' },
  'passkey-removed': { kind: 'factor-removed' },
  'recovery-used': { kind: 'recovery-used' },
  'recovery-codes-renewed': { kind: 'recovery-renewed' },
  'address-set': { kind: 'address-set' },
  'address-removed': { kind: 'address-removed' },
  'payment-password-set': { kind: 'payment-set' },
  'account-frozen': { kind: 'account-frozen' },
  'account-unfrozen': { kind: 'account-unfrozen', isOurs: true },
  'regain-begun': { kind: 'regain-begun' },
  regained: { kind: 'factor-removed' },
  'allow-list-ending': { kind: 'allow-list-ending' },
  'withdrawal-address-added': { kind: 'withdrawal-address-added' },
  'withdrawal-address-removed': { kind: 'withdrawal-address-removed' },
  'key-created': { kind: 'key-widened' },
  'key-changed': { kind: 'key-widened', if: 'isWider' },
  'key-used': { kind: 'key-used', if: 'isFirst' },
  'webhook-created': { kind: 'webhook-created' },
  certified: { kind: 'papers-verified', isOurs: true },
  'papers-rejected': { kind: 'papers-rejected', isOurs: true },
  'certificate-revoked': { kind: 'papers-revoked', isOurs: true },
}

/**
 * Appends to the immutable log, and writes the owner's notice of it, in the transaction of the action that it records. Returns the
 * entry's number.
 */
export async function record(db: IdentityDb, clock: Clock, entry: Entry): Promise<number> {
  const [at, device] = [clock(), deviceOf(entry.visitor.userAgent)]
  const { id } = await db
    .insertInto('audit_log')
    .values({
      account: entry.account ?? null,
      action: entry.action,
      at,
      ip: entry.visitor.ip,
      device,
      session: entry.session ?? null,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await notice(db, entry, { id, at, device })
  return id
}

async function notice(
  db: IdentityDb,
  entry: Entry,
  { id, at, device }: { readonly id: number; readonly at: number; readonly device: string },
) {
  const terms = noticed[entry.action]
  const { account = nobody, detail = {} } = entry
  if (terms === undefined || (terms.if !== undefined && detail[terms.if] !== true)) return
  // An address without an account takes the same steps.
  if (entry.action === 'login-failed' && (await failures(db, account, at)) < failuresMin) return
  const { label, url, network, destination } = detail
  const values = {
    ...(terms.isOurs ? {} : { ...(entry.visitor.userAgent === '' ? {} : { device }), ip: entry.visitor.ip }),
    ...(label === undefined ? {} : { label: String(label) }),
    ...(url === undefined ? {} : { url: String(url) }),
    ...(destination === undefined ? {} : { network: String(network), destination: String(destination) }),
  }
  const event = terms.isHourly ? `${terms.kind}-${Math.floor(at / hourMs)}` : `log-${id}`
  await addNotice(db, { account, kind: terms.kind, values, event, at })
}

/** An id that no account has. */
const nobody = '00000000-0000-0000-0000-000000000000'

async function failures(db: IdentityDb, account: string, at: number): Promise<number> {
  const recent = db
    .selectFrom('audit_log')
    .select('action')
    .where('account', '=', account)
    .where('at', '>', at - hourMs)
    .where('action', '=', 'login-failed')
    .orderBy('id', 'desc')
    .limit(failuresMin)
  const { count } = await db
    .selectFrom(recent.as('recent'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
