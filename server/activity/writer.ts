import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome, Submit } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import { type Origin, origins } from '../origins.ts'
import { codeOf } from './words.ts'

type Row = {
  readonly origin: Origin
  readonly at: number
  readonly seq: number
  readonly code: number
  readonly market: number | null
  readonly order: number | null
}

export type ActivityWriterOptions = {
  readonly pool: pg.Pool
  readonly onFault: (cause: unknown) => void
  /** Time between two writes, in milliseconds. */
  readonly everyMs?: number
  /** Rows that wait while the tables can't be written; the oldest give way. */
  readonly keptMax?: number
}

const everyMsDefault = 250
const keptMaxDefault = 100_000
/** Rows of one statement. */
const batchMax = 5_000
const originsMax = 50_000
/** Precision of an origin's last use, in milliseconds. */
const seenEveryMs = 60_000

/**
 * Notes the origin of each command that a customer's request brought about, and writes them in batches beside the journal, never before an
 * answer. A gateway that is killed loses those of the last quarter of a second, and one that can't write for long the oldest; the journal
 * still has the user, the time and the key of each. Of the exchange's market makers only the origins are kept, because the journal names
 * their key with each of their many orders.
 */
export class ActivityWriter implements AsyncDisposable {
  readonly #options: ActivityWriterOptions
  readonly #rows: Row[] = []
  /** Numbers of origins that are in the table, and when their use was last noted. */
  readonly #known = new Map<string, { readonly id: number; readonly at: number }>()
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> | undefined

  constructor(options: ActivityWriterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.flush().catch(options.onFault), options.everyMs ?? everyMsDefault).unref()
  }

  /** The same function, with notes. The caller's answer waits for nothing here. */
  noting(submit: Submit): Submit {
    return (command, keyId) => {
      const sent = submit(command, keyId)
      const origin = origins.getStore()
      const code = origin === undefined ? undefined : codeOf(command.type)
      if (code !== undefined) sent.then((outcome) => this.#note(origin!, code, command, outcome)).catch(() => undefined)
      return sent
    }
  }

  /** Writes what was noted until now. What can't be written is kept for the next time. Rejects with the database's fault. */
  async flush(): Promise<void> {
    await this.#writing
    if (this.#rows.length === 0) return
    this.#writing = this.#writeAll()
    try {
      await this.#writing
    } finally {
      this.#writing = undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.flush().catch(this.#options.onFault)
  }

  #note(origin: Origin, code: number, command: Command, { seq, at, order, refusal, isRepeat, isResent }: Outcome): void {
    if (refusal !== undefined || (isRepeat && isResent !== true)) return
    const market = 'market' in command && typeof command.market === 'number' && command.market > 0 ? command.market : null
    this.#rows.push({ origin, at, seq, code, market, order: order > 0 ? order : null })
    const { keptMax = keptMaxDefault, onFault } = this.#options
    if (this.#rows.length <= keptMax) return
    this.#rows.splice(0, Math.ceil(keptMax / 10))
    onFault(new Error('origins of commands were dropped, because their tables could not be written for long'))
  }

  async #writeAll(): Promise<void> {
    while (this.#rows.length > 0) {
      const batch = this.#rows.splice(0, batchMax)
      try {
        await this.#writeBatch(batch)
      } catch (cause) {
        this.#rows.unshift(...batch)
        throw cause
      }
    }
  }

  async #writeBatch(batch: readonly Row[]): Promise<void> {
    const numbered: (Row & { readonly number: number })[] = []
    for (const row of batch) numbered.push({ ...row, number: await this.#numberOf(row.origin, row.at) })
    await this.#write(numbered.filter(({ origin }) => origin.class === 'retail'))
  }

  async #write(rows: readonly (Row & { readonly number: number })[]): Promise<void> {
    if (rows.length === 0) return
    const columns = [
      rows.map(({ origin }) => origin.user),
      rows.map(({ at }) => at),
      rows.map(({ seq }) => seq),
      rows.map(({ code }) => code),
      rows.map(({ market }) => market),
      rows.map(({ order }) => order),
      rows.map(({ number }) => number),
    ]
    await this.#options.pool.query(
      `insert into activity (user_id, at, seq, code, market, order_id, origin)
       select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::integer[], $6::bigint[], $7::bigint[])
       on conflict do nothing`,
      columns,
    )
  }

  /** The origin's number in its table, where its last use is noted. */
  async #numberOf(origin: Origin, at: number): Promise<number> {
    const name = nameOf(origin)
    const known = this.#known.get(name)
    if (known !== undefined && at - known.at < seenEveryMs) return known.id
    const { account, member = null, session, key, ip, device } = origin
    const { rows } = await this.#options.pool.query<{ id: number }>(
      `insert into activity_origins as o (account, member, session, key, ip, device, first_at, last_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)
       on conflict (account, member, session, key, ip, device) do update set last_at = greatest(o.last_at, excluded.last_at)
       returning id`,
      [account, member, session, key, ip, device, at],
    )
    if (this.#known.size >= originsMax) this.#known.delete(this.#known.keys().next().value!)
    this.#known.delete(name)
    const { id } = rows[0]!
    this.#known.set(name, { id, at })
    return id
  }
}

const nameOf = ({ account, member, session, key, ip, device }: Origin): string => [account, member, session, key, ip, device].join('\0')
