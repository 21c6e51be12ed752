import { commandsPerSecond } from './terms.ts'

/** Limits the commands of the last second, for each market and in total. Times are in ms. */
export class Budget {
  readonly #sent = new Map<string, number[]>()
  readonly #all: number[] = []

  /** Returns true, and counts the command, if one more may be sent. */
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
