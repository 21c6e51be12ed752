import type { RegainState } from '@candor/core/protocol/wire/regain.ts'
import type { Channel } from '@candor/core/protocol/wire/user.ts'
import type { KeyKind, KeyScope } from '@candor/core/protocol/wire/keys.ts'
import type { OwnLimitKind, RestCause, RiskyProduct } from '@candor/core/protocol/wire/own-limits.ts'
import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely'
import type { Store } from '../store/open.ts'
import type { SignalTables } from './signals/rows.ts'

/** Migrations 010 to 013, 070, 090, 095, 096, 101, 108 to 110, 115, 157 and 211, as Kysely sees them. */
export type IdentityTables = SignalTables & {
  accounts: AccountTable
  agreements: AgreementTable
  /** `value`: as JSON text when it is written. */
  chart_layouts: { account: string; symbol: string; set_at: Generated<Date>; revision: number; value: ColumnType<unknown, string, string> }
  preferences: { account: string; name: string; revision: number; value: ColumnType<unknown, string, string> }
  sessions: SessionTable
  codes: CodeTable
  code_counts: { subject: string; since: number; sent: number }
  reset_tokens: { token: Buffer; account: string; expires_at: number }
  login_tries: { subject: string; tries: number; last_at: number; blocked_until: number }
  audit_log: AuditTable
  api_keys: ApiKeyTable
  authenticators: AuthenticatorTable
  recovery_codes: { account: string; hash: Buffer }
  passkeys: PasskeyTable
  passkey_challenges: { challenge: Buffer; account: string | null; expires_at: number }
  payment_passwords: PaymentPasswordTable
  freezes: FreezeTable
  deletions: DeletionTable
  freeze_lifts: FreezeLiftTable
  freeze_links: { token: Buffer; account: string; expires_at: number }
  login_steps: LoginStepTable
  regains: RegainTable
  allow_lists: { account: string; is_on: boolean; changed_at: number; ends_at: number | null }
  own_limits: OwnLimitTable
  own_rests: OwnRestTable
  own_time: {
    account: string
    check_every: Generated<number>
    day_ms: Generated<number>
    seconds: Generated<number>
    last_at: Generated<number>
  }
  deposit_days: { account: string; day_ms: number; amount: string }
  loss_figures: { day_ms: number; product: RiskyProduct; accounts: number; losers: number }
}

/** `proven`: the channels whose codes were right, of a customer who has lost the second factors. */
type LoginStepTable = {
  token: Buffer
  account: string
  password_changed_at: number
  tries: Generated<number>
  expires_at: number
  proven: Generated<readonly Channel[]>
}

export type RegainTable = {
  id: string
  account: string
  state: RegainState
  has_papers: boolean
  token: Buffer
  ip: string
  device: string
  created_at: number
  told_at: number
  photos_added: Generated<number>
  fields: Generated<Buffer | null>
  tag: Generated<Buffer | null>
  sent_at: Generated<number | null>
  proposed_by: Generated<string | null>
  proposer: Generated<string | null>
  proposed_at: Generated<number | null>
  reason: Generated<string | null>
  decided_by: Generated<string | null>
  decider: Generated<string | null>
  decided_at: Generated<number | null>
  due_at: number | null
  link: Generated<Buffer | null>
  link_sent_at: Generated<number | null>
  link_expires_at: Generated<number | null>
  ended_at: Generated<number | null>
  ended_by: Generated<'asker' | 'owner' | 'login' | 'freeze' | 'staff' | 'time' | 'link' | null>
}

export type AccountTable = {
  id: string
  uid: string
  core_user: number | null
  email: string | null
  phone: string | null
  password: string
  password_changed_at: number
  lang: string
  invitation_code: string
  referrer: string | null
  referrer_user: Generated<number>
  class: 'retail' | 'maker' | 'bench'
  certification: Generated<'none' | 'in-progress' | 'certified'>
  created_at: number
  phrase: Generated<Buffer | null>
  withdrawals_closed_until: Generated<number>
  frozen_at: Generated<number | null>
  /** The declared country of residence, and when its owner declared it together with the age. */
  residence: Generated<string | null>
  declared_at: Generated<number | null>
  is_home_due: Generated<boolean>
  erased_at: Generated<number | null>
  /** Of a firm: nobody logs in to it, and its members act for it. */
  firm: Generated<string | null>
}

