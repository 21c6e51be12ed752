import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Count as Told, SharedCounts } from '../counters/counts.ts'
import { ApiError } from './errors.ts'
import { lateMaxMs, secondsTo } from './weights.ts'

const tenSecondsMs = 10_000
const dayMs = 86_400_000

type Allowance = { readonly tenSeconds: number; readonly day: number }

/** Orders that one account may send, in windows aligned to ten seconds and to UTC days. */
export const orderAllowances: Readonly<Record<UserClass, Allowance>> = {
  retail: { tenSeconds: 100, day: 200_000 },
  maker: { tenSeconds: 5_000, day: 10_000_000 },
  bench: { tenSeconds: 1e9, day: 1e12 },
}

/** `refused`: the part of the ten-second count that comes from refused commands other than orders. */
type Counts = { tenSeconds: number; day: number; refused: number }
/** The counts of all gateways. `own`: those of this one. */
type Count = Counts & { readonly user: UserId; window: number; dayStart: number; readonly own: Counts }

/** What is told to other gateways, by the first letter of its name. */
const sorts = { t: 'tenSeconds', d: 'day', f: 'refused' } as const

/**
 * Counts orders by account. A refused command of another kind counts as one, so that a client that only sends refused commands is
 * limited too, while cancels that find their order are free.
 */
export class OrderCounts implements SharedCounts {
  readonly kind = 'window'
  readonly keptMs = dayMs + tenSecondsMs
  readonly #counts = new Map<UserId, Count>()
  readonly #now: () => number
  /** Accounts whose counts changed since the other gateways were told; undefined: there are none. */
  #changed: Set<Count> | undefined

  /** now  wall clock, for what other gateways tell */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * Counts orders and reports the counts in the answer's headers.
   *
   * throws  ApiError -1015; a refused request does not count
   */
  take(user: UserId, userClass: UserClass, orders: number, at: number, headers: Record<string, string>): void {
    const count = this.#at(user, at)
    const allowance = orderAllowances[userClass]
    if (count.tenSeconds + orders > allowance.tenSeconds) {
      throw tooMany(`${allowance.tenSeconds} orders per 10 SECOND`, count.window + tenSecondsMs, at)
    }
    if (count.day + orders > allowance.day) throw tooMany(`${allowance.day} orders per 1 DAY`, count.dayStart + dayMs, at)
    this.#count(count, orders, 0)
    headers['x-mbx-order-count-10s'] = String(count.tenSeconds)
    headers['x-mbx-order-count-1d'] = String(count.day)
  }

  /**
   * Call before a command that is not an order.
   *
   * throws  ApiError -1015 when refused commands alone have reached the account's limit
   */
  check(user: UserId, userClass: UserClass, at: number): void {
    const { tenSeconds } = orderAllowances[userClass]
    const count = this.#at(user, at)
    if (count.refused >= tenSeconds) throw tooMany(`${tenSeconds} orders per 10 SECOND`, count.window + tenSecondsMs, at)
  }

  /** Counts a command that is not an order and was refused by the exchange. */
  refused(user: UserId, at: number): void {
    this.#count(this.#at(user, at), 1, 1)
  }

  read(user: UserId, at: number): { readonly tenSeconds: number; readonly day: number } {
    const { tenSeconds, day } = this.#at(user, at)
    return { tenSeconds, day }
  }

  watch(isWatched: boolean): void {
    this.#changed = isWatched ? new Set() : undefined
  }

  changed(): readonly Told[] {
    const found = [...(this.#changed ?? [])].flatMap(toldOf)
    this.#changed?.clear()
    return found
  }

  all(): readonly Told[] {
    return [...this.#counts.values()].flatMap(toldOf)
  }

  add(name: string, mark: number, more: number): boolean {
    const sort = sorts[name.slice(0, 1) as keyof typeof sorts]
    const count = this.#at(Number(name.slice(1)) as UserId, this.#now())
    const window = sort === 'day' ? count.dayStart : count.window
    if (mark === window) count[sort] += more
    return mark <= window
  }

  #count(count: Count, orders: number, refused: number): void {
    const { own } = count
    count.tenSeconds += orders
    count.day += orders
    count.refused += refused
    own.tenSeconds += orders
    own.day += orders
    own.refused += refused
    this.#changed?.add(count)
  }

  /** One entry per account that sent an order today. Entries of earlier days are dropped as they are met. */
  #at(user: UserId, at: number): Count {
    let count = this.#counts.get(user)
    if (count !== undefined && at >= count.window - lateMaxMs && at < count.window + tenSecondsMs) return count
    const window = at - (at % tenSecondsMs)
    const dayStart = at - (at % dayMs)
    if (!count || count.dayStart !== dayStart) {
      if (count === undefined) this.#forgetBefore(dayStart)
      count = { user, window, dayStart, ...none(), own: none() }
      this.#counts.delete(user)
      this.#counts.set(user, count)
    }
    if (count.window !== window) {
      count.window = window
      for (const counts of [count, count.own]) {
        counts.tenSeconds = 0
        counts.refused = 0
      }
    }
    return count
  }

  /** Entries are sorted by day. */
  #forgetBefore(dayStart: number): void {
    for (const [user, count] of this.#counts) {
      if (count.dayStart >= dayStart) break
      this.#counts.delete(user)
    }
  }
}

const none = (): Counts => ({ tenSeconds: 0, day: 0, refused: 0 })

function toldOf({ user, window, dayStart, own }: Count): Told[] {
  const found: Told[] = []
  if (own.tenSeconds > 0) found.push([`t${user}`, window, own.tenSeconds])
  if (own.refused > 0) found.push([`f${user}`, window, own.refused])
  if (own.day > 0) found.push([`d${user}`, dayStart, own.day])
  return found
}

function tooMany(what: string, until: number, at: number): ApiError {
  return new ApiError(-1015, `Too many new orders; current limit is ${what}.`, 429, secondsTo(until, at))
}
