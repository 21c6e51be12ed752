import type { TierNumber, UserId } from '../../protocol/ids.ts'
import type { Millis, Units } from '../../money/brand.ts'
import * as memory from '../../protocol/codec/memory.ts'
import type { FeeTier } from '../../protocol/market.ts'
import { layoutOf } from '../../protocol/codec/records.ts'
import type { DumpVersion } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { tierOf } from '../../risk/spot.ts'
import { countAt, isMoreAt } from '../../protocol/codec/slots.ts'

const { reservedSlots, reservedWords, roomierSlots, roomierWords } = memory
const days = 30
const dayMs = 86_400_000
// A trader's slots in `#v`: the sum of all days, today's volume, and the volume at which the tier rises. The fourth slot holds
// two words: the current day, and the tiers (the present one, and above it the last announced one). Two traders fit in a cache
// line.
const SUM = 0
const TODAY = 1
const RISES_AT = 2
const DAY = 6
const TIERS = 7
const V = 4
/** The lower half of the word `TIERS` is the present tier. */
const tierBits = 8
const tierMask = 2 ** tierBits - 1
/** Masks for a trader's number and position. */
const traderMask = 2 ** 26 - 1
const slotMask = 2 ** 29 - 1
/** Index of the first trader: see the ledger's rows. */
const FIRST = 6
/** Number of traders whose days share an array, in bits. */
const bucketBits = 10
const bucketMask = 2 ** bucketBits - 1
const tradersMax = 2 ** 23
/** Upper bound of a bucket, so that the sum of thirty stays a safe integer. */
const bucketMax = 2 ** 48

/** In the dump: bit n of `present` says that day n follows. */
const TRADER = layoutOf('user', 'dayAndTier', 'present')
/** The same in version 12, where all days follow. */
const TRADER_12 = layoutOf('user', 'day', 'tier')

/**
 * Thirty-day volume of every user who ever traded, in USDT units at the time of the trade, and the resulting fee tier. Days are
 * UTC days. The oldest is dropped when the user's first trade of a new day is counted or the tier is asked for.
 */
export class Volumes {
  #v: Float64Array<ArrayBuffer> = new Float64Array(FIRST + V * 256)
  /** The same memory as words. */
  #words = new Int32Array(this.#v.buffer)
  /** Per trader one bucket per day, except today: seldom read. */
  readonly #buckets: Float64Array[] = []
  /** The day of the last time asked for. */
  #day = 0
  #dayStartMs = 0
  #traders = 1
  /** The highest user number that ever traded. */
  #last = 0
  #of: Int32Array<ArrayBuffer> = new Int32Array(1024)
  #tiers: readonly FeeTier[] = []
  /** Tiers that some traders have at least, by position. */
  readonly #floors = new Map<number, TierNumber>()

  /** Takes the memory for as many traders as there can ever be; their days are in pages. False when the system does not give it. */
  reserve(): boolean {
    this.#v = reservedSlots(this.#v, FIRST + (tradersMax + 1) * V)
    this.#words = new Int32Array(this.#v.buffer)
    this.#of = reservedWords(this.#of, tradersMax + 1)
    return this.#v.length >= FIRST + (tradersMax + 1) * V && this.#of.length >= tradersMax + 1
  }

  get tiers(): readonly FeeTier[] {
    return this.#tiers
  }

