import type { Millis } from '../../money/brand.ts'
import { marketPhases } from '../../protocol/market.ts'
import type { MarketPhase } from '../../protocol/market.ts'

/** An outage or halt shorter than this ends as if it had not been. */
export const shortOutageMs = 3_000
/** A price that is not good for so long: orders that could open are cancelled, and orders that only reduce match again. */
export const reducingAfterMs = 30_000
/** After a longer outage: so long orders may only be cancelled, or rest without trading, so that there is a book when it matches and triggers act. */
export const resumingMs = 5_000
/** After a longer outage: so long no liquidations, `resumingMs` included. */
export const noLiquidationsMs = 10_000

const numberOf = (phase: MarketPhase): number => marketPhases.indexOf(phase)
export const OPEN = numberOf('open')
export const BAD = numberOf('bad')
export const REDUCING = numberOf('reducing')
export const HALTED = numberOf('halted')
export const RESUMING = numberOf('resuming')
export const NO_LIQUIDATIONS = numberOf('no-liquidations')

/** What a gate remembers, in milliseconds since 1970; 0: not running. */
export type GateRecord = readonly [
  phase: number,
  badAtMs: number,
  shutAtMs: number,
  returnedAtMs: number,
  closedMs: number,
  closedAtMs: number,
]
export const gateSlots = 6

/**
 * What a market may do: it shuts when its price is not good or when it is halted, and opens again in steps. Time comes
 * in only as stamps. An outage of less than 3 s ends without steps; one that falls into the steps does not stretch them.
 */
export class Gate {
  phase = OPEN
  /** Since when the price is not good. */
  #badAtMs = 0
  /** Since when it is shut, for whatever reason. */
  #shutAtMs = 0
  /** When the last outage of 3 s or more ended, while the steps after it run. */
  #returnedAtMs = 0
  /** All time in which it did not match, but the stretch that runs since `#closedAtMs`. */
  #closedMs = 0
  #closedAtMs = 0

  /** Whether orders may trade that open, and triggers act. */
  get matches(): boolean {
    return this.phase === OPEN || this.phase === NO_LIQUIDATIONS
  }

  /** Whether liquidations may go by its price, and money may leave by it. */
  get liquidates(): boolean {
    return this.phase === OPEN
  }

  /** Moves on to a time. Returns whether the phase is another now. */
  advance(atMs: Millis, isGood: boolean, isTrading: boolean): boolean {
    const was = this.phase
    if (isGood) this.#badAtMs = 0
    else if (this.#badAtMs === 0) this.#badAtMs = atMs
    if (isGood && isTrading) this.#return(atMs)
    else if (this.#shutAtMs === 0) this.#shutAtMs = atMs
    this.phase = this.#phaseAt(atMs, isGood, isTrading)
    if (!this.matches && this.#closedAtMs === 0) this.#closedAtMs = atMs
    else if (this.matches && this.#closedAtMs !== 0) {
      this.#closedMs += atMs - this.#closedAtMs
      this.#closedAtMs = 0
    }
    return this.phase !== was
  }

  /** When `advance` leads to another phase though nothing else happens; Infinity: never. */
  dueAtMs(): number {
    if (this.phase === BAD) return this.#badAtMs + reducingAfterMs
    if (this.phase === RESUMING) return this.#returnedAtMs + resumingMs
    return this.phase === NO_LIQUIDATIONS ? this.#returnedAtMs + noLiquidationsMs : Infinity
  }

  /** How long it did not match in all, in milliseconds: what counts open time only leaves the difference of two of these out. */
  closedMs(atMs: Millis): number {
    return this.#closedMs + (this.#closedAtMs === 0 ? 0 : atMs - this.#closedAtMs)
  }

  record(): GateRecord {
    return [this.phase, this.#badAtMs, this.#shutAtMs, this.#returnedAtMs, this.#closedMs, this.#closedAtMs]
  }

  restore(data: Float64Array, at: number): void {
    this.phase = data[at]!
    this.#badAtMs = data[at + 1]!
    this.#shutAtMs = data[at + 2]!
    this.#returnedAtMs = data[at + 3]!
    this.#closedMs = data[at + 4]!
    this.#closedAtMs = data[at + 5]!
  }

  #return(atMs: Millis): void {
    if (this.#shutAtMs !== 0 && atMs - this.#shutAtMs >= shortOutageMs) this.#returnedAtMs = atMs
    this.#shutAtMs = 0
    if (atMs - this.#returnedAtMs >= noLiquidationsMs) this.#returnedAtMs = 0
  }

  #phaseAt(atMs: Millis, isGood: boolean, isTrading: boolean): number {
    if (!isTrading) return HALTED
    if (!isGood) return atMs - this.#badAtMs >= reducingAfterMs ? REDUCING : BAD
    if (this.#returnedAtMs === 0) return OPEN
    return atMs - this.#returnedAtMs < resumingMs ? RESUMING : NO_LIQUIDATIONS
  }
}
