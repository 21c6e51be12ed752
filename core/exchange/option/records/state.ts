import type { UserId } from '../../../protocol/ids.ts'
import type { Millis, Units } from '../../../money/brand.ts'
import type { Composition } from '../../../proof/composition.ts'
import type { TapePoint } from '../../../proof/second.ts'
import { tapeGenesis } from '../../../proof/tape.ts'
import type { OptionOpened } from '../../../protocol/event/option.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import type { OptionTerms } from '../../../protocol/command/option.ts'
import type { OptionSides } from '../../../risk/option.ts'
import { worstCase } from '../../../risk/option.ts'
import { DueQueue } from './queue.ts'

/** An order of Second from acceptance to settlement. All but its strike and result is fixed at opening. */
export type OptionOrder = Omit<OptionOpened, 'type'> & { strike: TapePoint | undefined; isSettled: boolean }

/** State of a customer in Second. `lossMax` 0: no limit; at `nextAt`, `nextLossMax` replaces it. */
export type OptionUser = {
  /** Oldest first. */
  readonly open: Set<OptionOrder>
  openStakes: Units
  isAdmitted: boolean
  lossMax: Units
  nextLossMax: Units
  nextAt: Millis
  coolOffUntil: Millis
  /** UTC day since 1970, and the net loss of that day; negative: a gain. */
  day: number
  loss: Units
  /** UTC day since 1970 of the next two fields: orders opened on it, and orders voided by the customer's own guard. */
  guardDay: number
  dayOrders: number
  guardVoids: number
  /** Orders with a guard that wait for their strike. */
  guarded: number
}

const dayMs = 86_400_000
/** Unneeded ticks are kept this much longer. */
const keptMs = 2000

/** The state of Second and the index tape. */
export class OptionDesk {
  tick = 0
  tickedAt = 0 as Millis
  head: Uint8Array = tapeGenesis
  /** Per market: the state from which the next tick's corrections are computed. */
  readonly compositions = new Map<number, Composition>()
  terms: OptionTerms | undefined
  /** The last value that `option.house` reported. */
  isOpen = false
  readonly users = new Shards<OptionUser>()
  readonly orders = new Shards<OptionOrder>()
  /** Per market with open orders: its last ticks of the tape, and the sums of its orders. */
  readonly points = new Map<number, TapePoint[]>()
  readonly sides = new Map<number, OptionSides>()
  /** Sum of the worst cases of all markets. */
  worst = 0
  /**
   * Orders by the time at which a tick decides them, and by the time at which they are void without one (which differs because
   * their gaps differ).
   */
  readonly unstruck = new DueQueue<OptionOrder>((order) => order.strikeFrom, isUnstruck)
  readonly unstruckVoids = new DueQueue<OptionOrder>(strikeVoidAt, isUnstruck)
  readonly running = new DueQueue<OptionOrder>((order) => order.expiresAt, isRunning)
  readonly runningVoids = new DueQueue<OptionOrder>(settleVoidAt, isRunning)
  /** Time for which ticks are kept: long enough for every open order. */
  keepMs = 0

  user(user: UserId): OptionUser {
    const known = this.users.get(user)
    if (known !== undefined) return known
    const fresh: OptionUser = {
      open: new Set(),
      openStakes: 0 as Units,
      isAdmitted: false,
      lossMax: 0 as Units,
      nextLossMax: 0 as Units,
      nextAt: 0 as Millis,
      coolOffUntil: 0 as Millis,
      day: 0,
      loss: 0 as Units,
      guardDay: 0,
      dayOrders: 0,
      guardVoids: 0,
      guarded: 0,
    }
    this.users.set(user, fresh)
    return fresh
  }

  add(order: OptionOrder): void {
    this.orders.set(order.order, order)
    const user = this.user(order.user)
    user.open.add(order)
    user.openStakes = (user.openStakes + order.stake) as Units
    this.#count(order, 1)
    if (!this.points.has(order.market)) this.points.set(order.market, [])
    this.keepMs = Math.max(this.keepMs, order.windowMs + order.gapMaxMs + keptMs)
    if (order.strike === undefined) {
      if (order.guardPpm > 0) user.guarded++
      this.unstruck.add(order)
      this.unstruckVoids.add(order)
    } else this.#run(order)
  }

  /** Notes that the order has its strike and waits for its end. */
  strike(order: OptionOrder, strike: TapePoint): void {
    order.strike = strike
    if (order.guardPpm > 0) this.user(order.user).guarded--
    this.#run(order)
  }

  /** Removes a settled order from all queues. */
  remove(order: OptionOrder): void {
    order.isSettled = true
    this.orders.delete(order.order)
    const user = this.user(order.user)
    user.open.delete(order)
    user.openStakes = (user.openStakes - order.stake) as Units
    if (order.guardPpm > 0 && order.strike === undefined) user.guarded--
    this.#count(order, -1)
    if (this.orders.size === 0) this.keepMs = 0
  }

  #run(order: OptionOrder): void {
    this.running.add(order)
    this.runningVoids.add(order)
  }

  #count(order: OptionOrder, sign: 1 | -1): void {
    const sides = this.sides.get(order.market) ?? { upStake: 0, upProfit: 0, downStake: 0, downProfit: 0 }
    this.worst -= worstCase(sides)
    if (order.direction === 'up') {
      sides.upStake += sign * order.stake
      sides.upProfit += sign * order.profit
    } else {
      sides.downStake += sign * order.stake
      sides.downProfit += sign * order.profit
    }
    this.worst += worstCase(sides)
    if (sides.upStake > 0 || sides.downStake > 0) {
      this.sides.set(order.market, sides)
      return
    }
    this.sides.delete(order.market)
    this.points.delete(order.market)
  }
}

/** Time from which no tick can come early enough: the strike would be later than allowed. Fixed at opening. */
export function strikeVoidAt(order: OptionOrder): number {
  return order.strikeFrom + order.gapMaxMs + 1
}

/** Time from which the next tick is too far from the last one before the end of the window. Fixed at opening. */
export function settleVoidAt(order: OptionOrder): number {
  return order.expiresAt + order.gapMaxMs
}

function isUnstruck(order: OptionOrder): boolean {
  return order.strike === undefined && !order.isSettled
}

function isRunning(order: OptionOrder): boolean {
  return !order.isSettled
}

/** Net loss of the UTC day of this time; negative: a gain. */
export function lossOf(user: OptionUser, atMs: Millis): Units {
  return user.day === Math.floor(atMs / dayMs) ? user.loss : (0 as Units)
}

export function addLoss(user: OptionUser, atMs: Millis, loss: Units): void {
  user.loss = (lossOf(user, atMs) + loss) as Units
  user.day = Math.floor(atMs / dayMs)
}

/** The loss limit in force at a time; 0: none. */
export function lossMaxOf(user: OptionUser, atMs: Millis): Units {
  return atMs >= user.nextAt ? user.nextLossMax : user.lossMax
}

/** Orders opened on the UTC day of this time, and those voided by the customer's own guard. */
export function guardsOf(user: OptionUser, atMs: Millis): { readonly orders: number; readonly voids: number } {
  return user.guardDay === Math.floor(atMs / dayMs) ? { orders: user.dayOrders, voids: user.guardVoids } : { orders: 0, voids: 0 }
}

/** Adds to the counts of orders opened, and of orders voided by the customer's own guard. */
export function countGuards(user: OptionUser, atMs: Millis, orders: number, voids: number): void {
  const now = guardsOf(user, atMs)
  user.guardDay = Math.floor(atMs / dayMs)
  user.dayOrders = now.orders + orders
  user.guardVoids = now.voids + voids
}