export type DeletionTable = {
  id: GeneratedAlways<number>
  account: string
  asked_at: number
  due_at: number
  gives_up: boolean
  session: string
  ip: string
  cancelled_at: number | null
  erased_at: number | null
}

/** `session`: null for a registration. */
export type AgreementTable = {
  account: string
  version: string
  accepted_at: number
  session: string | null
  ip: string | null
  device: string | null
}

export type FreezeTable = {
  id: GeneratedAlways<number>
  account: string
  frozen_at: number
  cause: 'owner' | 'link' | 'staff'
  staff: string | null
  officer: string | null
  reason: string | null
  lifted_at: number | null
}

export type FreezeLiftTable = {
  id: GeneratedAlways<number>
  freeze_id: number
  reason: string
  proposed_by: string
  proposer: string
  proposed_at: number
  expires_at: number
  state: Generated<'open' | 'approved' | 'declined' | 'expired'>
  decided_by: Generated<string | null>
  decided_at: Generated<number | null>
}

export type PaymentPasswordTable = {
  account: string
  hash: string
  set_at: number
  tries: Generated<number>
  locked_until: Generated<number>
}

export type SessionTable = {
  id: string
  account: string
  token: Buffer
  token_since: number
  previous_token: Buffer | null
  previous_until: number | null
  device: string
  device_key: Buffer
  ip: string
  created_at: number
  last_seen_at: number
  logged_in_at: number
  revoked_at: number | null
  device_forgotten_at: Generated<number | null>
  proven_at: Generated<number | null>
}

export type CodeTable = {
  channel: Channel
  target: string
  /** `register` or `reset`; requests of known devices append the device. */
  purpose: string
  hash: Buffer
  tries: Generated<number>
  sent_at: number
  expires_at: number
  used_at: number | null
}

export type AuditTable = {
  id: Generated<number>
  account: string | null
  action: string
  at: number
  ip: string
  device: string
  session: string | null
  detail: Generated<string>
}

export type ApiKeyTable = {
  number: GeneratedAlways<number>
  id: string
  account: string
  /** Of a firm, who made it. */
  member: Generated<string | null>
  key: string
  label: string
  kind: KeyKind
  secret: Buffer | null
  public_key: string | null
  scopes: readonly KeyScope[]
  ips: readonly string[]
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  last_ip: string | null
  deleted_at: number | null
}

export type AuthenticatorTable = {
  account: string
  secret: Buffer | null
  confirmed_at: number | null
  last_step: Generated<number>
  next_secret: Buffer | null
  next_at: number | null
}

export type PasskeyTable = {
  id: string
  account: string
  credential: string
  public_key: Buffer
  counter: number
  transports: readonly string[]
  label: string
  is_synced: boolean
  created_at: number
  last_used_at: number | null
}

export type IdentityDb = Kysely<IdentityTables>

export function identityDb(store: Store): IdentityDb {
  return store.db.withTables<IdentityTables>() as unknown as IdentityDb
}

/** `value`: USDT or minutes. `has_next`: a higher `next_value`, or none, waits until `next_at` for its owner to confirm it. */
export type OwnLimitTable = {
  account: string
  kind: OwnLimitKind
  value: string | null
  has_next: Generated<boolean>
  next_value: Generated<string | null>
  next_at: Generated<number | null>
  checked_at: Generated<number>
}

export type OwnRestTable = {
  id: GeneratedAlways<number>
  account: string
  cause: RestCause
  at: number
  until: number
  told_at: Generated<number | null>
  ended_at: Generated<number | null>
}
