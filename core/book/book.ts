import type { LadderLevel } from './ladder.ts'
import type { UserId } from '../protocol/ids.ts'
import type { OrderSlot } from './order-fields.ts'
import type { Lots, Ticks } from '../money/brand.ts'
import type { LevelPlace, SideNumber } from './codes.ts'
import * as codes from './codes.ts'
import * as ladders from './ladder.ts'
import * as fields from './order-fields.ts'
import type { Orders } from './orders.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { LOTS, ENDS, HEAD, LEVELS, TAIL } = ladders
const {
  BUY,
  CUT_ALL,
  CUT_PART,
  DECREMENT,
  EXPIRE_TAKER,
  EXPIRE_MAKER,
  LET_TRADE,
  STEP,
  STEP_KIND,
  STEP_LOTS,
  STEP_PRICE,
  FILLED_PART,
  FILLED_ALL,
  SELF_EXPIRED,
  LEVEL_CHANGED,
} = codes
const { EXECUTED, EXECUTED_LOTS, EXTRA, F, FLAGS, I, ICEBERG, LEFT, LEVEL, NEXT, OWNER, PREV, PRICE, SLOT, VISIBLE } = fields

/**
 * The order book of one market with price-time priority. It knows prices, lots and owners, but no money: `match` leaves what
 * happened in `steps`, and the caller settles it before anything else touches the book.
 */
export class Book {
  readonly orders: Orders
  readonly ladder = new ladders.Ladder()
  steps = new Float64Array(STEP * 64)
  /** Slots of `steps` in use after a match. */
  stepsEnd = 0
  /** Lots that the last match executed. */
  takenLots = 0 as Lots
  /** Value that the last match executed, in tick × lot. */
  taken = 0
  /** Lots that taker and makers lost to self-trade prevention. */
  preventedLots = 0 as Lots
  /** The taker met an order of its own user and must stop. */
  isSelfStopped = false
  /** The last order of its own user that the taker stopped at, and the lots and budget (tick × lot) that it had left there. */
  ownSlot = -1 as OrderSlot
  ownLots = 0 as Lots
  ownBudget = 0
  /** The budget ran out before the lots did. */
  isBudgetSpent = false

  constructor(orders: Orders) {
    this.orders = orders
  }

  best(side: SideNumber): Ticks {
    return side === BUY ? this.ladder.bestBid : this.ladder.bestAsk
  }

  /** Whether an order of this side at this price would match an order of the other side. */
  crosses(side: SideNumber, price: Ticks): boolean {
    const { bestBid, bestAsk } = this.ladder
    return side === BUY ? bestAsk !== 0 && price >= bestAsk : bestBid !== 0 && price <= bestBid
  }

  /** Puts an order at the end of its level. `PRICE`, `LEFT` and `VISIBLE` must be set. Returns the lots that the level shows. */
  insert(slot: OrderSlot, side: SideNumber): Lots {
    const { f, i } = this.orders
    const ladder = this.ladder
    const price = f[(slot & SLOT) * F + PRICE] as Ticks
    const level = ladder.level(price)
    const at = (slot & SLOT) * I
    const last = ladder.ends[level * ENDS + TAIL]! - 1
    i[at + LEVEL] = level
    i[at + NEXT] = -1
    i[at + PREV] = last
    ladder.ends[level * ENDS + TAIL] = slot + 1
    if (last >= 0) i[(last & SLOT) * I + NEXT] = slot
    else {
      ladder.ends[level * ENDS + HEAD] = slot + 1
      ladder.open(side, price, level)
    }
    const lots = (ladder.lots[level * LOTS]! + f[(slot & SLOT) * F + VISIBLE]!) as Lots
    ladder.lots[level * LOTS] = lots
    return lots
  }

