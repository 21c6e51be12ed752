import type { Millis } from '../../../money/brand.ts'
import { resumingMs, noLiquidationsMs, shortOutageMs } from '../../records/phase.ts'

/** Whether something that accounts depend on (a price, a market) works, and since when. Time comes only from command stamps. */
export class Outage {
  /** Start of the outage; 0: there is none. */
  sinceMs = 0 as Millis
  /** End of the last outage of 3 s or more; 0: there was none. */
  returnedMs = 0

  begin(atMs: Millis): void {
    if (this.sinceMs === 0) this.sinceMs = atMs
  }

  end(atMs: Millis): void {
    if (this.sinceMs === 0) return
    if (atMs - this.sinceMs >= shortOutageMs) this.returnedMs = atMs
    this.sinceMs = 0 as Millis
  }

  /** Whether accounts may take on risk that depends on it. */
  opens(atMs: Millis): boolean {
    return this.sinceMs === 0 && atMs - this.returnedMs >= resumingMs
  }

  /** Whether liquidations may depend on it. */
  liquidates(atMs: Millis): boolean {
    return this.sinceMs === 0 && atMs - this.returnedMs >= noLiquidationsMs
  }
}

/** The last good index price of an asset, at 1e-8 of a USDT, and whether it is still good. */
export class Price {
  last = 0
  readonly outage = new Outage()
}
