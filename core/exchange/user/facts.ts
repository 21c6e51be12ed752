import { everywhere } from '../../protocol/codec/region.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { leverageCeiling, noCeiling, policies } from '../../risk/policy.ts'
import { PRODUCTION } from '../mode.ts'
import type { State } from '../state.ts'

/** What is opened to customers of a region. */
export type Opened = { readonly leverage: boolean; readonly second: boolean }

/** Before operators decide anything: Second as its terms say, no leverage above 2. */
const atFirst: Opened = { leverage: false, second: true }
const rowSlots = 3
/** Users that are no longer new are let go this many at a time, so that no command has to let go of many. */
const agedAtOnce = 4

/** Where users are at home, since when the new ones are here, and what is opened where. By numbers of users and regions. */
export class UserFacts {
  /** Without those that are not known. */
  readonly #regions = new Map<number, number>()
  /** When those users came that were new the last time anybody looked; ascending. */
  readonly #openedAt = new Map<number, number>()
  readonly #opened = new Map<number, Opened>([[everywhere, atFirst]])

  /** A new user comes; those that are new no longer are forgotten. */
  open(user: number, atMs: number): void {
    let left = agedAtOnce
    for (const [old, since] of this.#openedAt) {
      if (left-- === 0 || atMs - since < policies.newCustomerMs.production) break
      this.#openedAt.delete(old)
    }
    this.#openedAt.set(user, atMs)
  }

  locate(user: number, region: number): void {
    if (region === 0) this.#regions.delete(user)
    else this.#regions.set(user, region)
  }

  /** 0: not known. */
  region(user: number): number {
    return this.#regions.get(user) ?? 0
  }

  setOpened(region: number, opened: Opened): void {
    this.#opened.set(region, opened)
  }

  /** The row of a region, or the one of all others. */
  openedIn(region: number): Opened {
    return this.#opened.get(region) ?? this.#opened.get(everywhere)!
  }

  /** What a user may: an unknown region is the strictest of all, so what is closed anywhere is closed there. */
  opened(user: number): Opened {
    const region = this.region(user)
    if (region !== 0) return this.openedIn(region)
    let [leverage, second] = [true, true]
    for (const row of this.#opened.values()) {
      leverage &&= row.leverage
      second &&= row.second
    }
    return { leverage, second }
  }

  /** For how long a user has been here; of one who came long ago: Infinity. */
  ageMs(user: number, atMs: number): number {
    const since = this.#openedAt.get(user)
    return since === undefined ? Infinity : atMs - since
  }

  dump(into: Records): void {
    put(into, this.#regions.size)
    for (const [user, region] of sorted(this.#regions)) put(into, user, region)
    put(into, this.#openedAt.size)
    for (const [user, since] of sorted(this.#openedAt)) put(into, user, since)
    put(into, this.#opened.size)
    for (const [region, { leverage, second }] of sorted(this.#opened)) put(into, region, leverage ? 1 : 0, second ? 1 : 0)
  }

  /** Reads what `dump` wrote at `start`; returns where it ends. */
  restore(data: Float64Array, start: number): number {
    let at = start
    for (let left = data[at++]!; left > 0; left--, at += 2) this.#regions.set(data[at]!, data[at + 1]!)
    for (let left = data[at++]!; left > 0; left--, at += 2) this.#openedAt.set(data[at]!, data[at + 1]!)
    for (let left = data[at++]!; left > 0; left--, at += rowSlots)
      this.#opened.set(data[at]!, { leverage: data[at + 1] === 1, second: data[at + 2] === 1 })
    return at
  }
}

/** Highest leverage that the user may open or enlarge anything with now, of futures and margin. */
export function ceilingOf(x: State, user: number): number {
  if (x.mode !== PRODUCTION) return noCeiling
  return leverageCeiling('production', x.facts.ageMs(user, x.atMs), x.facts.opened(user).leverage)
}

/** Whether Second is opened to the user's region. In a sandbox it is everywhere. */
export function isSecondOpened(x: State, user: number): boolean {
  return x.mode !== PRODUCTION || x.facts.opened(user).second
}

function sorted<T>(map: ReadonlyMap<number, T>): readonly (readonly [number, T])[] {
  return [...map].sort((a, b) => a[0] - b[0])
}

function put(into: Records, ...values: readonly number[]): void {
  const at = into.reserve(values.length)
  for (let n = 0; n < values.length; n++) into.data[at + n] = values[n]!
}
