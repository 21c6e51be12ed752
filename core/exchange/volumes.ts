import type { FeeTier } from '../protocol/market.ts'
import type { Records } from '../protocol/codec/records.ts'
import { tierOf } from '../risk/spot.ts'

const days = 30
const dayMs = 86_400_000
// Per trader in `#v`: sum of all days, today's volume, volume at which the tier rises; and in the words of the fourth slot
// the day that is being counted and the tier, with the tier that was last announced above it. Two traders are a cache line.
const SUM = 0
const TODAY = 1
const RISES_AT = 2
const DAY = 6
const TIERS = 7
const V = 4
/** The lower half of `TIERS` is the tier. */
const tierBits = 8
const tierMask = 2 ** tierBits - 1
/** All bits of a trader's number, and of where a trader stands. */
const traderMask = 2 ** 26 - 1
const slotMask = 2 ** 29 - 1
/** Where the first trader starts: see the ledger's rows. */
const FIRST = 6
/** A bucket never passes this, so the sum of thirty stays a safe integer. */
const bucketMax = 2 ** 48

/**
 * Thirty-day volume of every user who ever traded, in USDT units at the time of the trade, and the fee tier it gives.
 * Days are days of UTC; the oldest falls out when the user's first trade of a new day is counted or the tier is asked
 * for.
 */
export class Volumes {
  #v = new Float64Array(FIRST + V * 256)
  /** The same memory as words. */
  #words = new Int32Array(this.#v.buffer)
  /** Per trader a bucket per day, today's empty: seldom read. */
  #buckets = new Float64Array(days * 256)
  /** The day that the last time asked for lies in. */
  #day = 0
  #dayStartMs = 0
  #traders = 1
  #of = new Int32Array(1024)
  #tiers: readonly FeeTier[] = []

  get tiers(): readonly FeeTier[] {
    return this.#tiers
  }

