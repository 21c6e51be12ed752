import type { Count, SharedCounts } from '../counters/counts.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'
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

/**
 * Weight and requests that one address (IPv6: one network) may use, in windows aligned to the minute and to five minutes. All
 * addresses of a wide network (/24, /48) may together use eight times as much.
 */
export const weightMax = 6_000
export const rawMax = 61_000

/** Requests refused as too many within one minute, after which an address is banned for a while. */
const refusedMax = 60
const banFirstMs = 2 * minuteMs
const banLastMs = 3 * dayMs

/** Weight and requests used in the current windows, with those that other gateways told of. `own`: those of this gateway. */
type Counted = {
  readonly network: string
  minute: number
  readonly used: Record<Family, number>
  readonly own: Record<Family, number>
  rawWindow: number
  raw: number
  ownRaw: number
}

type Visitor = Counted & {
  /** In this gateway. */
  refused: number
  bannedUntil: number
  /** Length of the last ban; one that ended more than a day ago no longer counts. */
  banMs: number
}

/**
 * Weight by address. An address that keeps sending after refusals is banned, at first for two minutes, then twice as long each
 * time, at most three days. A wide network is refused above its limit but never banned, because most of its users may be innocent.
 */
export class Weights implements SharedCounts {
  readonly kind = 'window'
  readonly keptMs = 2 * rawWindowMs
  readonly #visitors = new Map<string, Visitor>()
  readonly #wide = new Map<string, Counted>()
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout
  /** What changed since the other gateways were told; undefined: there are none. */
  #changed: Set<Visitor | Counted> | undefined

  /** now  wall clock, for what other gateways tell */
  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#sweeper = setInterval(() => this.sweep(now()), minuteMs)
    this.#sweeper.unref()
  }

  get size(): number {
    return this.#visitors.size
  }

  get wideSize(): number {
    return this.#wide.size
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
    visitor.ownRaw++
    this.#changed?.add(visitor)
    if (visitor.raw > rawMax) throw this.#refuse(visitor, visitor.rawWindow + rawWindowMs, at, rawLimit(1))
    const wide = this.#wideOf(ip, at)
    wide.ownRaw++
    this.#changed?.add(wide)
    if (++wide.raw > rawMax * wideTimes) throw tooMuch(rawLimit(wideTimes), wide.rawWindow + rawWindowMs, at)
  }

  /** Counts without checking. What a refused address continues to send is not counted for its wide network: neighbours would pay. */
  note(ip: string, family: Family, weight: number, at: number): void {
    const visitor = this.#visitor(ip, at)
    if (visitor.used[family] <= weightMax && at >= visitor.bannedUntil) this.#use(this.#wideOf(ip, at), family, weight)
    this.#use(visitor, family, weight)
  }

  /**
   * Checks that the count so far is within the limit.
   *
   * throws  ApiError -1003
   */
  check(ip: string, family: Family, at: number): void {
    const visitor = this.#visitor(ip, at)
    if (visitor.used[family] > weightMax) throw this.#refuse(visitor, visitor.minute + minuteMs, at, weightLimit(1))
    const wide = this.#wideOf(ip, at)
    if (wide.used[family] > weightMax * wideTimes) throw tooMuch(weightLimit(wideTimes), wide.minute + minuteMs, at)
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
    for (const [network, { rawWindow }] of this.#wide) if (at >= rawWindow + rawWindowMs) this.#wide.delete(network)
  }

  close(): void {
    clearInterval(this.#sweeper)
  }

  watch(isWatched: boolean): void {
    this.#changed = isWatched ? new Set() : undefined
  }

  changed(): readonly Count[] {
    const found = [...(this.#changed ?? [])].flatMap((counted) => this.#countsOf(counted))
    this.#changed?.clear()
    return found
  }

  all(): readonly Count[] {
    return [...this.#visitors.values(), ...this.#wide.values()].flatMap((counted) => this.#countsOf(counted))
  }

  add(name: string, mark: number, more: number): boolean {
    const [sort, network] = [name.slice(0, 1) as keyof typeof sorts, name.slice(1)]
    const at = this.#now()
    if (sort === 'b') {
      const visitor = this.#visitorOf(network, at)
      visitor.bannedUntil = Math.max(visitor.bannedUntil, mark)
      visitor.banMs = Math.max(visitor.banMs, more)
      return true
    }
    const { isWide, of } = sorts[sort]
    const counted = isWide ? this.#wideNetwork(network, at) : this.#visitorOf(network, at)
    const window = of === 'raw' ? counted.rawWindow : counted.minute
    if (mark > window) return false
    if (mark < window) return true
    if (of === 'raw') counted.raw += more
    else counted.used[of] += more
    return true
  }

  /** Of the current windows, and bans that last. */
  #countsOf(counted: Visitor | Counted): Count[] {
    const isWide = !('bannedUntil' in counted)
    const { network, minute, own, rawWindow, ownRaw } = counted
    const [spot, futures, raw] = isWide ? ['S', 'F', 'R'] : ['s', 'f', 'r']
    const found: Count[] = []
    if (own.spot > 0) found.push([`${spot}${network}`, minute, own.spot])
    if (own.futures > 0) found.push([`${futures}${network}`, minute, own.futures])
    if (ownRaw > 0) found.push([`${raw}${network}`, rawWindow, ownRaw])
    if (!isWide && counted.bannedUntil > this.#now()) found.push([`b${network}`, counted.bannedUntil, counted.banMs])
    return found
  }

  #use(counted: Visitor | Counted, family: Family, weight: number): void {
    counted.used[family] += weight
    counted.own[family] += weight
    this.#changed?.add(counted)
  }

  #visitor(address: string, at: number): Visitor {
    return this.#visitorOf(networkOf(address), at)
  }

  #visitorOf(network: string, at: number): Visitor {
    let visitor = this.#visitors.get(network)
    if (!visitor) {
      visitor = { ...newCount(network), refused: 0, bannedUntil: 0, banMs: 0 }
      this.#visitors.set(network, visitor)
    }
    if (moveTo(visitor, at)) visitor.refused = 0
    return visitor
  }

  #wideOf(address: string, at: number): Counted {
    return this.#wideNetwork(wideNetworkOf(address), at)
  }

  #wideNetwork(network: string, at: number): Counted {
    let wide = this.#wide.get(network)
    if (!wide) {
      wide = newCount(network)
      this.#wide.set(network, wide)
    }
    moveTo(wide, at)
    return wide
  }

  #refuse(visitor: Visitor, until: number, at: number, what: string): ApiError {
    visitor.refused++
    if (visitor.refused > refusedMax) {
      const isRecent = visitor.banMs > 0 && at < visitor.bannedUntil + dayMs
      visitor.banMs = isRecent ? Math.min(visitor.banMs * 2, banLastMs) : banFirstMs
      visitor.bannedUntil = at + visitor.banMs
      this.#changed?.add(visitor)
      return banned(visitor.bannedUntil, at)
    }
    return tooMuch(what, until, at)
  }
}

