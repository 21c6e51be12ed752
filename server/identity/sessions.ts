import { randomUUID } from 'node:crypto'
import type { WireSession } from '@candor/core/protocol/wire/user.ts'
import { sql } from 'kysely'
import type { Clock, Session } from '../ports.ts'
import { Refused } from '../refused.ts'
import { deviceOf, type Visitor } from './device.ts'
import { cancelDeletion } from './gates/cancel.ts'
import type { Devices } from './devices.ts'
import { hashOf, newToken } from './secret.ts'
import type { IdentityDb } from './tables.ts'

const day = 86_400_000
export const sessionIdleMs = 30 * day
const sessionLivesMs = 180 * day
const rotateAfterMs = day
const graceMs = 60_000
const seenEveryMs = 60_000
export const freshMs = 15 * 60_000

/**
 * Sessions of one account that ended early. Holders of open sockets close theirs; caches of tokens drop all of the account's,
 * because a remaining session may have got a new token. `isActing`: whatever acts for an account of a firm with this person's login, or
 * for this account of a firm, is to be looked up again; the person's own sessions stay.
 */
export type Revoked = { readonly account: string; readonly sessions: readonly string[]; readonly isActing?: boolean }

export type Started = {
  readonly session: Session
  readonly token: string
  readonly deviceKey: string
  /** The key, signed for this account. */
  readonly deviceCookie: string
  readonly isKnownDevice: boolean
}

/** A session proves only that a login exists; routes decide what it may do. */
export class Sessions {
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #devices: Devices
  readonly #listeners = new Set<(revoked: Revoked) => void>()

  constructor(db: IdentityDb, clock: Clock, devices: Devices) {
    this.#db = db
    this.#clock = clock
    this.#devices = devices
  }

