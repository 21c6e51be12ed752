import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { KeptRequest } from '@candor/core/exchange/request-kept.ts'
import { Columns, type Statement } from './columns.ts'

/** The core that executes the journal again, as far as it is asked here. */
export type RequestSource = Pick<Exchange, 'seq' | 'atMs' | 'requestRoom' | 'requests' | 'watchRequests'>

/** Stands for all users among those whose requests are recorded. */
const everyone = -1
const minuteMs = 60_000
/** A repeat gets the first outcome for a day; what is older is let go of minute by minute. */
export const requestsKeptMs = 86_400_000 + minuteMs
/** Of what was remembered before everybody's requests are recorded, so many rows go into each part. */
const restAtOnce = 20_000

/**
 * Requests that the core may forget within a day. It remembers the last ones of each user, so only those of users who fill
 * half of their ring are rows: all that is remembered when the half is reached, and each request from there on. They stand in the
 * tables long before the first one leaves the ring. When the rings of all users together become crowded, everybody's are rows.
 */
export class RequestProjection {
  readonly #recorded: Set<number>
  readonly #rows = new Columns(
    'request_ids',
    {
      ...{ user_id: 'bigint', id_low: 'integer', id_high: 'integer', body_low: 'integer', body_high: 'integer' },
      ...{ number: 'bigint', refusal: 'integer', seq: 'bigint', at_ms: 'bigint' },
    } as const,
    '(user_id, id_low, id_high) do nothing',
  )
  readonly #users = new Columns('recorded_users', { user_id: 'bigint' }, 'do nothing')
  #core: RequestSource | undefined
  /** What was remembered before everybody's requests were recorded. */
  #rest: Generator<KeptRequest> | undefined
  #minute: number
  #before: number | undefined

  /** `at`: time of the last command that the tables hold. `recorded`: users whose requests they hold. */
  constructor(at: number, recorded: Iterable<number> = []) {
    this.#minute = Math.floor(at / minuteMs)
    this.#recorded = new Set(recorded)
  }

  get size(): number {
    return this.#rows.length
  }

  follow(core: RequestSource): void {
    this.#core = core
    core.watchRequests((request) => this.#note(core, request))
  }

  /** A command of this time was applied. An audit follows no requests, and lets go of none. */
  passed(at: number): void {
    const minute = Math.floor(at / minuteMs)
    if (minute === this.#minute || this.#core === undefined) return
    this.#minute = minute
    this.#before = minute * minuteMs - requestsKeptMs
  }

  take(): readonly (Statement | undefined)[] {
    this.#takeRest()
    const before = this.#before
    this.#before = undefined
    const old = before === undefined ? undefined : { text: 'delete from request_ids where at_ms < $1', batches: [[String(before)]] }
    return [old, this.#rows.take(), this.#users.take()]
  }

  #note(core: RequestSource, request: KeptRequest): void {
    const { user } = request
    const { ring, left, isCrowded } = core.requestRoom(user)
    if (isCrowded && !this.#recorded.has(everyone)) this.#rest ??= core.requests()
    if (!this.#recorded.has(user) && !this.#recorded.has(everyone)) {
      if (left * 2 > ring) {
        if (!isCrowded) return
      } else {
        for (const one of core.requests(user)) this.#push(core, one)
        this.#isRecorded(user)
      }
    }
    this.#push(core, request)
  }

  /** When the first one came is not remembered: it is kept for a day from now. */
  #push({ seq, atMs }: RequestSource, { user, idLow, idHigh, bodyLow, bodyHigh, number, refusal }: KeptRequest): void {
    this.#rows.push(user, idLow, idHigh, bodyLow, bodyHigh, number, refusal, seq, atMs)
  }

  #isRecorded(user: number): void {
    this.#recorded.add(user)
    this.#users.push(user)
  }

  #takeRest(): void {
    if (this.#rest === undefined || this.#core === undefined) return
    for (let n = 0; n < restAtOnce; n++) {
      const { value, done } = this.#rest.next()
      if (done === true) {
        this.#rest = undefined
        return this.#isRecorded(everyone)
      }
      this.#push(this.#core, value)
    }
  }
}
