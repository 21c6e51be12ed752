import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
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
type Count = { window: number; tenSeconds: number; dayStart: number; day: number; refused: number }

/**
 * Counts orders by account. A refused command of another kind counts as one, so that a client that only sends refused commands is
 * limited too, while cancels that find their order are free.
 */
export class OrderCounts {
  readonly #counts = new Map<UserId, Count>()

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
    count.tenSeconds += orders
    count.day += orders
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
    const count = this.#at(user, at)
    count.tenSeconds++
    count.day++
    count.refused++
  }

  read(user: UserId, at: number): { readonly tenSeconds: number; readonly day: number } {
    const { tenSeconds, day } = this.#at(user, at)
    return { tenSeconds, day }
  }

  /** One entry per account that sent an order today. Entries of earlier days are dropped as they are met. */
  #at(user: UserId, at: number): Count {
    let count = this.#counts.get(user)
    if (count !== undefined && at >= count.window - lateMaxMs && at < count.window + tenSecondsMs) return count
    const window = at - (at % tenSecondsMs)
    const dayStart = at - (at % dayMs)
    if (!count || count.dayStart !== dayStart) {
      if (count === undefined) this.#forgetBefore(dayStart)
      count = { window, tenSeconds: 0, dayStart, day: 0, refused: 0 }
      this.#counts.delete(user)
      this.#counts.set(user, count)
    }
    if (count.window !== window) {
      count.window = window
      count.tenSeconds = 0
      count.refused = 0
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

function tooMany(what: string, until: number, at: number): ApiError {
  return new ApiError(-1015, `Too many new orders; current limit is ${what}.`, 429, secondsTo(until, at))
}
