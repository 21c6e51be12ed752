import type { UserId } from '../../protocol/ids.ts'
import type { Millis } from '../../money/brand.ts'
import { everywhere, type HomeNumber, homesIn, regionWord } from '../../protocol/codec/region.ts'
import type { RegionRow } from '../../protocol/port.ts'
import { Shards } from '../../protocol/codec/shards.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { DumpVersion, Records } from '../../protocol/codec/records.ts'
import { policies } from '../../risk/policy.ts'
import { countAt } from '../../protocol/codec/slots.ts'

/** Products that are opened to customers of a region. */
export type Opened = { readonly leverage: boolean; readonly second: boolean }

/** The state before operators decide anything. It counts in production only. */
const atFirst: Opened = { leverage: false, second: false }

// Four lists, each preceded by its length.
const HOME = layoutOf('user', 'region')
const COMER = layoutOf('user', 'openedAtMs')
const OPENED = layoutOf('region', 'leverage', 'second')
const REST = layoutOf('user', 'until')

/** Largest number of users that one command forgets because they are no longer new. */
const agedAtOnce = 4
const momentBits = 12
const momentMask = 2 ** momentBits - 1

/** Times by user number, in pages of 4,096, so that adding one never copies the others. */
class Moments {
  readonly #pages: (Float64Array | undefined)[] = []

  get(user: UserId): number {
    return this.#pages[user >>> momentBits]![user & momentMask]!
  }

  set(user: UserId, atMs: Millis): void {
    const at = user >>> momentBits
    while (this.#pages.length <= at) this.#pages.push(undefined)
    const page = (this.#pages[at] ??= new Float64Array(momentMask + 1))
    page[user & momentMask] = atMs
  }
}

/** Users' regions and pauses, the opening times of new users, and the products that are opened in each region. */
export class UserFacts {
  /** Regions by user, as `homeNumber` writes them. Users of unknown region have no entry. */
  readonly #regions = new Shards<number>()
  /** Opening times of the users that were new at the last check: users `#fresh` to `#last`. */
  readonly #openedAt = new Moments()
  /** Ends of pauses, past ones included, by user. */
  readonly #rests = new Shards<Millis>()
  #fresh = 1 as UserId
  #last = 0 as UserId
  readonly #opened = new Map<number, Opened>([[everywhere, atFirst]])

  /** Adds a new user, and forgets users who are no longer new. */
  open(user: UserId, atMs: Millis): void {
    if (this.#fresh > this.#last) this.#fresh = user
    for (let left = agedAtOnce; left > 0 && this.#fresh <= this.#last; left--, this.#fresh++) {
      if (atMs - this.#openedAt.get(this.#fresh) < policies.newCustomerMs.production) break
    }
    this.#openedAt.set(user, atMs)
    this.#last = user
  }

  /** `home`: from `homeNumber`. */
  locate(user: UserId, home: number): void {
    if (home === 0) this.#regions.delete(user)
    else this.#regions.set(user, home)
  }

  /** Number of a user's regions, from `homeNumber`; 0: unknown. */
  region(user: UserId): number {
    return this.#regions.get(user) ?? 0
  }

  /** End of the user's own pause; 0: there never was one. */
  restUntil(user: UserId): Millis {
    return this.#rests.get(user) ?? (0 as Millis)
  }

  setRest(user: UserId, until: Millis): void {
    this.#rests.set(user, until)
  }

  setOpened(region: number, opened: Opened): void {
    this.#opened.set(region, opened)
  }

  /** The row of a region, or the row of all others. */
  openedIn(region: number): Opened {
    return this.#opened.get(region) ?? this.#opened.get(everywhere)!
  }

  /** Products opened to a user: those that are open in each of the user's regions. An unknown region gets the rules of all regions. */
  opened(user: UserId): Opened {
    const homes = homesIn(this.region(user) as HomeNumber) ?? []
    const rows = homes.length === 0 ? this.#opened.values() : homes.map((home) => this.openedIn(home))
    let [leverage, second] = [true, true]
    for (const row of rows) {
      leverage &&= row.leverage
      second &&= row.second
    }
    return { leverage, second }
  }

  /** Time since a user was opened; Infinity for users who are no longer new. */
  ageMs(user: UserId, atMs: Millis): number {
    return user < this.#fresh || user > this.#last ? Infinity : atMs - this.#openedAt.get(user)
  }

  /** All rows by region code; that of all other regions is last. */
  rows(): readonly RegionRow[] {
    return sorted(this.#opened).map(([region, { leverage, second }]) => ({
      region: regionWord(region),
      isLeverageOpen: leverage,
      isSecondOpen: second,
    }))
  }

  dump(into: Records): void {
    put(into, this.#regions.size)
    for (const [user, region] of sorted(this.#regions)) putRecord(into, HOME, { user, region })
    put(into, this.#last + 1 - this.#fresh)
    for (let user = this.#fresh; user <= this.#last; user++) {
      const at = into.reserve(COMER.length)
      into.data[at + COMER.user] = user
      into.data[at + COMER.openedAtMs] = this.#openedAt.get(user)
    }
    put(into, this.#opened.size)
    for (const [region, { leverage, second }] of sorted(this.#opened)) putRecord(into, OPENED, { region, leverage, second })
    put(into, this.#rests.size)
    for (const [user, until] of sorted(this.#rests)) putRecord(into, REST, { user, until })
  }

  /** Reads what `dump` of version `from` wrote at `start`. Returns the index just after it. Before 14 nobody rested. */
  restore(data: Float64Array, start: number, from: DumpVersion): number {
    let at = start
    for (let left = countAt(data, at++, HOME.length); left > 0; left--, at += HOME.length)
      this.#regions.set(data[at + HOME.user]!, data[at + HOME.region]!)
    const fresh = countAt(data, at++, COMER.length)
    if (fresh > 0) this.#fresh = data[at + COMER.user] as UserId
    for (let n = 0; n < fresh; n++, at += COMER.length) {
      this.#last = data[at + COMER.user] as UserId
      this.#openedAt.set(this.#last, data[at + COMER.openedAtMs] as Millis)
    }
    for (let left = countAt(data, at++, OPENED.length); left > 0; left--, at += OPENED.length) {
      const opened = { leverage: data[at + OPENED.leverage] === 1, second: data[at + OPENED.second] === 1 }
      this.#opened.set(data[at + OPENED.region]!, opened)
    }
    if (from < 14) return at
    for (let left = countAt(data, at++, REST.length); left > 0; left--, at += REST.length)
      this.#rests.set(data[at + REST.user]!, data[at + REST.until] as Millis)
    return at
  }
}

function sorted<T>(map: Iterable<readonly [number, T]>): readonly (readonly [number, T])[] {
  return [...map].sort((a, b) => a[0] - b[0])
}