  /** Takes an order out of its level. Returns the lots that the level still shows. */
  remove(slot: OrderSlot, side: SideNumber): Lots {
    const { f, i } = this.orders
    const ladder = this.ladder
    const at = (slot & SLOT) * I
    const level = (i[at + LEVEL]! & LEVELS) as LadderLevel
    const next = i[at + NEXT]!
    const prev = i[at + PREV]!
    if (next >= 0) i[(next & SLOT) * I + PREV] = prev
    else ladder.ends[level * ENDS + TAIL] = prev + 1
    if (prev >= 0) i[(prev & SLOT) * I + NEXT] = next
    else ladder.ends[level * ENDS + HEAD] = next + 1
    const lots = (ladder.lots[level * LOTS]! - f[(slot & SLOT) * F + VISIBLE]!) as Lots
    ladder.lots[level * LOTS] = lots
    if (next < 0 && prev < 0) ladder.close(side, f[(slot & SLOT) * F + PRICE] as Ticks, level)
    return lots
  }

  /** Reduces an order to `left` lots; it keeps its place in the queue. Returns the lots that the level shows. */
  shrink(slot: OrderSlot, left: Lots): Lots {
    const { f, i } = this.orders
    const at = (slot & SLOT) * F
    const visible = Math.min(f[at + VISIBLE]!, left)
    const level = i[(slot & SLOT) * I + LEVEL]! & LEVELS
    const lots = (this.ladder.lots[level * LOTS]! - f[at + VISIBLE]! + visible) as Lots
    this.ladder.lots[level * LOTS] = lots
    f[at + LEFT] = left
    f[at + VISIBLE] = visible
    return lots
  }

  /**
   * Executes up to `lots` against the other side, at `limit` or better: best price first, then oldest first, each at the maker's
   * price, up to a total value of `budget` (tick × lot; Infinity for none). Returns the lots that are left.
   *
   * When the shown part of an iceberg is used up, its next part goes to the end of the queue. Lots removed by a decrement
   * (self-trade prevention) count against lots and budget as if they had executed.
   */
  match(side: SideNumber, limit: Ticks, lots: Lots, budget: number, user: UserId, selfTrade: number): Lots {
    const ladder = this.ladder
    this.stepsEnd = 0
    this.takenLots = 0 as Lots
    this.taken = 0
    this.preventedLots = 0 as Lots
    this.isSelfStopped = false
    this.isBudgetSpent = false
    let left = lots
    while (left > 0 && !this.isSelfStopped && !this.isBudgetSpent) {
      const price = side === BUY ? ladder.bestAsk : ladder.bestBid
      if (price === 0 || (side === BUY ? price > limit : price < limit)) break
      left = this.#eat(side, price, left, budget - this.taken, user, selfTrade)
    }
    if (selfTrade === DECREMENT && this.isSelfStopped) return this.#decrement(side, limit, lots, left, budget, user)
    // The budget is used up even if the book ended at the same time: no price is below one tick.
    if (budget - this.taken < 1) this.isBudgetSpent = true
    this.takenLots = (lots - left) as Lots
    return left
  }

