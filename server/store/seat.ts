import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Between two tries to take a seat that another process has. */
const tryMs = 250
/** The holder shows so often that it lives. */
const aliveMs = 1_000
/** A holder that shows no life for so long loses its seat, whether it is frozen, cut off or gone. */
const silentMs = 5_000
/** A database that does not answer the holder for so long may have given its seat away. */
const answerMs = 3_000

/** A server that follows another one has locks of its own. */
const tryLock = 'select case when pg_is_in_recovery() then false else pg_try_advisory_lock(hashtext($1)) end as has'

export type SeatOptions = {
  readonly url: string
  /** Of the seat. */
  readonly name: string
  readonly onWon?: () => void
  readonly onLost?: () => void
  readonly tryMs?: number
}

/**
 * An office that one process has at a time: an advisory lock of PostgreSQL on a connection of its own. Who loses the connection loses the
 * seat at once, and tries to take it again. The database ends the session of a holder that shows no life, so a frozen process keeps
 * nobody waiting. It may not know yet that it lost the seat when it goes on: what must not happen twice needs a check of its own.
 */
export class Seat implements AsyncDisposable {
  readonly #options: SeatOptions
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  #client: pg.Client | undefined
  #isHeld = false
  #firstTry: () => void = () => undefined

  private constructor(options: SeatOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Resolves after the first try. */
  static async open(options: SeatOptions): Promise<Seat> {
    const seat = new Seat(options)
    await new Promise<void>((resolve) => (seat.#firstTry = resolve))
    return seat
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Gives the seat up. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#leave()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      await this.#sit().catch(() => undefined)
      await this.#leave()
      this.#firstTry()
      await this.#pause(this.#options.tryMs ?? tryMs)
    }
  }

  /** Tries to take the seat until it is taken, and holds it as long as the connection lives. Rejects at its end. */
  async #sit(): Promise<void> {
    const { url, name, onWon } = this.#options
    const client = new pg.Client({
      ...{ connectionString: url, connectionTimeoutMillis: answerMs, query_timeout: answerMs },
      ...{ application_name: `candor ${name}` },
    })
    this.#client = client
    client.on('error', () => undefined)
    const gone = new Promise<never>((_resolve, reject) => {
      client.on('end', () => {
        this.#lost(client)
        reject(new Error('the connection ended'))
      })
    })
    // A client that is ended while it connects never says what became of that.
    await Promise.race([client.connect(), gone])
    await client.query(`set idle_session_timeout = ${silentMs}`)
    const { signal } = this.#ending
    while (!signal.aborted && this.#client === client) {
      if (this.#isHeld) await client.query('select 1')
      else {
        const { rows } = await client.query<{ has: boolean }>(tryLock, [`candor ${name}`])
        if (rows[0]?.has === true && this.#client === client) {
          this.#isHeld = true
          onWon?.()
        }
        this.#firstTry()
      }
      await this.#pause(this.#isHeld ? aliveMs : (this.#options.tryMs ?? tryMs))
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#options.onLost?.()
  }

  /** Ends the connection, also one on which nothing comes back. */
  async #leave(): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    this.#lost(client)
    const stream = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream
    await Promise.race([client.end().catch(() => undefined), sleep(500)])
    stream.destroy()
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined)
  }
}