  setTiers(tiers: readonly FeeTier[]): void {
    this.#tiers = tiers
    for (let trader = 1; trader < this.#traders; trader++) this.#grade(this.#at(trader))
  }

  /** Gives the user at least this tier from now on, whatever the volume is. */
  setFloor(user: UserId, tier: TierNumber): void {
    const at = this.#at(this.#of[user] || this.#open(user))
    this.#floors.set(at, tier)
    this.#grade(at)
  }

  /** Tier that a volume gives the user. Changes nothing in the state. */
  tierFor(user: UserId, volume: Units): number {
    const trader = this.#of[user] ?? 0
    return this.#tierOf(volume, this.#floors.get(this.#at(trader)))
  }

  /** Tier of a user at this time, 0 for one who never traded. For commands only, because it drops past days. */
  tier(user: UserId, atMs: Millis): number {
    return this.tierAt(this.find(user, atMs))
  }

  /**
   * Position of a user's volume, 0 for one who never traded; valid for the rest of the command. For commands only, because it
   * drops past days.
   */
  find(user: UserId, atMs: Millis): number {
    const trader = user < this.#of.length ? this.#of[user]! : 0
    if (trader === 0) return 0
    const at = this.#at(trader)
    const day = this.#dayOf(atMs)
    if (this.#words[at * 2 + DAY] !== day) this.#roll(trader, day)
    return at
  }

  /** Tier of the user whose position `find` returned. */
  tierAt(at: number): number {
    return at === 0 ? 0 : this.#words[at * 2 + TIERS]! & tierMask
  }

  /** Volume of a user at this time. Changes nothing in the state. */
  volume(user: UserId, atMs: Millis): number {
    const trader = this.#of[user] ?? 0
    if (trader === 0) return 0
    const at = this.#at(trader)
    let volume = this.#v[at + SUM]!
    const day = Math.floor(atMs / dayMs)
    const passed = Math.min(days, day - this.#words[at * 2 + DAY]!)
    const buckets = this.#bucketsOf(trader)
    const first = (trader & bucketMask) * days
    for (let i = 0; i < passed; i++) volume -= buckets[first + ((day - i) % days)]!
    return passed === days ? volume - this.#v[at + TODAY]! : volume
  }

  /** Volume of a user on the UTC day of this time. Changes nothing in the state. */
  today(user: UserId, atMs: Millis): Units {
    const trader = this.#of[user] ?? 0
    if (trader === 0) return 0 as Units
    const at = this.#at(trader)
    return (this.#words[at * 2 + DAY] === Math.floor(atMs / dayMs) ? this.#v[at + TODAY]! : 0) as Units
  }

  /** Counts a trade of the user. Returns whether the tier has changed since the user's last trade. */
  add(user: UserId, atMs: Millis, usdt: number): boolean {
    return this.addAt(this.find(user, atMs), user, atMs, usdt)
  }

  /** Counts a trade of the user whose position `find` returned in this command. */
  addAt(found: number, user: UserId, atMs: Millis, usdt: number): boolean {
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

  /** Yields whenever much has been appended. Only a trader's days with volume are written; user 0 ends the list. */
  *dump(into: Records): Generator<void> {
    for (let user = 1; user <= this.#last; user++) {
      if (this.#of[user]! !== 0) this.#dumpTrader(user as UserId, into)
      if ((user & 1023) === 0) yield
    }
    into.data[into.reserve(1)] = 0
  }

  #dumpTrader(user: UserId, into: Records): void {
    const trader = this.#of[user]!
    const slot = this.#at(trader)
    const buckets = this.#bucketsOf(trader)
    const first = (trader & bucketMask) * days
    const today = this.#words[slot * 2 + DAY]! % days
    const at = into.reserve(TRADER.length + days)
    const { data } = into
    let end = at + TRADER.length
    let present = 0
    for (let i = 0; i < days; i++) {
      const volume = i === today ? this.#v[slot + TODAY]! : buckets[first + i]!
      if (volume === 0) continue
      present |= 1 << i
      data[end++] = volume
    }
    data[at + TRADER.user] = user
    data[at + TRADER.dayAndTier] = this.#words[slot * 2 + DAY]! * 2 ** tierBits + (this.#words[slot * 2 + TIERS]! >> tierBits)
    data[at + TRADER.present] = present
    into.length = end
  }

  /** Restores a dump of version `from`; before 13 it has the number of traders and all their days. Call it after the tiers are set. */
  restore(data: Float64Array, at: number, from: DumpVersion): number {
    if (from >= 13) return this.#restoreSparse(data, at)
    let next = at + 1
    for (let left = countAt(data, at, TRADER_12.length + days); left > 0; left--, next += TRADER_12.length + days) {
      const first = next + TRADER_12.length
      const [user, day, tier] = [data[next + TRADER_12.user] as UserId, data[next + TRADER_12.day]!, data[next + TRADER_12.tier]!]
      this.#restoreTrader(user, day, tier, data.subarray(first, first + days))
    }
    return next
  }

  #restoreSparse(data: Float64Array, start: number): number {
    const volumes = new Float64Array(days)
    let at = start
    while (isMoreAt(data, at)) {
      const user = data[at + TRADER.user] as UserId
      const dayAndTier = data[at + TRADER.dayAndTier]!
      const present = data[at + TRADER.present]! | 0
      at += TRADER.length
      for (let i = 0; i < days; i++) volumes[i] = (present & (1 << i)) !== 0 ? data[at++]! : 0
      this.#restoreTrader(user, dayAndTier >> tierBits, dayAndTier & tierMask, volumes)
    }
    return at + 1
  }

  #restoreTrader(user: UserId, day: number, tier: number, volumes: Float64Array): void {
    const trader = this.#open(user)
    const slot = this.#at(trader)
    const buckets = this.#bucketsOf(trader)
    const first = (trader & bucketMask) * days
    this.#words[slot * 2 + DAY] = day
    this.#words[slot * 2 + TIERS] = tier << tierBits
    buckets.set(volumes, first)
    this.#v[slot + SUM] = volumes.reduce((sum, volume) => sum + volume, 0)
    this.#v[slot + TODAY] = volumes[day % days]!
    buckets[first + (day % days)] = 0
    this.#grade(slot)
  }

  /** The array with a trader's days: those of trader n start at (n & 1,023) × 30. */
  #bucketsOf(trader: number): Float64Array {
    return this.#buckets[trader >>> bucketBits]!
  }

  #at(trader: number): number {
    return FIRST + (trader & traderMask) * V
  }

  /** Number of the day since 1970. Most calls are for the same day and need no division. */
  #dayOf(atMs: Millis): number {
    const passed = atMs - this.#dayStartMs
    if (passed >= 0 && passed < dayMs) return this.#day
    this.#day = Math.floor(atMs / dayMs)
    this.#dayStartMs = this.#day * dayMs
    return this.#day
  }

