import type { FlagKind } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type AskedForFacts, factsOf, type Fresh, freshRequests } from './facts.ts'
import { flagsOf, peopleOfDay } from './flags.ts'

export type ReviewsOptions = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly ask: AskedForFacts
  readonly submit: Submit
  /** Kinds of flags that need a person. */
  readonly heavy: ReadonlySet<FlagKind>
  readonly onFault: (cause: unknown) => void
}

/** The reason in the journal of an approval by nobody, and of one by people. */
const automatic = 'nothing found'
export const approvedReason = 'approved'

const batch = 100
const everyMs = 1_000
/** Among the locks of the database. */
const lockName = 'withdrawal-reviews'

type Unsent = {
  readonly withdrawal: number
  readonly round: number
  readonly is_approved: boolean
  readonly first: number
  readonly second: number
  readonly reason: string
}

/** `waits`: the core can't be reached; it gets the decision as soon as it can. */
export type Sent = { readonly state: 'done' } | { readonly state: 'waits' }

/**
 * Looks at each new request for a withdrawal once and keeps what was found. A request that needs nobody by its terms and by what was
 * found is approved at once. A decision is stored before its command is sent, and the core takes a repeat for the same.
 */
export class Reviews implements AsyncDisposable {
  readonly #options: ReviewsOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isBusy = false

  constructor(options: ReviewsOptions) {
    this.#options = options
  }

  /** Looks for new requests every second from now on. */
  start(): this {
    this.#timer ??= setInterval(() => {
      if (this.#isBusy) return
      this.#isBusy = true
      this.#running = this.pass()
        .catch(this.#options.onFault)
        .finally(() => (this.#isBusy = false))
    }, everyMs).unref()
    return this
  }

  /** Reviews what is new and sends what waits, unless another process does so at the moment. */
  async pass(): Promise<void> {
    const { pool } = this.#options
    const client = await pool.connect()
    let isWell = false
    try {
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock(hashtext($1)) as got', [lockName])
      if (rows[0]?.got === true) {
        for (const fresh of await freshRequests(pool, batch)) await this.#review(fresh)
        await this.finish()
        await client.query('select pg_advisory_unlock(hashtext($1))', [lockName])
      }
      isWell = true
    } finally {
      // A connection that is closed gives up its lock.
      client.release(!isWell)
    }
  }

  /** Sends decisions that have no outcome yet, because the core or this process was away. */
  async finish(): Promise<void> {
    const { rows } = await this.#options.pool.query<Unsent>(
      `select withdrawal, round, is_approved, first, second, reason from withdrawal_decisions where done_at is null order by withdrawal`,
    )
    for (const one of rows) await this.#send(one).catch(refusedOnly)
  }

  /** Tells the core of a stored decision. throws  Refused by the core */
  async send(withdrawal: number): Promise<Sent> {
    const { rows } = await this.#options.pool.query<Unsent>(
      `select withdrawal, round, is_approved, first, second, reason from withdrawal_decisions where withdrawal = $1 and done_at is null`,
      [withdrawal],
    )
    const [unsent] = rows
    return unsent === undefined ? { state: 'done' } : this.#send(unsent)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #review(fresh: Fresh): Promise<void> {
    const { pool, ask, heavy, clock } = this.#options
    const facts = await factsOf(pool, ask, fresh)
    const flags = flagsOf(facts, heavy)
    const people = Math.max(fresh.people, peopleOfDay(facts), flags.some(({ isHeavy }) => isHeavy) ? 1 : 0)
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `insert into withdrawal_reviews (withdrawal, account, people, flags, made_at) values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [fresh.id, fresh.account, people, JSON.stringify(flags), clock()],
      )
      if (rowCount === 0 || people > 0) return
      await client.query(
        `insert into withdrawal_decisions (withdrawal, round, is_approved, first, second, reason, decided_at) values ($1, 0, true, 0, 0, $2, $3)`,
        [fresh.id, automatic, clock()],
      )
    })
  }

  async #send({ withdrawal, round, is_approved: isApproved, first, second, reason }: Unsent): Promise<Sent> {
    const { pool, submit, clock, onFault } = this.#options
    let outcome
    try {
      outcome = await submit({
        ...{ type: 'withdraw.decide', withdrawal: withdrawal as WithdrawalNumber, isApproved, first, second, reason },
      })
    } catch (cause) {
      onFault(cause)
      return { state: 'waits' }
    }
    const { seq, refusal } = outcome
    await pool.query(
      `update withdrawal_decisions set done_at = $3, seq = $4, refusal = $5 where withdrawal = $1 and round = $2 and done_at is null`,
      [withdrawal, round, clock(), seq, refusal ?? null],
    )
    if (refusal !== undefined) throw new Refused(refusal)
    return { state: 'done' }
  }
}

function refusedOnly(cause: unknown): void {
  if (!(cause instanceof Refused)) throw cause
}
