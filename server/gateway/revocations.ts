import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { forgetRevocations, type RevocationRow, revokedSince } from '../store/query/revocations.ts'

/** A message that says the same usually comes first; this is for those that are lost. */
const pollMs = 1_000
const forgetEveryMs = 600_000

export type RevocationsParts = {
  readonly pool: pg.Pool
  readonly onRevoked: (row: RevocationRow) => void
  readonly onFault: (cause: unknown) => void
  readonly pollMs?: number
}

/** Reads what was revoked, by whatever process, from the tables: messages between gateways may be lost. */
export class Revocations implements AsyncDisposable {
  readonly #parts: RevocationsParts
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  #from: string | undefined
  #seen: ReadonlySet<number> = new Set()
  #forgotAt = Number.NEGATIVE_INFINITY

  private constructor(parts: RevocationsParts, from: string) {
    this.#parts = parts
    this.#from = from
    this.#running = this.#run()
  }

  /** Call it before anything that can be revoked is remembered. */
  static async start(parts: RevocationsParts): Promise<Revocations> {
    const { next } = await revokedSince(parts.pool, undefined)
    return new Revocations(parts, next)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    const { onFault } = this.#parts
    for (let isFailing = false; !signal.aborted; ) {
      await sleep(this.#parts.pollMs ?? pollMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await this.#read()
        isFailing = false
      } catch (cause) {
        // Nothing is lost: the next read begins where this one did.
        if (!isFailing) onFault(cause)
        isFailing = true
      }
    }
  }

  async #read(): Promise<void> {
    const { pool, onRevoked } = this.#parts
    const { next, rows } = await revokedSince(pool, this.#from)
    for (const row of rows) if (!this.#seen.has(row.number)) onRevoked(row)
    this.#from = next
    this.#seen = new Set(rows.map(({ number }) => number))
    if (performance.now() - this.#forgotAt < forgetEveryMs) return
    this.#forgotAt = performance.now()
    await forgetRevocations(pool)
  }
}
