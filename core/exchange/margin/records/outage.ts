import type { Millis } from '../../../money/brand.ts'
import { resumingMs, noLiquidationsMs, shortOutageMs } from '../../records/phase.ts'

/** Whether something that accounts depend on (a price, a market) works, and since when it does again. Time comes in only as stamps. */
export class Outage {
  /** Since when it is out; 0: it works. */
  sinceMs = 0 as Millis
  /** When the last outage of 3 s or more ended; 0: none did. */
  returnedMs = 0

  begin(atMs: Millis): void {
    if (this.sinceMs === 0) this.sinceMs = atMs
  }

  end(atMs: Millis): void {
    if (this.sinceMs === 0) return
    if (atMs - this.sinceMs >= shortOutageMs) this.returnedMs = atMs
    this.sinceMs = 0 as Millis
  }

  /** Whether risk may be taken by it. */
  opens(atMs: Millis): boolean {
    return this.sinceMs === 0 && atMs - this.returnedMs >= resumingMs
  }

  /** Whether liquidations may go by it. */
  liquidates(atMs: Millis): boolean {
    return this.sinceMs === 0 && atMs - this.returnedMs >= noLiquidationsMs
  }
}

/** The last good index price of an asset, at 1e-8 of a USDT, and whether it is still good. */
export class Price {
  last = 0
  readonly outage = new Outage()
}