  /**
   * A new session with a new token, never one that the visitor brought. The account's row is share-locked meanwhile: a password
   * change waits, and then ends this session too.
   *
   * password  the PHC string that was checked; undefined when none was. No session starts if it is another one by now
   *
   * throws  Refused USER_FROZEN, CREDENTIALS_WRONG
   */
  async start(account: string, visitor: Visitor, password?: string): Promise<Started> {
    const now = this.#clock()
    const token = newToken()
    const deviceKey = visitor.deviceKey ?? newToken(16)
    const id = randomUUID()
    return this.#db.transaction().execute(async (db) => {
      const found = await db
        .selectFrom('accounts')
        .select(['core_user', 'uid', 'lang', 'class', 'password_changed_at', 'frozen_at'])
        .where('id', '=', account)
        .$if(password !== undefined, (query) => query.where('password', '=', password as string))
        .forShare()
        .executeTakeFirst()
      if (!found || found.core_user === null) throw new Refused('CREDENTIALS_WRONG')
      // Told here alone, to somebody whose every factor was right.
      if (found.frozen_at !== null) throw new Refused('USER_FROZEN')
      await cancelDeletion(db, account, this.#clock)
      const isKnownDevice = await isKnown(db, account, deviceKey)
      await db
        .insertInto('sessions')
        .values({
          id,
          account,
          token: hashOf(token),
          token_since: now,
          previous_token: null,
          previous_until: null,
          device: deviceOf(visitor.userAgent),
          device_key: hashOf(deviceKey),
          ip: visitor.ip,
          created_at: now,
          last_seen_at: now,
          logged_in_at: now,
          revoked_at: null,
        })
        .execute()
      const session = { id, account, user: found.core_user, uid: found.uid, lang: found.lang, class: found.class, loggedInAt: now }
      const deviceCookie = this.#devices.sign(deviceKey, account, found.password_changed_at)
      return { session, token, deviceKey, deviceCookie, isKnownDevice }
    })
  }

  /**
   * The name of a browser with which the account's owner has logged in and that no reset has made unknown since; it reveals
   * nothing of the browser's key. Looked up for unknown accounts as well: both take the same steps.
   */
  async knownDevice(account: string | undefined, { deviceKey }: Visitor): Promise<string | undefined> {
    if (deviceKey === undefined) return undefined
    const isOwn = await isKnown(this.#db, account ?? nobody, deviceKey)
    return isOwn ? hashOf(deviceKey).toString('hex').slice(0, 16) : undefined
  }

  /**
   * Makes a browser a known device of the account without a login, because it has just proved the owner by code or link. It gets
   * a new key: the one that it brought may be the reason for the reset. Returns its cookie.
   */
  async recognize(db: IdentityDb, account: string, visitor: Visitor, changedAt: number): Promise<string> {
    const now = this.#clock()
    const deviceKey = newToken(16)
    await db
      .insertInto('sessions')
      .values({
        ...{ id: randomUUID(), account, token: hashOf(newToken()), token_since: now, previous_token: null, previous_until: null },
        ...{ device: deviceOf(visitor.userAgent), device_key: hashOf(deviceKey), ip: visitor.ip },
        // Ended from the start: it opens nothing.
        ...{ created_at: now, last_seen_at: now, logged_in_at: now, revoked_at: now },
      })
      .execute()
    return this.#devices.sign(deviceKey, account, changedAt)
  }

  /** Part of a freeze or a password change: no browser stays a known device, except that of the session that may stay. */
  async forgetDevices(db: IdentityDb, account: string, except?: string): Promise<void> {
    const kept = sql<boolean>`device_key is distinct from (select device_key from sessions where id = ${except ?? nobody})`
    await db
      .updateTable('sessions')
      .set({ device_forgotten_at: this.#clock() })
      .where('account', '=', account)
      .where('device_forgotten_at', 'is', null)
      .where(kept)
      .execute()
  }

  /** The live session of a token; extends it to 30 days after the last use, at most 180 after the login. */
  async find(token: string): Promise<Session | undefined> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
    const now = this.#clock()
    const hash = hashOf(token)
    const row = await this.#living(now)
      .where((where) =>
        where.or([
          where('sessions.token', '=', hash),
          where.and([
            where('sessions.previous_token', '=', hash),
            where.or([where('sessions.previous_until', 'is', null), where('sessions.previous_until', '>', now)]),
          ]),
        ]),
      )
      .innerJoin('accounts', 'accounts.id', 'sessions.account')
      .where('accounts.frozen_at', 'is', null)
      .select(['accounts.core_user', 'accounts.uid', 'accounts.lang', 'accounts.class'])
      .select(['sessions.id', 'sessions.account', 'sessions.token', 'sessions.previous_token', 'sessions.previous_until'])
      .select(['sessions.last_seen_at', 'sessions.logged_in_at'])
      .executeTakeFirst()
    if (!row || row.core_user === null) return undefined
    const confirms = row.previous_token !== null && row.previous_until === null && row.token.equals(hash)
    if (confirms)
      await this.#db
        .updateTable('sessions')
        .set({ previous_until: now + graceMs })
        .where('id', '=', row.id)
        .where('token', '=', hash)
        .execute()
    if (now - row.last_seen_at >= seenEveryMs) {
      await this.#db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', row.id).where('last_seen_at', '<', now).execute()
    }
    return {
      id: row.id,
      account: row.account,
      user: row.core_user,
      uid: row.uid,
      lang: row.lang,
      class: row.class,
      loggedInAt: row.logged_in_at,
    }
  }

  /**
   * A new token for the same session, at most one a day; undefined when it is too early. The old token works until the new one
   * is seen, and one minute more for requests in flight. Forced, the old one ends at once.
   */
  async rotate(token: string, isForced = false): Promise<string | undefined> {
    const now = this.#clock()
    const hash = hashOf(token)
    const next = newToken()
    const row = await this.#db
      .updateTable('sessions')
      .set({ token: hashOf(next), token_since: now, previous_token: isForced ? null : hash, previous_until: null })
      .where((where) => where.or([where('token', '=', hash), where('previous_token', '=', hash)]))
      .where('revoked_at', 'is', null)
      .where('token_since', '<=', isForced ? now : now - rotateAfterMs)
      .returning('id')
      .executeTakeFirst()
    return row && next
  }

  async list(account: string, current: string): Promise<readonly WireSession[]> {
    const rows = await this.#living(this.#clock())
      .where('sessions.account', '=', account)
      .select(['id', 'device', 'ip', 'created_at', 'last_seen_at'])
      .orderBy('last_seen_at', 'desc')
      .limit(200)
      .execute()
    return rows.map((row) => ({
      id: row.id,
      device: row.device,
      ip: row.ip,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      isCurrent: row.id === current,
    }))
  }

  /** Ends one session of an account. Returns false when the account has no such live session. */
  async revoke(account: string, id: string): Promise<boolean> {
    return (await this.#revoke(account, sql<boolean>`id = ${id}`)).length > 0
  }

  async revokeOthers(account: string, current: string): Promise<void> {
    await this.#revoke(account, sql<boolean>`id <> ${current}`)
  }

  /** Ends the session of a presented token, of any owner; does nothing when there is none. */
  async revokeToken(token: string): Promise<void> {
    const session = await this.find(token)
    if (session) await this.revoke(session.account, session.id)
  }

  /**
   * Ends sessions as part of a password change, in its transaction. Listeners are notified when `announce` is called, which
   * must be after the commit.
   *
   * except  the session that may stay
   */
  async revokeWithin(db: IdentityDb, account: string, except?: string): Promise<{ announce(): void }> {
    const condition = except === undefined ? sql<boolean>`true` : sql<boolean>`id <> ${except}`
    const sessions = await this.#end(db, account, condition)
    return { announce: () => this.#announce({ account, sessions }) }
  }

  /** What members may do for a firm changed: of a person, or of the firm's account. Must be called after the commit. */
  forgetActing(account: string): void {
    this.#announce({ account, sessions: [], isActing: true })
  }

  /** Calls the listener for every session that this process ends. Returns a function that stops the calls. */
  onRevoked(listener: (revoked: Revoked) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The account's row first, as where it is frozen or its password changes: otherwise each could wait for a session that the other holds. */
  async #revoke(account: string, condition: ReturnType<typeof sql<boolean>>): Promise<readonly string[]> {
    const sessions = await this.#db.transaction().execute(async (db) => {
      await db.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().execute()
      return this.#end(db, account, condition)
    })
    this.#announce({ account, sessions })
    return sessions
  }

  async #end(db: IdentityDb, account: string, condition: ReturnType<typeof sql<boolean>>): Promise<readonly string[]> {
    const rows = await db
      .updateTable('sessions')
      .set({ revoked_at: this.#clock() })
      .where('account', '=', account)
      .where('revoked_at', 'is', null)
      .where(condition)
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  #announce(revoked: Revoked): void {
    for (const listener of this.#listeners) listener(revoked)
  }

  #living(now: number) {
    return this.#db
      .selectFrom('sessions')
      .where('sessions.revoked_at', 'is', null)
      .where('sessions.last_seen_at', '>', now - sessionIdleMs)
      .where('sessions.created_at', '>', now - sessionLivesMs)
  }
}

/** An id that no account and no session has. */
const nobody = '00000000-0000-0000-0000-000000000000'

async function isKnown(db: IdentityDb, account: string, deviceKey: string): Promise<boolean> {
  const found = await db
    .selectFrom('sessions')
    .select('id')
    .where('account', '=', account)
    .where('device_key', '=', hashOf(deviceKey))
    .where('device_forgotten_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** throws  Refused SESSION_NOT_FRESH when the last login is more than 15 minutes ago */
export function requireFresh(session: Session, now: number): void {
  if (now - session.loggedInAt > freshMs) throw new Refused('SESSION_NOT_FRESH')
}

/** Within the transaction of a change: a session that has ended since its request began makes no change. throws  Refused UNAUTHENTICATED */
export async function requireLiving(db: IdentityDb, session: string): Promise<void> {
  const living = db.selectFrom('sessions').select('id').where('id', '=', session).where('revoked_at', 'is', null).forShare()
  if (!(await living.executeTakeFirst())) throw new Refused('UNAUTHENTICATED')
}
