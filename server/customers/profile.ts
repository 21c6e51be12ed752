import type { Factors, Frozen, Key, Profile, Session } from '@candor/core/protocol/wire/console/customers.ts'
import { sql } from 'kysely'
import { maskEmail, maskPhone } from '../identity/address.ts'
import { sessionIdleMs } from '../identity/sessions.ts'
import type { Subject } from './looks.ts'
import { ownOf } from './own.ts'
import type { CustomersDb } from './tables.ts'

const shownMax = 50

export async function profileOf(db: CustomersDb, { id, uid }: Subject, now: number): Promise<Profile> {
  const row = await db
    .selectFrom('accounts as a')
    .leftJoin('accounts as i', 'i.id', 'a.referrer')
    .select([
      'a.email',
      'a.phone',
      'a.lang',
      'a.class',
      'a.certification',
      'a.created_at',
      'a.withdrawals_closed_until',
      'a.residence',
      'i.uid as inviter',
    ])
    .select((one) =>
      one
        .selectFrom('sessions as s')
        .select(({ fn }) => fn.max('s.last_seen_at').as('at'))
        .whereRef('s.account', '=', 'a.id')
        .as('last_seen_at'),
    )
    .where('a.id', '=', id)
    .executeTakeFirstOrThrow()
  const [papers, frozen, staff, own, factors, sessions, keys, firm] = await Promise.all([
    papersOf(db, id),
    frozenOf(db, id),
    staffOf(db, id),
    ownOf(db, id, now),
    factorsOf(db, id),
    sessionsOf(db, id, now),
    keysOf(db, id, now),
    firmOf(db, id),
  ])
  const { withdrawals_closed_until: closedUntil } = row
  return {
    ...{ uid, email: row.email && maskEmail(row.email), phone: row.phone && maskPhone(row.phone), lang: row.lang, class: row.class },
    ...{
      certification: row.certification,
      region: row.residence,
      papers,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      inviter: row.inviter,
    },
    ...(firm === undefined ? {} : { firm }),
    ...{ frozen, withdrawalsClosedUntil: closedUntil > now ? closedUntil : null, staff, own, factors, sessions, keys },
  }
}

/** The firm whose account it is. */
async function firmOf(db: CustomersDb, account: string): Promise<Profile['firm']> {
  const { rows } = await sql<NonNullable<Profile['firm']>>`
    select firms.number, firms.name, of.label from firm_accounts of join firms on firms.id = of.firm where of.account = ${account}`.execute(
    db,
  )
  return rows[0]
}

async function papersOf(db: CustomersDb, account: string): Promise<Profile['papers']> {
  const row = await db
    .selectFrom('papers')
    .select(['id', 'state', 'sent_at', 'decided_at'])
    .where('account', '=', account)
    .where('sent_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, state: row.state, sentAt: row.sent_at!, decidedAt: row.decided_at }
}

async function frozenOf(db: CustomersDb, account: string): Promise<Frozen | null> {
  const row = await db
    .selectFrom('freezes')
    .select(['id', 'frozen_at', 'cause', 'officer', 'reason'])
    .where('account', '=', account)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, at: row.frozen_at, by: row.cause, officer: row.officer, reason: row.reason }
}

async function staffOf(db: CustomersDb, account: string): Promise<Profile['staff']> {
  return db
    .selectFrom('staff_marks as m')
    .innerJoin('staff as s', 's.id', 'm.staff')
    .select(['s.email', 'm.cause', 'm.marked_at as at'])
    .where('m.account', '=', account)
    .orderBy('m.marked_at')
    .execute()
}

async function factorsOf(db: CustomersDb, account: string): Promise<Factors> {
  const { rows } = await sql<Factors>`select
    (select confirmed_at from authenticators where account = ${account}) as "authenticatorSince",
    (select count(*) from passkeys where account = ${account})::int as passkeys,
    (select count(*) from recovery_codes where account = ${account})::int as "recoveryCodes",
    (select set_at from payment_passwords where account = ${account}) as "paymentPasswordSince"`.execute(db)
  return rows[0]!
}

/** Living ones, the last used first. */
async function sessionsOf(db: CustomersDb, account: string, now: number): Promise<readonly Session[]> {
  return db
    .selectFrom('sessions')
    .select(['device', 'ip', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('account', '=', account)
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '>', now - sessionIdleMs)
    .orderBy('last_seen_at', 'desc')
    .limit(shownMax)
    .execute()
}

async function keysOf(db: CustomersDb, account: string, now: number): Promise<readonly Key[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['label', 'scopes', 'ips', 'created_at', 'expires_at', 'last_used_at', 'last_ip'])
    .where('account', '=', account)
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('number', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map(({ label, scopes, ips, ...row }) => ({
    ...{ label, scopes, ips: ips.length, createdAt: row.created_at, expiresAt: row.expires_at },
    ...{ lastUsedAt: row.last_used_at, lastIp: row.last_ip },
  }))
}
