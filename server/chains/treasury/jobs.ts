/** The two tables of sweeps and fuel, on the one connection that holds the network's lock. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { lockNetwork, networkWork, unlockNetwork } from '../payout/network-lock.ts'
import { type AttemptRow, attemptsOf, slotText } from '../payout/rows.ts'
import type { Proof } from '../payout/chain.ts'
import type { Signed, Slot } from '../ports.ts'

export type JobRow = {
  readonly job: number
  readonly network: string
  readonly kind: 'sweep' | 'fuel'
  readonly contract: string
  readonly places: readonly number[]
  readonly value: string | null
  /** `planned`: nothing was signed. `bound`: its place in the chain's order is stored. `signed`: only the chain decides from here on. */
  readonly state: 'planned' | 'bound' | 'signed' | 'settled' | 'void'
  readonly nonce: number | null
  readonly trouble: string | null
  readonly retry_at: number
}
export type JobAttempt = Pick<AttemptRow, 'n' | 'slot' | 'raw' | 'txid' | 'planned_at' | 'signed_at' | 'sent_at'>
export type NewJob = Pick<JobRow, 'kind' | 'contract' | 'places'> & { readonly value?: bigint }

const columns = 'job, network, kind, contract, places, value::text, state, nonce, trouble, retry_at'

export class JobTables {
  readonly #client: pg.ClientBase
  readonly #network: string
  readonly #clock: Clock

  constructor(client: pg.ClientBase, network: string, clock: Clock) {
    this.#client = client
    this.#network = network
    this.#clock = clock
  }

  lock(): Promise<boolean> {
    return lockNetwork(this.#client, networkWork.sweeps, this.#network)
  }

  unlock(): Promise<void> {
    return unlockNetwork(this.#client, networkWork.sweeps, this.#network)
  }

  /** All that did not end, in the order of the chain. */
  open(): Promise<readonly JobRow[]> {
    return this.#rows<JobRow>(
      `select ${columns} from treasury_jobs where network = $1 and state in ('planned', 'bound', 'signed') order by nonce nulls last, job`,
      this.#network,
    )
  }

  /** Plans a job, unless one of its kind is under way for one of the places. */
  async plan({ kind, contract, places, value }: NewJob): Promise<void> {
    await this.#client.query(
      `insert into treasury_jobs (network, kind, contract, places, value, state, made_at)
       select $1::text, $2::text, $3::text, $4::int[], $5::numeric, 'planned', $6::bigint
       where not exists (select from treasury_jobs where network = $1 and kind = $2 and contract = $3
         and state in ('planned', 'bound', 'signed') and places && $4::int[])`,
      [this.#network, kind, contract, [...places], value?.toString() ?? null, this.#clock()],
    )
  }

  async lastNonce(): Promise<number | undefined> {
    const [row] = await this.#rows<{ last: number | null }>(
      'select max(nonce) as last from treasury_jobs where network = $1',
      this.#network,
    )
    return row?.last ?? undefined
  }

