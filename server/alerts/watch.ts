import { Thresholds } from './thresholds.ts'

/**
 * An alert, as numbers of its series. It tells that the value has reached `level` from the other side: once, or each time after the
 * value has come back to `back`.
 *
 * direction  1: reached from below; -1: from above
 * back       undefined: after the first crossing it is over
 * armsAt     undefined: armed; else it gets armed when the value has come back to this
 */
export type Watched = {
  readonly id: string
  readonly series: string
  readonly direction: 1 | -1
  readonly level: number
  readonly back: number | undefined
  readonly armsAt: number | undefined
}

/** `fired`: it was armed and its level was reached. `armed`: the value has come back. */
export type Turn = { readonly id: string; readonly turn: 'fired' | 'armed'; readonly value: number }

type Kept = { readonly alert: Watched; isArmed: boolean }

/**
 * Alerts on many series. A value costs O(log n) for each alert that it turns, and O(1) if it turns none. An alert turns on crossings,
 * never on levels: one that has fired does not fire again while the value stays beyond.
 */
export class Watch {
  readonly #alerts = new Map<string, Kept>()
  readonly #series = new Map<string, Thresholds>()

  get size(): number {
    return this.#alerts.size
  }

  has(series: string): boolean {
    return this.#series.has(series)
  }

  /** All series on which somebody waits. */
  series(): IterableIterator<string> {
    return this.#series.keys()
  }

  /** Adds an alert, or replaces the one with its id. */
  put(alert: Watched): void {
    this.drop(alert.id)
    const kept = { alert, isArmed: alert.armsAt === undefined }
    this.#alerts.set(alert.id, kept)
    this.#wait(kept, alert.armsAt)
  }

  drop(id: string): void {
    const kept = this.#alerts.get(id)
    if (kept === undefined) return
    this.#alerts.delete(id)
    const { series } = kept.alert
    const thresholds = this.#series.get(series)
    thresholds?.forget(id)
    if (thresholds?.size === 0) this.#series.delete(series)
  }

  clear(): void {
    this.#alerts.clear()
    this.#series.clear()
  }

  /** The alerts that the series' new value turns. */
  value(series: string, value: number): readonly Turn[] {
    const reached = this.#series.get(series)?.reached(value) ?? []
    return reached.flatMap((id) => {
      const kept = this.#alerts.get(id)
      return kept === undefined ? [] : [this.#turn(kept, value)]
    })
  }

  #turn(kept: Kept, value: number): Turn {
    const { alert } = kept
    const { id, back } = alert
    if (!kept.isArmed) {
      kept.isArmed = true
      this.#wait(kept)
      return { id, turn: 'armed', value }
    }
    if (back === undefined) this.drop(id)
    else {
      kept.isArmed = false
      this.#wait(kept, back)
    }
    return { id, turn: 'fired', value }
  }

  /** `armsAt`: of an alert that is not armed. */
  #wait({ alert, isArmed }: Kept, armsAt: number | undefined = near(alert)): void {
    let thresholds = this.#series.get(alert.series)
    if (thresholds === undefined) this.#series.set(alert.series, (thresholds = new Thresholds()))
    if (isArmed) thresholds.wait(alert.id, alert.direction, alert.level)
    else thresholds.wait(alert.id, alert.direction === 1 ? -1 : 1, armsAt)
  }
}

/** The nearest value on the side from which the level is reached. */
export function near({ level, direction }: Pick<Watched, 'level' | 'direction'>): number {
  return level - direction
}
