import { randomUUID } from 'node:crypto'
import { deviceOf, type Visitor } from '../identity/device.ts'
import { hashOf, newToken } from '../identity/secret.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Role } from './permissions.ts'
import type { StaffDb } from './tables.ts'

const minute = 60_000
export const staffLivesMs = 8 * 60 * minute
export const staffIdleMs = 30 * minute
const freshMs = 15 * minute
const seenEveryMs = 15_000

/** A logged-in member of the staff. The role is read with every request, so that a change of it counts at once. */
export type StaffSession = {
  readonly id: string
  readonly staff: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly loggedInAt: number
}

export type OwnSession = {
  readonly id: string
  readonly device: string
  readonly ip: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly isCurrent: boolean
}

/** Sessions of the staff: eight hours at most, half an hour without a request. Nothing of them is kept in memory. */
export class StaffSessions {
  readonly #db: StaffDb
  readonly #clock: Clock

  constructor(db: StaffDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * A new session, in the transaction of the login. The member's row is locked meanwhile, so that a deactivation at the same moment
   * ends this session too.
   *
   * throws  Refused CREDENTIALS_WRONG when the member is not active
   */
  async start(db: StaffDb, staff: string, visitor: Visitor): Promise<{ readonly session: StaffSession; readonly token: string }> {
    const now = this.#clock()
    const [id, token] = [randomUUID(), newToken()]
    const found = await db
      .selectFrom('staff')
      .select(['email', 'name', 'role'])
      .where('id', '=', staff)
      .where('state', '=', 'active')
      .forShare()
      .executeTakeFirst()
    if (!found) throw new Refused('CREDENTIALS_WRONG')
    await db
      .insertInto('staff_sessions')
      .values({
        ...{ id, staff, token: hashOf(token), device: deviceOf(visitor.userAgent), ip: visitor.ip },
        ...{ created_at: now, last_seen_at: now },
      })
      .execute()
    return { session: { id, staff, ...found, loggedInAt: now }, token }
  }

  /** The living session of a token; this counts as its use. */
  async find(token: string): Promise<StaffSession | undefined> {
    const now = this.#clock()
    const row = await this.#living(now)
      .where('staff_sessions.token', '=', hashOf(token))
      .innerJoin('staff', 'staff.id', 'staff_sessions.staff')
      .where('staff.state', '=', 'active')
      .select(['staff_sessions.id', 'staff_sessions.staff', 'staff_sessions.created_at', 'staff_sessions.last_seen_at'])
      .select(['staff.email', 'staff.name', 'staff.role'])
      .executeTakeFirst()
    if (!row) return undefined
    const { id, staff, email, name, role, created_at: loggedInAt } = row
    if (now - row.last_seen_at >= seenEveryMs)
      await this.#db.updateTable('staff_sessions').set({ last_seen_at: now }).where('id', '=', id).where('last_seen_at', '<', now).execute()
    return { id, staff, email, name, role, loggedInAt }
  }

  async list(staff: string, current: string): Promise<readonly OwnSession[]> {
    const rows = await this.#living(this.#clock())
      .where('staff', '=', staff)
      .select(['id', 'device', 'ip', 'created_at', 'last_seen_at'])
      .orderBy('last_seen_at', 'desc')
      .limit(200)
      .execute()
    return rows.map(({ id, device, ip, created_at: createdAt, last_seen_at: lastSeenAt }) => ({
      ...{ id, device, ip, createdAt, lastSeenAt, isCurrent: id === current },
    }))
  }

  /** Ends living sessions of a member, in the transaction of its reason. Returns how many. */
  async end(db: StaffDb, staff: string, which: { readonly only?: string; readonly except?: string } = {}): Promise<number> {
    const now = this.#clock()
    const ended = await db
      .updateTable('staff_sessions')
      .set({ revoked_at: now })
      .where('staff', '=', staff)
      .where('revoked_at', 'is', null)
      .where('last_seen_at', '>', now - staffIdleMs)
      .where('created_at', '>', now - staffLivesMs)
      .$if(which.only !== undefined, (query) => query.where('id', '=', which.only!))
      .$if(which.except !== undefined, (query) => query.where('id', '<>', which.except!))
      .returning('id')
      .execute()
    return ended.length
  }

  /** throws  Refused SESSION_NOT_FRESH when the login is more than 15 minutes ago */
  requireFresh({ loggedInAt }: StaffSession): void {
    if (this.#clock() - loggedInAt > freshMs) throw new Refused('SESSION_NOT_FRESH')
  }

  #living(now: number) {
    return this.#db
      .selectFrom('staff_sessions')
      .where('staff_sessions.revoked_at', 'is', null)
      .where('staff_sessions.last_seen_at', '>', now - staffIdleMs)
      .where('staff_sessions.created_at', '>', now - staffLivesMs)
  }
}

/** Also for a request that began, and was let in, before the session ended. throws  Refused UNAUTHENTICATED */
export async function requireLiving(db: StaffDb, session: string): Promise<void> {
  const living = db.selectFrom('staff_sessions').select('id').where('id', '=', session).where('revoked_at', 'is', null).forShare()
  if (!(await living.executeTakeFirst())) throw new Refused('UNAUTHENTICATED')
}
