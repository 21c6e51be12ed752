import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { ApiError } from './errors.ts'
import { lateMaxMs, secondsTo } from './weights.ts'

const tenSecondsMs = 10_000
const dayMs = 86_400_000

type Allowance = { readonly tenSeconds: number; readonly day: number }

/** Orders that one account may send, in windows that begin with the clock's ten seconds and days. */
export const orderAllowances: Readonly<Record<UserClass, Allowance>> = {
  retail: { tenSeconds: 100, day: 200_000 },
  maker: { tenSeconds: 5_000, day: 10_000_000 },
  bench: { tenSeconds: 1e9, day: 1e12 },
}

/** `refused`: of those in the ten seconds, commands other than orders that the exchange refused. */
type Count = { window: number; tenSeconds: number; dayStart: number; day: number; refused: number }

/**
 * Orders by account. A command of another kind that the exchange refused counts as one: a client that only sends what is refused
 * is held up like any other, while cancels that find their order stay free.
 */
export class OrderCounts {
  readonly #counts = new Map<UserId, Count>()

  /**
   * Counts so many orders, and says it in the headers of the answer.
   *
   * throws  ApiError -1015; what is refused does not count
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
   * Before a command that is no order.
   *
   * throws  ApiError -1015 when the commands that were refused alone reach what an account may send
   */
  check(user: UserId, userClass: UserClass, at: number): void {
    const { tenSeconds } = orderAllowances[userClass]
    const count = this.#at(user, at)
    if (count.refused >= tenSeconds) throw tooMany(`${tenSeconds} orders per 10 SECOND`, count.window + tenSecondsMs, at)
  }

  /** The exchange refused a command that is no order. */
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

  /** One entry for each account that sent an order on this day: yesterday's are forgotten as they are met. */
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

  /** Entries stand in the order of their days. */
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
