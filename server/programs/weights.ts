import { networkOf } from '../networks.ts'
import type { Family } from '../live/program-names.ts'
import { ApiError } from './errors.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const rawWindowMs = 5 * minuteMs
const dayMs = 24 * 60 * minuteMs
/**
 * A request that came in an earlier window counts in the one that runs: it was long on its way, and would begin the earlier window
 * anew. One from before so long shows that the clock was set back.
 */
export const lateMaxMs = minuteMs

/** What one address, of IPv6 one network, may do, in windows that begin with the clock's minute and five minutes. */
export const weightMax = 6_000
export const rawMax = 61_000

/** Requests in one minute that were refused as too many, after which an address is shut out for a while. */
const refusedMax = 60
const banFirstMs = 2 * minuteMs
const banLastMs = 3 * dayMs

type Visitor = {
  minute: number
  readonly used: Record<Family, number>
  refused: number
  rawWindow: number
  raw: number
  bannedUntil: number
  /** How long the last ban was; one that is a day past counts no more. */
  banMs: number
}

/**
 * Weight by address. Who goes on asking after too much is shut out, two minutes first, each time twice as long, three days at
 * most.
 */
export class Weights {
  readonly #visitors = new Map<string, Visitor>()
  readonly #sweeper: NodeJS.Timeout

  constructor() {
    this.#sweeper = setInterval(() => this.sweep(Date.now()), minuteMs)
    this.#sweeper.unref()
  }

  get size(): number {
    return this.#visitors.size
  }

  /**
   * Counts a request itself, before anything is known of it.
   *
   * throws  ApiError -1003, with status 418 while the address is shut out
   */
  enter(ip: string, at: number): void {
    const visitor = this.#visitor(ip, at)
    if (at < visitor.bannedUntil) throw banned(visitor.bannedUntil, at)
    visitor.raw++
    if (visitor.raw > rawMax) throw this.#refuse(visitor, visitor.rawWindow + rawWindowMs, at, `${rawMax} requests per 5 MINUTE`)
  }

  /** Only counts. */
  note(ip: string, family: Family, weight: number, at: number): void {
    this.#visitor(ip, at).used[family] += weight
  }

  /**
   * What was counted so far must be within the limit.
   *
   * throws  ApiError -1003
   */
  check(ip: string, family: Family, at: number): void {
    const visitor = this.#visitor(ip, at)
    if (visitor.used[family] > weightMax) {
      throw this.#refuse(visitor, visitor.minute + minuteMs, at, `${weightMax} request weight per 1 MINUTE`)
    }
  }

  /** Of the running minute. */
  used(ip: string, family: Family, at: number): number {
    return this.#visitor(ip, at).used[family]
  }

  /** Forgets who has been quiet: memory follows who is active, and who is or was lately shut out. */
  sweep(at: number): void {
    for (const [ip, { rawWindow, bannedUntil }] of this.#visitors) {
      if (at >= rawWindow + rawWindowMs && at >= bannedUntil + (bannedUntil > 0 ? dayMs : 0)) this.#visitors.delete(ip)
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
  }

  #visitor(address: string, at: number): Visitor {
    const ip = networkOf(address)
    let visitor = this.#visitors.get(ip)
    // Windows of raw requests are whole minutes long, and begin with one.
    if (visitor !== undefined && at >= visitor.minute - lateMaxMs && at < visitor.minute + minuteMs) return visitor
    const minute = at - (at % minuteMs)
    const rawWindow = at - (at % rawWindowMs)
    if (!visitor) {
      visitor = { minute, used: { spot: 0, futures: 0 }, refused: 0, rawWindow, raw: 0, bannedUntil: 0, banMs: 0 }
      this.#visitors.set(ip, visitor)
    }
    if (visitor.minute !== minute) {
      visitor.minute = minute
      visitor.used.spot = 0
      visitor.used.futures = 0
      visitor.refused = 0
    }
    if (visitor.rawWindow !== rawWindow) {
      visitor.rawWindow = rawWindow
      visitor.raw = 0
    }
    return visitor
  }

  #refuse(visitor: Visitor, until: number, at: number, what: string): ApiError {
    visitor.refused++
    if (visitor.refused > refusedMax) {
      const isRecent = visitor.banMs > 0 && at < visitor.bannedUntil + dayMs
      visitor.banMs = isRecent ? Math.min(visitor.banMs * 2, banLastMs) : banFirstMs
      visitor.bannedUntil = at + visitor.banMs
      return banned(visitor.bannedUntil, at)
    }
    const msg = `Too much request weight used; current limit is ${what}. Please use WebSocket Streams for live updates to avoid polling the API.`
    return new ApiError(-1003, msg, 429, secondsTo(until, at))
  }
}

function banned(until: number, at: number): ApiError {
  const msg = `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`
  return new ApiError(-1003, msg, 418, secondsTo(until, at))
}

export function secondsTo(until: number, at: number): number {
  return Math.max(1, Math.ceil((until - at) / secondMs))
}
