import type pg from 'pg'

/** The logs that only grow, and the letter of each in a cursor. */
const logs = {
  customers: { table: 'audit_log', letter: 'c', columns: 'account, session, ip, device, detail' },
  staff: { table: 'staff_log', letter: 's', columns: 'staff, session, ip, device, subject, why, before, after' },
  firms: { table: 'firm_log', letter: 'f', columns: 'firm, member, account, ip, device, detail' },
} as const
type Log = keyof typeof logs
const names = Object.keys(logs) as readonly Log[]

/** Up to which entry each log was read. */
export type AuditCursor = Readonly<Record<Log, number>>
export const beginning: AuditCursor = { customers: 0, staff: 0, firms: 0 }

/** One entry. `cursor`: where to go on after it. */
export type AuditEvent = { readonly cursor: string; readonly log: Log; readonly id: number; readonly at: number; readonly action: string }

type Row = { readonly id: number; readonly at: number; readonly action: string }

/** What tells an entry from another one that got its number after the database was restored. */
export type KnownEntry = Pick<AuditEvent, 'log' | 'id' | 'at' | 'action'>

/** The logs do not have what was read before. The message is complete. */
export class CursorFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CursorFault'
  }
}

const pageSize = 1_000

export function cursorText(cursor: AuditCursor): string {
  return names.map((name) => `${logs[name].letter}${cursor[name]}`).join('-')
}

/** Undefined for a text that is no cursor. */
export function parseCursor(text: string): AuditCursor | undefined {
  const [, customers, staff, firms] = /^c(\d{1,15})-s(\d{1,15})-f(\d{1,15})$/.exec(text) ?? []
  if (customers === undefined || staff === undefined || firms === undefined) return undefined
  return { customers: Number(customers), staff: Number(staff), firms: Number(firms) }
}

/**
 * Reads the audit logs in the order of their numbers, each entry once. A number is drawn before its entry is committed, so a later entry
 * may be visible first: where a number is missing, the reader waits until every transaction that could have drawn it has ended.
 */
export class AuditEvents {
  readonly #pool: pg.Pool
  readonly #cursor: Record<Log, number>
  readonly #gaps = new Map<Log, { readonly upTo: number; readonly writers: ReadonlySet<string> }>()
  /** Up to here every missing number stays missing. */
  readonly #sure: Record<Log, number>

  constructor(pool: pg.Pool, after: AuditCursor) {
    this.#pool = pool
    this.#cursor = { ...after }
    this.#sure = { ...after }
  }

  /** Whether it waits for transactions that have not ended. */
  get isWaiting(): boolean {
    return this.#gaps.size > 0
  }

  /**
   * Checks that the logs still have the entries that the cursor stands behind. A database that was restored to an earlier state gives their
   * numbers again: to go on behind them would leave out what got them.
   *
   * known   the entries themselves, as far as they are at hand
   * throws  CursorFault when one is missing or is another one
   */
  async check(known: readonly KnownEntry[]): Promise<void> {
    for (const log of names) {
      const id = this.#cursor[log]
      if (id === 0) continue
      const { rows } = await this.#pool.query<Row>(`select id, at, action from ${logs[log].table} where id = $1`, [id])
      const [found, read] = [rows[0], known.find((entry) => entry.log === log && entry.id === id)]
      const isSame = found !== undefined && (read === undefined || (found.at === read.at && found.action === read.action))
      if (!isSame)
        throw new CursorFault(
          `The log of ${log} has no entry ${id}, or another one than was read: the database was restored to an earlier state. Keep what you have, and begin anew`,
        )
    }
  }

  /** The next entries of all logs. Each log keeps its own order; between logs, the earlier entry is first. */
  async next(): Promise<readonly AuditEvent[]> {
    const queues: { readonly log: Log; readonly rows: Row[] }[] = []
    for (const log of names) queues.push({ log, rows: [...(await this.#read(log))] })
    const events: AuditEvent[] = []
    for (;;) {
      const heads = queues.filter(({ rows }) => rows.length > 0)
      if (heads.length === 0) return events
      const { log, rows } = heads.reduce((first, other) => (other.rows[0]!.at < first.rows[0]!.at ? other : first))
      const { id, at, action, ...rest } = rows.shift()!
      this.#cursor[log] = id
      events.push({ cursor: cursorText(this.#cursor), log, id, at, action, ...rest })
    }
  }

  async #read(log: Log): Promise<readonly Row[]> {
    const { table, columns } = logs[log]
    const gap = this.#gaps.get(log)
    if (gap !== undefined) {
      const writers = await this.#writers(table)
      if (gap.writers.isDisjointFrom(writers)) {
        this.#sure[log] = gap.upTo
        this.#gaps.delete(log)
      }
    }
    const { rows } = await this.#pool.query<Row>(
      `select id, at, action, ${columns} from ${table} where id > $1 order by id limit ${pageSize}`,
      [this.#cursor[log]],
    )
    let last = this.#cursor[log]
    const end = rows.findIndex(({ id }) => {
      const isNext = id === last + 1 || id <= this.#sure[log]
      last = id
      return !isNext
    })
    if (end < 0) return rows
    if (!this.#gaps.has(log)) await this.#notice(log)
    return rows.slice(0, end)
  }

  /** The writers are read last: one that began since the numbers were read is among them, or has ended and is seen next time. */
  async #notice(log: Log): Promise<void> {
    const { table } = logs[log]
    const { rows } = await this.#pool.query<{ last: number }>(`select max(id) as last from ${table}`)
    this.#gaps.set(log, { upTo: rows[0]?.last ?? 0, writers: await this.#writers(table) })
  }

  /** Transactions that have written to the table, or are about to: an insert locks it before it draws a number. */
  async #writers(table: string): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ writer: string }>(
      `select virtualtransaction as writer from pg_locks where locktype = 'relation' and relation = $1::regclass
         and mode = 'RowExclusiveLock' and database = (select oid from pg_database where datname = current_database())`,
      [table],
    )
    return new Set(rows.map(({ writer }) => writer))
  }
}