/** What is told to other gateways, by the first letter of its name. Bans have `b`. */
const sorts = {
  s: { isWide: false, of: 'spot' },
  f: { isWide: false, of: 'futures' },
  r: { isWide: false, of: 'raw' },
  S: { isWide: true, of: 'spot' },
  F: { isWide: true, of: 'futures' },
  R: { isWide: true, of: 'raw' },
  b: { isWide: false, of: 'raw' },
} as const

/** A count whose windows have not begun. */
function newCount(network: string): Counted {
  const none = (): Record<Family, number> => ({ spot: 0, futures: 0 })
  return { network, minute: Number.NaN, used: none(), own: none(), rawWindow: Number.NaN, raw: 0, ownRaw: 0 }
}

/** Starts the windows that contain `at`. Returns true when its minute began. */
function moveTo(counted: Counted, at: number): boolean {
  // Windows of raw requests are whole minutes.
  if (at >= counted.minute - lateMaxMs && at < counted.minute + minuteMs) return false
  const minute = at - (at % minuteMs)
  const rawWindow = at - (at % rawWindowMs)
  if (counted.rawWindow !== rawWindow) {
    counted.rawWindow = rawWindow
    counted.raw = 0
    counted.ownRaw = 0
  }
  if (counted.minute === minute) return false
  counted.minute = minute
  for (const count of [counted.used, counted.own]) {
    count.spot = 0
    count.futures = 0
  }
  return true
}

const rawLimit = (times: number): string => `${rawMax * times} requests per 5 MINUTE${ofNetwork(times)}`
const weightLimit = (times: number): string => `${weightMax * times} request weight per 1 MINUTE${ofNetwork(times)}`
const ofNetwork = (times: number): string => (times === 1 ? '' : ' for all addresses of your network')

function tooMuch(what: string, until: number, at: number): ApiError {
  const msg = `Too much request weight used; current limit is ${what}. Please use WebSocket Streams for live updates to avoid polling the API.`
  return new ApiError(-1003, msg, 429, secondsTo(until, at))
}

function banned(until: number, at: number): ApiError {
  const msg = `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`
  return new ApiError(-1003, msg, 418, secondsTo(until, at))
}

export function secondsTo(until: number, at: number): number {
  return Math.max(1, Math.ceil((until - at) / secondMs))
}
