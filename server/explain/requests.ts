import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireExplanation, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type pg from 'pg'
import { Refused } from '../refused.ts'
import { inTransaction } from '../store/transaction.ts'
import { type Explained, nameOf, seqOf } from './subjects.ts'

/** Advisory lock: requests are counted one after another. */
const lockKey = 0x6578706c
const dayMs = 86_400_000

export type RequestLimits = {
  /** Explanations of one customer that wait at a time, and that are asked for on a day; and those of all customers that wait. */
  readonly waiting: number
  readonly daily: number
  readonly all: number
}

export const requestLimits: RequestLimits = { waiting: 5, daily: 100, all: 500 }

type Row = {
  readonly id: number
  readonly askedAt: number
  readonly kind: WireExplanationSubject['kind']
  readonly state: WireExplanation['state']
  readonly percent: number
  readonly fault: NonNullable<WireExplanation['fault']> | null
  readonly body: Explained | null
}

const columns = 'id, asked_at_ms as "askedAt", kind, state, percent, fault, body'

/** What customers ask to have explained, and the answers. */
export class Explanations {
  readonly #pool: pg.Pool
  readonly #clock: () => number
  readonly #limits: RequestLimits

  constructor(pool: pg.Pool, clock: () => number = Date.now, limits: RequestLimits = requestLimits) {
    this.#pool = pool
    this.#clock = clock
    this.#limits = limits
  }

  /**
   * The explanation of one of the customer's own results: the stored one, or a new request for it. One that was refused a day ago is
   * asked for anew: what was at fault may be mended.
   *
   * throws  Refused NOT_FOUND when it is not the customer's, EXPLANATIONS_LIMIT, EXPLANATIONS_FULL
   */
  async ask(user: UserId, subject: WireExplanationSubject): Promise<WireExplanation> {
    const name = nameOf(subject)
    const known = await this.#find(this.#pool, user, subject.kind, name)
    if (known !== undefined && !this.#isOver(known)) return toWire(known)
    const seq = await seqOf(this.#pool, user, subject)
    if (seq === undefined) throw new Refused('NOT_FOUND')
    return toWire(
      await inTransaction(this.#pool, async (client) => {
        await client.query('select pg_advisory_xact_lock($1)', [lockKey])
        const again = await this.#find(client, user, subject.kind, name)
        if (again !== undefined && !this.#isOver(again)) return again
        await this.#count(client, user)
        const { rows } = await client.query<Row>(
          `insert into explanations (user_id, kind, subject, seq, asked_at_ms) values ($1, $2, $3, $4, $5)
           on conflict (user_id, kind, subject) do update
             set asked_at_ms = excluded.asked_at_ms, state = 'waiting', percent = 0, tries = 0, fault = null
           returning ${columns}`,
          [user, subject.kind, name, seq, this.#clock()],
        )
        return rows[0]!
      }),
    )
  }

  /**
   * One of the customer's explanations.
   *
   * throws  Refused NOT_FOUND
   */
  async read(user: UserId, id: number): Promise<WireExplanation> {
    const { rows } = await this.#pool.query<Row>(`select ${columns} from explanations where id = $1 and user_id = $2`, [id, user])
    if (rows[0] === undefined) throw new Refused('NOT_FOUND')
    return toWire(rows[0])
  }

  #isOver({ state, askedAt }: Row): boolean {
    return state === 'refused' && this.#clock() - askedAt >= dayMs
  }

  async #find(queries: Pick<pg.Pool, 'query'>, user: UserId, kind: string, name: string): Promise<Row | undefined> {
    const sql = `select ${columns} from explanations where user_id = $1 and kind = $2 and subject = $3`
    return (await queries.query<Row>(sql, [user, kind, name])).rows[0]
  }

  /** The accounts of a firm count as one customer: otherwise each of them would have the limits anew. */
  async #count(client: pg.PoolClient, user: UserId): Promise<void> {
    const { rows } = await client.query<{ mine: number; today: number; all: number }>(
      `with own as (
         select $1::bigint as user_id union select other.core_user from accounts asking
         join firm_accounts on firm_accounts.firm = asking.firm join accounts other on other.id = firm_accounts.account
         where asking.core_user = $1
       )
       select (select count(*)::integer from explanations join own using (user_id) where state = 'waiting') as mine,
         (select count(*)::integer from explanations join own using (user_id) where asked_at_ms > $2) as today,
         (select count(*)::integer from explanations where state = 'waiting') as all`,
      [user, this.#clock() - dayMs],
    )
    const { mine, today, all } = rows[0]!
    if (mine >= this.#limits.waiting || today >= this.#limits.daily) throw new Refused('EXPLANATIONS_LIMIT')
    if (all >= this.#limits.all) throw new Refused('EXPLANATIONS_FULL')
  }
}

function toWire({ id, kind, state, percent, fault, body }: Row): WireExplanation {
  return {
    id: String(id),
    state,
    ...(state === 'waiting' ? { percent } : {}),
    ...(fault === null ? {} : { fault }),
    ...(body === null ? {} : { [kind]: body }),
  }
}