  #roll(trader: number, day: number): void {
    const v = this.#v
    const buckets = this.#bucketsOf(trader)
    const at = this.#at(trader)
    const first = (trader & bucketMask) * days
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
    const tier = this.#tierOf(this.#v[at + SUM] as Units, this.#floors.size === 0 ? undefined : this.#floors.get(at))
    this.#words[at * 2 + TIERS] = (this.#words[at * 2 + TIERS]! & ~tierMask) | tier
    this.#v[at + RISES_AT] = this.#tiers[tier + 1]?.volumeMin ?? Number.MAX_SAFE_INTEGER
  }

  /** The tier of a volume, at least `floor`. A tier that the schedule no longer has is its last one. */
  #tierOf(volume: Units, floor: TierNumber | undefined): number {
    const byVolume = tierOf(this.#tiers, volume)
    return floor === undefined ? byVolume : Math.max(byVolume, Math.min(floor, Math.max(0, this.#tiers.length - 1)))
  }

  /** Position for the volume of a user who had none when the command began. */
  #enter(user: UserId, atMs: Millis): number {
    const known = this.find(user, atMs)
    if (known !== 0) return known
    const trader = this.#open(user)
    this.#roll(trader, this.#dayOf(atMs))
    return this.#at(trader)
  }

  #open(user: UserId): number {
    if (user >= this.#of.length) this.#of = roomierWords(this.#of, user + 1, tradersMax + 1)
    const trader = this.#traders++
    if (trader > traderMask) throw new Error('there are more traders than places')
    if (FIRST + this.#traders * V > this.#v.length) {
      this.#v = roomierSlots(this.#v, FIRST + this.#traders * V, FIRST + (tradersMax + 1) * V)
      this.#words = new Int32Array(this.#v.buffer)
    }
    while (this.#buckets.length <= trader >>> bucketBits) this.#buckets.push(new Float64Array(days << bucketBits))
    this.#of[user] = trader
    if (user > this.#last) this.#last = user
    this.#grade(this.#at(trader))
    return trader
  }
}
