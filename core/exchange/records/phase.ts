import type { Millis } from '../../money/brand.ts'
import { layoutOf, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { marketPhases } from '../../protocol/market.ts'
import type { MarketPhase } from '../../protocol/market.ts'

/** An outage or halt shorter than this ends without consequences. */
export const shortOutageMs = 3_000
/** After a price has not been good for this long, orders that could open are cancelled, and orders that only reduce match again. */
export const reducingAfterMs = 30_000
/**
 * Time after a longer outage during which orders may only be cancelled or rest without trading, so that there is a book when
 * matching and triggers start again.
 */
export const resumingMs = 5_000
/** Time after a longer outage during which there are no liquidations, including `resumingMs`. */
export const noLiquidationsMs = 10_000

const numberOf = (phase: MarketPhase): number => marketPhases.indexOf(phase)
export const OPEN = numberOf('open')
export const BAD = numberOf('bad')
export const REDUCING = numberOf('reducing')
export const HALTED = numberOf('halted')
export const RESUMING = numberOf('resuming')
export const NO_LIQUIDATIONS = numberOf('no-liquidations')

/** The state of a gate, as times in milliseconds since 1970; 0: not running. */
const GATE = layoutOf('phase', 'badAtMs', 'shutAtMs', 'returnedAtMs', 'closedMs', 'closedAtMs')

/**
 * Opens and closes a market: it closes when its price is not good or it is halted, and opens again in steps. Its only clock is the
 * time stamps of commands. An outage of less than 3 s ends without steps; if it falls into the steps, it does not prolong them.
 */
export class Gate {
  phase = OPEN
  /** Time since which the price has not been good; 0 while it is good. */
  #badAtMs = 0
  /** Time since which the market has been closed, for any reason. */
  #shutAtMs = 0
  /** End of the last outage of 3 s or more, while the steps after it run. */
  #returnedAtMs = 0
  /** Total time in which it did not match, except the part since `#closedAtMs`. */
  #closedMs = 0
  #closedAtMs = 0

  /** Whether orders that open may trade and triggers act. */
  get matches(): boolean {
    return this.phase === OPEN || this.phase === NO_LIQUIDATIONS
  }

  /** Whether liquidations and withdrawals of margin may rely on its price. */
  get liquidates(): boolean {
    return this.phase === OPEN
  }

  /** Advances to a time. Returns whether the phase has changed. */
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

  /** Time at which `advance` changes the phase even if nothing else happens; Infinity if never. */
  dueAtMs(): number {
    if (this.phase === BAD) return this.#badAtMs + reducingAfterMs
    if (this.phase === RESUMING) return this.#returnedAtMs + resumingMs
    return this.phase === NO_LIQUIDATIONS ? this.#returnedAtMs + noLiquidationsMs : Infinity
  }

  /** Total time in which it did not match, in milliseconds. Code that measures open time subtracts the difference of two such values. */
  closedMs(atMs: Millis): number {
    return this.#closedMs + (this.#closedAtMs === 0 ? 0 : atMs - this.#closedAtMs)
  }

  dump(into: Records): void {
    putRecord(into, GATE, {
      phase: this.phase,
      badAtMs: this.#badAtMs,
      shutAtMs: this.#shutAtMs,
      returnedAtMs: this.#returnedAtMs,
      closedMs: this.#closedMs,
      closedAtMs: this.#closedAtMs,
    })
  }

  /** Reads what `dump` wrote; returns where it ends. */
  restore(data: Float64Array, at: number): number {
    this.phase = data[at + GATE.phase]!
    this.#badAtMs = data[at + GATE.badAtMs]!
    this.#shutAtMs = data[at + GATE.shutAtMs]!
    this.#returnedAtMs = data[at + GATE.returnedAtMs]!
    this.#closedMs = data[at + GATE.closedMs]!
    this.#closedAtMs = data[at + GATE.closedAtMs]!
    return at + GATE.length
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
