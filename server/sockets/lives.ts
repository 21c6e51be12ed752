import type { Connection } from './connection.ts'

/** `app`: users' own sockets, which live as long as their session. */
export type Life = 'spot' | 'futures' | 'app'

type Terms = { readonly pingEveryMs: number; readonly silentMaxMs: number }

const secondMs = 1_000
const minuteMs = 60 * secondMs
const terms: Readonly<Record<Life, Terms>> = {
  spot: { pingEveryMs: 20 * secondMs, silentMaxMs: minuteMs },
  futures: { pingEveryMs: 3 * minuteMs, silentMaxMs: minuteMs },
  app: { pingEveryMs: 20 * secondMs, silentMaxMs: minuteMs },
}
const lifeMs = 24 * 60 * minuteMs
/** How long before its end a socket is notified. */
const noticeMs = 10 * minuteMs

export type LivesOptions = {
  /** The message before a socket is closed by the server. */
  readonly shutdownText?: (at: number) => string
  /** A monotonic clock. */
  readonly now?: () => number
  readonly everyMs?: number
}

type Kept = { readonly life: Life; readonly since: number; pingAt: number; isWarned: boolean }

/** Checks whether sockets are alive, and ends them at their maximum age: one timer for all of them. */
export class Lives {
  readonly #kept = new Map<Connection, Kept>()
  readonly #timer: NodeJS.Timeout
  readonly #now: () => number
  readonly #shutdownText: (at: number) => string

  constructor({ shutdownText = plainShutdown, now = () => performance.now(), everyMs = secondMs }: LivesOptions = {}) {
    this.#now = now
    this.#shutdownText = shutdownText
    this.#timer = setInterval(() => this.look(), everyMs)
  }

  add(connection: Connection, life: Life): void {
    const since = this.#now()
    this.#kept.set(connection, { life, since, pingAt: since + terms[life].pingEveryMs, isWarned: false })
  }

  delete(connection: Connection): void {
    this.#kept.delete(connection)
  }

  look(): void {
    const now = this.#now()
    for (const [connection, kept] of this.#kept) {
      const { pingEveryMs, silentMaxMs } = terms[kept.life]
      connection.cutIfSilent(now, silentMaxMs)
      if (now >= kept.pingAt) {
        kept.pingAt = now + pingEveryMs
        connection.ping(now)
      }
      if (kept.life === 'app') continue
      if (!kept.isWarned && now - kept.since >= lifeMs - noticeMs) {
        kept.isWarned = true
        connection.sendText(this.#shutdownText(Date.now()))
      }
      if (now - kept.since >= lifeMs) connection.close(1001, 'a socket lives for 24 hours')
    }
  }

  /** Closes all sockets, because the exchange stops. */
  close(): void {
    clearInterval(this.#timer)
    for (const [connection, { life }] of this.#kept) {
      if (life !== 'app') connection.sendText(this.#shutdownText(Date.now()))
      connection.close(1001, 'the exchange stops')
    }
  }
}

const plainShutdown = (at: number): string => `{"e":"serverShutdown","E":${at}}`
