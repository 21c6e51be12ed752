import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { wideNetworkOf } from '../networks.ts'
import { secondsUntil } from './codes.ts'
import type { IdentityDb } from './tables.ts'

const minute = 60_000
const day = 86_400_000
/** Tries of strangers at one account that need no turn; one is forgiven a day. */
const freeTries = 20
/** Time between two turns of the strangers of one account. */
const turnEveryMs = 30_000
/** How long a turn waits for the network that it belongs to. */
const turnKeptMs = 10 * minute
/** The last turn that is given out is this far ahead: the turns of 120 networks. */
const lineMs = 60 * minute

/** A visitor whom the account does not know. `name`: of the account, as it was typed; it need not exist. */
export type Stranger = { readonly name: string; readonly ip: string }

/**
 * The line of strangers before one account, once many wrong passwords were tried there. Each wide network (24 bits of IPv4, 48 of
 * IPv6) has one place in it, by order of arrival, and with it the time of its turn. Asking more often changes nothing, so that
 * somebody who controls a few networks delays the owner's new device by as many turns and no more.
 *
 * The account's row of `login_tries` has the number of tries and, as `blocked_until`, the last turn that was given out; each
 * place has a row of its own with its turn.
 */
export class Line {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Seconds until the turn of the stranger's network; 0: it has no place yet, or its turn has come. */
  async waitOf(stranger: Stranger): Promise<number> {
    const now = this.#clock()
    const turn = await turnIn(this.#db, placeOf(stranger))
    return turn !== undefined && turn > now ? secondsUntil(turn, now) : 0
  }

  /**
   * Counts a try of a stranger, and uses up the turn of the stranger's network where one is needed.
   *
   * throws  Refused TOO_MANY_TRIES with the seconds until the network's own turn
   */
  async take(stranger: Stranger): Promise<void> {
    if (await this.#countFree(stranger.name)) return
    const wait = await this.#db.transaction().execute((db) => this.#useTurn(db, stranger))
    // Thrown after the commit, so that the new place stays.
    if (wait > 0) throw new Refused('TOO_MANY_TRIES', { retryAfter: wait })
  }

  /** Takes tries back, by default the last one. */
  async forgive({ name }: Stranger, tries = 1): Promise<void> {
    await this.#db
      .updateTable('login_tries')
      .set({ tries: sql`greatest(0, tries - ${tries}::float8)` })
      .where('subject', '=', name)
      .execute()
  }

  /** After a try whose password was not compared: the network has its turn again. */
  async giveBack(stranger: Stranger): Promise<void> {
    await this.forgive(stranger)
    await setTurn(this.#db, placeOf(stranger), this.#clock())
  }

  /** One statement, so that parallel guesses find no gap. */
  async #countFree(name: string): Promise<boolean> {
    const now = this.#clock()
    const tries = triesAt(now)
    const { rows } = await sql`
      insert into login_tries as t (subject, tries, last_at, blocked_until) values (${name}, 1, ${now}, ${now})
      on conflict (subject) do update set tries = ${tries}, last_at = ${now}
      where round(${tries}) <= ${freeTries}
      returning subject`.execute(this.#db)
    return rows.length > 0
  }

  /** Returns 0 when it is the network's turn, otherwise the seconds to wait. The account's row is locked meanwhile. */
  async #useTurn(db: IdentityDb, { name, ip }: Stranger): Promise<number> {
    const now = this.#clock()
    const { blocked_until: lastTurn } = await db
      .insertInto('login_tries')
      .values({ subject: name, tries: freeTries, last_at: now, blocked_until: now })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject: name }))
      .returning('blocked_until')
      .executeTakeFirstOrThrow()
    const place = placeOf({ name, ip })
    const own = await turnIn(db, place)
    if (own !== undefined && own > now) return secondsUntil(own, now)
    const isOwn = own !== undefined && now < own + turnKeptMs
    const turn = isOwn ? own : Math.max(now, lastTurn + turnEveryMs)
    // Says nothing about the line: whoever has a place by then has had their turn an hour later.
    if (turn > now + lineMs) return lineMs / 1_000
    if (!isOwn) await db.updateTable('login_tries').set({ blocked_until: turn }).where('subject', '=', name).execute()
    if (turn > now) {
      await setTurn(db, place, turn, now)
      return secondsUntil(turn, now)
    }
    await db.deleteFrom('login_tries').where('subject', '=', place).execute()
    await sql`update login_tries as t set tries = ${triesAt(now)}, last_at = ${now} where subject = ${name}`.execute(db)
    return 0
  }
}

/** No address contains a space, so that no account's name is the name of a place. */
const placeOf = ({ name, ip }: Stranger): string => `line ${name}@${wideNetworkOf(ip)}`

/** The count of the row `t`, with one more try. */
const triesAt = (now: number) => sql`greatest(0, t.tries - (${now} - t.last_at)::float8 / ${day}) + 1`

async function turnIn(db: IdentityDb, place: string): Promise<number | undefined> {
  const row = await db.selectFrom('login_tries').select('blocked_until').where('subject', '=', place).executeTakeFirst()
  return row?.blocked_until
}

async function setTurn(db: IdentityDb, subject: string, turn: number, askedAt = turn): Promise<void> {
  const row = { tries: 0, last_at: askedAt, blocked_until: turn }
  await db
    .insertInto('login_tries')
    .values({ subject, ...row })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
    .execute()
}