  /** Continues a match that has reached an order of its own user: taker and maker each lose the lots that they would have traded. */
  #decrement(side: SideNumber, limit: Ticks, lots: Lots, stopped: Lots, budget: number, user: UserId): Lots {
    const { ladder } = this
    const { f } = this.orders
    let left: number = stopped
    let prevented = 0
    while (left > 0 && !this.isBudgetSpent) {
      const price = this.best((1 - side) as SideNumber)
      if (price === 0 || (side === BUY ? price > limit : price < limit)) break
      if (!this.isSelfStopped) {
        left = this.#eat(side, price, left as Lots, budget - this.taken - prevented, user, DECREMENT)
        continue
      }
      this.isSelfStopped = false
      const slot = (ladder.ends[ladder.level(price) * ENDS + HEAD]! - 1) as OrderSlot
      const lost = Math.min(f[slot * F + LEFT]!, left, Math.floor((budget - this.taken - prevented) / price)) as Lots
      this.#cut(side, slot, price, lost)
      left -= lost
      prevented += lost * price
      this.preventedLots = (this.preventedLots + lost) as Lots
    }
    if (budget - this.taken - prevented < 1) this.isBudgetSpent = true
    this.takenLots = (lots - left - this.preventedLots) as Lots
    return left as Lots
  }

  /** Whether `match` would fill all of `lots`. Changes nothing. */
  canFill(side: SideNumber, limit: Ticks, lots: Lots, user: UserId, selfTrade: number): boolean {
    const { f, i } = this.orders
    const ladder = this.ladder
    let left: number = lots
    let price = side === BUY ? ladder.bestAsk : ladder.bestBid
    while (price !== 0 && (side === BUY ? price <= limit : price >= limit)) {
      for (let slot = ladder.ends[ladder.level(price as Ticks) * ENDS + HEAD]! - 1; slot >= 0; slot = i[(slot & SLOT) * I + NEXT]!) {
        if (selfTrade !== LET_TRADE && i[(slot & SLOT) * I + OWNER] === user) {
          if (selfTrade === EXPIRE_MAKER) continue
          return this.#fillsBefore(price as Ticks, slot as OrderSlot, left as Lots)
        }
        left -= f[(slot & SLOT) * F + LEFT]!
      }
      if (left <= 0) return true
      price = side === BUY ? ladder.nextAsk(price as Ticks) : ladder.nextBid(price as Ticks)
    }
    return false
  }

  /** Levels of one side, best first, at most `limit` of them. */
  levels(side: SideNumber, limit: number): { readonly price: Ticks; readonly lots: Lots }[] {
    const ladder = this.ladder
    const found: { readonly price: Ticks; readonly lots: Lots }[] = []
    let price = this.best(side)
    while (price !== 0 && found.length < limit) {
      found.push({ price, lots: ladder.lotsAt(price as Ticks) })
      price = side === BUY ? ladder.nextBid(price as Ticks) : ladder.nextAsk(price as Ticks)
    }
    return found
  }

  /** Price of a side's level at this place, counted from 1 at the best; 0 when the side has fewer levels. */
  levelPrice(side: SideNumber, place: LevelPlace): Ticks {
    const { ladder } = this
    let price = this.best(side)
    for (let n = 1; n < place && price !== 0; n++) price = side === BUY ? ladder.nextBid(price) : ladder.nextAsk(price)
    return price
  }

  /** Slots of the orders at a price, in queue order. */
  queue(price: Ticks): number[] {
    const found: number[] = []
    if (this.ladder.lotsAt(price) === 0) return found
    for (
      let slot = this.ladder.ends[this.ladder.level(price) * ENDS + HEAD]! - 1;
      slot >= 0;
      slot = this.orders.i[(slot & SLOT) * I + NEXT]!
    )
      found.push(slot)
    return found
  }

  /**
   * Whether a level fills `left` lots before the user's own order, which stops the taker. Only shown parts count, because the
   * next part of an iceberg queues behind the own order.
   */
  #fillsBefore(price: Ticks, own: OrderSlot, left: Lots): boolean {
    const { f, i } = this.orders
    let missing: number = left
    for (let slot = this.ladder.ends[this.ladder.level(price) * ENDS + HEAD]! - 1; slot !== own; slot = i[(slot & SLOT) * I + NEXT]!) {
      missing += f[(slot & SLOT) * F + LEFT]! - f[(slot & SLOT) * F + VISIBLE]!
    }
    return missing <= 0
  }

  /** Matches against one level. The current maker is always the first of the queue. */
  #eat(side: SideNumber, price: Ticks, lots: Lots, budget: number, user: UserId, selfTrade: number): Lots {
    const { f, i } = this.orders
    const ladder = this.ladder
    const level = ladder.level(price)
    let slot = ladder.ends[level * ENDS + HEAD]! - 1
    const before = ladder.lots[level * LOTS]!
    let shown = before
    let left: number = lots
    let money = budget
    while (slot >= 0 && left > 0) {
      const at = (slot & SLOT) * I
      const ft = (slot & SLOT) * F
      // Before the check of the owner: an order that can pay for no further lot meets nobody.
      if (price > money) {
        this.isBudgetSpent = true
        break
      }
      if (selfTrade !== LET_TRADE && i[at + OWNER] === user) {
        if (selfTrade !== EXPIRE_TAKER && selfTrade !== DECREMENT) {
          shown -= f[ft + VISIBLE]!
          this.#step(slot as OrderSlot, price, f[ft + LEFT] as Lots, SELF_EXPIRED)
          slot = i[at + NEXT]!
        }
        if (selfTrade === EXPIRE_MAKER) continue
        this.isSelfStopped = true
        this.ownSlot = slot as OrderSlot
        this.ownLots = left as Lots
        this.ownBudget = money
        break
      }
      const visible = f[ft + VISIBLE]!
      let taken = visible < left ? visible : left
      if (taken * price > money) taken = Math.floor(money / price)
      const remains = f[ft + LEFT]! - taken
      f[ft + LEFT] = remains
      f[ft + EXECUTED_LOTS] = f[ft + EXECUTED_LOTS]! + taken
      f[ft + EXECUTED] = f[ft + EXECUTED]! + taken * price
      shown -= taken
      left -= taken
      money -= taken * price
      if (remains === 0) {
        this.#step(slot as OrderSlot, price, taken as Lots, FILLED_ALL)
        slot = i[at + NEXT]!
        continue
      }
      this.#step(slot as OrderSlot, price, taken as Lots, FILLED_PART)
      if (taken < visible || (i[at + FLAGS]! & ICEBERG) === 0) {
        f[ft + VISIBLE] = visible - taken
        break
      }
      const display = this.orders.extras.get(i[at + EXTRA]!)!.display
      const next = display < remains ? display : remains
      f[ft + VISIBLE] = next
      shown += next
      slot = this.#requeue(slot as OrderSlot, level)
    }
    ladder.lots[level * LOTS] = shown
    ladder.ends[level * ENDS + HEAD] = slot + 1
    if (slot >= 0) i[(slot & SLOT) * I + PREV] = -1
    else {
      ladder.ends[level * ENDS + TAIL] = 0
      ladder.close((1 - side) as SideNumber, price, level)
    }
    this.taken += budget === Infinity ? (lots - left) * price : budget - money
    if (shown !== before) this.#step(-1 as OrderSlot, price, shown as Lots, LEVEL_CHANGED)
    return left as Lots
  }

  /** Takes lots from the first maker of its level, including its hidden lots. */
  #cut(side: SideNumber, slot: OrderSlot, price: Ticks, lost: Lots): void {
    const { f } = this.orders
    const left = (f[slot * F + LEFT]! - lost) as Lots
    const visible = f[slot * F + VISIBLE]!
    this.#step(slot, price, lost, left === 0 ? CUT_ALL : CUT_PART)
    const shown = left === 0 ? this.remove(slot, (1 - side) as SideNumber) : this.shrink(slot, left)
    f[slot * F + LEFT] = left
    if (left === 0 || f[slot * F + VISIBLE]! !== visible) this.#step(-1 as OrderSlot, price, shown, LEVEL_CHANGED)
  }

  /** Moves the first order of a level to the end of its queue. Returns the new first. */
  #requeue(slot: OrderSlot, level: LadderLevel): number {
    const { i } = this.orders
    const next = i[(slot & SLOT) * I + NEXT]!
    if (next < 0) return slot
    const last = this.ladder.ends[level * ENDS + TAIL]! - 1
    i[(last & SLOT) * I + NEXT] = slot
    i[(slot & SLOT) * I + PREV] = last
    i[(slot & SLOT) * I + NEXT] = -1
    this.ladder.ends[level * ENDS + TAIL] = slot + 1
    return next
  }

  #step(slot: OrderSlot, price: Ticks, lots: Lots, kind: number): void {
    const at = this.stepsEnd
    if (at + STEP > this.steps.length) {
      const grown = new Float64Array(this.steps.length * 2)
      grown.set(this.steps)
      this.steps = grown
    }
    const steps = this.steps
    steps[at] = slot
    steps[at + STEP_PRICE] = price
    steps[at + STEP_LOTS] = lots
    steps[at + STEP_KIND] = kind
    this.stepsEnd = at + STEP
  }
}
