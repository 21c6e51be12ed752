import pg from 'pg'
import { StoreFault } from '../store/fault.ts'
import { checkDatabase, types } from '../store/open.ts'

/** Where statements of the journal and the leadership are run. */
export type Queries = { query(query: pg.QueryConfig): Promise<pg.QueryResult> }

/**
 * The one connection that writes the journal. Its queries never time out here: giving up on a commit does not undo it.
 *
 * A cancelled wait for the synchronous standby is reported as success with nothing but a warning (01000), although the
 * row may exist on one machine only. So any warning makes the statement count as failed, and the connection is dropped.
 */
export class JournalConnection {
  readonly #client: pg.Client
  #broken: Error | undefined

  private constructor(client: pg.Client) {
    this.#client = client
    client.on('error', (cause) => {
      this.#broken ??= cause
    })
    client.on('notice', (notice) => {
      if (notice.code?.startsWith('01')) this.#broken ??= new StoreFault(`The database warned during a journal write: ${notice.message}`)
    })
  }

  /**
   * lockTimeoutMs  how long a statement waits for locks of others; default: for ever
   * openMaxMs      how long opening may take; default: 3 s for the connection, and any time for its first statements
   */
  static async open(
    url: string,
    options: { readonly lockTimeoutMs?: number; readonly openMaxMs?: number } = {},
  ): Promise<JournalConnection> {
    const { lockTimeoutMs = 0, openMaxMs } = options
    const client = new pg.Client({
      connectionString: url,
      types,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      connectionTimeoutMillis: 3000,
      application_name: 'candor journal',
    })
    const connection = new JournalConnection(client)
    const limit = openMaxMs === undefined ? undefined : setTimeout(() => connection.drop(), openMaxMs)
    try {
      await client.connect()
      await client.query(`set statement_timeout = 0; set lock_timeout = ${lockTimeoutMs}`)
      await checkDatabase(client)
      return connection
    } catch (cause) {
      connection.drop()
      throw cause
    } finally {
      clearTimeout(limit)
    }
  }

  /** Also rejects when the database reported success with a warning. */
  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#broken) throw this.#broken
    const result = await this.#client.query(query)
    if (this.#broken) throw this.#broken
    return result
  }

  /** Closes without a farewell message: a hanging server must not block the engine. */
  drop(): void {
    this.#broken ??= new StoreFault('The journal connection is closed', { isRetryable: true })
    const { stream } = (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }

  async close(): Promise<void> {
    if (this.#broken) return this.drop()
    this.#broken = new StoreFault('The journal connection is closed')
    await this.#client.end().catch(() => undefined)
  }
}
