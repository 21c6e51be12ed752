import { networkOf } from '../networks.ts'
import type { Family } from '../live/program-names.ts'
import { ApiError } from './errors.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const rawWindowMs = 5 * minuteMs
const dayMs = 24 * 60 * minuteMs
/**
 * A late request that arrived in an earlier window counts in the current window; otherwise it would restart the earlier window. A
 * time older than this means that the clock was set back.
 */
export const lateMaxMs = minuteMs

/** Weight that one address (IPv6: one network) may use, in windows aligned to the minute and to five minutes. */
export const weightMax = 6_000
export const rawMax = 61_000

/** Requests refused as too many within one minute, after which an address is banned for a while. */
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
  /** Length of the last ban; one that ended more than a day ago no longer counts. */
  banMs: number
}

/**
 * Weight by address. An address that keeps sending after refusals is banned, at first for two minutes, then twice as long each
 * time, at most three days.
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
   * Counts the request itself, before anything is known about it.
   *
   * throws  ApiError -1003, with status 418 while the address is banned
   */
  enter(ip: string, at: number): void {
    const visitor = this.#visitor(ip, at)
    if (at < visitor.bannedUntil) throw banned(visitor.bannedUntil, at)
    visitor.raw++
    if (visitor.raw > rawMax) throw this.#refuse(visitor, visitor.rawWindow + rawWindowMs, at, `${rawMax} requests per 5 MINUTE`)
  }

  /** Counts without checking. */
  note(ip: string, family: Family, weight: number, at: number): void {
    this.#visitor(ip, at).used[family] += weight
  }

  /**
   * Checks that the count so far is within the limit.
   *
   * throws  ApiError -1003
   */
  check(ip: string, family: Family, at: number): void {
    const visitor = this.#visitor(ip, at)
    if (visitor.used[family] > weightMax) {
      throw this.#refuse(visitor, visitor.minute + minuteMs, at, `${weightMax} request weight per 1 MINUTE`)
    }
  }

  /** Weight used in the current minute. */
  used(ip: string, family: Family, at: number): number {
    return this.#visitor(ip, at).used[family]
  }

  /** Forgets quiet addresses, so that memory grows with the active and the recently banned ones only. */
  sweep(at: number): void {
    for (const [ip, { rawWindow, bannedUntil }] of this.#visitors) {
      if (at >= rawWindow + rawWindowMs && at >= bannedUntil + dayMs) this.#visitors.delete(ip)
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
  }

  #visitor(address: string, at: number): Visitor {
    const ip = networkOf(address)
    let visitor = this.#visitors.get(ip)
    // Windows of raw requests are whole minutes.
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
