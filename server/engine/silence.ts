import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'

/** How long prices stay valid without confirmation. Feeds tick four times a second, whether prices move or not. */
export const silenceMaxMs = 3_000

/** An `index.tick` that is not stamped yet, and the time of its stamp. */
export type SilenceTick = { readonly command: Float64Array; readonly atMs: number }

/**
 * Detects that no index tick has come for too long: the feed process is gone or hangs, or the exchange itself stood still. All
 * prices then count as not good, as if the feed had reported that.
 */
export class Silence {
  readonly #maxMs: number
  readonly #into = new Records(1024)
  /** Time of the tick after which all prices were marked as not good: nothing to do until the next one. */
  #quietFromMs = 0

  /** `maxMs`: Infinity for an exchange without feeds. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  /** The time at which `due` returns a command; Infinity while no price is good. */
  dueAtMs({ tickedAtMs }: Exchange): number {
    return tickedAtMs === this.#quietFromMs ? Number.POSITIVE_INFINITY : tickedAtMs + this.#maxMs + 1
  }

  /**
   * The command to decide before anything else at `nowMs`; undefined while prices are confirmed, or none is good. Its time is
   * when the silence became too long, or the last command's if later: the outage counts from there.
   */
  due(exchange: Exchange, nowMs: number): SilenceTick | undefined {
    const { tickedAtMs } = exchange
    if (nowMs - tickedAtMs <= this.#maxMs || tickedAtMs === this.#quietFromMs) return undefined
    const prices = exchange.goodPrices().map((price) => ({ ...price, sources: 0, isGood: false }))
    this.#quietFromMs = tickedAtMs
    if (prices.length === 0) return undefined
    this.#into.clear()
    encodeCommand({ type: 'index.tick', prices }, { seq: 0, at: 0, keyId: 0 }, this.#into)
    return { command: this.#into.data.slice(0, this.#into.length), atMs: Math.max(exchange.atMs, tickedAtMs + this.#maxMs + 1) }
  }
}
