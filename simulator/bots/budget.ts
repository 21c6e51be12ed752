import { commandsPerSecond } from './terms.ts'

/** Counts commands against a limit for each market and one for all, over the second that is past. Times in ms. */
export class Budget {
  readonly #sent = new Map<string, number[]>()
  readonly #all: number[] = []

  /** True, and counted, when one more command may go. */
  take(symbol: string, nowMs: number): boolean {
    const own = this.#sent.get(symbol) ?? []
    this.#sent.set(symbol, own)
    drop(own, nowMs)
    drop(this.#all, nowMs)
    if (own.length >= commandsPerSecond.market || this.#all.length >= commandsPerSecond.total) return false
    own.push(nowMs)
    this.#all.push(nowMs)
    return true
  }
}

function drop(times: number[], nowMs: number): void {
  while (times.length > 0 && nowMs - times[0] >= 1_000) times.shift()
}
