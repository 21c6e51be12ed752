import type { SharedCounts } from './counts.ts'

/** What another gateway last told of a name, and when. */
type Known = { mark: number; value: number; at: number }
type Kinds = Readonly<Record<string, SharedCounts>>
/** Name, mark and value of each count, one after the other. */
export type CountList = readonly (string | number)[]

/** A gateway whose clock is hours ahead tells counts of windows that begin hours later here: so many of these are kept. */
const earlyMax = 10_000

/** What the other gateways have counted, so that only the difference to what they told before is added. */
export class HeardCounts {
  readonly #kinds: Kinds
  readonly #now: () => number
  /** By gateway and kind. */
  readonly #known = new Map<string, Map<string, Map<string | number, Known>>>()
  /** The last count of each name whose window has not begun here, because the clock of another gateway is ahead. Oldest first. */
  readonly #early = new Map<string, readonly [from: string, kind: string, list: CountList]>()

  constructor(kinds: Kinds, now: () => number) {
    this.#kinds = kinds
    this.#now = now
  }

  /** isKnown  whether the gateway has told everything before; until then, what it had spent is only noted */
  hear(from: string, kind: string, list: CountList, isKnown: boolean): void {
    const counts = Object.hasOwn(this.#kinds, kind) ? this.#kinds[kind] : undefined
    if (counts === undefined) return
    const names = this.#namesOf(from, kind)
    for (let i = 0; i + 2 < list.length; i += 3) {
      const [name, mark, value] = list.slice(i, i + 3) as [string | number, number, number]
      if (!Number.isFinite(mark) || !Number.isFinite(value)) continue
      const before = names.get(name)
      if (before !== undefined && mark < before.mark) continue
      const told = before?.mark === mark ? before.value : 0
      const isOnlyNoted = counts.kind === 'flow' && before === undefined && !isKnown
      const more = isOnlyNoted ? 0 : value - told
      if (counts.kind !== 'level' && more < 0) continue
      if (more !== 0 && !isTaken(counts, name, mark, more)) {
        this.#wait(from, kind, [name, mark, value])
        continue
      }
      if (counts.kind === 'level' && value === 0) names.delete(name)
      else names.set(name, { mark, value, at: this.#now() })
    }
  }

  /** Tries again what came too early. */
  again(): void {
    const early = [...this.#early.values()]
    this.#early.clear()
    for (const [from, kind, list] of early) this.hear(from, kind, list, true)
  }

  /** Takes the levels of a gateway away: it is gone, or tells all of them anew. */
  forgetLevels(from: string): void {
    for (const [kind, names] of this.#known.get(from) ?? []) {
      const counts = this.#kinds[kind]!
      if (counts.kind !== 'level') continue
      for (const [name, { mark, value }] of names) counts.add(name, mark, -value)
      names.clear()
    }
  }

  /** Forgets what was told so long ago that its windows have ended. */
  sweep(): void {
    const now = this.#now()
    for (const [from, kinds] of this.#known) {
      for (const [kind, names] of kinds) {
        const { kind: sort, keptMs } = this.#kinds[kind]!
        for (const [name, { at }] of names) if (sort !== 'level' && now - at > keptMs) names.delete(name)
        if (names.size === 0) kinds.delete(kind)
      }
      if (kinds.size === 0) this.#known.delete(from)
    }
  }

  #wait(from: string, kind: string, list: CountList): void {
    const key = `${from} ${kind} ${list[0]}`
    this.#early.delete(key)
    this.#early.set(key, [from, kind, list])
    if (this.#early.size > earlyMax) this.#early.delete(this.#early.keys().next().value!)
  }

  #namesOf(from: string, kind: string): Map<string | number, Known> {
    let kinds = this.#known.get(from)
    if (kinds === undefined) this.#known.set(from, (kinds = new Map()))
    let names = kinds.get(kind)
    if (names === undefined) kinds.set(kind, (names = new Map()))
    return names
  }
}

/** Returns false when the window has not begun. A name that another version tells, and this kind of counts has not, counts as nothing. */
function isTaken(counts: SharedCounts, name: string | number, mark: number, more: number): boolean {
  try {
    return counts.add(name, mark, more)
  } catch {
    return true
  }
}
