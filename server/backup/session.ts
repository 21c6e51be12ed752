import pg from 'pg'
import { quoted } from '../store/rights.ts'
import { userUrl } from '../store/roles.ts'
import type { Store } from '../store/open.ts'
import { BackupFault } from './fault.ts'
import type { IndexRow } from './journal-index.ts'
import { positionOf, positionText } from './wal.ts'

const role = 'archiver'
const rowsPerRead = 50_000
const slotPrefix = 'candor_backup_'

/** Facts about the cluster that don't change while it runs. */
export type Cluster = {
  readonly system: string
  readonly timeline: number
  readonly segmentBytes: number
  /** How much of its log the database keeps for runs at most. */
  readonly keptMaxBytes: number
}

/**
 * A connection that makes backups, as a user that may do that and read the places of the journal's rows, and nothing else. It holds the lock
 * that keeps two runs apart, and ends the backup mode by itself when this process dies.
 */
export class BackupSession implements AsyncDisposable {
  readonly #client: pg.Client
  readonly cluster: Cluster
  #isLost = false
  /** What holds the log for this run alone. */
  #passing: string | undefined

  private constructor(client: pg.Client, cluster: Cluster) {
    this.#client = client
    this.cluster = cluster
    // A reset connection refuses queries before it has ended.
    for (const sign of ['error', 'end'] as const) client.on(sign, () => (this.#isLost = true))
  }

  /** Whether the database went away: it was stopped or killed. */
  hasLost(cause: unknown): boolean {
    // The last words of a server that ends come before the end of the connection.
    return this.#isLost || String((cause as { code?: unknown }).code).startsWith('57P')
  }

  /** throws  BackupFault when another run is in progress */
  static async open(store: Store): Promise<BackupSession> {
    await provideUser(store)
    const client = new pg.Client({ connectionString: userUrl(store.url, role), application_name: 'candor backup' })
    // A broken connection fails its next query.
    client.on('error', () => undefined)
    await client.connect()
    try {
      const { rows: locks } = await client.query<{ has: boolean }>(`select pg_try_advisory_lock(hashtext('candor backup')) as has`)
      if (!locks[0]!.has) throw new BackupFault('Another backup of this exchange is in progress')
      const { rows } = await client.query<{ system: string; timeline: number; segment: number; kept: number }>(
        `select (select system_identifier::text from pg_control_system()) as system,
           (select timeline_id from pg_control_checkpoint()) as timeline,
           (select setting::int from pg_settings where name = 'wal_segment_size') as segment,
           (select setting::float8 from pg_settings where name = 'max_slot_wal_keep_size') as kept`,
      )
      const { system, timeline, segment, kept } = rows[0]!
      return new BackupSession(client, { system, timeline, segmentBytes: segment, keptMaxBytes: kept < 0 ? Infinity : kept * 2 ** 20 })
    } catch (cause) {
      await client.end()
      throw cause
    }
  }

  /** Makes the database keep its log from now on, as long as this connection: an interrupted run leaves nothing behind. */
  async holdLog(store: string): Promise<void> {
    await this.#dropSlots(`slot_name like '${slotPrefix}%' and wal_status = 'lost'`, [])
    const slot = `${slotPrefix}${store}_run`
    await this.#client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
    this.#passing = slot
  }

  /** Whether the log is still there from this position on. */
  async holdsLog(store: string, position: number): Promise<boolean> {
    const { rows } = await this.#client.query<{ from: string | null }>(
      `select restart_lsn::text as from from pg_replication_slots where slot_name = $1 and wal_status in ('reserved', 'extended', 'unreserved')`,
      [this.#passing ?? slotPrefix + store],
    )
    const from = rows[0]?.from ?? undefined
    return from !== undefined && positionOf(from) <= position
  }

  /** Whether what holds the log holds it for this run alone. */
  get isPassing(): boolean {
    return this.#passing !== undefined
  }

  /** Whether the lock is still held: it goes with the connection, and another run may then begin. */
  async isAlone(): Promise<boolean> {
    return this.position().then(
      () => true,
      () => false,
    )
  }

  /** The end of the log that is written. */
  async position(): Promise<number> {
    const { rows } = await this.#client.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
    return positionOf(rows[0]!.at)
  }

  /** Lets the database discard its log before this position. */
  async releaseLog(store: string, position: number): Promise<void> {
    await this.#client.query('select pg_replication_slot_advance($1, $2)', [this.#passing ?? slotPrefix + store, positionText(position)])
  }

  /** Lets the database discard what it kept for the next run of this store. */
  async dropLog(store: string): Promise<void> {
    await this.#dropSlots('slot_name = $1', [slotPrefix + store])
  }

  /** Makes the database keep its log from this position on for the next run, and none before. */
  async keepLog(store: string, position: number): Promise<void> {
    const slot = slotPrefix + store
    if (this.#passing !== undefined) {
      await this.dropLog(store)
      await this.#client.query('select pg_copy_physical_replication_slot($1, $2, false)', [this.#passing, slot])
    }
    await this.#client.query('select pg_replication_slot_advance($1, $2)', [slot, positionText(position)])
  }

  /** Writes out all changed pages. Returns the position from which on the log is needed. */
  async begin(): Promise<number> {
    const { rows } = await this.#client.query<{ at: string }>(`select pg_backup_start('candor', true)::text as at`)
    return positionOf(rows[0]!.at)
  }

  async complete(): Promise<{ readonly label: string; readonly completeAt: number }> {
    const { rows } = await this.#client.query<{ label: string; tablespaces: string }>(
      'select labelfile as label, spcmapfile as tablespaces from pg_backup_stop(false)',
    )
    const { label, tablespaces } = rows[0]!
    if (tablespaces.trim() !== '') throw new BackupFault('A backup knows no tablespaces')
    return { label, completeAt: await this.#now() }
  }

  /** The newest acknowledged command. */
  async head(): Promise<{ readonly seq: number; readonly hash: string }> {
    const { rows } = await this.#client.query<{ seq: string; hash: Buffer }>('select seq, hash from journal order by seq desc limit 1')
    return rows[0] === undefined ? { seq: 0, hash: '' } : { seq: Number(rows[0].seq), hash: rows[0].hash.toString('hex') }
  }

  /** Whether the journal has this command. */
  async has({ seq, hash }: { readonly seq: number; readonly hash: string }): Promise<boolean> {
    if (seq === 0) return true
    const { rows } = await this.#client.query<{ hash: Buffer }>('select hash from journal where seq = $1', [seq])
    return rows[0]?.hash.toString('hex') === hash
  }

  /** The rows of the journal after one command up to another, with their transactions. */
  async index(after: number, to: number): Promise<readonly IndexRow[]> {
    const all: IndexRow[] = []
    for (let from = after; ; ) {
      const { rows } = await this.#client.query<{ seq: string; n: number; xid: string }>(
        'select seq, n, xmin::text as xid from journal where seq > $1 and seq <= $2 order by seq limit $3',
        [from, to, rowsPerRead],
      )
      for (const { seq, n, xid } of rows) all.push({ seq: Number(seq), n, xid: Number(xid) })
      if (rows.length < rowsPerRead) return all
      from = all.at(-1)!.seq
    }
  }

  /** Ends the segment of the log that is being written. Returns the position of its end, and a time before a transaction in it. */
  async cut(): Promise<{ readonly end: number; readonly reachesTo: number }> {
    const reachesTo = await this.#now()
    // An empty transaction with an id leaves its time in the log: a restore to a time must find a later one.
    await this.#client.query('select pg_current_xact_id()')
    const { rows } = await this.#client.query<{ end: string }>('select pg_switch_wal()::text as end')
    return { end: positionOf(rows[0]!.end), reachesTo }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }

  async #now(): Promise<number> {
    const { rows } = await this.#client.query<{ ms: string }>('select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms')
    return Number(rows[0]!.ms)
  }

  async #dropSlots(which: string, values: readonly string[]): Promise<void> {
    await this.#client.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active and (${which})`, [
      ...values,
    ])
  }
}

/** Creates the user and gives it exactly what a backup needs. */
async function provideUser({ pool, url }: Store): Promise<void> {
  const { username, password } = new URL(userUrl(url, role))
  const user = quoted(decodeURIComponent(username))
  const { rows } = await pool.query<{ has: boolean; journal: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as has, to_regclass('public.journal') is not null as journal`,
    [decodeURIComponent(username)],
  )
  if (!rows[0]!.journal) throw new BackupFault('There is no exchange in this database yet')
  if (!rows[0]!.has) await pool.query(`create role ${user}`)
  await pool.query(`
    alter role ${user} login replication nosuperuser nocreatedb nocreaterole password ${pg.escapeLiteral(decodeURIComponent(password))};
    grant usage on schema public to ${user};
    grant select (seq, n, hash, xmin) on public.journal to ${user};
    grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean), pg_switch_wal() to ${user}`)
}
