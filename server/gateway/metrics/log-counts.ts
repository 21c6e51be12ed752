import type pg from 'pg'
import type { MetricName } from '../../watch/catalogue.ts'
import { type Sample, sample } from '../../watch/samples.ts'

const pageSize = 5_000

type Row = { readonly id: number; readonly action: string }

/** Counts the entries of a log that only grows, by their action, since this gateway started. */
export class LogCounts {
  readonly #pool: pg.Pool
  readonly #table: 'audit_log' | 'staff_log'
  readonly #name: MetricName
  readonly #next: string
  readonly #counts = new Map<string, number>()
  #after: number | undefined

  constructor(pool: pg.Pool, table: 'audit_log' | 'staff_log', name: MetricName) {
    this.#pool = pool
    this.#table = table
    this.#name = name
    this.#next = `select id, action from ${table} where id > $1 order by id limit ${pageSize}`
  }

  /** Reads new entries. One that is committed after a later one is missed: this is a count to watch, not the log. */
  async samples(): Promise<readonly Sample[]> {
    const last = `select coalesce(max(id), 0) as last from ${this.#table}`
    this.#after ??= (await this.#pool.query<{ last: number }>(last)).rows[0]?.last ?? 0
    for (;;) {
      const rows: readonly Row[] = (await this.#pool.query<Row>(this.#next, [this.#after])).rows
      for (const { action } of rows) this.#counts.set(action, (this.#counts.get(action) ?? 0) + 1)
      this.#after = rows.at(-1)?.id ?? this.#after
      if (rows.length < pageSize) break
    }
    return [...this.#counts].map(([action, count]) => sample(this.#name, count, { action }))
  }
}
