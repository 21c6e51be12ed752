import { setTimeout as sleep } from 'node:timers/promises'
import { JournalConnection } from '../../journal/connection.ts'
import { Fenced } from '../../journal/fault.ts'
import { renewLease } from '../../journal/leadership.ts'
import { readHead } from '../../journal/read.ts'
import type { Head } from '../../journal/row.ts'
import { RolledBack } from '../../journal/witness.ts'
import { StoreFault } from '../../store/fault.ts'
import { Refused } from '../../refused.ts'
import type { TimeSource } from '../sequencer.ts'

/** Times of a lease in milliseconds. A lease must end on its leader's clock well before another machine's clock lets it take over. */
export type LeaseTimes = {
  /** Between two renewals. */
  readonly renewMs: number
  /** How long answers may be given after a renewal was sent. */
  readonly validMs: number
  /** How long a standby must have seen no renewal before it takes over. */
  readonly takeOverMs: number
}

export const leaseTimes: LeaseTimes = { renewMs: 500, validMs: 1_500, takeOverMs: 2_000 }

/** How long a caller waits for a renewal before it is refused. */
const answerWaitMs = 2_000
/** Between two tries of a renewal that failed. */
const retryMs = 100
/** Other statements hold the leader's row for a commit at most. A longer wait is one for a standby, and a new connection would wait too. */
const lockTimeoutMs = 1_000
/** A connection without an answer for so long is replaced, later ones after twice the time: each may leave a session behind. */
const patience = { firstMs: 3_000, lastMs: 30_000 }

export type LeaseOptions = {
  readonly url: string
  readonly pool: Parameters<typeof readHead>[0]
  readonly epoch: number
  /** When the statement that took the leadership was sent, on both clocks. */
  readonly sentAt: Moment
  readonly time: TimeSource
  readonly times: LeaseTimes
  /** The last durable command that this leader knows: a database without it was rolled back. */
  readonly head: () => Head
  /** Called once, with Fenced or RolledBack. */
  readonly onLost: (cause: Fenced | RolledBack) => void
  readonly log: (message: string, cause: unknown) => void
}

/** A point in time on both clocks of this machine. */
export type Moment = { readonly steadyMs: number; readonly wallMs: number }

export const momentOf = (time: TimeSource): Moment => ({ steadyMs: time.steady(), wallMs: time.wall() })

/**
 * The right to give answers. It is renewed in the database on a connection of its own, and counts from when the last durable renewal
 * was sent. A process that was frozen finds it expired when it wakes, and renews it before it answers. The steady clock decides; the
 * wall clock only shortens the lease, for machines whose steady clock stands still while they are suspended.
 */
export class Lease implements Disposable {
  readonly #options: LeaseOptions
  #sentAt: Moment
  #connection: JournalConnection | undefined
  /** Resolves when the lease holds again; there while somebody waits. */
  #held: PromiseWithResolvers<void> | undefined
  #staleSinceMs = 0
  #lost: Error | undefined
  #wake: (() => void) | undefined
  #patienceMs = patience.firstMs

  constructor(options: LeaseOptions) {
    this.#options = options
    this.#sentAt = options.sentAt
    void this.#run()
  }

  /** Whether answers may be given now. */
  get isHeld(): boolean {
    if (this.#lost !== undefined) return false
    const { time, times } = this.#options
    return time.steady() - this.#sentAt.steadyMs < times.validMs && time.wall() - this.#sentAt.wallMs < times.validMs
  }

  /** Resolves when answers may be given. Rejects when the leadership is lost. */
  async whenHeld(): Promise<void> {
    // One renewal may be too late for a caller that was frozen again meanwhile.
    while (!this.isHeld) {
      if (this.#lost !== undefined) throw this.#lost
      if (this.#held === undefined) {
        this.#held = Promise.withResolvers()
        this.#held.promise.catch(() => undefined)
        this.#staleSinceMs = this.#options.time.steady()
      }
      this.#wake?.()
      await this.#held.promise
    }
  }

  /** Resolves when an answer may be given. Throws Refused('UNAVAILABLE') when the leadership is lost, or the database is away for long. */
  async answerable(): Promise<void> {
    if (this.isHeld) return
    const limit = new AbortController()
    const held = this.whenHeld()
    const waitMs = Math.max(0, this.#staleSinceMs + answerWaitMs - this.#options.time.steady())
    const given = await Promise.race([
      held.then(
        () => true,
        () => false,
      ),
      sleep(waitMs, false, { signal: limit.signal }).catch(() => false),
    ])
    limit.abort()
    if (!given) throw new Refused('UNAVAILABLE')
  }

  /** Renews no more. Whoever waits is refused. */
  [Symbol.dispose](): void {
    this.#end(new StoreFault('The lease was given back'))
    this.#connection?.drop()
  }

  async #run(): Promise<void> {
    let isAway = false
    for (; this.#lost === undefined; await this.#rest()) {
      try {
        await this.#renew()
        isAway = false
      } catch (cause) {
        this.#connection?.drop()
        this.#connection = undefined
        if (this.#lost !== undefined) return
        if (cause instanceof Fenced || cause instanceof RolledBack) {
          this.#end(cause)
          return this.#options.onLost(cause)
        }
        if (!isAway) this.#options.log('The lease cannot be renewed now, trying again', cause)
        isAway = true
        await sleep(retryMs)
      }
    }
    this.#connection?.drop()
  }

  async #renew(): Promise<void> {
    const { epoch, time } = this.#options
    const limit = setTimeout(() => {
      this.#connection?.drop()
      this.#patienceMs = Math.min(2 * this.#patienceMs, patience.lastMs)
    }, this.#patienceMs)
    try {
      this.#connection ??= await this.#connect()
      const sentAt = momentOf(time)
      if (!(await renewLease(this.#connection, epoch))) throw new Fenced(`Epoch ${epoch} does not lead any more`)
      this.#sentAt = sentAt
      this.#patienceMs = patience.firstMs
    } finally {
      clearTimeout(limit)
    }
    if (!this.isHeld) return
    this.#held?.resolve()
    this.#held = undefined
  }

  /** Another connection may lead to another server. */
  async #connect(): Promise<JournalConnection> {
    const { url, pool, head } = this.#options
    const connection = await JournalConnection.open(url, { lockTimeoutMs, openMaxMs: this.#patienceMs })
    const { seq, hash } = head()
    if (seq === 0) return connection
    const { rows } = await connection.query({ text: 'select hash from journal where seq = $1', values: [seq] })
    if ((rows[0] as { hash: Buffer } | undefined)?.hash.equals(hash)) return connection
    connection.drop()
    throw new RolledBack(await readHead(pool), { seq, hash })
  }

  /** Waits until the next renewal is due, or somebody needs it. */
  async #rest(): Promise<void> {
    const dueMs = this.#sentAt.steadyMs + this.#options.times.renewMs - this.#options.time.steady()
    if (dueMs <= 0 || this.#held !== undefined) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, dueMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }

  #end(cause: Error): void {
    this.#lost ??= cause
    this.#held?.reject(this.#lost)
    this.#held = undefined
    this.#wake?.()
  }
}