  setTiers(tiers: readonly FeeTier[]): void {
    this.#tiers = tiers
    for (let trader = 1; trader < this.#traders; trader++) this.#grade(this.#at(trader))
  }

  /** Tier of a user at the time, 0 for one who never traded. For commands only: days that passed are forgotten here. */
  tier(user: number, atMs: number): number {
    return this.tierAt(this.find(user, atMs))
  }

  /**
   * Where a user's volume stands, 0 for one who never traded; good for the rest of the command. For commands only: days
   * that passed are forgotten here.
   */
  find(user: number, atMs: number): number {
    const trader = user < this.#of.length ? this.#of[user]! : 0
    if (trader === 0) return 0
    const at = this.#at(trader)
    const day = this.#dayOf(atMs)
    if (this.#words[at * 2 + DAY] !== day) this.#roll(trader, day)
    return at
  }

  /** Tier of the user whose volume `find` found there. */
  tierAt(at: number): number {
    return at === 0 ? 0 : this.#words[at * 2 + TIERS]! & tierMask
  }

  /** Volume of a user at the time. Changes nothing: asking leaves no trace in the state. */
  volume(user: number, atMs: number): number {
    const trader = this.#of[user] ?? 0
    if (trader === 0) return 0
    const at = this.#at(trader)
    let volume = this.#v[at + SUM]!
    const day = Math.floor(atMs / dayMs)
    const passed = Math.min(days, day - this.#words[at * 2 + DAY]!)
    for (let i = 0; i < passed; i++) volume -= this.#buckets[trader * days + ((day - i) % days)]!
    return passed === days ? volume - this.#v[at + TODAY]! : volume
  }

  /** Counts a trade of the user. Returns whether the tier is another than at the user's last trade. */
  add(user: number, atMs: number, usdt: number): boolean {
    return this.addAt(this.find(user, atMs), user, atMs, usdt)
  }

  /** The same where `find` found the user in this command. */
  addAt(found: number, user: number, atMs: number, usdt: number): boolean {
    const at = found === 0 ? this.#enter(user, atMs) : found & slotMask
    const v = this.#v
    const today = v[at + TODAY]!
    const counted = usdt < bucketMax - today ? usdt : bucketMax - today
    v[at + TODAY] = today + counted
    const sum = v[at + SUM]! + counted
    v[at + SUM] = sum
    if (sum >= v[at + RISES_AT]!) this.#grade(at)
    const tiers = this.#words[at * 2 + TIERS]!
    const tier = tiers & tierMask
    if (tier === tiers >> tierBits) return false
    this.#words[at * 2 + TIERS] = tier | (tier << tierBits)
    return true
  }

  dump(into: Records): void {
    const countAt = into.reserve(1)
    let count = 0
    for (let user = 1; user < this.#of.length; user++) {
      const trader = this.#of[user]!
      if (trader === 0) continue
      const at = into.reserve(3 + days)
      into.data[at] = user
      const slot = this.#at(trader)
      into.data[at + 1] = this.#words[slot * 2 + DAY]!
      into.data[at + 2] = this.#words[slot * 2 + TIERS]! >> tierBits
      for (let i = 0; i < days; i++) into.data[at + 3 + i] = this.#buckets[trader * days + i]!
      into.data[at + 3 + (this.#words[slot * 2 + DAY]! % days)] = this.#v[slot + TODAY]!
      count++
    }
    into.data[countAt] = count
  }

  /** The tiers are set first. */
  restore(data: Float64Array, at: number): number {
    let next = at + 1
    for (let n = 0; n < data[at]!; n++, next += 3 + days) {
      const trader = this.#open(data[next]!)
      const slot = this.#at(trader)
      this.#words[slot * 2 + DAY] = data[next + 1]!
      this.#words[slot * 2 + TIERS] = data[next + 2]! << tierBits
      let sum = 0
      for (let i = 0; i < days; i++) {
        this.#buckets[trader * days + i] = data[next + 3 + i]!
        sum += data[next + 3 + i]!
      }
      this.#v[slot + SUM] = sum
      const today = trader * days + (data[next + 1]! % days)
      this.#v[slot + TODAY] = this.#buckets[today]!
      this.#buckets[today] = 0
      this.#grade(slot)
    }
    return next
  }

  #at(trader: number): number {
    return FIRST + (trader & traderMask) * V
  }

  /** Number of the day since 1970. Most questions are about one day, so most need no division. */
  #dayOf(atMs: number): number {
    const passed = atMs - this.#dayStartMs
    if (passed >= 0 && passed < dayMs) return this.#day
    this.#day = Math.floor(atMs / dayMs)
    this.#dayStartMs = this.#day * dayMs
    return this.#day
  }

  #roll(trader: number, day: number): void {
    const v = this.#v
    const buckets = this.#buckets
    const at = this.#at(trader)
    const first = trader * days
    const passed = Math.min(days, day - this.#words[at * 2 + DAY]!)
    buckets[first + (this.#words[at * 2 + DAY]! % days)] = v[at + TODAY]!
    v[at + TODAY] = 0
    for (let i = 0; i < passed; i++) {
      const bucket = first + ((day - i) % days)
      v[at + SUM] = v[at + SUM]! - buckets[bucket]!
      buckets[bucket] = 0
    }
    this.#words[at * 2 + DAY] = day
    this.#grade(at)
  }

  #grade(at: number): void {
    const tier = tierOf(this.#tiers, this.#v[at + SUM]!)
    this.#words[at * 2 + TIERS] = (this.#words[at * 2 + TIERS]! & ~tierMask) | tier
    this.#v[at + RISES_AT] = this.#tiers[tier + 1]?.volumeMin ?? Number.MAX_SAFE_INTEGER
  }

  /** Where the volume of a user stands who had none when the command began. */
  #enter(user: number, atMs: number): number {
    const known = this.find(user, atMs)
    if (known !== 0) return known
    const trader = this.#open(user)
    this.#roll(trader, this.#dayOf(atMs))
    return this.#at(trader)
  }

  #open(user: number): number {
    if (user >= this.#of.length) {
      const wider = new Int32Array(Math.max(user + 1, this.#of.length * 2))
      wider.set(this.#of)
      this.#of = wider
    }
    const trader = this.#traders++
    if (trader > traderMask) throw new Error('there are more traders than places')
    if (FIRST + this.#traders * V > this.#v.length) {
      const wider = new Float64Array(FIRST + (this.#v.length - FIRST) * 2)
      wider.set(this.#v)
      this.#v = wider
      this.#words = new Int32Array(wider.buffer)
      const buckets = new Float64Array(this.#buckets.length * 2)
      buckets.set(this.#buckets)
      this.#buckets = buckets
    }
    this.#of[user] = trader
    this.#grade(this.#at(trader))
    return trader
  }
}