  attempts(job: number): Promise<readonly JobAttempt[]> {
    return this.#rows<JobAttempt>(
      'select n, slot, raw, txid, planned_at, signed_at, sent_at from treasury_attempts where job = $1 order by n',
      job,
    )
  }

  /** A nonce and the first slot, at once. */
  async bind(job: number, nonce: number | undefined, slot: Slot): Promise<number> {
    return this.#number(
      `with bound as (update treasury_jobs set state = 'bound', nonce = $4 where job = $1 and state = 'planned' returning job)
       insert into treasury_attempts (job, n, slot, planned_at)
       select $1::bigint, (select coalesce(max(n), 0) + 1 from treasury_attempts where job = $1), $2::jsonb, $3::bigint from bound returning n`,
      ...[job, slotText(slot), this.#clock(), nonce ?? null],
    )
  }

  /** Another slot of a job that has a signed transaction. */
  replan(job: number, slot: Slot): Promise<number> {
    return this.#number(
      `insert into treasury_attempts (job, n, slot, planned_at)
       select $1::bigint, (select max(n) + 1 from treasury_attempts where job = $1), $2::jsonb, $3::bigint
       from treasury_jobs where job = $1 and state = 'signed' returning n`,
      ...[job, slotText(slot), this.#clock()],
    )
  }

  store(job: number, n: number, { raw, txid }: Signed): Promise<void> {
    return this.#one(
      `with kept as (
         update treasury_attempts set raw = $3, txid = $4, signed_at = $5 where job = $1 and n = $2 and raw is null returning job
       )
       update treasury_jobs set state = 'signed', trouble = null where job in (select job from kept) and state in ('bound', 'signed')`,
      ...[job, n, raw, txid, this.#clock()],
    )
  }

  sent(job: number, n: number, hint: string): Promise<void> {
    return this.#one(
      'update treasury_attempts set sent_at = $3, sends = sends + 1, hint = $4 where job = $1 and n = $2 and raw is not null',
      ...[job, n, this.#clock(), hint],
    )
  }

  /** The signer refused what nothing was signed for: another job tries later. */
  async abandon(job: number, why: string): Promise<void> {
    await this.#client.query(
      `update treasury_jobs set state = 'void', nonce = null, trouble = $2
       where job = $1 and state in ('planned', 'bound') and not exists (select from treasury_attempts a where a.job = $1 and a.raw is not null)`,
      [job, why],
    )
  }

  settle(job: number, fate: 'done' | 'reverted', { txid, block, fee }: Extract<Proof, { kind: 'settled' }>): Promise<void> {
    return this.#one(
      `update treasury_jobs set state = 'settled', fate = $2, txid = $3, block = $4, fee = $5, settled_at = $6, trouble = null
       where job = $1 and state = 'signed'`,
      ...[job, fate, txid, block, String(fee), this.#clock()],
    )
  }

  bury(job: number): Promise<void> {
    return this.#one(
      `update treasury_jobs set state = 'settled', fate = 'dead', settled_at = $2 where job = $1 and state = 'signed'`,
      ...[job, this.#clock()],
    )
  }

  async trouble(job: number, reason: string, retryAt: number): Promise<void> {
    await this.#client.query('update treasury_jobs set trouble = $2, retry_at = $3 where job = $1', [job, reason, retryAt])
  }

  /** Whether jobs of a kind for a token ended badly a short time ago: then none are planned for now. */
  async hasFailed(kind: JobRow['kind'], contract: string, since: number): Promise<boolean> {
    const [row] = await this.#rows<{ found: boolean }>(
      `select exists (select from treasury_jobs where network = $1 and kind = $4 and contract = $2
         and (state = 'void' and made_at > $3 or fate = 'reverted' and settled_at > $3)) as found`,
      ...[this.#network, contract, since, kind],
    )
    return row?.found === true
  }

  /** What a deposit address has left of its fuel, by what each transfer of it and each sweep cost. */
  async fuelLeft(place: number): Promise<bigint> {
    const rows = await this.#rows<{ kind: JobRow['kind']; value: string; fee: string; fate: string }>(
      `select kind, value::text, fee::text, fate from treasury_jobs
       where network = $1 and state = 'settled' and fate <> 'dead' and value is not null and $2 = any(places) order by block, job`,
      ...[this.#network, place],
    )
    return rows.reduce((left, { kind, value, fee, fate }) => {
      if (kind === 'fuel') return fate === 'done' ? left + BigInt(value) : left
      return left > BigInt(fee) ? left - BigInt(fee) : 0n
    }, 0n)
  }

  async #rows<Row extends object>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#client.query<Row>(text, [...values])).rows
  }

  async #number(text: string, ...values: readonly unknown[]): Promise<number> {
    const [row] = await this.#rows<{ n: number }>(text, ...values)
    if (row === undefined) throw new Error(`A job is not in the state that its slot needs: ${String(values[0])}`)
    return row.n
  }

  async #one(text: string, ...values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.#client.query(text, [...values])
    if (rowCount !== 1) throw new Error(`A job is not in the state that this change starts from: ${String(values[0])}`)
  }
}

/** All that were signed, in their order. */
export const signedOf = (job: number, rows: readonly JobAttempt[]): ReturnType<typeof attemptsOf> =>
  attemptsOf(rows.map((row) => ({ ...row, withdrawal: job, fate: 'open' as const })))
